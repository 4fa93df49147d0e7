/* generate_rereads.c -- random programs with reads that lead nowhere.
 *
 * Threads look into slots, and take what they find, as in
 *
 *     again:  r0 = load x
 *             if r0 == 0 goto next
 *             r0 = xchg x 0
 *             if r0 != 0 goto out
 *     next:   ...
 *             goto again
 *
 * while others fill them.  Nearly everything about that is sometimes otherwise than it should
 * be for the first read to be of no consequence: orders, what is done in between, values that
 * are remembered or written to memory, what is taken by.  And there are read-modify-writes that
 * change nothing, some of which others rely on.
 */
#include "generate_judged.h"
#include "whole.h"

#include <stdio.h>

#include "random_orders.h"

struct generator {
	struct random_orders r;
	FILE *out;
	unsigned label;
};

static const char *slot(struct generator *g)
{
	static const char *const names[] = { "x", "x", "y" };
	return names[below(&g->r, 3)];
}

/* Into register `reg`, from the slot of which r0 was read. */
static void put_second(struct generator *g, const char *loc, unsigned reg)
{
	switch (below(&g->r, 6)) {
	case 0:
		fprintf(g->out, "  r%u = load.%s %s\n", reg, load_order(&g->r), loc);
		break;
	case 1: {
		const char *success = rmw_order(&g->r), *fail = load_order(&g->r);
		fprintf(g->out, "  r%u = cas.%s.%s %s %u 0\n", reg, success, fail, loc, 1 + below(&g->r, 2));
		break;
	}
	default:
		fprintf(g->out, "  r%u = xchg.%s %s 0\n", reg, rmw_order(&g->r), loc);
		break;
	}
}

/* One look into a slot; what was found goes to r1. */
static void put_look(struct generator *g, const char *found)
{
	const char *loc = slot(g);
	const unsigned next = g->label++;

	fprintf(g->out, "  r0 = load.%s %s\n", load_order(&g->r), loc);
	if (one_in(&g->r, 10))
		fputs("  r2 = r2+1\n", g->out); /* remembered */
	if (!one_in(&g->r, 10))
		fprintf(g->out, "  if r0 == 0 goto n%u\n", next);
	if (one_in(&g->r, 12))
		fprintf(g->out, one_in(&g->r, 2) ? "  fence.acqrel\n" : "  r3 = load.rlx z\n");
	if (one_in(&g->r, 12))
		fputs("  r3 = r0\n", g->out); /* remembered, too */
	if (one_in(&g->r, 16))
		fputs("  pstore p r0\n", g->out);
	put_second(g, one_in(&g->r, 12) ? slot(g) : loc, 1);
	fprintf(g->out, "  if r1 != 0 goto %s\n", found);
	if (one_in(&g->r, 12))
		fputs("  r3 = 7\n", g->out);
	fprintf(g->out, "  n%u:\n", next);
}

static void put_taker(struct generator *g)
{
	char found[8];
	const unsigned id = g->label++;

	fputs("thread\n", g->out);
	snprintf(found, sizeof found, "f%u", id);
	fprintf(g->out, "  a%u:\n", id);
	for (unsigned n = 1 + below(&g->r, 2); n-- > 0;)
		put_look(g, found);
	if (!one_in(&g->r, 4)) /* once more at most */
		fprintf(g->out, "  r4 = r4+1\n  if r4 < 2 goto a%u\n", id);
	else
		fprintf(g->out, "  goto a%u\n", id);
	fprintf(g->out, "  %s:\n", found);
	switch (below(&g->r, 5)) {
	case 0:
		fprintf(g->out, "  r5 = load.%s z\n", load_order(&g->r));
		break;
	case 1:
		fprintf(g->out, "  store.%s z %u\n", store_order(&g->r), 1 + below(&g->r, 2));
		break;
	case 2:
		fprintf(g->out, "  r5 = load.%s y\n", load_order(&g->r));
		break;
	case 3:
		fputs("  r5 = pload p\n", g->out);
		break;
	default:
		break;
	}
}

static void put_filler(struct generator *g)
{
	fputs("thread\n", g->out);
	for (unsigned n = 1 + below(&g->r, 2); n-- > 0;) {
		switch (below(&g->r, 8)) {
		case 0:
			fprintf(g->out, "  r5 = xchg.%s %s 0\n", rmw_order(&g->r), slot(g));
			break;
		case 1:
			fprintf(g->out, "  r5 = add.%s %s 0\n", rmw_order(&g->r), slot(g));
			break;
		case 2:
			fprintf(g->out, "  r3 = load.%s z\n", load_order(&g->r));
			break;
		case 3:
			fprintf(g->out, "  pstore p %u\n", 1 + below(&g->r, 2));
			break;
		case 4:
			fprintf(g->out, "  fence.%s\n", g->r.style == 3 ? "sc" : "acqrel");
			break;
		default:
			break;
		}
		if (one_in(&g->r, 6))
			fprintf(g->out, "  r1 = xchg.%s %s %u\n", rmw_order(&g->r), slot(g), 1 + below(&g->r, 2));
		else
			fprintf(g->out, "  store.%s %s %u\n", store_order(&g->r), slot(g), 1 + below(&g->r, 2));
	}
	if (one_in(&g->r, 3))
		fprintf(g->out, "  r5 = load.%s %s\n", load_order(&g->r), one_in(&g->r, 2) ? "z" : "x");
}

char *generate_rereads(uint64_t seed)
{
	struct generator g = { .r = { .state = lp_mix(seed + 5), .often = 2 } };
	char *text;

	g.out = open_text(&text);
	g.r.style = below(&g.r, 4);
	if (one_in(&g.r, 3))
		fputs("init x 1\n", g.out);
	put_filler(&g);
	put_taker(&g);
	put_taker(&g);
	if (one_in(&g.r, 4))
		put_filler(&g);
	fputs("final\n  r0 = load.rlx x\n  r1 = load.rlx y\n  outcome 0:r0 0:r1 1:r1 1:r3 1:r5", g.out);
	for (unsigned t = 2; t <= 3; t++)
		fprintf(g.out, " %u:r1 %u:r2 %u:r3 %u:r5", t, t, t, t);
	fputs("\n", g.out);
	fclose(g.out);
	return text;
}
