/* attempt.h -- the closest attempt at a linearization, and where it fails. */
#ifndef LP_CHECK_CLIENTS_ATTEMPT_H
#define LP_CHECK_CLIENTS_ATTEMPT_H

#include "check/history/search.h"

/* Fills in `partial` and `stuck` of the result from `found`, the longest attempt on `p`, a problem whose
 * history is wrong.  For quasi-linearizability `stuck` stays empty: the run need not respect the order,
 * so no order excludes a single call. */
void lp_attempt_keep(const struct lp_problem *p, const struct lp_precedence *order,
		     const struct lp_history_search *found, enum lp_property property,
		     struct lp_check_result *result);

#endif
