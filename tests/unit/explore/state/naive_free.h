/* naive_free.h -- do calls return?  Decided on the whole graph of states, without any
 * reduction, by taking away states from which the contrary cannot go on forever. */
#ifndef LP_TEST_STATES_NAIVE_FREE_H
#define LP_TEST_STATES_NAIVE_FREE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct naive_graph;

struct naive_edge {
	uint32_t from, to;
	uint8_t thread, call;       /* the call, if it begins one */
	bool calls, returns, waits; /* one that waits leads from a state to itself */
};

/* NULL if it is too large. */
struct naive_graph *naive_graph_open(const struct object *, uint32_t threads, uint32_t most_states);
void naive_graph_close(struct naive_graph *);

/* For other questions: its states, of which 0 is the first, and edges; and the threads that are in a call, a bit each. */
uint32_t naive_graph_size(const struct naive_graph *);
const struct naive_edge *naive_graph_edges(const struct naive_graph *, uint32_t *count);
uint32_t naive_graph_busy(const struct naive_graph *, uint32_t state);

bool naive_is_obstruction_free(struct naive_graph *);
bool naive_is_lock_free(struct naive_graph *, bool fair);
bool naive_is_wait_free(struct naive_graph *, bool fair);

#endif
