/* silent_rmw.h -- read-modify-writes that change nothing.
 *
 *     value = exchange(&slot, EMPTY);        // reads EMPTY
 *
 * This RMW writes the value that it has read: it is silent.  Many executions differ only in the order of silent RMWs, and in
 * which silent RMWs other reads read from.  So for the check of all clients a silent RMW is treated as a read.  The explorer visits the
 * executions of a program P' that differs from the program P in one respect: an RMW writes only if this changes the value.
 *
 * Claim: if all executions of P' are correct, so are those of P.
 *
 * No execution is lost.  Let G be an execution of P.  Let G' be G where each silent RMW is only its read.  Consider an event r that
 * reads from a silent RMW u in G.  In G' it reads from a write w that is not silent: to find w, go from u to the write that u reads from,
 * and on in this way as long as this write belongs to a silent RMW.  The value is the same, since the silent RMWs directly follow w
 * in co.  So every thread does the same in G' as in G, with the same results.  G' is consistent whenever G is, even if a
 * client adds the same order of calls (calls.h) to both:
 *   - hb' is part of hb: u continues the release sequences of w, and its thread may release more.  So a reader of w learns
 *     no more than a reader of u;
 *   - eco' is part of eco: if r reads from w in G', then w co u rf r in G.  A write v that follows w in co' also follows u in co, so a pair
 *     r fr' v, or a pair u fr' v of the silent RMW u itself, is a pair of fr or co in G;
 *   - po | rf' is part of (po | rf)+.
 * So psc, which is made of these relations, only shrinks.  The argument for sc and tso is the same: leave the silent writes out of the order
 * of all accesses; a silent RMW is still locked.  If a thread waits forever in G, it also waits forever in G', because this is judged by the
 * last value in co, which is the same.
 *
 * If G' is correct, so is G.  Every order of calls that is possible with G is possible with G'.  One such order is the order that
 * G itself has between its calls, which adds nothing to G.  So the results have a linearization that respects this order.  All
 * synchronisation of G' is in G.  Races are not lost: hb' orders no more than hb, and for races a silent RMW is still a write
 * (lockstep.c).
 * With --reuse the reduction is off, because there more happens-before makes more executions possible.
 *
 * Executions may be invented, because threads learn less in P' than in P.  If the execution of an error has no
 * silent RMW, it is an execution of P, so the error is believed.  Otherwise the exploration restarts without this reduction.
 *
 * The reduction does not apply to RMWs with a condition, to RMWs inside linchpin's own locks, or to locations that are accessed in
 * parts (mixed_sizes.h).
 */
#ifndef LP_EXPLORE_REDUCE_SILENT_RMW_H
#define LP_EXPLORE_REDUCE_SILENT_RMW_H

#include "graph/graph.h"
#include "program/program.h"

/* Is the operation an RMW that would write the value that it reads, if it read `read`? */
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
