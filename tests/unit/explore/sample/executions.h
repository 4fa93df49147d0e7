/* executions.h -- the set of executions that an explorer visits, for comparison. */
#ifndef LP_TEST_EXECUTIONS_H
#define LP_TEST_EXECUTIONS_H

#include "base/vec.h"
#include "explore/explore.h"

/* Executions as texts in which the order of the steps does not show. */
struct executions {
	LP_VEC(char *);
};

/* An lp_explore_options.complete; the closure is a struct executions. */
void executions_add(void *closure, const struct lp_step *steps, uint32_t count);

void executions_sort(struct executions *); /* and drops repetitions */
void executions_close(struct executions *);

/* The first of `a` that is not in `b`, both sorted; NULL if there is none. */
const char *executions_missing(const struct executions *a, const struct executions *b);

typedef void (*explorer)(struct lp_program *, const struct lp_explore_options *,
			 struct lp_arena *, struct lp_exploration *);

/* Runs an explorer on a script.  `set` may be NULL. */
void executions_of(explorer, const char *script, struct lp_explore_options, struct lp_arena *,
		   struct lp_exploration *out, struct executions *set);

#endif
