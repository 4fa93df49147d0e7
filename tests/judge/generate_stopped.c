/* generate_stopped.c -- random programs with threads that are stopped, and errors of others.
 *
 * A thread that waits forever, spins, or came to an assumption that does not hold, goes no
 * further; what it did before others see, and then they may fail:
 *
 *     thread                        thread
 *       r0 = load x                   r0 = load y
 *       if r0 != 0 goto out           if r0 == 0 goto out
 *       store y 1                     r1 = await z != 0
 *       assume r0 != 0                assert r0 == 0
 *       out:                          out:
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include "base/hash.h"

static void put_change(struct generator *g)
{
	const char *loc = any_loc(g);

	switch (below(g, 5)) {
	case 0:
		fprintf(g->out, "  r3 = xchg.%s %s 1\n", rmw_order(g), loc);
		break;
	case 1:
		fprintf(g->out, "  r3 = cas.%s.rlx %s 0 1\n", rmw_order(g), loc);
		break;
	default:
		fprintf(g->out, "  store.%s %s 1\n", store_order(g), loc);
		break;
	}
}

/* Waits for what may have happened, in some way. */
static void put_wait(struct generator *g, const char *out)
{
	const char *loc = any_loc(g), *order = load_order(g);
	const unsigned label = g->label++;

	switch (below(g, 9)) {
	case 0:
		fprintf(g->out, "  r1 = await.%s %s != 0\n", order, loc);
		break;
	case 1:
		fprintf(g->out, "  r1 = require.%s %s != 0\n", order, loc);
		break;
	case 2:
		fprintf(g->out, "  w%u:\n  r1 = load.%s %s\n  if r1 == 0 goto w%u\n", label, order, loc, label);
		break;
	case 3:
	case 4:
		fprintf(g->out, "  assume r0 != 0\n");
		break;
	default:
		fprintf(g->out, "  r1 = load.%s %s\n  if r1 == 0 goto %s\n", order, loc, out);
		break;
	}
}

static void put_stopped_thread(struct generator *g)
{
	char out[8];

	snprintf(out, sizeof out, "o%u", g->label++);
	fputs("thread\n", g->out);
	if (!one_in(g, 4)) {
		fprintf(g->out, "  r0 = load.%s %s\n", load_order(g), any_loc(g));
		fprintf(g->out, "  if r0 %s 0 goto %s\n", one_in(g, 2) ? "==" : "!=", out);
	}
	for (unsigned n = below(g, 3); n-- > 0;) {
		if (one_in(g, 2))
			put_change(g);
		else
			put_wait(g, out);
	}
	if (one_in(g, 2))
		put_change(g);
	switch (below(g, 6)) {
	case 0:
	case 3:
		fprintf(g->out, "  assume r0 %s 0\n", one_in(g, 2) ? "==" : "!=");
		break;
	case 1:
		put_wait(g, out);
		break;
	case 2:
		fprintf(g->out, "  assert r0 %s 0\n", one_in(g, 2) ? "==" : "!=");
		break;
	default:
		break;
	}
	fprintf(g->out, "  %s:\n", out);
}

char *generate_stopped(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 23), .locs = 3, .relaxed = 40 };
	char *text;

	g.out = open_text(&text);
	for (unsigned n = 3 + below(&g, 2); n-- > 0;)
		put_stopped_thread(&g);
	fclose(g.out);
	return text;
}
