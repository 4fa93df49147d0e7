/* keep.h -- an exploration as bytes, from which another process continues it.
 *
 * What is kept of a pass (restarts.h): its options, which may be weaker than those that the exploration began with; the facts that its
 * reductions have recorded, and rely on; and the work that is left, with what was counted (parallel/open_work.h).
 *
 * Why the result is that of an exploration that was not interrupted.  The work that is left, and what was counted, are parts of a
 * single walk (pool.h), whichever process continues.  Facts are written after the work: they contain all that was recorded by
 * executions that are done, and perhaps more, by executions that will be visited again.
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
	struct lp_cursor from;   /* the exploration to continue; `left` 0: begin a new one.  lp_keep_is_whole() must hold for it. */
};

/* The options that restarts change, as bytes.  `arena` is for what they point to; NULL: only looks at the bytes. */
void lp_keep_put_options(const struct lp_explore_options *, struct lp_bytes *);
void lp_keep_get_options(struct lp_explore_options *, struct lp_cursor *, struct lp_arena *arena);

bool lp_keep_is_due(const struct lp_keep *);

/* Writes the pass, and passes the bytes to take(). */
void lp_keep_pass(const struct lp_pass *, const struct lp_open_work *);

/* Are these the bytes of an exploration with the given options, or weaker ones?  Only lengths and numbers are checked. */
bool lp_keep_is_whole(const struct lp_explore_options *, struct lp_cursor);

/* If there is an exploration to continue, sets the options of the pass and its work, which the caller drops.  lp_keep_facts() adds the
 * facts once the pass has memory for them. */
void lp_keep_begin(struct lp_pass *, struct lp_open_work *);
void lp_keep_facts(const struct lp_pass *);

#endif
