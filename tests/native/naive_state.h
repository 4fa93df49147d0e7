/* naive_state.h -- a state of an abstract program: memory, threads, and which thread knows of which access.
 *
 * Happens-before has no clocks here: they would make every state of a loop a new one.  Instead,
 * each thread's last access of each kind to each location has the set of those who *know* it,
 * that is, after whose last event it happens.  Threads know; and what threads leave behind for
 * others to acquire knows, as messages do.  An access races with an earlier conflicting one of
 * which its thread does not know.  A thread's last access of a kind is enough, because a thread that knows it also
 * knows the earlier ones.
 */
#ifndef NAIVE_STATE_H
#define NAIVE_STATE_H

#include "naive.h"

enum { LOCATIONS = GLOBALS + 5 * BLOCKS, FIELD_V = 0, FIELD_NEXT, FIELD_A, FIELD_MUTEX, FIELD_COND, FIELDS };
enum { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

__extension__ typedef unsigned __int128 knowers;

/* Who can know of an access. */
static inline int thread(int t) { return t; }
static inline int to_acquire(int t) { return THREADS + t; }     /* read, to be acquired by a fence */
static inline int released(int t) { return 2 * THREADS + t; }   /* by its last release fence */
static inline int wake_up(int t) { return 3 * THREADS + t; }    /* what the thread was woken with */
static inline int message(int o) { return 4 * THREADS + o; }    /* of the object's last write */
static inline int head(int t, int o) { return 4 * THREADS + OBJECTS + t * ATOMICS + o; }
enum { KNOWERS = 4 * THREADS + OBJECTS + THREADS * ATOMICS };
_Static_assert(KNOWERS <= 128, "they fit into a set");

enum { NOT_BEGUN, RUNNING, DROPPED, ENDED };      /* status of a thread */
enum { NO_BLOCK, ALLOCATED, LOCAL, FREED, GONE }; /* of a block; GONE: a local one whose thread has ended */
enum { NOT_WAITING, JOINED, UNLOCKED, WOKEN };    /* phases of a wait */

struct state {
	knowers known[LOCATIONS][THREADS][KINDS];
	int8_t value[ATOMICS];
	int8_t plain[LOCATIONS];
	int8_t block[BLOCKS], owner[BLOCKS];
	int8_t holder[2 + BLOCKS]; /* of mutexes: thread + 1 */
	uint8_t waiting[2];        /* at condition variables: a set of threads */
	int8_t semaphore[2];
	int8_t writer, readers[THREADS];
	int8_t arrivals, round[THREADS];
	int8_t status[THREADS], phase[THREADS], pc[THREADS];
	int8_t reg[THREADS][REGS];
	int8_t result[THREADS];
	bool over, said;           /* the program has ended; it has told its outcome */
};

struct judge {
	const struct naive_program *program;
	bool orders, slow;
	struct naive_answer *answer;
};

/* ---- happens-before ---- */

/* `to` learns all that `from` knows; with `only` nothing else stays. */
void learn(struct state *, int to, int from, bool only);

/* The thread has read from the object's last write, has written to it, or both; a fence. */
void read_from(const struct judge *, struct state *, int t, int object, int order);
void written_to(const struct judge *, struct state *, int t, int object, int order, bool rmw);
void update(const struct judge *, struct state *, int t, int object, int order);
void fence(const struct judge *, struct state *, int t, int order);

/* ---- memory: false if it goes wrong ---- */

void fail(struct judge *, enum naive_error);
int place(int block, int field);
bool access_place(struct judge *, struct state *, int t, int location, int kind);
bool access_block(struct judge *, struct state *, int t, int pointer, int field, int kind);
void begin_block(struct state *, int t, int block, int kind);
bool free_block(struct judge *, struct state *, int t, int pointer);
/* The block's lifetime ends: as if all of it were written to. */
bool give_back(struct judge *, struct state *, int t, int block);

/* ---- threads (naive_step.c) ---- */

/* Can the thread perform its operation, and in how many ways?  It is RUNNING. */
bool is_enabled(const struct judge *, const struct state *, int t);
int choices(const struct judge *, const struct state *, int t);
/* Performs it; false: it went wrong. */
bool step(struct judge *, struct state *, int t, int choice);
/* Goes on with what only concerns the thread itself; false: it went wrong. */
bool run_alone(struct judge *, struct state *, int t);

#endif
