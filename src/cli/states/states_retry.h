/* states_retry.h -- starts the command again if a process of the search was killed.
 *
 * The states that this process owned are lost, and each state is needed to find those that follow.  So the whole command starts
 * again, in the same process, by exec(): nothing is left from the attempt before, and the result is that of a search without the loss.
 * An environment variable has the number of attempts and the time of the first one.
 */
#ifndef LP_CLI_STATES_STATES_RETRY_H
#define LP_CLI_STATES_STATES_RETRY_H

#include "cli/options.h"

/* How much of a time limit earlier attempts have left; 0 is no limit. */
double lp_states_retry_left(double seconds);

/* `start` is the time at which this attempt began.  Returns only if there were too many attempts, or if exec() fails. */
void lp_states_retry(const struct lp_options *, double start);

#endif
