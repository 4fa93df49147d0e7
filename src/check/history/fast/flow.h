/* flow.h -- registers: can what is left still be done?
 *
 * A call that finds a value and puts another one in its place (a compare-and-set that was true, a swap) is an edge from
 * the one to the other; a write is an edge from anywhere.  A linearization is a walk that uses each edge once:
 *
 *     cas(1, 2)   1 --> 2        now at 1: the walk cas(1, 2), cas(2, 1), cas(1, 3) uses all of them;
 *     cas(2, 1)   2 --> 1        with cas(1, 3) first, the walk never returns to 1 for the others
 *     cas(1, 3)   1 --> 3
 *
 * Claim: if there is a walk through what is left from where we are, then
 *
 *   F1  no value is left more often than it is come to: there are no more edges from v than edges and
 *       writes to v, and one more if we are there;
 *   F2  whatever is left from, or read, can be come to: along edges from where we are, or from where a write leads;
 *   F3  what the call that ends first leaves from, or reads, can be come to by calls that are ready, if all others
 *       have to wait for it (not so for sequential consistency).
 *
 * Where all calls overlap the two are also enough, by Euler's theorem on walks, so that a search that heeds them never
 * goes wrong.  Where they do not, what is said here is still true of any order.  Calls that may or may not have had
 * an effect (pending, or with an unknown result) count as writes, and need not be used.
 */
#ifndef LP_CHECK_HISTORY_FAST_FLOW_H
#define LP_CHECK_HISTORY_FAST_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "check/history/problem.h"

/* What an operation does to the register, by numbers of values; LP_NO_OP: none. */
struct lp_flow_edge {
	uint32_t from;   /* it finds that value, and puts another in its place */
	uint32_t to;     /* it may put that value there */
	uint32_t sees;   /* it finds that value, and leaves it there */
};

struct lp_flow {
	bool on;                    /* it is a register */
	struct lp_flow_edge *edges; /* by operation */
	uint32_t values;
	uint32_t *need, *supply, *seen; /* by value: edges left from it, to it, looks at it */
	uint32_t bad;               /* values for which F1 does not hold */
	uint32_t now;               /* the value that is there */
	uint32_t *order, *first;    /* operations by `from`, those of v from first[v] to first[v + 1] */
	struct {
		LP_VEC(uint32_t);
	} jumps;                    /* operations without `from` */
	bool *done;                 /* by operation */
	uint32_t *todo;             /* values, for F2 */
	uint64_t *visited, visit;
	struct {
		LP_VEC(uint32_t);
	} before;                   /* the values that were there, to go back */
};

void lp_flow_open(struct lp_flow *f, const struct lp_problem *p);
void lp_flow_close(struct lp_flow *f);

/* An operation is placed; `changed`: the register is not as before.  And taken back, the last one first. */
void lp_flow_place(struct lp_flow *f, uint32_t op, bool changed);
void lp_flow_take_back(struct lp_flow *f, uint32_t op);

/* `ready` are the operations that may come next, the one that ends first at the beginning; `count` is 0 if others need not
 * wait for that one. */
bool lp_flow_is_hopeless(struct lp_flow *f, const uint32_t *ready, uint32_t count);

#endif
