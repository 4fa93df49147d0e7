/* state_graph.h -- the graph of visited states and transitions.
 *
 * Properties of infinite runs need the graph: among finitely many states it is enough to consider runs
 * that consist of a path to a cycle, and of the cycle, repeated forever.  Safety properties do not need
 * the graph.
 *
 * States are numbered from 0 in the order of their discovery, like the records of the search.
 * An edge is a transition.  The edges of a state are adjacent, and those of one process
 * are in the order in which the search takes them: the position of an edge among them says
 * which choice to repeat in order to take its transition again.
 * If processes are sorted, an edge also says which new number each process gets.
 *
 * Ownership: the search owns the graph.  Only lp_state_graph_clear() removes states and edges.
 */
#ifndef LP_EXPLORE_STATE_LIVE_STATE_GRAPH_H
#define LP_EXPLORE_STATE_LIVE_STATE_GRAPH_H

#include "base/hash.h"
#include "base/vec.h"
#include "explore/state/state.h"

enum {
	LP_EDGE_RETURNS = 1,  /* the process's call returns */
	LP_EDGE_SPURIOUS = 2, /* a weak compare-exchange failed spuriously */
	LP_EDGE_STAYS = 4,    /* no process takes a step, and the state stays as it is (runs.h) */
};

struct lp_state_edge {
	uint32_t to;
	uint16_t names; /* the new numbers of the processes: lp_state_graph_name() */
	uint8_t process, flags;
};

struct lp_state_node {
	uint32_t first, count; /* edges */
	uint16_t busy;         /* a bit for each process: it is in a call */
	uint16_t owes;         /* a bit for each process: it is in a call that must not wait forever from
	                        * this state on */
	/* For formulae (runs.h).  `able` has a bit for each process: it can take a step in its call.  `barred` has a
	 * bit for each process: it is at a failed assumption.  `atoms` are the atoms that hold. */
	uint16_t able, barred;
	uint32_t atoms;
};

struct lp_state_graph {
	struct { LP_VEC(struct lp_state_node); } nodes;
	struct { LP_VEC(struct lp_state_edge); } edges;
	struct { LP_VEC(uint32_t); } events; /* for formulae: by edge, the atoms that hold because of its
	                                      * call or return */
	struct { LP_VEC(struct lp_fingerprint); } prints; /* by state: its fingerprint, with the
	                                                   * set of the monitor (state.h) */
	/* A hash table from fingerprints to 1 + the state.  It takes less than half the memory of hash_index.h, and
	 * memory limits the size of this graph. */
	uint32_t *table;
	uint32_t room;
	struct lp_process_names {
		uint8_t to[LP_STATE_PROCESSES];
	} *names;
	uint32_t name_count, name_room, last_name;
	uint32_t from; /* the state whose edges are being added */
	bool full;     /* the graph has too many states, edges or `names` for their ids, and is incomplete */
};

void lp_state_graph_close(struct lp_state_graph *);
void lp_state_graph_clear(struct lp_state_graph *);
uint64_t lp_state_graph_bytes(const struct lp_state_graph *);

/* Returns the number of the state with that fingerprint.  Sets `*fresh` to true if the state is new; then
 * the caller fills in its node. */
uint32_t lp_state_graph_state(struct lp_state_graph *, struct lp_fingerprint, bool *fresh);
/* Edges added from now on start at that state. */
void lp_state_graph_from(struct lp_state_graph *, uint32_t state);
/* Adds an edge that leads to `state`, where process i has the number to[i]. */
void lp_state_graph_edge(struct lp_state_graph *, uint32_t state, uint32_t process, unsigned flags,
			 const uint8_t *to);

static inline uint32_t lp_state_graph_name(const struct lp_state_graph *g,
					   const struct lp_state_edge *e, uint32_t process)
{
	return g->names[e->names].to[process];
}

#endif
