/* silent_rmw.h -- read-modify-writes that change nothing.
 *
 *     value = exchange(&slot, EMPTY);        // which is EMPTY
 *
 * writes the value that it has read: it is silent.  Many executions differ only in the order of silent RMWs, and in the
 * silent RMWs from which reads read.  So for the check of all clients a silent RMW is a read.  The explorer visits the
 * executions of a program P' whose RMWs write only if this changes the value.
 *
 * Claim: if all executions of P' are correct, so are those of P.
 *
 * No execution is lost.  Let G be an execution of P.  In G' each silent RMW is only its read.  An event that reads from a
 * silent RMW in G reads from a write w in G' that is not silent: w is the write from which the silent RMW reads, or, if this
 * is again silent, the one from which that reads, and so on.  The value is the same, since the silent RMWs directly follow w
 * in co.  So every thread does the same in G' as in G, with the same results.  G' is consistent whenever G is, even if a
 * client adds the same order of calls (calls.h) to both:
 *   - hb' is part of hb: a silent RMW u continues the release sequences of w, and its thread may release more.  So a reader of w learns
 *     no more than a reader of u;
 *   - eco' is part of eco: if r reads from w in G', then w co u rf r in G.  What follows w in co' also follows u, so a pair
 *     r fr' v, or u fr' v of the silent RMW u itself, is a pair of fr or co in G;
 *   - po | rf' is part of (po | rf)+.
 * So psc, which is made of these, only shrinks.  The argument for sc and tso is the same: leave the silent writes out of the order
 * of all accesses; a silent RMW is still locked.  A thread that waits forever in G also does in G': waiting is judged by the
 * last value in co, which is the same.
 *
 * If G' is correct, so is G.  Every order of calls that is possible with G is possible with G'.  One such order is the order that
 * G itself has between its calls, which adds nothing to G.  So the results have a linearization that respects this order.  All
 * synchronisation of G' is in G.  Races are not lost: hb' orders no more than hb, and for races a silent RMW is still a write
 * (lockstep.c).
 * With --reuse the reduction is off: there, more happens-before makes more executions possible.
 *
 * Executions may be invented, because threads learn less than they would.  So an error is believed if its execution has no
 * silent RMW, because then it is an execution of P.  Otherwise the exploration restarts without this reduction.
 *
 * The reduction does not apply to RMWs with a condition, to RMWs inside linchpin's own locks, or to locations that are accessed in
 * parts (mixed_sizes.h).
 */
#ifndef LP_EXPLORE_REDUCE_SILENT_RMW_H
#define LP_EXPLORE_REDUCE_SILENT_RMW_H

#include "graph/graph.h"
#include "program/program.h"

/* Would the operation, having read that value, change nothing? */
static inline bool lp_op_is_silent(const struct lp_op *op, struct lp_value read)
{
	return op->kind == LP_OP_RMW && op->when == LP_ALWAYS && !op->internal &&
	       lp_value_equal(lp_op_result(op, read), read);
}

/* Is the event of operation `op` the read of a silent RMW, which has no write? */
static inline bool lp_is_silent_rmw(const struct lp_event *e, const struct lp_op *op)
{
	return e->kind == LP_EV_READ && !e->rmw && op->kind == LP_OP_RMW && op->when == LP_ALWAYS;
}

#endif
