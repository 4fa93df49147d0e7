/* unseen_calls.h -- calls that may follow a history.
 *
 * The results of such calls are unknown, and only a few arguments matter: the values that occur in the
 * history, or that a cell has at the beginning, and two new values, one below and one above all others.  For containers, a
 * value that occurs matters only if it is removed more often than it is inserted.  The reason is that a further
 * insertion of any other value can be replaced by the insertion of a new value: of several equal insertions,
 * those in the history can take the first places.
 */
#ifndef LP_CHECK_QUASI_UNSEEN_CALLS_H
#define LP_CHECK_QUASI_UNSEEN_CALLS_H

#include "base/vec.h"
#include "check/quasi/relax.h"

struct lp_unseen_call {
	uint32_t method;
	int64_t arg[LP_MAX_ARGS];
};

struct lp_unseen_calls {
	LP_VEC(struct lp_unseen_call); /* only calls that can change places */
};

/* Finds the calls that may follow the `count` calls of a history. */
void lp_unseen_calls_find(struct lp_unseen_calls *, const struct lp_relax *,
			  const struct lp_relax_event *calls, uint32_t count);

/* Stores the i-th call, without a result; returns false if there are fewer calls. */
bool lp_unseen_calls_nth(const struct lp_unseen_calls *, const struct lp_relax *, uint32_t i,
			 struct lp_relax_event *);

#endif
