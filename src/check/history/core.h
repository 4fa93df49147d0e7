/* core.h -- a small part of a wrong history that is wrong by itself.
 *
 * Not every wrong part of a wrong history is informative: a removal alone, without its
 * insertion, is always wrong.  So operations are left out only in ways that keep a
 * correct history correct:
 *
 *   - everything after some moment; operations that are open at that moment become pending;
 *   - an operation that has no effect: an observer, a failed call;
 *   - for containers and registers, all operations on a value;
 *   - for sets and maps, all operations on a key; for maps that are only read and written, all operations on one value of a key;
 *   - everything between two quiet moments at which the possible states are the same (quiet.h).  The part stays if an
 *     operation outside of it finds a value that is inserted only in this part.
 *
 * The first and the last item are sound for linearizability only.  For quiescent consistency no item is sound, because a
 * history with fewer operations has more quiet moments.  So the core is the whole history there.
 */
#ifndef LP_CHECK_HISTORY_CORE_H
#define LP_CHECK_HISTORY_CORE_H

#include "check/history/search.h"

struct lp_core {
	uint32_t *ops; /* indices of operations of the problem */
	bool *open;    /* for each of `ops`: it was made pending */
	uint32_t count;
	bool minimal;  /* nothing more can be left out; false if time ran out */
};

/* A function that decides a problem by the quickest method that applies. */
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

/* Searches for a small core among `ops`, operations that are believed to be wrong by themselves.  The search starts from
 * the whole problem instead if `ops` are not wrong, or if one of them finds a value and the insertion of the value is not
 * among them. */
void lp_core_open(struct lp_core *core, const struct lp_core_question *q, const uint32_t *ops, uint32_t count);

/* Divides the operations into units.  The operations of a unit may be left out together.  Stores the unit of each
 * operation in `unit` (LP_NO_OP if the operation must stay), and returns the number of units.  If `looks` is set, each
 * unit is a single operation that has no effect; otherwise, a unit has all operations on a value or a key.  `weak` is as in lp_core_question. */
uint32_t lp_core_units(const struct lp_problem *p, bool looks, const struct lp_weak *weak, uint32_t *unit);
void lp_core_close(struct lp_core *core);

#endif
