/* flow.h -- for a register, conditions under which the remaining calls of a search cannot be placed.
 *
 * A call that replaces one value by another (a successful compare-and-set, a swap) is an edge from the first value to the
 * second.  A write can be made at any value.  A linearization is a walk from value to value that uses each edge and each
 * write once:
 *
 *     cas(1, 2)   1 --> 2        Let 1 be the current value.  The walk cas(1, 2), cas(2, 1), cas(1, 3)
 *     cas(2, 1)   2 --> 1        uses all three edges.  A walk that begins with cas(1, 3) cannot return
 *     cas(1, 3)   1 --> 3        to 1, so it cannot use the other two edges.
 *
 * Claim: if there is a walk through the remaining edges and writes from the current value, then
 *
 *   F1  no value is left more often than it is reached: the number of edges from v is at most the number of edges and
 *       writes to v, plus one if v is the current value;
 *   F2  every value that some remaining call replaces or reads can be reached along edges, from the current value or
 *       from the value of a write;
 *   F3  let c be the remaining call that ends first.  The value that c replaces or reads can be reached along calls that
 *       begin before c ends, because all other calls come after c.  (Under sequential consistency a call that begins later
 *       need not come after c, so F3 does not apply.)
 *
 * If all calls overlap, F1 and F2 are also sufficient, by Euler's theorem on walks, so a search that respects them never
 * has to go back.  If some calls do not overlap, the conditions are still necessary.  A pending call need not be used.  A
 * call with an unknown result that may have written counts as a write.
 */
#ifndef LP_CHECK_HISTORY_FAST_FLOW_H
#define LP_CHECK_HISTORY_FAST_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/problem.h"

/* What an operation does to the register, as numbers of values; LP_NO_OP: none. */
struct lp_flow_edge {
	uint32_t from;   /* the value that it replaces */
	uint32_t to;     /* the value that it may write */
	uint32_t sees;   /* the value that it reads and does not change */
};

struct lp_flow {
	bool on;                    /* the problem is about a register, and not too large; otherwise the functions have no effect */
	struct lp_flow_edge *edges; /* by operation */
	uint32_t values;            /* the number of values */
	/* For each value, the numbers of remaining edges from it (`need`), edges and writes to it (`supply`), and reads of it
	 * (`seen`). */
	uint32_t *need, *supply, *seen;
	uint32_t bad;               /* the number of values for which F1 does not hold, or that are to be read and cannot be reached */
	uint32_t now;               /* the current value */
	uint32_t *order, *first;    /* operations sorted by `from`: those of value v begin at first[v] and end before
				     * first[v + 1] */
	struct {
		LP_VEC(uint32_t);
	} jumps;                    /* operations that write, and have no `from` */
	bool *done;                 /* for each operation: it is placed */
	uint32_t *todo;             /* a list of values, used for F2 and F3 */
	uint64_t *visited, visit;   /* visited[v] == visit: value v was reached in the last evaluation of F2 or F3 */
	struct {
		LP_VEC(uint32_t);
	} before;                   /* for each placed operation, the value of `now` before it */
};

void lp_flow_open(struct lp_flow *f, const struct lp_problem *p);
void lp_flow_close(struct lp_flow *f);

/* To be called when the search places an operation, and when it takes the operation back.  `changed`: the operation changed
 * the state.  The operation that was placed last must be taken back first.  The state may change although the value of the register
 * stays: if a missing key counts as 0, a compare-and-set of 0 by 0 makes the key present. */
void lp_flow_place(struct lp_flow *f, uint32_t op, bool changed);
void lp_flow_take_back(struct lp_flow *f, uint32_t op);

/* Is F1, F2 or F3 violated?  `ready` lists the operations that may come next, beginning with the one that ends first.
 * `count` is their number, or 0 if F3 does not apply. */
bool lp_flow_is_hopeless(struct lp_flow *f, const uint32_t *ready, uint32_t count);

#endif
