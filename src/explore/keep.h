/* keep.h -- an exploration as bytes, from which another process continues it.
 *
 * The bytes describe the current pass (restarts.h).  They have three parts: the options of the pass, which may be weaker than those
 * with which the exploration began; the facts that its reductions have recorded and rely on; and the work that is left, with the
 * counts so far (parallel/open_work.h).
 *
 * Why the result is the same as without the interruption: the counted executions and the work that is left together make up a
 * single walk (pool.h), and it does not matter which process continues it.  The facts are read after the work has been collected.  So they contain
 * everything that the counted executions recorded.  They may contain more, recorded by executions that will be visited again; this
 * is harmless.
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

/* Write and read the options that restarts change.  lp_keep_get_options() allocates what the options point to in
 * `arena`; if that is NULL, it only moves the cursor past the bytes. */
void lp_keep_put_options(const struct lp_explore_options *, struct lp_bytes *);
void lp_keep_get_options(struct lp_explore_options *, struct lp_cursor *, struct lp_arena *arena);

bool lp_keep_is_due(const struct lp_keep *);

/* Writes the pass as bytes, and calls take() with them. */
void lp_keep_pass(const struct lp_pass *, const struct lp_open_work *);

/* Are these the bytes of an exploration with the given options, or weaker ones?  Only lengths and numbers are checked. */
bool lp_keep_is_whole(const struct lp_explore_options *, struct lp_cursor);

/* If there is an exploration to continue, reads the options of the pass and its work from the bytes; the caller drops the work.
 * lp_keep_facts() reads the facts, when the pass has memory for them. */
void lp_keep_begin(struct lp_pass *, struct lp_open_work *);
void lp_keep_facts(const struct lp_pass *);

#endif
