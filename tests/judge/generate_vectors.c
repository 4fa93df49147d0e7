/* generate_vectors.c -- random programs of loops that read several locations.
 *
 *     again:  r0 = load x
 *             r1 = load y
 *             if r0 != r1 goto again
 *
 * What a loop reads, in which order, and where depending on what, is arbitrary; so is what has to be true
 * for it to end.  Some end with a compare-and-swap.  All else is stores and RMWs to the same few locations, so that
 * each loop can be answered in many ways by writes that come before and after it.
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include "base/hash.h"

static void put_load(struct generator *g, unsigned reg)
{
	const char *order = load_order(g), *loc = any_loc(g);

	fprintf(g->out, "  r%u = load.%s %s\n", reg, order, loc);
}

/* Or a number. */
static void put_read(struct generator *g, unsigned reg)
{
	if (one_in(g, 16))
		fprintf(g->out, "  r%u = choose 2\n", reg);
	else
		put_load(g, reg);
}

/* Goes to the label if some condition does not hold. */
static void put_test(struct generator *g, unsigned reg, unsigned label)
{
	const char *sign = one_in(g, 2) ? "==" : "!=";
	const unsigned value = below(g, 3), other = below(g, 3);

	if (one_in(g, 3) && other != reg)
		fprintf(g->out, "  if r%u %s r%u goto again%u\n", reg, sign, other, label);
	else
		fprintf(g->out, "  if r%u %s %u goto again%u\n", reg, sign, value, label);
}

/* A read whose location depends on what was read before. */
static void put_detour(struct generator *g, unsigned reg)
{
	const unsigned id = g->label++, value = below(g, 2);

	fprintf(g->out, "  if r%u == %u goto else%u\n", reg - 1, value, id);
	put_load(g, reg);
	fprintf(g->out, "  goto both%u\n  else%u:\n", id, id);
	put_load(g, reg);
	fprintf(g->out, "  both%u:\n", id);
}

static void put_swap(struct generator *g, unsigned label)
{
	const char *loc = any_loc(g), *order = rmw_order(g), *kind = one_in(g, 5) ? "wcas" : "cas";
	const unsigned expected = below(g, 3), value = below(g, 3);

	if (one_in(g, 4))
		fprintf(g->out, "  r3 r4 = %s.%s.rlx %s %u %u\n", kind, order, loc, expected, value);
	else
		fprintf(g->out, "  r3 r4 = %s.%s.rlx %s r%u r%u+1\n", kind, order, loc, expected, expected);
	fprintf(g->out, "  if r4 == 0 goto again%u\n", label);
}

static void put_loop(struct generator *g)
{
	const unsigned label = g->label++, reads = 1 + below(g, 3);

	fprintf(g->out, "  again%u:\n", label);
	if (one_in(g, 8))
		put_fence(g);
	for (unsigned i = 0; i < reads; i++) {
		if (i > 0 && one_in(g, 5))
			put_detour(g, i);
		else
			put_read(g, one_in(g, 10) ? below(g, 3) : i);
		if (one_in(g, 3))
			put_test(g, i, label);
		if (one_in(g, 16))
			fprintf(g->out, "  store.rlx n@ r%u\n  r5 = load.rlx n@\n", i);
	}
	if (one_in(g, 2))
		put_swap(g, label);
	else
		put_test(g, below(g, reads), label);
}

/* A loop that is left from the middle, and remembers what it has read. */
static void put_other_loop(struct generator *g)
{
	const unsigned label = g->label++, reg = below(g, 2);
	const unsigned value = below(g, 2);

	fprintf(g->out, "  again%u:\n", label);
	put_load(g, 6);
	fprintf(g->out, "  if r6 != %u goto out%u\n", value, label);
	put_load(g, reg);
	if (one_in(g, 2))
		put_load(g, below(g, 2));
	fprintf(g->out, "  goto again%u\n  out%u:\n", label, label);
}

static void put_access(struct generator *g)
{
	const unsigned value = below(g, 3), id = g->label++;
	const char *loc = any_loc(g);

	switch (below(g, 6)) {
	case 0:
		fprintf(g->out, "  r7 = load.%s %s\n", load_order(g), loc);
		if (one_in(g, 3))
			fprintf(g->out, "  if r7 == %u goto skip%u\n  store.rlx %s 1\n  skip%u:\n", value, id, loc, id);
		break;
	case 1:
		fprintf(g->out, "  r7 = add.%s %s 1\n", rmw_order(g), loc);
		break;
	case 2:
		fprintf(g->out, "  r7 = xchg.%s %s %u\n", rmw_order(g), loc, value);
		break;
	default:
		fprintf(g->out, "  store.%s %s %u\n", store_order(g), loc, value);
		break;
	}
}

static void put_thread(struct generator *g, unsigned t)
{
	fputs("thread\n", g->out);
	for (unsigned n = 1 + below(g, g->threads > 2 ? 2 : 3); n-- > 0;) {
		if (one_in(g, 9))
			put_other_loop(g);
		else if (t == 0 || one_in(g, 3))
			put_loop(g);
		else
			put_access(g);
	}
}

char *generate_vectors(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 43), .relaxed = 60 };
	char *text;

	g.locs = 2 + below(&g, 2);
	g.threads = 2 + below(&g, 2);
	g.out = open_text(&text);
	const unsigned swap = below(&g, 2); /* the thread that comes first is not always the one with a loop */
	for (unsigned t = 0; t < g.threads; t++)
		put_thread(&g, t ^ swap);
	put_end(g.out, "xy", g.threads, "012357");
	fclose(g.out);
	return text;
}
