/* states.h -- `linchpin states`, and the replay of its traces. */
#ifndef LP_CLI_STATES_STATES_H
#define LP_CLI_STATES_STATES_H

#include <stdbool.h>

struct lp_exploration;
struct lp_options;

/* Explores the object; or, if an execution is given, follows that (explore/state/state.h).  Shows the result, and returns the exit
 * status.  `*same`, which may be NULL: the execution that was given went as it says. */
int lp_states_run(const struct lp_options *, const struct lp_exploration *given, bool *same);

#endif
