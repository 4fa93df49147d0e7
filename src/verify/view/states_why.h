/* states_why.h -- explains a violation that the state explorer found, by the longest attempt at a linearization. */
#ifndef LP_VERIFY_VIEW_STATES_WHY_H
#define LP_VERIFY_VIEW_STATES_WHY_H

#include "verify/view/states_view.h"

/* Adds an explanation to the client, which lp_states_view() has returned: the longest attempt at a linearization, with the states of
 * the specification, and the results that the specification would give the remaining calls after it.  Adds nothing if there are too
 * many calls to search for an attempt. */
void lp_states_why(const struct lp_exploration *, const struct lp_harness *, const struct lp_menu *, uint32_t threads,
		   struct lp_arena *, struct lp_result_client *);

#endif
