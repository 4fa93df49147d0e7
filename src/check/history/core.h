/* core.h -- the small part of a history that is already wrong.
 *
 * Not every part of a wrong history that is wrong says something: a removal is wrong
 * without the insertion it belongs to.  So operations are left out only in ways that
 * keep right histories right:
 *
 *   - everything after some moment, what is open then becoming pending;
 *   - an operation that has no effect: a look, a failure;
 *   - for containers and registers, all operations on a value;
 *   - for sets and maps, all operations on a key; if a map is only read and written, all on a key's value;
 *   - what lies between two quiet moments at which the possible states are the same (quiet.h).
 *
 * The first and the last hold for linearizability only.  For quiescent consistency none does,
 * since fewer operations are more often quiescent: there, all of it is the core.
 */
#ifndef LP_CHECK_HISTORY_CORE_H
#define LP_CHECK_HISTORY_CORE_H

#include "check/history/search.h"

struct lp_core {
	uint32_t *ops; /* of the problem */
	bool *open;    /* made pending */
	uint32_t count;
	bool minimal;  /* or time ran out */
};

/* Decides a problem by whatever is quickest. */
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

/* `ops` are operations that are wrong by themselves, found somehow; if they turn out not to
 * be, all of the problem is taken. */
void lp_core_open(struct lp_core *core, const struct lp_core_question *q, const uint32_t *ops, uint32_t count);

/* What may be left out together: fills the unit of each operation, LP_NO_OP if it
 * stays, and returns how many there are.  Either single looks, or whole values.  `weak`: the condition,
 * NULL if the property is another. */
uint32_t lp_core_units(const struct lp_problem *p, bool looks, const struct lp_weak *weak, uint32_t *unit);
void lp_core_close(struct lp_core *core);

#endif
