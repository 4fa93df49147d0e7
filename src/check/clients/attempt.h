/* attempt.h -- the closest attempt at a linearization, and where it fails. */
#ifndef LP_CHECK_CLIENTS_ATTEMPT_H
#define LP_CHECK_CLIENTS_ATTEMPT_H

#include "check/history/search.h"

/* `found` is the longest attempt on `p`, which is wrong.  Fills in `partial` and `stuck` of the
 * result.  For quasi-linearizability, where the run need not respect the order, no reason can
 * be given for a single call: then `stuck` is empty. */
void lp_attempt_keep(const struct lp_problem *p, const struct lp_precedence *order,
		     const struct lp_history_search *found, enum lp_property property,
		     struct lp_check_result *result);

#endif
