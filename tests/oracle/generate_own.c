/* generate_own.c -- statements on locations that each thread has for itself, whose addresses
 * it can pass on.
 */
#include "generator.h"

/* The thread's own location, that of the thread named in a register, or a shared one. */
static void put_any_loc(struct generator *g)
{
	const unsigned kind = below(g, 5);

	if (kind < 2)
		fputs(" n@", g->out);
	else if (kind == 2 && g->reg)
		fprintf(g->out, " n@r%u", g->reg - 1);
	else
		fprintf(g->out, " %s", any_loc(g));
}

/* No calculations: what comes out would not be an address any more, or another one. */
static void put_any_value(struct generator *g)
{
	const unsigned kind = below(g, 4);

	if (kind < 2)
		fprintf(g->out, " r%u", ME);
	else if (kind == 2 && g->reg)
		fprintf(g->out, " r%u", old_reg(g));
	else
		fprintf(g->out, " %u", below(g, 3));
}

static void put_own_wait(struct generator *g)
{
	const unsigned label = g->label++, seen = new_reg(g);
	const char *load = load_order(g);

	fprintf(g->out, "  L%u:\n  r%u = load.%s", label, seen, load);
	put_any_loc(g);
	fprintf(g->out, "\n  if r%u == 0 goto L%u\n", seen, label);
	g->budget--;
}

/* Puts what it owns in front of what is there, trying twice at most: Treiber's push. */
static void put_push(struct generator *g)
{
	const unsigned label = g->label++, seen = new_reg(g), got = new_reg(g);
	const char *load = load_order(g), *rmw = rmw_order(g), *fail = load_order(g), *loc = any_loc(g);

	for (int attempt = 0; attempt < 2; attempt++) {
		fprintf(g->out, "  r%u = load.%s %s\n  store.rlx n@ r%u\n", seen, load, loc, seen);
		fprintf(g->out, "  r%u = cas.%s.%s %s r%u r%u\n", got, rmw, fail, loc, seen, ME);
		if (!attempt)
			fprintf(g->out, "  if r%u == r%u goto L%u\n", got, seen, label);
	}
	fprintf(g->out, "  L%u:\n", label);
	g->budget -= 4;
}

static void put_own_plain(struct generator *g)
{
	if (g->reg && one_in(g, 2))
		fprintf(g->out, "  r%u = pload q@r%u\n", g->reg, g->reg - 1);
	else if (one_in(g, 2))
		fprintf(g->out, "  r%u = pload q@\n", g->reg);
	else {
		fputs("  pstore q@", g->out);
		put_any_value(g);
		fputc('\n', g->out);
		return;
	}
	new_reg(g);
}

void put_own_statement(struct generator *g)
{
	const unsigned kind = below(g, 12), special = below(g, 10);

	if (special < 2 && g->features & GENERATE_LOOPS) {
		if (special)
			put_own_wait(g);
		else
			put_push(g);
		return;
	}
	if (special < 4 && special > 1 && g->features & GENERATE_PLAIN) {
		put_own_plain(g);
		return;
	}
	if (special == 4 && g->features & GENERATE_ASSERTS && g->reg) {
		put_assert(g);
		return;
	}
	const char *load = load_order(g), *store = store_order(g), *rmw = rmw_order(g);

	g->budget--;
	if (kind < 4) {
		fprintf(g->out, "  store.%s", store);
		put_any_loc(g);
		put_any_value(g);
	} else if (kind < 8) {
		fprintf(g->out, "  r%u = load.%s", g->reg, load);
		put_any_loc(g);
		new_reg(g);
	} else if (kind == 8) {
		fprintf(g->out, "  r%u = xchg.%s", g->reg, rmw);
		put_any_loc(g);
		put_any_value(g);
		new_reg(g);
	} else if (kind == 9) {
		fprintf(g->out, "  r%u = %s.%s.%s", g->reg,
			g->features & GENERATE_CHOICES ? "wcas" : "cas", rmw, load);
		put_any_loc(g);
		put_any_value(g);
		put_any_value(g);
		new_reg(g);
	} else if (kind == 10 && g->reg) {
		const unsigned label = g->label++;
		fprintf(g->out, "  if r%u != %u goto L%u\n", g->reg - 1, below(g, 3), label);
		put_own_statement(g);
		fprintf(g->out, "  L%u:\n", label);
		return;
	} else {
		put_fence(g);
		return;
	}
	fputc('\n', g->out);
}
