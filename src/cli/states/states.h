/* states.h -- `linchpin states`, and the replay of its traces. */
#ifndef LP_CLI_STATES_STATES_H
#define LP_CLI_STATES_STATES_H

#include <stdbool.h>

struct lp_exploration;
struct lp_options;

/* Explores the object if `given` is NULL, or else replays the execution `given` (explore/state/state.h).  Shows the
 * result, and returns the exit status.  Sets `*same`, unless `same` is NULL, to whether the replay took the given
 * steps. */
int lp_states_run(const struct lp_options *, const struct lp_exploration *given, bool *same);

#endif
