/* team.h -- an exploration on several machines.
 *
 * The ranks of a job (ranks/ranks.h) on one host are a machine.  Its leader is the process that
 * explores with forked workers, as -j does; the other ranks of the host wait.  All leaders run the same command.  Every exploration of
 * graphs is made together: each machine has a pool with parts of the pool of rank 0 (pool.h), and messages take the place of shared memory.
 *
 *     rank 0:  pool of machines           leader of a machine: pool of parts        worker
 *              <---------- ASK            no piece waits for a worker
 *     WORK ---------->                    a part                                    takes its piece
 *     WANT ---------->                    another machine waits                     gives the end of the last piece
 *              <---------- GIVE           passes it on
 *              <---------- PART           a part has ended: counts, outcomes, error finishes the last piece
 *     CANCEL -------->                    it comes after an error                   abandons its pieces
 *     COPY ---------->                    copies its pool                           has recorded what is left
 *              <---------- COPIED         what is left of its parts (team_copy.c)
 *     STOP ---------->                    ends its workers
 *              <---------- LAST           all facts
 *     CONCLUDE ------>                    verdict, and the facts of all
 *
 * Most explorations are short.  So rank 0 begins alone, and calls the others after a moment; if it is done by then, it only tells them the
 * result, and need not wait for them.
 *
 * Rank 0 alone decides: when to stop, whether to restart, and what the result is.  It follows an error once more in its own process.  Facts
 * are also exchanged while a pass runs, so that a restart comes early.  Names that the runtime hands out are asked for (lp_shared_class).
 *
 * Why the others follow.  They run the same command with the same compiled object, and what they do between two explorations depends on
 * nothing but the results, which they get.  So each of them comes to the same explorations, in the same order; that is checked when one begins.  When
 * an exploration does not end with "verified" rank 0 goes on alone, since all that follows is about one violation.
 *
 * `orders` makes many explorations, most of which end with a violation, and what it explores next depends on that.  There the others do not follow:
 * they serve (lp_team_serve()).  Rank 0 tells them what to explore whenever it calls them.
 *
 *     ERRAND -------->                    options, facts, and what the program is to do; then a pass as above
 */
#ifndef LP_EXPLORE_PARALLEL_TEAM_H
#define LP_EXPLORE_PARALLEL_TEAM_H

#include "explore/restarts.h"
#include "ranks/ranks.h"

struct lp_bytes;
struct lp_cursor;
struct lp_team;

/* The machines of the job; NULL if there is only one, or this rank does not lead its machine.  Rank 0 explores alone for so
 * many seconds before it calls the others. */
struct lp_team *lp_team_open(struct lp_ranks *, double alone);
void lp_team_close(struct lp_team *);

/* Are there machines that explore with this one? */
bool lp_team_is_together(const struct lp_team *);

/* Is this one of them, and does rank 0 decide? */
bool lp_team_follows(const struct lp_team *);

/* The other machines are no longer needed.  To be called by rank 0; NULL is fine. */
void lp_team_dismiss(struct lp_team *);

/* A pass by all machines.  False if this one cannot take part, being rank 0: then the others are gone. */
bool lp_team_explore(const struct lp_pass *, enum lp_pass_end *);

/* An exploration that rank 0 makes alone, with options.team NULL: it tells the others the verdict, whether that was `all`, and what the program was seen
 * to do.  The others wait for that, having explored nothing.  If it was all, and not verified, rank 0 goes on alone, and the others end here. */
void lp_team_share(struct lp_team *, struct lp_program *, struct lp_exploration *, bool *all);

/* What is explored, apart from its options, as bytes. */
struct lp_team_errands {
	void (*describe)(void *closure, struct lp_bytes *);
	/* Has the program do that, as with one process; false if the bytes are not a description. */
	bool (*prepare)(void *closure, const struct lp_explore_options *, struct lp_cursor *);
	void *closure;
};

/* From now on the others do not follow, but serve: rank 0 explores what it likes, whatever the verdicts, and describes each pass that takes longer than
 * a moment.  To be called by rank 0; NULL is fine. */
void lp_team_direct(struct lp_team *, const struct lp_team_errands *);

/* Not rank 0: explores what is described, until rank 0 is done.  `options` has what rank 0 does not change. */
_Noreturn void lp_team_serve(struct lp_team *, const struct lp_team_errands *, struct lp_program *, const struct lp_explore_options *options);

/* After all passes.  Unless the verdict is "verified", rank 0 goes on alone, and the others end here. */
void lp_team_end_exploration(struct lp_team *, const struct lp_exploration *);

#endif
