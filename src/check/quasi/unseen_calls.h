/* unseen_calls.h -- calls that a history does not have, and that may follow it.
 *
 * What they return is left open, and of their arguments only a few matter: what calls of the
 * history are about, and something else.  Of what is put in and taken out again, only values that are
 * taken out more often than they are put in: a further insertion of another one could as well be
 * of something else, for of equal insertions the history's own can have the first places.
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
	LP_VEC(struct lp_unseen_call); /* only such as can change places */
};

void lp_unseen_calls_find(struct lp_unseen_calls *, const struct lp_relax *,
			  const struct lp_relax_event *calls, uint32_t count);

/* The i-th, with no result; false if there are no more. */
bool lp_unseen_calls_nth(const struct lp_unseen_calls *, const struct lp_relax *, uint32_t i,
			 struct lp_relax_event *);

#endif
