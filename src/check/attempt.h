/* attempt.h -- the closest attempt at a linearization, and where it fails. */
#ifndef LP_CHECK_ATTEMPT_H
#define LP_CHECK_ATTEMPT_H

#include "check/search.h"

/* `found` is the longest attempt on `p`, which is wrong: fills `partial` and `stuck`
 * of the result. */
void lp_attempt_keep(const struct lp_problem *p, const struct lp_order *order,
		     const struct lp_search *found, struct lp_check_result *result);

#endif
