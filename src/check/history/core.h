/* core.h -- the small part of a history that is already wrong.
 *
 * Not every wrong part of a wrong history is informative: a removal alone, without its
 * insertion, is always wrong.  So operations are left out only in ways that keep right
 * histories correct:
 *
 *   - everything after some moment; operations that are open then become pending;
 *   - an operation that has no effect: an observer, a failed call;
 *   - for containers and registers, all operations on a value;
 *   - for sets and maps, all operations on a key; if a map is only read and written, all on a key's value;
 *   - everything between two quiet moments at which the possible states are the same (quiet.h), unless the insertion of a
 *     value is there that is only found, or found once more, outside.
 *
 * The first and the last are sound for linearizability only.  For quiescent consistency none is,
 * because a history with fewer operations has more quiet moments: there the core is the whole history.
 */
#ifndef LP_CHECK_HISTORY_CORE_H
#define LP_CHECK_HISTORY_CORE_H

#include "check/history/search.h"

struct lp_core {
	uint32_t *ops; /* of the problem */
	bool *open;    /* made pending */
	uint32_t count;
	bool minimal;  /* nothing more can be left out; false if time ran out */
};

/* Decides a problem by the quickest method that applies. */
typedef enum lp_finding (*lp_decide)(void *context, const struct lp_problem *p);

/* What is wrong, and how that is decided of a part of it. */
struct lp_core_question {
	const struct lp_problem *p;
	enum lp_property property;
	const struct lp_weak *weak; /* the condition; NULL if the property is another */
	lp_decide decide;
	void *context;
	double deadline;
};

/* `ops` are operations that are supposed to be wrong by themselves, to start from; if they are not, or if they lack the
 * insertion of a value that they have, all of the problem is used. */
void lp_core_open(struct lp_core *core, const struct lp_core_question *q, const uint32_t *ops, uint32_t count);

/* Which operations may be left out together: fills in the unit of each operation, LP_NO_OP if it must
 * stay, and returns the number of units.  A unit is a single observer (`looks`), or all operations on a
 * value.  `weak` is the condition, NULL for other properties. */
uint32_t lp_core_units(const struct lp_problem *p, bool looks, const struct lp_weak *weak, uint32_t *unit);
void lp_core_close(struct lp_core *core);

#endif
