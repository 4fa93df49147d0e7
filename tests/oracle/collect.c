/* collect.c -- graphs of an explorer, and the comparison of sets of them; see collect.h. */
#include "collect.h"

#include <stdio.h>
#include <string.h>

static uint32_t seen_index(uint32_t step)
{
	return step == LP_STEP_INITIAL ? SEEN_INITIAL : step == LP_STEP_NONE ? SEEN_NONE : step;
}

void collect(void *closure, const struct lp_step *steps, uint32_t count)
{
	struct collector *c = closure;

	c->events.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		LP_PUSH(&c->events, (struct seen_event){
					    .op = steps[i].op,
					    .answer = steps[i].answer,
					    .thread = steps[i].thread,
					    .reads_from = seen_index(steps[i].reads_from),
					    .co_after = seen_index(steps[i].co_after),
				    });
	}
	LP_PUSH(&c->graphs, (c->symmetry ? describe_alike : describe)(c->script, c->events.at, count,
								      c->plain));
}

void collector_drop(struct collector *c)
{
	graph_set_drop(&c->graphs);
	lp_free(c->events.at);
	*c = (struct collector){ 0 };
}

void say(bool loud, const char *what, const char *text)
{
	if (loud)
		printf("  %s%s\n", what, text);
}

bool compare_sets(const struct graph_set *want, const struct graph_set *got, bool partial, bool loud)
{
	uint32_t i = 0, k = 0;
	bool same = true;

	while (i < want->count || k < got->count) {
		const int order = i == want->count  ? 1
				  : k == got->count ? -1
						    : strcmp(want->at[i], got->at[k]);
		if (order < 0 && !partial) {
			same = false;
			say(loud, "missing: ", want->at[i]);
		} else if (order > 0) {
			same = false;
			say(loud, "extra:   ", got->at[k]);
		}
		i += order <= 0;
		k += order >= 0;
	}
	return same;
}
