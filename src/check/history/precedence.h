/* precedence.h -- which operations must come before which.
 *
 * An order is an acyclic graph.  Its first nodes are the operations.  The others are
 * moments, which keep the graph small: if each of m operations precedes each of n
 * others, that takes m + n edges through a moment instead of m * n.
 *
 *     a ---.           .--> c
 *           >-> moment      
 *     b ---'           '--> d
 */
#ifndef LP_CHECK_HISTORY_PRECEDENCE_H
#define LP_CHECK_HISTORY_PRECEDENCE_H

#include <stdint.h>

#include "check/history/history_check.h"
#include "check/history/problem.h"

struct lp_precedence {
	uint32_t nodes;
	uint32_t *first;  /* successors of n: next[first[n]] .. next[first[n + 1] - 1] */
	uint32_t *next;
	uint32_t *before; /* for each node, how many edges lead to it */
	bool is_nested;   /* of any two operations, the one that ends first has all successors of the other */
};

void lp_precedence_open(struct lp_precedence *o, const struct lp_problem *p, enum lp_property property);

/* Makes an order from pairs `from -> to` of `count` operations. */
void lp_precedence_of(struct lp_precedence *o, uint32_t count, const uint32_t (*pairs)[2],
		 uint32_t pair_count);
void lp_precedence_close(struct lp_precedence *o);

#endif
