/* no_opinion.h -- a monitor to which every result is correct, and which has a single set. */
#ifndef LP_TEST_STATES_NO_OPINION_H
#define LP_TEST_STATES_NO_OPINION_H

#include "explore/state/state.h"

extern const struct lp_state_monitor no_opinion;

#endif
