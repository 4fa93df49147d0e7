/* op_overlaps.h -- which operations of a history overlap, for specifications that look at overlapping calls
 * (lp_kind.overlaps).
 *
 * This is needed only for operations that report a failure.  For all others, the state alone decides whether they are
 * correct.
 */
#ifndef LP_CHECK_HISTORY_OP_OVERLAPS_H
#define LP_CHECK_HISTORY_OP_OVERLAPS_H

#include "check/history/problem.h"

struct lp_op_overlaps {
	const struct lp_problem *p;
	uint32_t *first;  /* the operations that overlap with op are ops[first[op]] .. ops[first[op + 1] - 1], if op reports a
			   * failure; operations that only read are left out */
	uint32_t *ops;
	bool *effective;  /* for each operation: it is placed and did not fail; or its result is unknown, and it changed the
			   * state */
	uint32_t inserted; /* the number of effective insertions */
	struct lp_other_call *other; /* room for the longest list */
};

/* Leaves `o` zeroed, and all functions below without effect, if the specification does not look at overlap. */
void lp_op_overlaps_open(struct lp_op_overlaps *o, const struct lp_problem *p);
void lp_op_overlaps_close(struct lp_op_overlaps *o);

/* To be called when an operation is placed, and when it is taken back.  `same`: the operation did not change the state. */
void lp_op_overlaps_place(struct lp_op_overlaps *o, uint32_t op, bool same);
void lp_op_overlaps_take_back(struct lp_op_overlaps *o, uint32_t op);

/* Fills in the calls that overlap with the operation.  Returns false if there are none, or if the specification does not
 * look at them. */
bool lp_op_overlaps_fill(const struct lp_op_overlaps *o, uint32_t op, struct lp_overlap *overlap);

/* Makes a problem in which the state must explain every failure: leaves out the failures that the parameters `contended`
 * and `failing` allow, and unsets these parameters.  Returns false if the specification does not have them. */
bool lp_op_overlaps_strict(const struct lp_problem *p, struct lp_problem *strict);

#endif
