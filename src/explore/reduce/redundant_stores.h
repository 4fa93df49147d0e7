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
 * This reduction is like that of helping.h, with stores instead of compare-and-swaps.  A skips c: it waits until B has performed d,
 * reads from d as if c were a relaxed read, and goes on.  So no place in co has to be chosen for c, and no event reads from c.  The
 * iteration above then changes nothing, and is redundant.
 *
 * Claim.  Let c be a store of v to location L, p the event of A before it, and b the last event of B that happens before
 * p.  Then c may be skipped if
 *   1  b is a write; B's next operation after b is d, a store of v to L, and no bound on loops prevents B from performing d; what B does
 *      between b and d is restricted as in condition 1 of helping.h;
 *   2  c is a release;
 *   3  all other writes to L happen before b;
 *   4  no read of d happens before c; reads that stand for skipped stores do not count;
 *   5  not counting first writes to memory that no other thread knows yet (own.h), L is written only once, by d; no plain access to L is an event;
 *      the memory of L is never freed;
 *   6  the model is ra or rc11; and no event is seq_cst, not counting those that condition 7 of helping.h does not count.
 * The reduction is not used for accesses to parts of locations.  Nor is it used if schedules are bounded, because d, which replaces c, is performed
 * by another thread, perhaps after more preemptions.  Conditions 1 to 4 depend on the past of c only.  Conditions 5 and 6 are about all executions,
 * and are watched as in helping.h.
 *
 * No execution is lost.  Let G be an execution.  List its events in an order that agrees with po and rf, with each d as above directly after its b,
 * and go through the list.  If 1 to 4 hold for a store in its past, with the changes made so far, the store becomes a read of d, and events that read
 * from the store read from d instead.  Call the result G', and its happens-before hb'. Every thread does the same in G' as in G, with the same
 * results.
 *
 * Consider a pair that is in hb', but not in hb.  The pair starts at some d.  It ends at an event that happens after a skipped c in G, or
 * at a later event.  It cannot start at an event before d: a read of d learns of b and of the events that happen before b, and by 2
 * a read of c learned of all these in G, too.  So coherence can only fail for reads of L.  By 5 these read from d or from one of the
 * writes of 3.
 *   - If d happens before a read of a write of 3 in hb', then in G the read came after d or after some c, and could not
 *     have read the older write.
 *   - If a read of d, or c itself, happened before d, it would happen before b, and b, p, c and this event would form a cycle of
 *     po and rf.
 * Under sc and tso more pairs of events are ordered than those of hb.  Therefore, under these models, a read of d in the place of c can
 * make a cycle although the store c made none.
 *
 * No execution is invented.  Take an execution G' that is explored, remove the reads that stand for skipped stores, and put
 * the stores back, directly below d in co, in an order that agrees with hb.  No event reads from them, so hb is the same.  The writes
 * of 3 are below these stores.  The place of a store c is coherent with the events that happen before c: by 4 none of them reads d,
 * and d is not one of them (b is the last event of B that happens before c).  It is coherent with the events that happen after c,
 * because an event that happens after a read of d cannot read from a write below d.  Reports print the stores in this order
 * (step_list.c).
 *
 * Clients that order calls (calls.h) change nothing in this argument: b and d are in one call.
 *
 * Races and frees.  Two plain accesses or frees that are unordered in G are unordered in G': a pair that is new in hb' starts
 * at d, and by 1 nothing that B did after b comes before d.  A race with c or d itself is not lost either.  By 5 L is not
 * freed.  Let f be a plain access to L that is unordered with c or d in G.  If d happened before f in G', f would be an event,
 * against 5.  If f happened before d in G', it would happen before b, by 1, and so before c and d in G.
 *
 * Together with redundant iterations and helping.h.  Repeat these steps: take a graph and skip the stores that can be skipped; remove a
 * redundant iteration, or replace a c of helping.h by its d; put the skipped stores back.  This comes to an end, because skipping a store does
 * not increase the sum of helping.h, which does not count stores, and because there are only finitely many iterations.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_STORES_H
#define LP_EXPLORE_REDUCE_REDUNDANT_STORES_H

#include "explore/graph/frame.h"

enum lp_store_need {
	LP_STORE_NEEDED, /* the thread performs the store */
	LP_STORE_DUE,    /* the thread waits for another thread to make the store */
	LP_STORE_MADE,   /* another thread has made the store, by event d: the thread reads from d */
};

/* What is to be done with the store `c`, which the thread is about to perform?  Sets `*d` for LP_STORE_MADE. */
enum lp_store_need lp_store_need_of(struct lp_explorer *, lp_tid, const struct lp_op *c, lp_eid *d);

/* The read from d that takes the place of a store, which is operation number `op`. */
struct lp_event lp_redundant_store_event(struct lp_explorer *, lp_tid, uint32_t op, lp_eid d);

/* Is the event of operation `op` a read that takes the place of a store? */
static inline bool lp_is_redundant_store(const struct lp_event *e, const struct lp_op *op)
{
	return e->kind == LP_EV_READ && op->kind == LP_OP_STORE;
}

/* Does the event show that 5 is false at its location?  Also notes whether the event is a write to memory that no
 * other thread knows yet (lp_note.own). */
bool lp_store_rewrites(struct lp_explorer *, lp_eid);

#endif
