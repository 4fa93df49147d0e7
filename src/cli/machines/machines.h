/* machines.h -- a command that was started by mpirun or srun (ranks/ranks.h).
 *
 * Rank 0 runs the command, and shows its result.  What the other ranks do depends on the command.  With `run` and
 * `check` of one file, the first rank of each other machine runs the same command, without output, up to the end of its
 * exploration (explore/parallel/team.h).  With `orders`, these ranks explore what rank 0 tells them to.  With `states`
 * every rank takes part in the search (explore/state/shared/).  With `study` and `history` every rank takes jobs
 * (ranks/jobs.h).  Ranks that take no part wait until rank 0 has finished.  Commands that cannot use several ranks are
 * refused.
 */
#ifndef LP_CLI_MACHINES_MACHINES_H
#define LP_CLI_MACHINES_MACHINES_H

#include "cli/options.h"

struct lp_machines;

/* Restarts the process without address space randomisation, where the system allows it.  Without randomisation, the
 * code and the global variables of the program have the same addresses in every replay and in every rank. */
void lp_cli_settle_addresses(char **argv);

/* Joins the job; `*out` is NULL if there is none.  `kept` says that the exploration is kept in a checkpoint.  Such an
 * exploration may be resumed with any number of processes, so even without a job its object is loaded at the address
 * that it has in a job.  In ranks that only wait, the function does not return.  Returns false if joining fails; only
 * one rank prints the reason. */
bool lp_machines_open(const char *command, bool kept, char **argv, struct lp_machines **out, struct lp_error *);

/* Enters the ranks and the team into the options of the command. */
void lp_machines_give(struct lp_machines *, struct lp_options *);

/* Returns true if this rank must not show any output. */
bool lp_machines_is_silent(const struct lp_machines *);

/* To be called when the command has ended with exit status `status`.  Returns the exit status of this process. */
int lp_machines_close(struct lp_machines *, int status);

#endif
