/* states_free.h -- `linchpin states` with a progress property, that is, one about whether calls return
 * (explore/state/live/freedom.h). */
#ifndef LP_CLI_STATES_STATES_FREE_H
#define LP_CLI_STATES_STATES_FREE_H

#include "explore/state/state.h"

struct lp_error;

/* Finds a progress property by its name: "lockfree", "lock-free", ... `fair` says that --fair was
 * given: then the property need only hold for fair schedules, and the name may be missing.  The
 * property found is LP_ANY if the name is not that of a progress property.  Returns false if the
 * property cannot be combined with --fair. */
bool lp_states_freedom(const char *property, bool fair, enum lp_freedom *, struct lp_error *);

/* A monitor that accepts all results, and lets no call wait forever. */
extern const struct lp_state_monitor lp_states_any_result;

#endif
