/* random_observation.h -- small random observations, correct ones and slightly wrong ones. */
#ifndef LP_TESTS_RANDOM_OBSERVATION_H
#define LP_TESTS_RANDOM_OBSERVATION_H

#include <stdio.h>

#include "../history/random_history.h"
#include "naive_clients.h"

/* An observation, and what decides which orders are possible where its relations do not:
 * one that contains all pairs of a row of `forbidden` (as `before`) is not. */
struct random_observation {
	struct lp_observation o;
	uint32_t forbidden[2][NAIVE_CALLS];
	uint32_t forbidden_count;
};

/* `distinct`: no value is inserted twice. */
void random_observation(struct random_observation *, const struct lp_spec *, uint32_t calls,
			bool distinct, struct random_source *);

/* After it was copied: o.closure is itself. */
void settle_observation(struct random_observation *);

/* Leaves the call out. */
void drop_call(struct random_observation *, uint32_t call);

void print_observation(FILE *, const struct random_observation *, const struct lp_spec *);

#endif
