/* as_monitor.h -- a product (check/product/product.h) as the state explorer's monitor. */
#ifndef LP_TEST_STATES_AS_MONITOR_H
#define LP_TEST_STATES_AS_MONITOR_H

#include "explore/state/state.h"

struct lp_state_monitor as_monitor(void *product);

#endif
