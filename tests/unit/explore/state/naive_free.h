/* naive_free.h -- do calls return?  Decided on the whole graph of states, without any
 * reduction, by taking away states from which the contrary cannot go on forever. */
#ifndef LP_TEST_STATES_NAIVE_FREE_H
#define LP_TEST_STATES_NAIVE_FREE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct naive_graph;

/* NULL if it is too large. */
struct naive_graph *naive_graph_open(const struct object *, uint32_t threads, uint32_t most_states);
void naive_graph_close(struct naive_graph *);

bool naive_is_obstruction_free(struct naive_graph *);
bool naive_is_lock_free(struct naive_graph *, bool fair);
bool naive_is_wait_free(struct naive_graph *, bool fair);

#endif
