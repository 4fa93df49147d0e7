/* keep.h -- an exploration as bytes, from which another process continues it.
 *
 * The bytes describe the current pass (restarts.h).  They have three parts: the options of the pass, which may be weaker than those
 * with which the exploration began; the facts that its reductions have recorded and rely on; and the work that is left, with the
 * counts so far (parallel/open_work.h).
 *
 * Why the result is the same as without the interruption: the counted executions and the work that is left together make up a
 * single walk (pool.h), and it does not matter which process continues it.  The facts are read after the work has been collected.  So the facts
 * include all that the counted executions recorded.  They may also include facts recorded by executions that will be visited
 * again; this is harmless.
 */
#ifndef LP_EXPLORE_KEEP_H
#define LP_EXPLORE_KEEP_H

#include "ranks/bytes.h"
#include "explore/restarts.h"

struct lp_open_work;

/* For options->limits.keep. */
struct lp_keep {
	double every, next;      /* seconds between two checkpoints, and when the next one is due (clock.h) */
	void (*take)(void *closure, const struct lp_bytes *); /* receives the bytes of the exploration */
	void *closure;
	struct lp_cursor from;   /* the bytes of the exploration to continue, for which lp_keep_is_whole() must hold; if from.left is 0, a
	                          * new exploration begins */
};

/* Write and read the options that restarts change.  lp_keep_get_options() allocates in `arena` what the options point to.  If
 * `arena` is NULL, the memory that is accessed in parts is skipped, and the options then have none. */
void lp_keep_put_options(const struct lp_explore_options *, struct lp_bytes *);
void lp_keep_get_options(struct lp_explore_options *, struct lp_cursor *, struct lp_arena *arena);

/* Is it time for the next checkpoint? */
bool lp_keep_is_due(const struct lp_keep *);

/* Writes the pass as bytes, and calls take() with them. */
void lp_keep_pass(const struct lp_pass *, const struct lp_open_work *);

/* Can the bytes be read completely, as an exploration with the given options or weaker ones?  Lengths and numbers are checked; whether the
 * bytes come from this program is not. */
bool lp_keep_is_whole(const struct lp_explore_options *, struct lp_cursor);

/* If limits.keep has an exploration to continue, lp_keep_begin() reads the options of its pass, and its work, from the bytes; the
 * caller drops the work.  lp_keep_facts() reads the facts.  It is called later, when the pass has allocated memory for them. */
void lp_keep_begin(struct lp_pass *, struct lp_open_work *);
void lp_keep_facts(const struct lp_pass *);

#endif
