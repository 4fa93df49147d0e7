/* restarts.h -- inside the explorers: one pass after the other, until what was relied upon holds.
 *
 * Reductions rely on facts about all executions.  These are recorded while graphs are explored.  If one turns out to
 * be false, what has been visited so far may not be enough: the exploration restarts with weaker options.  That happens
 * at most once for each thing that an option stands for, so it comes to an end.  It also restarts if an error is
 * doubtful (silent_rmw.h), if memory is accessed in parts (mixed_sizes.h), and after a brief look (explore.h: lp_brief).
 *
 * Every explorer is started by lp_restarts_explore().  There is one deadline, which is that of the first pass: an
 * exploration that would have to restart after it has no verdict.
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

/* What is watched in all executions of a pass; in memory that is shared with processes forked later, if the options have `jobs`. */
struct lp_watch {
	bool shared;
	unsigned watched;                /* bits of enum lp_watched: which of the following are used */
	struct lp_answers *answers;      /* shared by all passes; may be NULL */
	struct lp_omitted_facts *omitted;
	struct lp_parts_facts parts;
	struct lp_helping_facts helping;
	struct lp_like_facts like;
};

/* Facts that the options' reductions rely on, as far as they are among `watches`.  NULL if there is no memory. */
struct lp_watch *lp_watch_open(const struct lp_explore_options *, unsigned watches, struct lp_answers *);
void lp_watch_close(struct lp_watch *);

/* The explorer uses the facts of its options. */
void lp_watch_attach(struct lp_explorer *);

/* Must the exploration restart, because a fact that a reduction relies on is false, or because a race may be missed? */
bool lp_watch_asks_for_restart(const struct lp_watch *);

/* What is known, as bytes, also while other processes add to it.  And adds what is known elsewhere, of a pass with the same options: then the facts
 * are those that one process would have recorded, and they ask for a restart if one of the two has relied on what the other has seen to be
 * false.  False if these are no such bytes; then some of them may have been added, which is harmless. */
void lp_watch_write(const struct lp_watch *, struct lp_bytes *);
bool lp_watch_merge(struct lp_watch *, const uint8_t *bytes, size_t size);
/* The same for a pass that others have begun, before anything is explored here. */
bool lp_watch_begin_with(struct lp_watch *, const uint8_t *bytes, size_t size);

enum lp_pass_end {
	LP_PASS_DONE,    /* everything was visited, or a false fact ended the pass */
	LP_PASS_STOPPED, /* an error or a limit ended the pass */
	LP_PASS_BRIEF,   /* the pass was a brief look, or asks for one */
	LP_PASS_TORN,    /* a process was killed, and its work is lost (pool.h) */
};

struct lp_pass {
	struct lp_program *program;
	struct lp_explore_options options; /* weaker from one pass to the next */
	struct lp_arena *arena;
	struct lp_exploration *out;
	/* The explorer: runs one pass with these options. */
	enum lp_pass_end (*explore)(const struct lp_pass *);
	const void *closure;
	unsigned situation; /* bits of enum lp_situation: which reductions it cannot use */
	unsigned watches;   /* bits of enum lp_watched: which facts it records */
	/* If the pass continues one that was kept (keep.h): the work that was left, and its facts.  NULL: a new pass. */
	const struct lp_open_work *from;
	struct lp_cursor kept;
	unsigned torn; /* how many passes have ended so */
};

void lp_restarts_explore(struct lp_pass *);

#endif
