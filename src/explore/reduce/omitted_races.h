/* omitted_races.h -- races with what was left out.
 *
 *     A                                        B
 *     for (;;) {                               store(&x, 1);
 *         s = load(&x);                        store(&x, 2);
 *         if (s == 1) { r = data; continue; }  while (!load(&done)) ;
 *         if (s == 2) break;                   data = 5;
 *     }
 *     store(&done, 1);                         // all relaxed
 *
 * A's iteration that reads 1 is redundant, and is left out: A is blocked there, and often the
 * graph is abandoned at once.  Results are the same without it, but races may be lost: its plain read of
 * `data` races with B's write, and no graph that is explored has both.
 *
 * So facts are recorded, over all executions, about
 *   - the accesses in iterations that were left out, plain reads and atomic ones: bytes, thread
 *     t, what happens before them (a clock), and the number i of events of t before the iteration;
 *   - plain writes, and frees: bytes, thread u, what happens before, the number e of events
 *     of u before it.
 * Let E be an execution with a race between an access of the first kind, r, and one of the second,
 * w.  Leave all other redundant iterations out of E: less is ordered, and the race is still there.
 * Leave out the iteration of r as well: that execution is explored and contains w, and the clock of w says
 * that u knows of at most i events of t, or r would happen before w.  The prefix of E up to r is
 * explored, too, and the clock of r says that t knows of at most e events of u.  Both clocks depend only
 * on the past of their own event.  So if no two facts match in this way, no race was lost.  If two do, the
 * exploration restarts and is careful: a redundant iteration is kept, unless the thread has kept one
 * before it.  (If the fact was about a plain read, at first only iterations with plain reads are kept.)
 * One kept iteration is enough for E; iterations that contain it are kept with it.  Whether an iteration is
 * kept depends on its thread's own past only, as before.  Accesses under a common lock are ordered
 * in every execution, and never match.
 *
 * Two kinds of accesses are recorded by their bytes alone.  Atomic writes: one to bytes that an omitted
 * iteration reads plainly is enough to be careful.  Plain reads: one of bytes that an omitted iteration
 * writes (with the value that was there) is enough.  Memory that only its thread knows of (own.h) is not
 * recorded.
 *
 * Plain reads just before an operation that another thread waits for, instead of performing it
 * itself (helping.h), are recorded like those of omitted iterations: the wait orders them before what
 * comes after the operation, which they need not be.  If they match a write or a free, threads do
 * not wait like that any more.
 *
 * Like threads (symmetry.h).  Executions are explored in one order of the like threads, and facts come
 * from these.  In another order, other threads make the two accesses, to memory that is renamed with them.  So a
 * fact about a like thread may be about any of them: it matches whichever thread the other access is
 * by, and its clock says nothing about other like threads.  Two addresses in the memory of like threads
 * match if they are at the same place in it, unless each access is by the thread that owns the memory.
 *
 * Found memory.  Without names little would ever be ordered: a pop that is omitted reads a node that
 * some push wrote to before it linked the node.  So memory that was found (own.h) is told apart.  Let f be
 * the first access of thread t to some bytes, a plain write, in an execution where no other thread
 * has accessed them before, and P the next event of t that others can see.  What t writes there
 * up to P are writes to found memory.  If r, which is omitted, accesses these bytes after P, it
 * does not race with any write to found memory: let x be one, to a byte of r, in an execution E
 * that has r.  If x is t's, P is the same event in E, and x happens before P and so before r.  If
 * x is another thread's, x and f race, in E without the iteration of r: were one of them before
 * the other, the memory would not have been new to the other.
 *
 * Locks.  Operations that could see that an omitted attempt (redundant_attempts.h) holds a lock are recorded,
 * too.  If there is one, such attempts are kept.
 */
#ifndef LP_EXPLORE_REDUCE_OMITTED_RACES_H
#define LP_EXPLORE_REDUCE_OMITTED_RACES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/program.h"

struct lp_bytes;
struct lp_cursor;
struct lp_explore_options;
struct lp_graph;
struct lp_ops;
struct lp_plains;
struct lp_plain_access;
struct lp_explorer;
struct lp_omitted_facts; /* the facts of all executions; perhaps recorded by several processes */

