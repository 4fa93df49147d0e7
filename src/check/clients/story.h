/* story.h -- the closest order of calls, run on the specification: the state after each call, and what the calls
 * that do not fit would have returned instead.
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
	LP_STORY_UNKNOWN, /* not known; or the call is in the order, must come after one that is not, or may return what it did */
	LP_STORY_RETURNS,
	LP_STORY_WAITS,
};

struct lp_story {
	const char **states;    /* one more than there are calls in the closest order; NULL: not known */
	enum lp_story_end *end; /* by observed call: what it would do next, ... */
	int64_t *result;        /* ... and return */
	bool prompt;            /* whatever the order of the calls, the specification lets none of them wait; false: not known */
};

/* Computes the story by running the specification; the object is not run. */
struct lp_story lp_story_of(const struct lp_spec *, const struct lp_observation *, const struct lp_refutation *,
			    struct lp_arena *);

#endif
