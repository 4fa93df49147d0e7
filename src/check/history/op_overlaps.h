/* op_overlaps.h -- which operations of a history overlap, for specifications that look at overlapping calls
 * (lp_kind.overlaps).
 *
 * Overlapping calls matter only for operations that report a failure.  Whether any other operation is correct depends on
 * the state alone.
 */
#ifndef LP_CHECK_HISTORY_OP_OVERLAPS_H
#define LP_CHECK_HISTORY_OP_OVERLAPS_H

#include "check/history/problem.h"

struct lp_op_overlaps {
	const struct lp_problem *p;
	/* If operation op reports a failure: the operations that overlap with op and do not only read are
	 * ops[first[op]] .. ops[first[op + 1] - 1]. */
	uint32_t *first;
	uint32_t *ops;
	bool *effective;  /* for each operation, whether it is placed and effective.  An operation with a known result is effective
			   * if it did not fail; one with an unknown result, if it changed the state */
	uint32_t inserted; /* the number of effective insertions */
	struct lp_other_call *other; /* room for the longest list of overlapping operations */
};

/* If the specification does not look at overlapping calls, the functions below have no effect. */
void lp_op_overlaps_open(struct lp_op_overlaps *o, const struct lp_problem *p);
void lp_op_overlaps_close(struct lp_op_overlaps *o);

/* To be called when an operation is placed, and when it is taken back.  `same`: the operation did not change the state. */
void lp_op_overlaps_place(struct lp_op_overlaps *o, uint32_t op, bool same);
void lp_op_overlaps_take_back(struct lp_op_overlaps *o, uint32_t op);

/* Fills in the calls that overlap with the operation.  Returns false if there are none, if the operation does not report a
 * failure, or if the specification does not look at overlapping calls. */
bool lp_op_overlaps_fill(const struct lp_op_overlaps *o, uint32_t op, struct lp_overlap *overlap);

/* Makes a problem in which the state must explain every failure: leaves out the failures that the parameters `contended`
 * and `failing` allow, and sets both parameters to 0.  Returns false if the specification has no such parameters, or if
 * both are 0 already. */
bool lp_op_overlaps_strict(const struct lp_problem *p, struct lp_problem *strict);

#endif
