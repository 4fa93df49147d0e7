/* parts.c -- locations that are accessed in parts. */
#include "graph/parts.h"

#include <string.h>

static void put_bytes(uint8_t *to, struct lp_value from, unsigned shift, uint16_t bytes)
{
	uint8_t all[16];

	memcpy(all, &from, sizeof all);
	for (unsigned i = 0; i < 16; i++)
		if (bytes >> i & 1)
			to[i] = all[i - shift];
}

struct lp_value lp_graph_value_of_part(const struct lp_graph *g, uint32_t l, uint32_t pos, uint16_t bytes)
{
	const struct lp_loc *loc = &g->locs.at[l];
	struct lp_sources s = { l, pos, bytes, LP_INIT };
	uint8_t there[32] = { 0 };
	uint16_t left = bytes;
	struct lp_value v;
	for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT; left = s.left) {
		const struct lp_event *e = lp_graph_event(g, w);
		put_bytes(there, e->value, (unsigned)__builtin_ctz(e->bytes), left & e->bytes);
	}
	put_bytes(there, loc->initial, 0, left);
	memcpy(&v, there + __builtin_ctz(bytes), sizeof v);
	return v;
}