enum {
	LP_OMITTED_RECENT = 2048, /* a power of two */
	LP_OMITTED_ALIKE = 1024, /* likewise */
	LP_OMITTED_HELD = 4,     /* how many locks of a thread are considered */
};

/* What is common to the plain accesses of a thread between two of its events. */
struct lp_interval {
	lp_tid thread;
	uint64_t uid;  /* the uid of the event before them */
	uint64_t past; /* a hash of the clock */
	uintptr_t held[LP_OMITTED_HELD]; /* as in a fact */
};

struct lp_omitted {
	struct lp_omitted_facts *facts; /* NULL: writes are not recorded */
	uint32_t ops;                   /* how many operations were examined */
	uint64_t recent[LP_OMITTED_RECENT]; /* hashes of what is recorded already */
	struct lp_interval interval;        /* the interval of the last plain write */
	struct lp_program *program;
	uint64_t alike[LP_OMITTED_ALIKE / 64]; /* bits, by thread modulo this: there are threads like it */
};

/* Are facts needed?  Not where plain accesses are events, or nothing is left out. */
bool lp_omitted_needed(const struct lp_explore_options *);

/* Shared with processes that are forked later.  NULL if there is no memory. */
struct lp_omitted_facts *lp_omitted_facts_open(const struct lp_explore_options *);
void lp_omitted_facts_close(struct lp_omitted_facts *);

/* What is known, as bytes; and adds what is known elsewhere.  False if these are no such bytes. */
void lp_omitted_facts_write(struct lp_omitted_facts *, struct lp_bytes *);
bool lp_omitted_facts_merge(struct lp_omitted_facts *, struct lp_cursor *);

/* Do two facts match, so that a race may be lost, or an attempt be seen?  NULL: no. */
bool lp_omitted_matters(const struct lp_omitted_facts *);
/* Weakens the options for the restart. */
void lp_omitted_heed(const struct lp_omitted_facts *, struct lp_explore_options *);

/* A plain access to memory that others may know of;
 * `clock` is what happens before it. */
void lp_omitted_accessed(struct lp_omitted *, const struct lp_graph *, const struct lp_ops *,
			 const struct lp_plain_access *, const uint32_t *clock);

/* Two threads are alike; all plain accesses so far are in the log. */
void lp_omitted_like(struct lp_omitted *, const struct lp_plains *, const struct lp_graph *,
		     const struct lp_ops *, lp_tid, lp_tid);

/* Another thread accesses the stack of this one. */
void lp_omitted_stack_shared(struct lp_omitted *, lp_tid);

/* The iteration of the thread that consists of its events from `from` on, before `to`, is
 * redundant but for its plain reads: may it be left out? */
bool lp_omitted_applies(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* The thread is about to perform the operation, which is known to fail and is not performed: records that. */
void lp_omitted_await(struct lp_explorer *, lp_tid, uint32_t op, bool writes);

/* An iteration of the thread, which is in it, began after `from` events.  It might be left out: records what it has accessed so far. */
void lp_omitted_might_go_on(struct lp_explorer *, lp_tid, uint32_t from);
/* An iteration of the thread that would be left out, and began after `from` events, might perform the operation, or read
 * plainly, where `clock` happens before that. */
void lp_omitted_might_perform(struct lp_explorer *, lp_tid, uint32_t from, const struct lp_op *, const uint32_t *clock);
void lp_omitted_might_read(struct lp_explorer *, lp_tid, uint32_t from, uintptr_t loc, size_t size,
			   const uint32_t *clock);

/* Other threads wait for the operation that the thread performs after `index` events, instead of
 * performing it themselves; the thread reads plainly before it, outside its own stack.  Records these
 * reads.  False if facts are not recorded. */
bool lp_omitted_helped(struct lp_explorer *, lp_tid, uint32_t index);

/* An omitted iteration stored to the location, and the exploration relies on no other thread having read
 * that (overwritten_iterations.h).  False if one may have. */
bool lp_omitted_relies(struct lp_omitted *, uintptr_t loc, size_t size);
/* Another thread may read a store to it that is about to be overwritten. */
void lp_omitted_spoil(struct lp_omitted *, uintptr_t loc, size_t size);

/* Records what is there at the end of a walk. */
void lp_omitted_finish(struct lp_explorer *);

#endif
