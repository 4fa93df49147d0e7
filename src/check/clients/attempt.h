/* attempt.h -- the longest attempt at a linearization of a recorded history, and why no other call can come next. */
#ifndef LP_CHECK_CLIENTS_ATTEMPT_H
#define LP_CHECK_CLIENTS_ATTEMPT_H

#include "check/history/search.h"

/* Fills in `partial` and `stuck` of the result from `found`, the longest attempt at a linearization of `p`, whose
 * history is wrong.  For quasi-linearizability `stuck` stays empty.  The reason is that a run that the specification
 * accepts need not respect the order of the calls, so it cannot be shown that a single call is impossible. */
void lp_attempt_keep(const struct lp_problem *p, const struct lp_precedence *order,
		     const struct lp_history_search *found, enum lp_property property,
		     struct lp_check_result *result);

#endif
