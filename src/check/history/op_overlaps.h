/* op_overlaps.h -- which operations of a history overlap, for specifications that look at that (lp_kind.overlaps).
 *
 * Only operations that report a failure need this: whether another operation is correct depends on the state alone.
 */
#ifndef LP_CHECK_HISTORY_OP_OVERLAPS_H
#define LP_CHECK_HISTORY_OP_OVERLAPS_H

#include "check/history/problem.h"

struct lp_op_overlaps {
	const struct lp_problem *p;
	uint32_t *first;  /* the operations that overlap with op are ops[first[op]] .. ops[first[op + 1] - 1] */
	uint32_t *ops;
	bool *effective;  /* by operation: it is placed, and did not fail; if its result is not known, it changed the state */
	uint32_t inserted;
	struct lp_other_call *other; /* room for the longest list */
};

/* Leaves `o` zeroed, and all functions below without effect, if the specification does not look at overlap. */
void lp_op_overlaps_open(struct lp_op_overlaps *o, const struct lp_problem *p);
void lp_op_overlaps_close(struct lp_op_overlaps *o);

/* To be called when an operation is placed (`same`: it did not change the state), and when it is taken back. */
void lp_op_overlaps_place(struct lp_op_overlaps *o, uint32_t op, bool same);
void lp_op_overlaps_take_back(struct lp_op_overlaps *o, uint32_t op);

/* Fills in the calls that overlap with the operation.  Returns false if the specification does not look at them. */
bool lp_op_overlaps_fill(const struct lp_op_overlaps *o, uint32_t op, struct lp_overlap *overlap);

/* The part of the problem in which every failure has to be explained by the state: without the failures that the parameters
 * `contended` or `failing` allow, and with these parameters unset.  False if there are no such parameters. */
bool lp_op_overlaps_strict(const struct lp_problem *p, struct lp_problem *strict);

#endif
