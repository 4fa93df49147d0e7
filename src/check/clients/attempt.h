/* attempt.h -- the closest attempt at a linearization, and where it fails. */
#ifndef LP_CHECK_CLIENTS_ATTEMPT_H
#define LP_CHECK_CLIENTS_ATTEMPT_H

#include "check/history/search.h"

/* `found` is the longest attempt on `p`, which is wrong: fills `partial` and `stuck`
 * of the result.  Where a right run need not respect the order, there is no saying why
 * a single call cannot come next: then nothing is stuck. */
void lp_attempt_keep(const struct lp_problem *p, const struct lp_precedence *order,
		     const struct lp_history_search *found, enum lp_property property,
		     struct lp_check_result *result);

#endif
