/* naive_runs.h -- is there a run that violates a formula?  By the definitions, on the whole graph of states. */
#ifndef LP_TEST_STATES_NAIVE_RUNS_H
#define LP_TEST_STATES_NAIVE_RUNS_H

#include "explore/state/live/runs.h"

struct naive_graph;

/* The runs' event() and state() are asked; the set is the threads that are in a call. */
bool naive_holds(const struct naive_graph *, const struct lp_state_runs *, uint32_t threads);

#endif
