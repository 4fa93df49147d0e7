/* collect.h -- the graphs that an explorer visits, as text. */
#ifndef LP_ORACLE_COLLECT_H
#define LP_ORACLE_COLLECT_H

#include "describe.h"
#include "explore/explore.h"

struct collector {
	const struct lp_script *script;
	struct graph_set graphs;
	struct { LP_VEC(struct seen_event); } events;
	bool plain, symmetry; /* as in naive_options */
};

/* The callback complete() of an explorer; the closure is a collector. */
void collect(void *closure, const struct lp_step *steps, uint32_t count);

void collector_drop(struct collector *);

/* Says on standard output what differs between the two sets, which are sorted, if `loud`.
 * With `partial`, what is missing in `got` is no difference.  True: none. */
bool compare_sets(const struct graph_set *want, const struct graph_set *got, bool partial, bool loud);

/* A line about a difference, if `loud`. */
void say(bool loud, const char *what, const char *text);

#endif
