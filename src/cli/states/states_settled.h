/* states_settled.h -- the monitor of `linchpin states` for sequential and quiescent consistency. */
#ifndef LP_CLI_STATES_STATES_SETTLED_H
#define LP_CLI_STATES_STATES_SETTLED_H

#include "explore/state/state.h"

struct lp_settled;

struct lp_state_monitor lp_states_settled(struct lp_settled *);

#endif
