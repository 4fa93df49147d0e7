/* script_state.h -- the state of a run of a script; only script.c and script_plain.c include it. */
#ifndef LP_PROGRAM_SCRIPT_STATE_H
#define LP_PROGRAM_SCRIPT_STATE_H

#include "program/script.h"

#define WIDTH 8 /* bytes of a location */

enum stage { ABSENT, SPAWNED, RUNNING };
enum life { ALIVE, UNBORN, FREED };

struct thread {
	enum stage stage;
	uint32_t line;         /* the line of the pending operation */
	uint64_t regs[LP_SCRIPT_REGS];
	uint64_t plain_writes;
	uint32_t rounds;       /* backward jumps so far */
	bool answered_plain;   /* the pending operation is an event that stands for bytes of a plain access */
	uint8_t done;          /* how many bytes of a plain access were performed or read so far */
	uint8_t gathered;      /* a bit for each byte of `read`: an event has read it */
	uint64_t read;         /* a plain load: the bytes that events have read */
	struct lp_op op;
};

struct script_program {
	struct lp_program base;
	const struct lp_script *script;
	lp_tid seen;           /* the number of threads that ever existed */
	uint32_t bound;        /* the largest number of rounds of a thread; 0: no bound */
	struct thread *threads;
	uint64_t *memory;      /* behind the threads, in the same block */
	uint64_t *life;        /* of each location: enum life; behind the memory, in the same block */
	size_t state_size;
	uint64_t asked;        /* how many operations (joins do not count), plain writes, allocations and frees there were so far */
	struct { LP_VEC(unsigned char); } saved; /* whole states, one after the other */
	struct lp_arena errors;
	struct { LP_VEC(const struct lp_program_error *); } known;
	char outcome[256];
};

static inline void set_reg(struct thread *t, uint8_t reg, uint64_t value)
{
	if (reg != LP_SCRIPT_NO_REG)
		t->regs[reg] = value;
}

/* The location that the line accesses when thread `tid` executes it. */
static inline uint32_t loc_of(const struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	uint64_t whose = 0;

	if (line->whose == LP_WHOSE_MINE)
		whose = tid;
	if (line->whose == LP_WHOSE_NAMED)
		whose = p->threads[tid].regs[line->owner] - LP_SCRIPT_ME;
	return line->loc + (whose < LP_SCRIPT_OWNERS ? (uint32_t)whose : 0);
}

static inline unsigned size_of(const struct lp_script_line *line)
{
	return line->size ? line->size : WIDTH;
}

static inline void write_memory(struct script_program *p, lp_tid tid, const struct lp_script_line *line,
			 unsigned from, unsigned size, uint64_t value)
{
	lp_value_write((char *)&p->memory[loc_of(p, tid, line)] + line->from + from, lp_value(value), size);
}

uint64_t lp_script_value(const struct thread *, const struct lp_script_expr *);

/* Makes an error the thread's pending operation, and returns true. */
bool lp_script_fail(struct script_program *, struct thread *, enum lp_error_kind kind, const char *text);

/* Is it an error to access the line's location now?  If so, the error becomes the pending operation. */
bool lp_script_is_dead(struct script_program *, lp_tid, const struct lp_script_line *);

/* Three functions that perform a line with a plain access, an allocation, or a free.  They return true if
 * a part of the access becomes an event, or if there is an error: the event or error is then the pending
 * operation.  They return false if the line has been performed. */
bool lp_script_plain(struct script_program *, lp_tid, const struct lp_script_line *);
bool lp_script_allocate(struct script_program *, lp_tid, const struct lp_script_line *);
bool lp_script_release(struct script_program *, lp_tid, const struct lp_script_line *);

/* To be called when the pending event of a plain access was answered: continues with the rest of the
 * access.  Returns the same as lp_script_plain(). */
bool lp_script_go_on(struct script_program *, lp_tid, const struct lp_script_line *,
		     const struct lp_response *);

#endif
