/* team.h -- an exploration on several machines.
 *
 * All ranks of a job (ranks/ranks.h) that run on one host form a machine.  One of these ranks is the machine's leader, which explores with forked
 * workers, as -j does; the other ranks of the host wait.  All leaders run the same command.  They make every exploration of graphs together: each
 * machine has a pool with parts of the pool of rank 0 (pool.h), and messages take the place of shared memory.  These are the messages, with what
 * each of them says or makes the leader do, and what the leader's workers do:
 *
 *     rank 0:  pool of machines           leader of a machine: pool of parts        worker
 *              <---------- ASK            no piece waits for a worker
 *     WORK ---------->                    a part                                    takes its piece
 *     WANT ---------->                    another machine waits                     gives the end of the last piece
 *              <---------- GIVE           passes the piece on
 *              <---------- PART           a part has ended: counts, outcomes, error finishes the last piece
 *     CANCEL -------->                    the part comes after an error             abandons its pieces
 *     COPY ---------->                    copies its pool                           has recorded what is left
 *              <---------- COPIED         what is left of its parts (team_copy.c)
 *     STOP ---------->                    ends its workers
 *              <---------- LAST           all facts
 *     CONCLUDE ------>                    verdict, and the facts of all
 *
 * Most explorations are short.  So rank 0 begins alone, and calls the other machines after a moment.  If rank 0 is done by then, it only sends
 * them the result, and does not wait for them.
 *
 * Rank 0 alone decides when to stop, whether to restart, and what the result is.  It repeats an execution with an error in its own process.
 * The machines also exchange facts while a pass runs, so that a restart comes early.  They ask rank 0 for the names that the runtime hands
 * out (lp_shared_class).
 *
 * Why the other machines make the same explorations.  They run the same command with the same compiled object, and what they do between two
 * explorations depends only on the results, which rank 0 sends them.  So each of them comes to the same explorations in the same order; this is
 * checked when an exploration begins.  If an exploration does not end with "verified", rank 0 goes on alone, because the rest of the command is
 * about one violation.
 *
 * The command `orders` makes many explorations.  Most of them end with a violation, on which the next exploration depends.  So for this command
 * the other machines do not follow rank 0 through the command, but *serve* it (lp_team_serve()): whenever rank 0 calls them, it sends them a
 * description of what to explore.
 *
 *     ERRAND -------->                    options, facts, and the task of the program; then a pass as above
 */
#ifndef LP_EXPLORE_PARALLEL_TEAM_H
#define LP_EXPLORE_PARALLEL_TEAM_H

#include "explore/restarts.h"
#include "ranks/ranks.h"

struct lp_bytes;
struct lp_cursor;
struct lp_team;

/* Returns the machines of the job; NULL if there is only one machine, or if this rank does not lead its machine.  Rank 0
 * explores for `alone` seconds before it calls the other machines. */
struct lp_team *lp_team_open(struct lp_ranks *, double alone);
void lp_team_close(struct lp_team *);

/* Do other machines explore together with this one? */
bool lp_team_is_together(const struct lp_team *);

/* Do several machines explore together, and is this process not rank 0? */
bool lp_team_follows(const struct lp_team *);

/* Tells the other machines that they are no longer needed, so that their processes end.  To be called by rank 0;
 * NULL is fine. */
void lp_team_dismiss(struct lp_team *);

/* Runs a pass on all machines.  Returns false if rank 0 cannot create its workers; then lp_team_dismiss() was
 * called. */
bool lp_team_explore(const struct lp_pass *, enum lp_pass_end *);

/* Shares an exploration that rank 0 has made alone, with options.team NULL.  Rank 0 sends the other machines the verdict, what the program was seen to do,
 * and `*all`: whether nothing else is to be explored.  The other machines call this function instead of exploring: it waits for the message, and sets
 * the verdict and `*all`.  If `*all` is true and the verdict is not "verified", rank 0 goes on alone, and the other machines end here.  If they serve, the
 * function does nothing. */
void lp_team_share(struct lp_team *, struct lp_program *, struct lp_exploration *, bool *all);

/* How rank 0 describes the program's task to machines that serve. */
struct lp_team_errands {
	void (*describe)(void *closure, struct lp_bytes *);
	/* Prepares the program for the described task, as a single process would.  Returns false if the
	 * bytes are malformed. */
	bool (*prepare)(void *closure, const struct lp_explore_options *, struct lp_cursor *);
	void *closure;
};

/* From now on the other machines serve: rank 0 may make any explorations, with any verdicts, and describes to them each pass that takes longer than a
 * moment.  To be called by rank 0; NULL is fine. */
void lp_team_direct(struct lp_team *, const struct lp_team_errands *);

/* Explores what rank 0 describes, until rank 0 is done.  `options` has the options that rank 0 does not change.
 * To be called by the leaders other than rank 0. */
_Noreturn void lp_team_serve(struct lp_team *, const struct lp_team_errands *, struct lp_program *, const struct lp_explore_options *options);

/* To be called after all passes of an exploration.  Unless the verdict is "verified", rank 0 goes on alone, and the
 * processes on the other machines end here. */
void lp_team_end_exploration(struct lp_team *, const struct lp_exploration *);

#endif
