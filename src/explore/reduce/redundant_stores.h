/* redundant_stores.h -- stores that another thread is about to make anyway.
 *
 *     A  (helping)                           B  (helped)
 *     for (;;) {                             cas(&tail, last, node);         b
 *         t = load(&tail);                   store(&last->newer, node);      d
 *         n = load(&last->newer);
 *         if (!n) {                          c and d are the same operation.
 *             store(&last->newer, t);  c
 *             continue; }
 *         ...
 *
 * What helping.h says of compare-and-swaps, of stores.  A does not perform c: it waits until
 * B has performed d, reads from d, as if c were a relaxed read, and goes on.  So c makes no
 * place in co to choose, nothing reads from it, and the iteration above changes nothing and is
 * redundant.  When is that right?
 *
 * Let c be a store of v to location L, p the event of A before it, and b the last event of B
 * that happens before p.
 *   1  B's next operation after b is d, a store of v to L, which is performed; b is a write; what
 *      B does in between is as in helping.h;
 *   2  c is a release;
 *   3  whatever else was written to L happens before b;
 *   4  no read of d happens before c, those in the place of other stores not counted;
 *   5  L is written to only once, by d, but for first writes to what no other thread knows yet
 *      (own.h), and never accessed plainly as an event; the memory that it is in is never freed;
 *   6  no event is seq_cst, those not counted that helping.h does not count; the model is ra
 *      or rc11.
 * 1 to 4 depend on the past of c only, 5 and 6 are about all executions: watched, as there.
 *
 * Nothing is lost.  Let G be an execution, with its events in an order that goes with po and
 * rf, each such d directly after its b.  Go through it; where 1 to 4 hold of a store, in what
 * has become of its past so far, it becomes a read of d; what read it reads d.  Every
 * thread does the same as in G, with the same results.  What is new in hb' begins with some d
 * and ends at, or after, what such a c happened before: who reads d learns what happens
 * before b, and b; by 2 it learned more of c.  So for coherence only readers of L
 * matter.  By 5 there are but d and what 3 speaks of: a read of the latter that d happened
 * before in hb' would have come, in G, after d or some c, which it could not overlook.  A read
 * of d (or c itself) that happened before d would happen before b: b, p, c and it were a cycle of
 * po and rf.  (Under sc and tso more is ordered than hb: there a read of d can be too late
 * where a store of the same was not.)
 *
 * Nothing is invented.  From an execution G' of what is explored take the reads out that are none,
 * and put the stores back, below d in co, in an order that goes with hb: no event reads them, hb
 * is the same.  What 3 speaks of is below them, too.  By 4, and since d does not happen before
 * them (b is the last event of B that does), that is coherent before them; and after them, as who
 * happens after a read of d cannot read what is below it.  So are they printed (step_list.c).
 *
 * With clients that order calls (calls.h) all is the same: b and d are in one call.
 *
 * Races, and uses of memory that is freed: two plain accesses or frees that are unordered in G are
 * unordered in G', since what is new in hb' begins with d, and by 1 nothing that B did after b
 * comes before d.  Nor does a pair with c or d itself get lost: by 5 nothing frees L, and a plain
 * access f to L that is unordered with c or d in G is so with d in G': were d before f, f would be
 * an event, against 5; were f before d, it would be before b, by 1, and so before c and d in G.
 *
 * Together with redundant iterations and helping.h: take a graph, spare what can be spared, take
 * out a redundant iteration or do d of helping.h for its c, put the spared stores back, and so
 * on.  What is counted there does not grow by sparing, as stores are not counted; and
 * iterations come to an end.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_STORES_H
#define LP_EXPLORE_REDUCE_REDUNDANT_STORES_H

#include "explore/graph/frame.h"

enum lp_store_need {
	LP_STORE_NEEDED, /* to be performed */
	LP_STORE_DUE,    /* its thread waits for another one to make it */
	LP_STORE_MADE,   /* by `*d`: to be read */
};

/* The thread is about to perform the store `c`. */
enum lp_store_need lp_store_need_of(struct lp_explorer *, lp_tid, const struct lp_op *c, lp_eid *d);

/* The read of d that is in the place of operation number `op`, a store. */
struct lp_event lp_redundant_store_event(struct lp_explorer *, lp_tid, uint32_t op, lp_eid d);

/* Is the event, which has this as its operation, such a read? */
static inline bool lp_is_redundant_store(const struct lp_event *e, const struct lp_op *op)
{
	return e->kind == LP_EV_READ && op->kind == LP_OP_STORE;
}

/* Does the event show that 5 is false at its location?  Notes whether it is a first write. */
bool lp_store_rewrites(struct lp_explorer *, lp_eid);

#endif
