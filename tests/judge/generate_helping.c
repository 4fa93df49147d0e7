/* generate_helping.c -- random programs in which threads help each other.
 *
 * One thread announces something at y and then swings x, by a compare-and-swap or a store;
 * others see the announcement and swing x for it, in a loop.  Helping makes no difference only under conditions, and
 * the programs sometimes violate nearly each of them: by weaker orders, values that are written again, results that are
 * used, operations in between.
 */
#include "generate_judged.h"
#include "whole.h"

#include <stdio.h>

#include "random_orders.h"

struct generator {
	struct random_orders r;
	FILE *out;
	unsigned from;  /* the value that x is swung from */
	bool stores;    /* by stores */
};

static void put_cas(struct generator *g, const char *loc, unsigned from, unsigned to, bool weak)
{
	static const char *const names[] = { "rlx", "acqrel", "sc" };
	static const char *const fail_names[] = { "rlx", "acq", "sc" };
	const char *success = random_order(&g->r, "rel", names), *fail = random_order(&g->r, "rlx", fail_names);

	fprintf(g->out, "%s.%s.%s %s %u %u\n", weak ? "wcas" : "cas", success, fail, loc, from, to);
}

static void put_swing(struct generator *g, unsigned to, bool looked_at, unsigned reg)
{
	if (g->stores) {
		fprintf(g->out, "  store.%s x %u\n", store_order(&g->r), to);
		return;
	}
	fputs("  ", g->out);
	if (looked_at)
		fprintf(g->out, "r%u = ", reg);
	put_cas(g, "x", g->from, to, one_in(&g->r, 8));
}

/* What a thread does besides; the first of its two registers is `reg`. */
static void put_other(struct generator *g, unsigned reg)
{
	for (unsigned n = below(&g->r, 3); n-- > 0; reg++) {
		switch (below(&g->r, 8)) {
		case 0:
		case 1:
			fprintf(g->out, "  r%u = load.%s x\n", reg, load_order(&g->r));
			break;
		case 2:
			fprintf(g->out, "  r%u = load.%s z\n", reg, load_order(&g->r));
			break;
		case 3:
			fprintf(g->out, "  r%u = load.%s y\n", reg, load_order(&g->r));
			break;
		case 4:
			fprintf(g->out, "  store.%s z 1\n", store_order(&g->r));
			break;
		case 5:
			fprintf(g->out, "  r%u = pload p\n", reg);
			break;
		case 6:
			fprintf(g->out, "  fence.%s\n", g->r.style == 3 ? "sc" : "acqrel");
			break;
		default:
			fprintf(g->out, "  pstore p %u\n", 1 + below(&g->r, 2));
			break;
		}
	}
}

static void put_helped(struct generator *g, unsigned to)
{
	fputs("thread\n", g->out);
	if (one_in(&g->r, 5))
		fprintf(g->out, "  store.%s x %u\n", store_order(&g->r), g->from);
	else if (!one_in(&g->r, 4))
		fprintf(g->out, "  r0 = load.%s x\n", load_order(&g->r));
	if (one_in(&g->r, 4))
		fputs("  pstore p 1\n", g->out);
	if (one_in(&g->r, 3))
		fprintf(g->out, "  store.%s y 1\n", store_order(&g->r));
	else {
		fputs("  ", g->out);
		put_cas(g, "y", 0, 1, false);
	}
	if (one_in(&g->r, 8))
		put_other(g, 4);
	const bool looked_at = one_in(&g->r, 8);
	put_swing(g, one_in(&g->r, 10) ? to + 1 : to, looked_at, 1);
	put_other(g, 2);
}

static void put_helping(struct generator *g, unsigned to)
{
	const bool swapped = one_in(&g->r, 2);

	fputs("thread\n", g->out);
	if (one_in(&g->r, 8))
		put_other(g, 4);
	fputs("  again:\n", g->out);
	fprintf(g->out, "  r0 = load.%s %s\n", load_order(&g->r), swapped ? "y" : "x");
	fprintf(g->out, "  r1 = load.%s %s\n", load_order(&g->r), swapped ? "x" : "y");
	if (!one_in(&g->r, 8))
		fprintf(g->out, "  if r%u != %u goto out\n", swapped, g->from);
	fprintf(g->out, "  if r%u == 0 goto out\n", !swapped);
	if (one_in(&g->r, 8))
		put_other(g, 4);
	put_swing(g, to, one_in(&g->r, 10), 5);
	fputs(one_in(&g->r, 8) ? "  r4 = r4+1\n  if r4 < 2 goto again\n" : "  goto again\n", g->out);
	fputs("  out:\n", g->out);
	put_other(g, 2);
}

/* Another thread, which may change x, too. */
static void put_stack_access(struct generator *g, unsigned to)
{
	fputs("thread\n", g->out);
	put_other(g, 0);
	switch (below(&g->r, 6)) {
	case 0:
		fprintf(g->out, "  store.%s x %u\n", store_order(&g->r), g->from);
		break;
	case 1:
		fputs("  ", g->out);
		put_cas(g, "x", to, one_in(&g->r, 2) ? g->from : to + 1, false);
		break;
	case 2:
		fputs("  ", g->out);
		put_cas(g, "x", 0, g->from ? g->from : 3, false);
		break;
	default:
		fprintf(g->out, "  r4 = load.%s x\n", load_order(&g->r));
		break;
	}
	put_other(g, 2);
}

static char *generate_helping(uint64_t seed, bool stores)
{
	struct generator g = { .r = { .state = lp_mix(seed + 3), .often = 3 }, .stores = stores };
	char *text;

	g.out = open_text(&text);
	g.r.style = below(&g.r, 4);
	g.from = one_in(&g.r, 3);
	if (g.from && one_in(&g.r, 2))
		fputs("init x 1\n", g.out);
	const unsigned to = 2;
	put_helped(&g, to);
	put_helping(&g, to);
	if (one_in(&g.r, 2))
		put_stack_access(&g, to);
	else if (one_in(&g.r, 3))
		put_helping(&g, to);
	fputs("final\n  r0 = load.rlx x\n  outcome 0:r0", g.out);
	for (unsigned t = 1; t <= 2; t++)
		fprintf(g.out, " %u:r2 %u:r3", t, t);
	fputs(" 1:r1\n", g.out);
	fclose(g.out);
	return text;
}

char *generate_helpers(uint64_t seed)
{
	return generate_helping(seed, false);
}

char *generate_skippers(uint64_t seed)
{
	return generate_helping(seed, true);
}
