/* omitted.h -- races with what was left out.
 *
 *     A                                        B
 *     for (;;) {                               store(&x, 1);
 *         s = load(&x);                        store(&x, 2);
 *         if (s == 1) { r = data; continue; }  while (!load(&done)) ;
 *         if (s == 2) break;                   data = 5;
 *     }
 *     store(&done, 1);                         // all relaxed
 *
 * A's iteration that reads 1 is redundant, and is left out: A is stuck there, and often the
 * graph is given up at once.  All is the same without it, but for races: its plain read of `data`
 * races with B's write, and where that write takes place the read does not.
 *
 * So account is kept, over all executions, of
 *   - the accesses in iterations that were left out, plain reads and atomic ones: bytes, thread
 *     t, what happens before them (a clock), and the number i of events of t before the iteration;
 *   - plain writes, and frees: bytes, thread u, what happens before, the number e of events
 *     of u before it.
 * Let E be an execution with a race between an access of the one kind, r, and one of the other,
 * w, and leave out of E all other redundant iterations: fewer things are ordered, the race is
 * still there.  Leave out this one, too: that execution is explored, w takes place in it, and the
 * clock of w says that u knows of at most i events of t; or r would happen before w.  Its
 * prefix up to r is explored as well, and the clock of r says that t knows of at most e
 * events of u.  Both depend on the past of the one event only.  If there are no two
 * accounts of that kind, no race was lost.  If there are, the exploration begins anew, and is
 * careful: a redundant iteration is kept (at first only if it has plain reads, when the account was
 * of one), unless the thread has kept one before it began.  One is enough for E (iterations that contain it are kept for its sake), and it depends on the
 * thread's own past, as before.  Two that hold a lock in common are ordered in every execution.
 *
 * Atomic writes are not worth an account of their own: that there is one to bytes that are
 * read plainly is enough to be careful.  Nor are plain reads: that there is one of bytes that an
 * iteration which was left out has written (what was there before) is enough.  Memory that only
 * the thread knows of (own.h) is of no concern.
 *
 * Likewise of plain reads that a thread makes just before an operation which others wait for, rather
 * than perform it themselves: what comes after that operation is then ordered with them, and need not be
 * (helping.h).  If there is a write, or a free, that does not happen before, nobody waits so.
 *
 * Of like threads (symmetry.h) only executions in one order are explored, and the accounts are of
 * these.  In another order other threads make the two accesses, to memory that is renamed with them.  So
 * an account of a like thread's access is one of nobody's in particular, who knows nothing of what
 * other like threads do; and memory of like threads is the same if it is in the same place, unless
 * both accesses are the owner's.
 *
 * And of operations that could see that a lock is held which was taken in vain (attempts.h).
 * If there is one, such attempts are kept.
 */
#ifndef LP_EXPLORE_OMITTED_H
#define LP_EXPLORE_OMITTED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "program/program.h"

struct lp_explore_options;
struct lp_graph;
struct lp_ops;
struct lp_explorer;
struct lp_omitted_facts; /* of all executions, perhaps by several processes */

struct lp_omitted_access {
	lp_tid thread;
	bool write;
	uint32_t index; /* events that the thread had performed */
	uint32_t nth;   /* of those with the same thread and index */
	uintptr_t loc;
	size_t size;
};

enum {
	LP_OMITTED_RECENT = 512, /* a power of two */
	LP_OMITTED_ALIKE = 1024, /* likewise */
};

struct lp_omitted {
	struct lp_omitted_facts *facts; /* NULL: no account is kept of writes */
	bool on;
	uint32_t ops;                   /* that were looked at */
	struct { LP_VEC(struct lp_omitted_access); } accesses; /* plain, as performed */
	uint64_t recent[LP_OMITTED_RECENT]; /* what there is an account of: hashes */
	struct lp_program *program;
	uint64_t alike[LP_OMITTED_ALIKE / 64]; /* threads, modulo: not the only one of their kind */
};

/* Is account to be kept?  Not where plain accesses are events, or nothing is left out. */
bool lp_omitted_needed(const struct lp_explore_options *);

/* Shared with processes that are forked later.  NULL if there is no memory. */
struct lp_omitted_facts *lp_omitted_facts_open(const struct lp_explore_options *);
void lp_omitted_facts_close(struct lp_omitted_facts *);

/* Opens facts for an explorer that is alone, if they are needed; there may be no memory,
 * then it is stopped. */
void lp_omitted_begin(struct lp_explorer *);

/* Was a race lost, perhaps, or could somebody see that a lock was held?  NULL: no. */
bool lp_omitted_matters(const struct lp_omitted_facts *);
/* Then all begins anew with options that are ... */
void lp_omitted_heed(const struct lp_omitted_facts *, struct lp_explore_options *);

void lp_omitted_close(struct lp_omitted *);

/* A plain access to memory that others may know of, after `index` events of the thread;
 * `clock` is what happens before it, NULL: nothing. */
void lp_omitted_accessed(struct lp_omitted *, const struct lp_graph *, const struct lp_ops *, lp_tid,
			 uint32_t index, const uint32_t *clock, uintptr_t loc, size_t size, bool write);

/* Two threads are alike. */
void lp_omitted_like(struct lp_omitted *, const struct lp_graph *, const struct lp_ops *, lp_tid, lp_tid);

/* Another thread accesses the stack of this one. */
void lp_omitted_stranger(struct lp_omitted *, lp_tid);

/* Has the thread made such an access after its first `index` events?  Then a graph with it
 * is not to be given up, whatever becomes of the thread: others may race with that. */
bool lp_omitted_since(const struct lp_omitted *, lp_tid, uint32_t index);

/* The iteration of the thread that consists of its events from `from` on, before `to`, is
 * redundant but for its plain reads: may it be left out? */
bool lp_omits(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* The operation that the thread performs after `index` events is one that others wait for instead
 * of performing it themselves.  Before that it reads plainly, outside its own stack: takes account of
 * it.  False if no account is kept. */
bool lp_omitted_helped(struct lp_explorer *, lp_tid, uint32_t index);

/* Takes account of what there is at the end of a walk. */
void lp_omitted_finish(struct lp_explorer *);

#endif
