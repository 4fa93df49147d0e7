/* brute.h -- is there a linearization?  By trying all permutations. */
#ifndef LP_TESTS_BRUTE_H
#define LP_TESTS_BRUTE_H

#include <stdbool.h>

#include "check/history/history_check.h"
#include "history/history.h"
#include "spec/spec.h"

bool brute_is_right(const struct lp_history *h, const struct lp_spec *spec,
		    enum lp_property property);

/* Does call a come before call b, by the definition of the property? */
bool brute_precedes(const struct lp_history *h, enum lp_property property, uint32_t a,
		    uint32_t b);

#endif
