/* precedence.h -- which operations must come before which.
 *
 * An order is an acyclic graph.  Its first nodes are the operations.  The other nodes
 * are moments, which keep the graph small: if each of m operations precedes each of n
 * others, m + n edges to and from a moment replace m * n edges.
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
	uint32_t *first;  /* the successors of node n are next[first[n]] .. next[first[n + 1] - 1] */
	uint32_t *next;
	uint32_t *before; /* for each node, the number of edges that lead to it */
	bool is_nested;   /* of any two operations, the one that ends first precedes all operations that the other precedes */
};

/* Makes the order of the operations that a linearization must respect under the property. */
void lp_precedence_open(struct lp_precedence *o, const struct lp_problem *p, enum lp_property property);

/* Makes the order of `count` operations that is given by pairs: each pair has the operation that comes first, then the
 * other one. */
void lp_precedence_of(struct lp_precedence *o, uint32_t count, const uint32_t (*pairs)[2],
		 uint32_t pair_count);
void lp_precedence_close(struct lp_precedence *o);

#endif
