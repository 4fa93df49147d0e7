/* generator.c -- dice, names and registers: what makers of random scripts share. */
#include "generator.h"

#include "base/hash.h"

const char *const loc_names[] = { "x", "y", "z" };

unsigned below(struct generator *g, unsigned n)
{
	g->state += UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(lp_mix(g->state) >> 33) % n;
}

bool one_in(struct generator *g, unsigned n)
{
	return below(g, n) == 0;
}

const char *any_loc(struct generator *g)
{
	return loc_names[below(g, g->locs)];
}

const char *load_order(struct generator *g)
{
	static const char *const names[] = { "rlx", "acq", "sc" };
	return names[below(g, 100) < g->relaxed ? 0 : below(g, 3)];
}

const char *store_order(struct generator *g)
{
	static const char *const names[] = { "rlx", "rel", "sc" };
	return names[below(g, 100) < g->relaxed ? 0 : below(g, 3)];
}

const char *rmw_order(struct generator *g)
{
	static const char *const names[] = { "rlx", "acq", "rel", "acqrel", "sc" };
	return names[below(g, 100) < g->relaxed ? 0 : below(g, 5)];
}

unsigned new_reg(struct generator *g)
{
	const unsigned r = g->reg;

	/* The last registers are for counting loops. */
	g->reg = (g->reg + 1) % 12;
	return r;
}

unsigned old_reg(struct generator *g)
{
	return g->reg ? below(g, g->reg) : 0;
}
