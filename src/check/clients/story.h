/* story.h -- explains the longest attempt at a linearization by the states of the specification: the state after each
 * call of the attempt, and what the remaining calls would have returned in the last state.
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
	LP_STORY_UNKNOWN, /* it is not known what the call would do.  Also used if the call is part of the attempt, if it
			   * must come after another call outside the attempt, or if it may return its actual result
			   * in the last state */
	LP_STORY_RETURNS, /* the call would return `result` */
	LP_STORY_WAITS,   /* the call would wait */
};

struct lp_story {
	const char **states;    /* the initial state, and the state after each call of the attempt; NULL: not known */
	enum lp_story_end *end; /* for each observed call, what it would do after the attempt */
	int64_t *result;        /* for each observed call with LP_STORY_RETURNS, what it would return */
	bool prompt;            /* true: the specification lets no call wait, in any order of the calls; false: it may let
				 * some call wait */
};

/* Computes the story by running the specification.  The object's code is not run. */
struct lp_story lp_story_of(const struct lp_spec *, const struct lp_observation *, const struct lp_refutation *,
			    struct lp_arena *);

#endif
