/* omitted_races.h -- races with accesses of iterations that were left out.
 *
 *     A                                        B
 *     for (;;) {                               store(&x, 1);
 *         s = load(&x);                        store(&x, 2);
 *         if (s == 1) { r = data; continue; }  while (!load(&done)) ;
 *         if (s == 2) break;                   data = 5;
 *     }
 *     store(&done, 1);                         // all relaxed
 *
 * The iteration in which A reads 1 is redundant, and is left out: A is blocked after this iteration, and often the
 * graph is abandoned at once.  Results are the same without the iteration, but a race may be lost: the
 * plain read of `data` in the iteration races with B's write, and no explored graph has both.
 *
 * So facts are recorded, over all executions, about two kinds of accesses:
 *   - plain reads and atomic accesses in iterations that were left out: their bytes,
 *     their thread t, a clock of what happens before them, and the number i of events of t before
 *     the iteration;
 *   - plain writes and frees: their bytes, their thread u, a clock of what happens before them, and
 *     the number e of events of u before them.
 * Let E be an execution with a race between an access r of the first kind and an access w of the second.
 * Leave all other redundant iterations out of E: fewer events are ordered, so the race is still there.
 * Now leave out the iteration of r, too: the resulting execution is explored and contains w.  According to the clock of
 * w, u knows of at most i events of t, since otherwise r would happen before w.  The prefix of E up to r is
 * explored, too.  According to the clock of r, t knows of at most e events of u.  Each of the two clocks depends only on
 * the past of its event.  So if no two facts match in this way, no race was lost.  If two facts match,
 * the exploration restarts and is careful: it keeps a redundant iteration, unless it has already kept one of the same thread in
 * this execution.  (If the fact of the first kind is about a plain read, at first only iterations with plain reads are kept.)  For E it is enough to
 * keep one iteration; iterations that contain a kept one are kept, too.  Whether an iteration is kept still depends only on its thread's own past.
 * Accesses under a common lock are ordered in every execution, and never match.
 *
 * If a thread spins forever, a careful exploration recognises this one or two rounds later than an exploration that is not careful.  The
 * second round is needed for iterations with writes.  Such an iteration is known to be redundant when its writes are overwritten
 * (overwritten_iterations.h).  By then the thread is in the next iteration, which is also kept.  So a bound on loops (limits.unroll) may stop
 * the thread before it is recognised.
 *
 * Two kinds of accesses are recorded by their bytes alone: atomic writes, and plain reads.  The
 * exploration becomes careful if there is an atomic write to bytes that an omitted iteration reads
 * plainly, or a plain read of bytes that an omitted iteration writes (with the value that was there
 * before).  Accesses to memory that only their thread knows of (own.h) are not recorded.
 *
 * With helping.h, a thread waits for an operation of another thread instead of performing this operation itself.
 * Consider the other thread's plain reads just before that operation.  With the wait, they happen before what the waiting thread
 * does next; without the wait, they need not.  So they are recorded like the reads of omitted
 * iterations.  If such a read matches a write or a free, the exploration restarts without helping.
 *
 * Like threads (symmetry.h).  Executions are explored for one order of the like threads only, and the facts come
 * from these executions.  In an execution with another order of the like threads, other threads make the two accesses, to memory that is
 * renamed with the threads.  So a fact about a like thread counts as a fact about all threads like it: it matches an access of any
 * thread, and its clock says nothing about other like threads.  Two addresses in the memory of like threads match
 * if they are at the same place in this memory, unless each access is by the thread that owns the memory.
 *
 * Found memory.  A fact about a like thread does not tell which of the like threads it is about.  So hardly any two accesses
 * would count as ordered: not even the write to a node by a push before it links the node, and the read of this node by an omitted
 * pop.  Therefore accesses to found memory (own.h) have a rule of their own.  Let f be a plain write of thread t that is t's
 * first access to some bytes, in an execution where no other thread has accessed
 * these bytes before.  Let P be the next event of t that other threads can see.  The writes of t to these bytes up to P are
 * writes to found memory.  If an omitted access r to these bytes happens after P, r does not race with any
 * write to found memory.  To see this, let x be a write to found memory, to a byte of r, in an execution E that has r.  If
 * x is a write of t, P is the same event in E, and x happens before P and so before r.  If x is a write of
 * another thread, x and f race in E without the iteration of r: if one of them happened before the other,
 * the memory would not have been found by the thread of the later one.
 *
 * Locks.  Operations that could see that an omitted attempt (redundant_attempts.h) holds a lock are recorded,
 * too.  If there is such an operation, the exploration restarts and keeps these attempts.
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
struct lp_omitted_facts; /* the facts about all executions, which several processes may record */

enum {
	LP_OMITTED_RECENT = 2048, /* a power of two */
	LP_OMITTED_ALIKE = 1024, /* a power of two */
	LP_OMITTED_HELD = 4,     /* how many locks of a thread are considered */
};

