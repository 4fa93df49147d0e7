/* flow.h -- registers: can the remaining calls still be placed?
 *
 * A call that replaces one value by another (a successful compare-and-set, a swap) is an edge from the first value to the
 * second; a write is an edge from any value.  A linearization is a walk that uses each edge once:
 *
 *     cas(1, 2)   1 --> 2        now at 1: the walk cas(1, 2), cas(2, 1), cas(1, 3) uses all of them;
 *     cas(2, 1)   2 --> 1        with cas(1, 3) first, the walk never returns to 1 for the others
 *     cas(1, 3)   1 --> 3
 *
 * Claim: if there is a walk through the remaining edges from the current value, then
 *
 *   F1  no value is left more often than it is reached: the number of edges from v is at most the number of edges and
 *       writes to v, plus one if v is the current value;
 *   F2  every value that some remaining call leaves or reads can be reached along edges, from the current value or
 *       from the value of a write;
 *   F3  let c be the remaining call that ends first.  The value that c replaces or reads can be reached along calls that
 *       begin before c ends, because all other calls come after c.  (Under sequential consistency they need not, so F3 does
 *       not apply there.)
 *
 * If all calls overlap, F1 and F2 are also sufficient, by Euler's theorem on walks, so a search that respects them never
 * has to go back.  If some calls do not overlap, the conditions are still necessary.  Calls that may or may not have had an
 * effect (pending, or with an unknown result) count as writes that need not be used.
 */
#ifndef LP_CHECK_HISTORY_FAST_FLOW_H
#define LP_CHECK_HISTORY_FAST_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/problem.h"

/* What an operation does to the register, as numbers of values; LP_NO_OP: none. */
struct lp_flow_edge {
	uint32_t from;   /* it replaces this value */
	uint32_t to;     /* it may write this value */
	uint32_t sees;   /* it reads this value, and does not change it */
};

struct lp_flow {
	bool on;                    /* the problem is about a register; otherwise all functions do nothing */
	struct lp_flow_edge *edges; /* by operation */
	uint32_t values;
	uint32_t *need, *supply, *seen; /* by value: remaining edges from it, edges to it, reads of it */
	uint32_t bad;               /* number of values for which F1 does not hold */
	uint32_t now;               /* the current value */
	uint32_t *order, *first;    /* operations sorted by `from`: those of value v begin at first[v] and end before
				     * first[v + 1] */
	struct {
		LP_VEC(uint32_t);
	} jumps;                    /* operations without `from` */
	bool *done;                 /* by operation */
	uint32_t *todo;             /* values, for F2 */
	uint64_t *visited, visit;
	struct {
		LP_VEC(uint32_t);
	} before;                   /* the earlier values of `now`, to go back */
};

void lp_flow_open(struct lp_flow *f, const struct lp_problem *p);
void lp_flow_close(struct lp_flow *f);

/* To be called when an operation is placed (`changed`: it changed the state), and when it is taken back.  The operation
 * that was placed last must be taken back first.  The state may change although the value stays: if a key that is missing counts
 * as 0, compare-and-set of 0 by 0 makes it present. */
void lp_flow_place(struct lp_flow *f, uint32_t op, bool changed);
void lp_flow_take_back(struct lp_flow *f, uint32_t op);

/* Is F1, F2 or F3 violated?  `ready` are the operations that may come next, beginning with the one that ends first.
 * `count` is 0 if F3 does not apply, because other operations need not wait for that one. */
bool lp_flow_is_hopeless(struct lp_flow *f, const uint32_t *ready, uint32_t count);

#endif
