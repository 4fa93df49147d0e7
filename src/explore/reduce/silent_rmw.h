/* silent_rmw.h -- read-modify-writes that change nothing.
 *
 *     value = exchange(&slot, EMPTY);        // which is EMPTY
 *
 * writes what it read.  Executions in which several of them come in one order or another, and are
 * read by others or not, are many and much alike.  So for the all-clients check such an RMW is a
 * read: executions are then those of a program P' whose RMWs write only if that changes something.
 *
 * Nothing is lost.  Let G be an execution of P.  In G' its idle RMWs are their reads; who read one
 * of them, u, reads what u read, and so on: w, which is not idle and holds the same value, since
 * idle RMWs follow directly on each other, and on w, in co.  Every thread does the same in G'
 * as in G, with the same results.  And G' is consistent whenever G is, with any order of calls
 * that a client adds (calls.h) to both:
 *   - hb' is part of hb: a reader of w instead of u learns less, as u, an RMW, is in w's release sequences,
 *     and now its thread publishes less;
 *   - eco' is part of eco: w rf' r was w co u rf r; what follows w in co' followed u, too, so
 *     r fr' v, or u fr' v for the idle one itself, was fr, or co;
 *   - po | rf' is part of (po | rf)+.
 * So is whatever is made of these, psc; for sc and tso likewise (leave the writes out of the
 * orders of all accesses; an idle RMW is still locked).  Threads that wait forever in G do so
 * in G': what they read has the value of what is last in co, and that is how waiting is judged.
 *
 * A right G' speaks for G: orders of calls that are possible with G are with G'; the order that
 * G itself has between calls is one of them (with it nothing new is added to G), so that the results
 * fit a linearization that keeps it; and a synchronisation that G' has G has.  Races: there is
 * less to order them; for the accesses themselves an idle RMW is still a write (lockstep.c).  But
 * where more may happen if more is ordered, this must be off: memory that is used again.
 *
 * Things may be invented, as threads learn less than they would.  So an error is believed if the
 * execution has no idle RMW: it is one of P.  Otherwise the exploration restarts without this.
 *
 * RMWs with a condition, and our own ones inside locks, are left as they are.
 */
#ifndef LP_EXPLORE_REDUCE_SILENT_RMW_H
#define LP_EXPLORE_REDUCE_SILENT_RMW_H

#include "graph/graph.h"
#include "program/program.h"

/* Would the operation, having read that value, change nothing? */
static inline bool lp_op_is_idle(const struct lp_op *op, struct lp_value read)
{
	return op->kind == LP_OP_RMW && op->when == LP_ALWAYS && !op->internal &&
	       lp_value_equal(lp_op_result(op, read), read);
}

/* Is the event, of that operation, all there is of an idle RMW? */
static inline bool lp_is_silent_rmw(const struct lp_event *e, const struct lp_op *op)
{
	return e->kind == LP_EV_READ && !e->rmw && op->kind == LP_OP_RMW && op->when == LP_ALWAYS;
}

#endif
