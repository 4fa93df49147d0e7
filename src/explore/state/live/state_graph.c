/* state_graph.c -- the states that a search has visited, and the transitions between them. */
#include "explore/state/live/state_graph.h"

#include <string.h>

#include "base/error.h"

/* Vectors count in 32 bits, and double. */
#define MOST (UINT32_C(1) << 30)

void lp_state_graph_close(struct lp_state_graph *g)
{
	lp_free(g->nodes.at);
	lp_free(g->edges.at);
	lp_free(g->events.at);
	lp_free(g->prints.at);
	lp_free(g->table);
	lp_free(g->names);
	*g = (struct lp_state_graph){ 0 };
}

void lp_state_graph_clear(struct lp_state_graph *g)
{
	g->nodes.count = g->edges.count = g->events.count = g->prints.count = 0;
	if (g->table)
		memset(g->table, 0, sizeof *g->table * g->room);
}

uint64_t lp_state_graph_bytes(const struct lp_state_graph *g)
{
	return sizeof *g->nodes.at * g->nodes.room + sizeof *g->edges.at * g->edges.room +
	       sizeof *g->events.at * g->events.room +
	       sizeof *g->prints.at * g->prints.room + sizeof *g->table * g->room;
}

static uint32_t *place(const struct lp_state_graph *g, struct lp_fingerprint print)
{
	uint32_t i = (uint32_t)print.a & (g->room - 1);
	LP_HOLDS(g->prints.count < g->room); /* or a search might not end */

	for (; g->table[i]; i = (i + 1) & (g->room - 1)) {
		const struct lp_fingerprint *known = &g->prints.at[g->table[i] - 1];
		if (known->a == print.a && known->b == print.b)
			break;
	}
	return &g->table[i];
}

static void grow(struct lp_state_graph *g)
{
	g->room = g->room ? 2 * g->room : 1024;
	lp_free(g->table);
	g->table = lp_alloc_zero(g->room, sizeof *g->table);
	for (uint32_t i = 0; i < g->prints.count; i++)
		*place(g, g->prints.at[i]) = i + 1;
}

uint32_t lp_state_graph_state(struct lp_state_graph *g, struct lp_fingerprint print, bool *fresh)
{
	if (g->prints.count >= g->room / 4 * 3)
		grow(g);
	uint32_t *at = place(g, print);
	*fresh = !*at;
	if (*fresh) {
		LP_PUSH(&g->prints, print);
		LP_PUSH(&g->nodes, (struct lp_state_node){ 0 });
		*at = g->prints.count;
		g->full |= g->prints.count >= MOST;
	}
	LP_HOLDS(g->prints.count == g->nodes.count && *at <= g->nodes.count);
	return *at - 1;
}

void lp_state_graph_from(struct lp_state_graph *g, uint32_t state)
{
	LP_HOLDS(state < g->nodes.count && !g->nodes.at[state].count); /* its edges lie side by side */
	g->from = state;
	g->nodes.at[state].first = g->edges.count;
}

/* The number of a renaming. There are few of them, and it is usually the same as for the edge
 * before. */
static uint32_t name_of(struct lp_state_graph *g, const uint8_t *to)
{
	const uint32_t count = g->name_count;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t k = g->last_name + i < count ? g->last_name + i : g->last_name + i - count;
		if (!memcmp(g->names[k].to, to, LP_STATE_PROCESSES))
			return g->last_name = k;
	}
	if (count == g->name_room) {
		g->name_room = 2 * count + 16;
		g->names = lp_realloc(g->names, sizeof *g->names * g->name_room);
	}
	memcpy(g->names[count].to, to, LP_STATE_PROCESSES);
	return g->last_name = g->name_count++;
}

void lp_state_graph_edge(struct lp_state_graph *g, uint32_t state, uint32_t process, unsigned flags,
			 const uint8_t *to)
{
	const uint32_t names = name_of(g, to);

	LP_HOLDS(state < g->nodes.count && process < LP_STATE_PROCESSES);
	LP_HOLDS(g->nodes.at[g->from].first + g->nodes.at[g->from].count == g->edges.count);
	g->full |= g->edges.count >= MOST || names > UINT16_MAX;
	LP_PUSH(&g->edges, ((struct lp_state_edge){ state, (uint16_t)names, (uint8_t)process,
						    (uint8_t)flags }));
	g->nodes.at[g->from].count++;
}
