/* states_free.h -- `linchpin states` with a progress property: do calls return? (explore/state/live/freedom.h) */
#ifndef LP_CLI_STATES_STATES_FREE_H
#define LP_CLI_STATES_STATES_FREE_H

#include "explore/state/state.h"

struct lp_error;

/* "lockfree", "lock-free", ...; `--fair` makes it one of fair schedules, and is enough.  LP_ANY
 * if that is not a property of this sort; false if it cannot be with --fair. */
bool lp_states_freedom(const char *property, bool fair, enum lp_freedom *, struct lp_error *);

/* Whatever is returned is correct, and no call may wait forever. */
extern const struct lp_state_monitor lp_states_any_result;

#endif
