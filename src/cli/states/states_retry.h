/* states_retry.h -- starts the command again if a process of the search was killed.
 *
 * The states that the killed process owned are lost, and the search cannot find the successors of a lost state.  So the
 * whole command starts again, in the same process, by exec().  Nothing is left from the previous attempt, so the result
 * is the one that a search without the loss would have.  An environment variable has the number of attempts and the
 * start time of the first attempt.
 */
#ifndef LP_CLI_STATES_STATES_RETRY_H
#define LP_CLI_STATES_STATES_RETRY_H

#include "cli/options.h"

/* Returns how much of the time limit `seconds` remains after earlier attempts; 0 means no limit. */
double lp_states_retry_left(double seconds);

/* Starts the command again.  `start` is the time at which this attempt began.  Returns only if there were too many
 * attempts, or if exec() fails. */
void lp_states_retry(const struct lp_options *, double start);

#endif
