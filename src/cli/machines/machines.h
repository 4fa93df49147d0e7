/* machines.h -- a command that was started by mpirun or srun (ranks/ranks.h).
 *
 * Rank 0 runs the command, and shows its result.  `run` and `check` of one file explore on all machines: the other ranks that lead a machine run the same
 * command, without output, up to the end of their explorations (explore/parallel/team.h); with `orders`, rank 0 tells them what to explore.
 * With `states` every rank takes part in the search (explore/state/shared/), and with `study` and `history` every rank takes jobs
 * (ranks/jobs.h).  Ranks that take no part wait until rank 0 has finished.  Commands that cannot use several ranks are refused.
 */
#ifndef LP_CLI_MACHINES_MACHINES_H
#define LP_CLI_MACHINES_MACHINES_H

#include "cli/options.h"

struct lp_machines;

/* Restarts the process without address space randomisation, where the system allows it.  Then the program's own objects, too,
 * have the same addresses in every replay and in every rank. */
void lp_cli_settle_addresses(char **argv);

/* Joins the job; `*out` is NULL if there is none.  An exploration that is `kept` may be resumed with any number of
 * processes, so even without a job the object is loaded at the address that it has in a job.  In ranks that only wait,
 * this does not return.  Returns false if joining fails; only one rank prints the reason. */
bool lp_machines_open(const char *command, bool kept, char **argv, struct lp_machines **out, struct lp_error *);

/* Enters the ranks and the team into the options of the command. */
void lp_machines_give(struct lp_machines *, struct lp_options *);

/* Must this rank show no output? */
bool lp_machines_is_silent(const struct lp_machines *);

/* To be called when the command has ended with that status.  Returns the status of this process. */
int lp_machines_close(struct lp_machines *, int status);

#endif
