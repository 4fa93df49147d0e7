/* states_points.h -- the monitor of `linchpin states` for objects with linearization points
 * (LP_POINT). */
#ifndef LP_CLI_STATES_STATES_POINTS_H
#define LP_CLI_STATES_STATES_POINTS_H

#include "explore/state/state.h"

struct lp_points;

struct lp_state_monitor lp_states_points(struct lp_points *);

#endif
