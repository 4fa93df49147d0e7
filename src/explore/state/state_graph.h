/* state_graph.h -- the states that a search has visited, and how they hang together.
 *
 * For properties of what goes on forever: a run without end through finitely many states is
 * a way to a cycle, and then that cycle again and again.  Safety needs none of this.
 *
 * States are numbered in the order of their discovery, as the records of the search; 0 is
 * the first one.  An edge is a transition; those of a state lie side by side, those of one
 * process among them in the order in which the search makes them, so that a transition can
 * be made again.  If processes are sorted, an edge also says where each of them went.
 *
 * Ownership: the search's.  States and edges are never removed, but for clear().
 */
#ifndef LP_EXPLORE_STATE_STATE_GRAPH_H
#define LP_EXPLORE_STATE_STATE_GRAPH_H

#include "base/hash.h"
#include "base/vec.h"
#include "explore/state/state.h"

enum {
	LP_EDGE_RETURNS = 1,  /* the process' call ends with it */
	LP_EDGE_SPURIOUS = 2, /* a weak compare-exchange failed for no reason */
};

struct lp_state_edge {
	uint32_t to;
	uint16_t names; /* where processes went: lp_state_graph_name() */
	uint8_t process, flags;
};

struct lp_state_node {
	uint32_t first, count; /* edges */
	uint16_t busy;         /* by process: it is in a call */
	uint16_t owes;         /* and that call may not wait forever from here */
};

struct lp_state_graph {
	struct { LP_VEC(struct lp_state_node); } nodes;
	struct { LP_VEC(struct lp_state_edge); } edges;
	struct { LP_VEC(struct lp_fingerprint); } prints; /* by state, its set included */
	uint32_t *table;                                  /* 1 + state, by print */
	uint32_t room;
	struct lp_process_names {
		uint8_t to[LP_STATE_PROCESSES];
	} *names;
	uint32_t name_count, name_room, last_name;
	uint32_t from; /* whose edges are being added */
	bool full;     /* there is more than can be numbered: what is there is not all */
};

void lp_state_graph_close(struct lp_state_graph *);
void lp_state_graph_clear(struct lp_state_graph *);
uint64_t lp_state_graph_bytes(const struct lp_state_graph *);

/* The number of the state; `*fresh` if it has just got it.  Its node is then to be filled in.
 * The fingerprint is of all of it, the set included. */
uint32_t lp_state_graph_state(struct lp_state_graph *, struct lp_fingerprint, bool *fresh);
/* Edges that are added from now on are of that state. */
void lp_state_graph_from(struct lp_state_graph *, uint32_t state);
/* Process i becomes to[i]. */
void lp_state_graph_edge(struct lp_state_graph *, uint32_t state, uint32_t process, unsigned flags,
			 const uint8_t *to);

static inline uint32_t lp_state_graph_name(const struct lp_state_graph *g,
					   const struct lp_state_edge *e, uint32_t process)
{
	return g->names[e->names].to[process];
}

#endif
