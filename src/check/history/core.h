/* core.h -- a small part of a wrong history that is wrong by itself.
 *
 * Not every wrong part of a wrong history is informative: a removal alone, without its
 * insertion, is always wrong.  So the search leaves out only the following operations.
 * If a history is correct, it stays correct without them:
 *
 *   1  all operations after some time; operations that are open at that time become pending;
 *   2  an operation that has no effect: an observer, a failed call;
 *   3  for containers and registers, all operations on a value;
 *   4  for sets and maps, all operations on a key; for maps that are only read and written, all operations on one value of a key;
 *   5  all operations between two quiet moments at which the possible states are the same (quiet.h).  (If an operation
 *      elsewhere finds a value that is inserted only between the two moments, the operations between them stay.)
 *
 * 1 and 5 are sound for linearizability only.  For quiescent consistency none of the five is sound, because a history
 * with fewer operations has more quiet moments.  So for this property the core is the whole history.  The core is also
 * the whole history if the specification looks at overlapping calls (op_overlaps.h).
 */
#ifndef LP_CHECK_HISTORY_CORE_H
#define LP_CHECK_HISTORY_CORE_H

#include "check/history/search.h"

struct lp_core {
	uint32_t *ops; /* indices of operations of the problem */
	bool *open;    /* for each of `ops`: it has returned in the history, but is pending in the core */
	uint32_t count;
	bool minimal;  /* nothing more can be left out by 2, 3 or 4; false if time ran out, or if this was not tried */
};

/* Decides a problem by the quickest method that applies. */
typedef enum lp_finding (*lp_decide)(void *context, const struct lp_problem *p);

/* A wrong history, and how to decide whether a part of it is wrong. */
struct lp_core_question {
	const struct lp_problem *p;
	enum lp_property property;
	const struct lp_weak *weak; /* the condition of a weak property; NULL for other properties */
	lp_decide decide;
	void *context;
	double deadline;
};

/* Searches for a small core among the operations `ops`, which are believed to be wrong by themselves.  The search starts from
 * the whole problem instead if `ops` are not wrong, or if one of them finds a value and the insertion of the value is not
 * among them. */
void lp_core_open(struct lp_core *core, const struct lp_core_question *q, const uint32_t *ops, uint32_t count);

/* Divides operations into units: the operations of a unit may be left out together.  With `looks`, each unit is a single
 * operation that has no effect (2); otherwise, a unit consists of all operations on a value or a key (3 and 4).  Stores
 * the unit of each operation in `unit`, or LP_NO_OP if the operation must stay.  Returns the number of units.  `weak` is as
 * in lp_core_question. */
uint32_t lp_core_units(const struct lp_problem *p, bool looks, const struct lp_weak *weak, uint32_t *unit);
void lp_core_close(struct lp_core *core);

#endif