/* A stretch of a thread between two of its events, in which it makes plain accesses. */
struct lp_interval {
	lp_tid thread;
	uint64_t uid;  /* the uid of the event before the stretch */
	uint64_t past; /* a hash of the clock of what happens before the accesses */
	uintptr_t held[LP_OMITTED_HELD]; /* the locks that the thread holds, as in lp_fact */
};

struct lp_omitted {
	struct lp_omitted_facts *facts; /* NULL: writes are not recorded */
	uint32_t ops;                   /* how many of the known operations (ops.h) were examined */
	uint64_t recent[LP_OMITTED_RECENT]; /* hashes of accesses that were recorded recently */
	struct lp_interval interval;        /* the interval of the last plain write */
	struct lp_program *program;
	uint64_t alike[LP_OMITTED_ALIKE / 64]; /* one bit for each thread, modulo LP_OMITTED_ALIKE: set if
	                                        * there are threads like it */
};

/* Are facts needed with these options?  They are not if no iteration is left out.  With LP_CAREFUL, or if plain accesses are events,
 * facts are needed only if iterations with stores or attempts under locks may be left out. */
bool lp_omitted_needed(const struct lp_explore_options *);

/* Allocates the facts in memory that is shared with processes forked later.  Returns NULL if there
 * is no memory. */
struct lp_omitted_facts *lp_omitted_facts_open(const struct lp_explore_options *);
void lp_omitted_facts_close(struct lp_omitted_facts *);

/* lp_omitted_facts_write() writes the facts as bytes.  lp_omitted_facts_merge() adds the facts that another machine has
 * written, and returns false if the bytes are malformed. */
void lp_omitted_facts_write(struct lp_omitted_facts *, struct lp_bytes *);
bool lp_omitted_facts_merge(struct lp_omitted_facts *, struct lp_cursor *);

/* Do two facts match, so that a race may be lost, or an omitted attempt may be seen?  If so, the exploration must restart. */
bool lp_omitted_matters(const struct lp_omitted_facts *);
/* If lp_omitted_matters(), weakens the options for the restart. */
void lp_omitted_heed(const struct lp_omitted_facts *, struct lp_explore_options *);

/* Records a plain access to memory that other threads may know of.  `clock` is the clock of what
 * happens before it. */
void lp_omitted_accessed(struct lp_omitted *, const struct lp_graph *, const struct lp_ops *,
			 const struct lp_plain_access *, const uint32_t *clock);

/* Notes that the two threads are alike.  The lp_plains have all plain accesses so far. */
void lp_omitted_like(struct lp_omitted *, const struct lp_plains *, const struct lp_graph *,
		     const struct lp_ops *, lp_tid, lp_tid);

/* Notes that another thread has accessed the stack of this thread. */
void lp_omitted_stack_shared(struct lp_omitted *, lp_tid);

/* The thread's events `from` to `to` - 1 are a redundant iteration.  May this iteration be left out, as far as races are concerned?
 * If so, records its accesses. */
bool lp_omitted_applies(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* The thread's next operation is known to fail, and is therefore not performed.  Records the accesses that the operation
 * would make; `writes`: it is an RMW that would also write. */
void lp_omitted_await(struct lp_explorer *, lp_tid, uint32_t op, bool writes);

/* The next three functions are about an iteration that began after the thread's first `from` events, and might be left out if the thread
 * finished it.  lp_omitted_might_go_on() records what the iteration has accessed so far. */
void lp_omitted_might_go_on(struct lp_explorer *, lp_tid, uint32_t from);
/* These two record an access that the iteration might make: by the operation, or by a plain read.  `clock` is the clock of what happens
 * before the access. */
void lp_omitted_might_perform(struct lp_explorer *, lp_tid, uint32_t from, const struct lp_op *, const uint32_t *clock);
void lp_omitted_might_read(struct lp_explorer *, lp_tid, uint32_t from, uintptr_t loc, size_t size,
			   const uint32_t *clock);

/* Other threads wait for the operation that the thread performs after `index` events, instead of
 * performing it themselves.  Records the thread's plain reads just before that operation, outside its
 * own stack.  Returns false if there are such reads and they cannot be recorded. */
bool lp_omitted_helped(struct lp_explorer *, lp_tid, uint32_t index);

/* An omitted iteration stored to the location.  From now on the exploration relies on the fact that no other thread
 * reads this store (overwritten_iterations.h).  Returns false if another thread may have read such a store. */
bool lp_omitted_relies(struct lp_omitted *, uintptr_t loc, size_t size);
/* Notes that another thread may read such a store to the location before the store is overwritten. */
void lp_omitted_spoil(struct lp_omitted *, uintptr_t loc, size_t size);

/* Records the accesses that were not recorded yet, at the end of a walk. */
void lp_omitted_finish(struct lp_explorer *);

#endif
