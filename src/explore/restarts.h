/* restarts.h -- inside the explorers: restarts an exploration with weaker options when a reduction
 * has relied on a false fact.
 *
 * Reductions rely on facts about all executions.  An example of such a fact: a certain value is written to a location only
 * once.  While graphs are explored, everything is recorded that shows such a fact to be false.  If a fact is false, the
 * reduction may have left out executions that matter.  So the exploration restarts with weaker options: a new pass begins.
 * Options only become weaker, and only finitely often, so there are finitely many restarts.  The exploration also restarts if an
 * error is doubtful (explore.h), if memory is accessed in parts (mixed_sizes.h), after a brief look (explore.h: lp_brief), and if
 * a process was killed (LP_PASS_TORN).
 *
 * lp_restarts_explore() starts every explorer except the state explorer.  All passes have the same deadline, which is set before the
 * first pass.  If an exploration would have to restart after its deadline, it is inconclusive.
 */
#ifndef LP_EXPLORE_RESTARTS_H
#define LP_EXPLORE_RESTARTS_H

#include "ranks/bytes.h"
#include "explore/explore.h"
#include "explore/graph/mixed_sizes.h"
#include "explore/reduce/helping.h"
#include "explore/reduce/like_threads.h"
#include "explore/reduce/reductions.h"

struct lp_answers;
struct lp_bytes;
struct lp_omitted_facts;
struct lp_open_work;

/* The facts that the executions of a pass record.  If several processes share the exploration, the facts are in memory that
 * these processes share. */
struct lp_watch {
	bool shared;
	unsigned watched;                /* bits of enum lp_watched: which of the members below are
	                                  * used */
	struct lp_answers *answers;      /* shared by all passes; may be NULL */
	struct lp_omitted_facts *omitted;
	struct lp_parts_facts parts;
	struct lp_helping_facts helping;
	struct lp_like_facts like;
};

/* Allocates memory for the facts that the options' reductions rely on, as far as `watches` has them (bits of enum lp_watched).
 * Returns NULL if there is no memory. */
struct lp_watch *lp_watch_open(const struct lp_explore_options *, unsigned watches, struct lp_answers *);
void lp_watch_close(struct lp_watch *);

/* Stores pointers to the facts of the explorer's options (options->watch) in the explorer. */
void lp_watch_attach(struct lp_explorer *);

/* Must the exploration restart, because a fact that a reduction relies on is false, or because a race may be missed? */
bool lp_watch_asks_for_restart(const struct lp_watch *);

/* If the exploration must restart: are facts about the writes to locations (answers.h) the only reason?  Then the pass may go on,
 * to learn which other facts of this sort are false (learn.h). */
bool lp_watch_may_go_on(const struct lp_watch *);

/* lp_watch_write() writes the facts as bytes; other processes may add facts at the same time.  lp_watch_merge() adds the facts that another machine
 * has written in a pass with the same options.  The result is what a single machine would have recorded.  In particular, a restart is needed if one
 * machine has relied on a fact that the other machine has seen to be false.  lp_watch_merge() returns false if the bytes are malformed.  Some of
 * the facts may have been added in this case, which is harmless. */
void lp_watch_write(const struct lp_watch *, struct lp_bytes *);
bool lp_watch_merge(struct lp_watch *, const uint8_t *bytes, size_t size);
/* Does what lp_watch_merge() does, in a pass that other machines have begun and in which this machine has not explored
 * anything yet. */
bool lp_watch_begin_with(struct lp_watch *, const uint8_t *bytes, size_t size);

enum lp_pass_end {
	LP_PASS_DONE,    /* everything was visited, or a false fact ended the pass */
	LP_PASS_STOPPED, /* an error or a limit ended the pass */
	LP_PASS_BRIEF,   /* the pass was a brief look, or stopped so that a brief look comes first */
	LP_PASS_VOID,    /* an error ended a pass that only went on to learn (learn.h) */
	LP_PASS_TORN,    /* a process of the exploration was killed, and its work is lost (pool.h) */
};

struct lp_pass {
	struct lp_program *program;
	struct lp_explore_options options; /* those of this pass; weakened before the next */
	struct lp_arena *arena;
	struct lp_exploration *out;
	/* The explorer's function that runs one pass with `options`. */
	enum lp_pass_end (*explore)(const struct lp_pass *);
	const void *closure;
	unsigned situation; /* bits of enum lp_situation: which reductions the explorer cannot use */
	unsigned watches;   /* bits of enum lp_watched: which facts the explorer records */
	/* If the pass continues one that was written as bytes (keep.h): `from` is the work that was left, and `kept` has the bytes
	 * of the facts.  If `from` is NULL, the pass begins with nothing visited. */
	const struct lp_open_work *from;
	struct lp_cursor kept;
	unsigned torn; /* how many passes have ended with LP_PASS_TORN */
};

/* Runs passes until one need not be repeated; the result is in `out`. */
void lp_restarts_explore(struct lp_pass *);

#endif
