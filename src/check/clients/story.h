/* story.h -- the longest attempt at a linearization, told with the specification's states: the state after each
 * call, and what the remaining calls would have returned instead.
 */
#ifndef LP_CHECK_CLIENTS_STORY_H
#define LP_CHECK_CLIENTS_STORY_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_observation;
struct lp_refutation;
struct lp_spec;

enum lp_story_end {
	LP_STORY_UNKNOWN, /* not known; or the call is part of the attempt, or must come after another call that is not
			   * part of it, or may return its actual result */
	LP_STORY_RETURNS,
	LP_STORY_WAITS,
};

struct lp_story {
	const char **states;    /* the initial state, and the state after each call of the attempt; NULL: not
				 * known */
	enum lp_story_end *end; /* for each observed call, what it would do after the attempt */
	int64_t *result;        /* for each observed call, what it would return */
	bool prompt;            /* the specification lets none of the calls wait, in any order; false: this is
				 * not known */
};

/* Computes the story by running the specification; the object is not run. */
struct lp_story lp_story_of(const struct lp_spec *, const struct lp_observation *, const struct lp_refutation *,
			    struct lp_arena *);

#endif
