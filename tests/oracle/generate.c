/* generate.c -- random scripts.
 *
 * Few locations, few values and few events make interesting programs: what goes
 * wrong in an explorer goes wrong with three threads and six events.
 */
#include "generator.h"

#include "base/error.h"
#include "base/hash.h"

/* A value to write: mostly a small number, sometimes one that was read. */
static void put_value(struct generator *g)
{
	if (g->reg && one_in(g, 3)) {
		const unsigned r = old_reg(g);
		fprintf(g->out, " r%u%s", r, one_in(g, 2) ? "" : "+1");
	} else {
		fprintf(g->out, " %u", 1 + below(g, 2));
	}
}

static void put_load(struct generator *g)
{
	const unsigned r = new_reg(g);
	const char *order = load_order(g), *loc = any_loc(g);

	fprintf(g->out, "  r%u = load.%s %s\n", r, order, loc);
	g->budget--;
}

static void put_store(struct generator *g)
{
	const char *order = store_order(g), *loc = any_loc(g);

	fprintf(g->out, "  store.%s %s", order, loc);
	put_value(g);
	fputc('\n', g->out);
	g->budget--;
}

static void put_rmw(struct generator *g)
{
	static const char *const names[] = { "add", "add", "xchg", "xchg", "sub", "or", "and", "xor" };

	const char *name = names[below(g, 8)], *order = rmw_order(g), *loc = any_loc(g);
	const unsigned operand = 1 + below(g, 2), r = new_reg(g);

	fprintf(g->out, "  r%u = %s.%s %s %u\n", r, name, order, loc, operand);
	g->budget--;
}

static void put_cas(struct generator *g)
{
	const bool weak = g->features & GENERATE_CHOICES && one_in(g, 2);
	const unsigned expected = below(g, 3), desired = 1 + below(g, 2), read = new_reg(g);
	const char *order = rmw_order(g), *fail_order = load_order(g), *loc = any_loc(g);

	fprintf(g->out, "  r%u", read);
	if (weak)
		fprintf(g->out, " r%u", new_reg(g));
	fprintf(g->out, " = %s.%s.%s %s", weak ? "wcas" : "cas", order, fail_order, loc);
	if (read && one_in(g, 3))
		fprintf(g->out, " r%u", below(g, read));
	else
		fprintf(g->out, " %u", expected);
	fprintf(g->out, " %u\n", desired);
	g->budget--;
}

void put_fence(struct generator *g)
{
	static const char *const names[] = { "acq", "rel", "acqrel", "sc", "sc", "sc", "rlx" };

	fprintf(g->out, "  fence.%s\n", names[below(g, 7)]);
}

static void put_statement(struct generator *g, unsigned depth);

static void put_conditional(struct generator *g, unsigned depth)
{
	static const char *const compares[] = { "==", "!=", "<", ">=" };
	const unsigned label = g->label++, r = old_reg(g), number = below(g, 3);

	fprintf(g->out, "  if r%u %s %u goto L%u\n", r, compares[below(g, 4)], number, label);
	put_statement(g, depth + 1);
	if (one_in(g, 3))
		put_statement(g, depth + 1);
	fprintf(g->out, "  L%u:\n", label);
}

static void put_critical_section(struct generator *g, unsigned depth)
{
	const char *mutex = one_in(g, 4) ? "n" : "m";

	fprintf(g->out, "  lock %s\n", mutex);
	g->budget -= 2;
	put_statement(g, depth + 2);
	if (one_in(g, 2))
		put_statement(g, depth + 2);
	fprintf(g->out, "  unlock %s\n", mutex);
}

static void put_wait(struct generator *g)
{
	const unsigned r = new_reg(g), number = below(g, 3);
	const char *order = load_order(g), *loc = any_loc(g), *compare = one_in(g, 2) ? "!=" : "==";

	switch (below(g, 4)) {
	case 0:
		fprintf(g->out, "  r%u = await.%s %s %s %u\n", r, order, loc, compare, number);
		break;
	case 1:
		fprintf(g->out, "  r%u = await.%s %s >= 1\n", r, order, loc);
		break;
	case 2:
		fprintf(g->out, "  r%u = require.%s %s %s %u\n", r, order, loc, compare, number);
		break;
	default:
		fprintf(g->out, "  r%u = load.%s %s\n  assume r%u %s %u\n", r, order, loc, r, compare,
			number);
		break;
	}
	g->budget--;
}

static void put_cas_loop(struct generator *g)
{
	const unsigned label = g->label++, seen = new_reg(g), got = new_reg(g);
	const char *loc = any_loc(g), *order = rmw_order(g);
	const char *read_order = load_order(g), *fail_order = load_order(g);

	fprintf(g->out, "  L%u:\n  r%u = load.%s %s\n", label, seen, read_order, loc);
	if (one_in(g, 4))
		fprintf(g->out, "  yield\n");
	fprintf(g->out, "  r%u = cas.%s.%s %s r%u r%u+1\n  if r%u != r%u goto L%u\n", got, order,
		fail_order, loc, seen, seen, got, seen, label);
	g->budget -= 2;
}

/* Reads twice what must not have changed, then tries to change something else. */
static void put_retry(struct generator *g)
{
	const unsigned label = g->label++, first = new_reg(g), seen = new_reg(g);
	const unsigned again = new_reg(g), got = new_reg(g);
	const char *guard = any_loc(g), *loc = any_loc(g);
	const char *o1 = load_order(g), *o2 = load_order(g), *o3 = load_order(g);
	const char *order = rmw_order(g), *fail_order = load_order(g);

	fprintf(g->out, "  L%u:\n  r%u = load.%s %s\n  r%u = load.%s %s\n", label, first, o1, guard,
		seen, o2, loc);
	fprintf(g->out, "  r%u = load.%s %s\n  if r%u != r%u goto L%u\n", again, o3, guard, again,
		first, label);
	fprintf(g->out, "  r%u = cas.%s.%s %s r%u r%u+1\n  if r%u != r%u goto L%u\n", got, order,
		fail_order, loc, seen, seen, got, seen, label);
	g->budget -= 4;
}

static void put_spin(struct generator *g)
{
	const unsigned label = g->label++, r = new_reg(g);
	const char *loc = any_loc(g), *order = rmw_order(g), *read_order = load_order(g);

	fprintf(g->out, "  L%u:\n", label);
	if (one_in(g, 4))
		put_fence(g);
	/* A second location that is read and not looked at. */
	if (one_in(g, 4))
		put_load(g);
	if (one_in(g, 4)) /* a lock; who has it does not matter */
		fprintf(g->out, "  r%u = xchg.%s %s 1\n  if r%u != 0 goto L%u\n", r, order, loc, r,
			label);
	else if (one_in(g, 3))
		fprintf(g->out, "  r%u = cas.%s.%s %s 1 2\n  if r%u != 1 goto L%u\n", r, order,
			read_order, loc, r, label);
	else
		fprintf(g->out, "  r%u = load.%s %s\n  if r%u == 0 goto L%u\n", r, read_order, loc, r,
			label);
	g->budget--;
}

static void put_counted_loop(struct generator *g, unsigned depth)
{
	const unsigned label = g->label++;

	fprintf(g->out, "  L%u:\n", label);
	put_statement(g, depth + 2);
	fprintf(g->out, "  r15 = r15+1\n  if r15 < 2 goto L%u\n", label);
	g->budget--;
}

static void put_plain(struct generator *g)
{
	/* Mostly on a location of its own: else nearly every program is racy. */
	const char *loc = one_in(g, 6) ? any_loc(g) : "p";

	if (one_in(g, 2)) {
		fprintf(g->out, "  r%u = pload %s\n", new_reg(g), loc);
	} else {
		fprintf(g->out, "  pstore %s", loc);
		put_value(g);
		fputc('\n', g->out);
	}
	g->budget--;
}

void put_assert(struct generator *g)
{
	const unsigned r = old_reg(g);

	fprintf(g->out, "  assert r%u != %u\n", r, below(g, 4));
}

static void put_choice(struct generator *g)
{
	const unsigned r = new_reg(g);

	fprintf(g->out, "  r%u = choose %u\n", r, 2 + below(g, 2));
}

/* Something special, if there is a feature for it. */
static bool put_special(struct generator *g, unsigned depth)
{
	switch (below(g, 8)) {
	case 0:
	case 1:
		if (!(g->features & GENERATE_LOCKS) || depth)
			return false;
		put_critical_section(g, depth);
		return true;
	case 2:
		if (!(g->features & GENERATE_AWAITS))
			return false;
		put_wait(g);
		return true;
	case 3:
		if (!(g->features & GENERATE_LOOPS) || depth)
			return false;
		if (one_in(g, 3))
			put_counted_loop(g, depth);
		else if (one_in(g, 3))
			put_retry(g);
		else if (one_in(g, 2))
			put_cas_loop(g);
		else
			put_spin(g);
		return true;
	case 4:
	case 5:
		if (!(g->features & GENERATE_PLAIN))
			return false;
		put_plain(g);
		return true;
	case 6:
		if (!(g->features & GENERATE_ASSERTS) || !g->reg)
			return false;
		put_assert(g);
		return true;
	default:
		if (!(g->features & GENERATE_CHOICES))
			return false;
		put_choice(g);
		return true;
	}
}

/* ---- idioms: where models differ, and random statements rarely go ---- */

/* Writes data, then a flag that publishes it; perhaps with a longer release
 * sequence, continued by this thread. */
static void put_publish(struct generator *g)
{
	const unsigned data = below(g, g->locs), flag = (data + 1) % g->locs;
	const bool fence = one_in(g, 2);

	fprintf(g->out, "  store.rlx %s 1\n", loc_names[data]);
	if (fence)
		put_fence(g);
	fprintf(g->out, "  store.%s %s 1\n", fence ? "rlx" : store_order(g), loc_names[flag]);
	if (one_in(g, 3)) {
		fprintf(g->out, "  store.rlx %s 2\n", loc_names[flag]);
		g->budget--;
	}
	g->budget -= 2;
}

/* Reads the flag, then the data. */
static void put_subscribe(struct generator *g)
{
	const unsigned data = below(g, g->locs), flag = (data + 1) % g->locs;
	const bool fence = one_in(g, 2);

	fprintf(g->out, "  r%u = load.%s %s\n", new_reg(g), fence ? "rlx" : "acq", loc_names[flag]);
	if (fence)
		put_fence(g);
	fprintf(g->out, "  r%u = load.rlx %s\n", new_reg(g), loc_names[data]);
	g->budget -= 2;
}

/* Writes one location, reads another. */
static void put_store_buffering(struct generator *g)
{
	const unsigned mine = below(g, g->locs), other = (mine + 1) % g->locs;

	fprintf(g->out, "  store.%s %s 1\n", store_order(g), loc_names[mine]);
	if (one_in(g, 2))
		put_fence(g);
	fprintf(g->out, "  r%u = load.%s %s\n", new_reg(g), load_order(g), loc_names[other]);
	g->budget -= 2;
}

static void put_idiom(struct generator *g)
{
	switch (below(g, 7)) {
	case 0:
	case 1:
		put_publish(g);
		break;
	case 2:
	case 3:
		put_subscribe(g);
		break;
	case 4:
		fprintf(g->out, "  r%u = add.rlx %s 1\n", new_reg(g), any_loc(g));
		g->budget--;
		break;
	default:
		put_store_buffering(g);
		break;
	}
}

static void put_statement(struct generator *g, unsigned depth)
{
	if (g->features & GENERATE_OWN) {
		put_own_statement(g);
		return;
	}
	if (below(g, 100) < g->idioms) {
		put_idiom(g);
		return;
	}
	if (g->features && one_in(g, 2) && put_special(g, depth))
		return;
	switch (below(g, 16)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
		put_store(g);
		break;
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
		put_load(g);
		break;
	case 10:
	case 11:
		put_rmw(g);
		break;
	case 12:
		put_cas(g);
		break;
	case 13:
	case 14:
		put_fence(g);
		break;
	default:
		if (g->reg && depth < 2)
			put_conditional(g, depth);
		else
			put_cas(g);
		break;
	}
}

/* ---- cycles ---- */

/* How a cycle chooses its orders: each access for itself; or all accesses sc but those
 * to one location, which hand over by release and acquire. */
struct cycle {
	bool handover;
	unsigned weaker; /* that location */
};

static const char *cycle_order(struct generator *g, const struct cycle *c, unsigned loc,
			       const char *handing, const char *(*order)(struct generator *))
{
	return !c->handover ? order(g) : loc == c->weaker ? handing : "sc";
}

static void put_access(struct generator *g, const struct cycle *c, unsigned loc, unsigned value)
{
	const unsigned kind = below(g, 10);

	if (kind < 4)
		fprintf(g->out, "  r%u = load.%s %s\n", new_reg(g),
			cycle_order(g, c, loc, "acq", load_order), loc_names[loc]);
	else if (kind < 8)
		fprintf(g->out, "  store.%s %s %u\n", cycle_order(g, c, loc, "rel", store_order),
			loc_names[loc], value);
	else
		fprintf(g->out, "  r%u = %s.%s %s %u\n", new_reg(g), kind == 8 ? "add" : "xchg",
			cycle_order(g, c, loc, "acqrel", rmw_order), loc_names[loc], value);
}

/* Thread i accesses location i and then location i+1: the shape of SB, MP, LB, S, R,
 * 2+2W, WRC, RWC, ISA2, Z6 and IRIW, with every mixture of orders and fences.  The
 * axioms of rc11 on sc accesses among weaker ones show in such programs only. */
static void put_cycle(struct generator *g)
{
	g->locs = g->threads < 3 || one_in(g, 3) ? 2 : 3;

	const bool handover = one_in(g, 2);
	const struct cycle c = { handover, below(g, g->locs) };

	for (unsigned t = 0; t < g->threads; t++) {
		const unsigned first = t % g->locs, second = (t + 1) % g->locs;

		fputs("thread\n", g->out);
		g->reg = g->label = 0;
		put_access(g, &c, first, 1 + t);
		if (g->threads > 2 && one_in(g, 6))
			continue;
		if (!c.handover && one_in(g, 4))
			put_fence(g);
		put_access(g, &c, second, 1 + t);
		if (g->threads < 4 && one_in(g, 4))
			put_access(g, &c, one_in(g, 2) ? first : second, 5 + t);
	}
}

/* ---- whole programs ---- */

static void put_thread(struct generator *g)
{
	fputs("thread\n", g->out);
	if (g->features & GENERATE_OWN)
		fprintf(g->out, "  r%u = me\n", ME);
	g->reg = g->label = 0;
}

static void put_threads(struct generator *g, unsigned events)
{
	int left = (int)events;

	for (unsigned t = 0; t < g->threads; t++) {
		const unsigned share = (unsigned)(left > 0 ? left : 0) / (g->threads - t);

		put_thread(g);
		g->budget = (int)(share ? share : 1) + (one_in(g, 4) ? 1 : 0);
		left -= g->budget;
		const uint64_t state = g->state;
		const int budget = g->budget;
		while (g->budget > 0)
			put_statement(g, 0);
		while (g->features & GENERATE_TWINS && t + 1 < g->threads && below(g, 3)) {
			const uint64_t next = g->state;
			put_thread(g);
			g->budget = budget;
			g->state = state;
			while (g->budget > 0)
				put_statement(g, 0);
			g->state = next;
			left -= budget;
			t++;
		}
	}
}

/* Like threads that read and then write, and others that pass on what was written: a like
 * read can depend on another and still read from below it in co. */
static void put_relays(struct generator *g)
{
	const unsigned twins = 2 + below(g, 2), others = twins == 2 && one_in(g, 3) ? 2 : 1;
	const uint64_t state = g->state;

	g->relaxed = 100;
	g->locs = 2;
	for (unsigned t = 0; t < twins; t++) {
		g->state = state;
		put_thread(g);
		put_load(g);
		for (g->budget = (int)below(g, 2); g->budget > 0;)
			put_own_statement(g);
		fprintf(g->out, "  store.rlx %s 1\n", any_loc(g));
	}
	for (unsigned t = 0; t < others; t++) {
		put_thread(g);
		if (!t || one_in(g, 2))
			put_load(g);
		fprintf(g->out, "  store.rlx %s 5\n", any_loc(g));
	}
}

char *generate_script(uint64_t seed, unsigned features, unsigned events)
{
	struct generator g = { .state = lp_mix(seed + 1), .features = features };
	char *text = NULL;
	size_t size;

	g.out = open_memstream(&text, &size);
	if (!g.out)
		LP_BUG("cannot generate a script");
	g.locs = 1 + below(&g, 3);
	g.threads = 2 + below(&g, 3);
	g.relaxed = 30 * below(&g, 4);
	g.idioms = 40 * below(&g, 3);
	for (unsigned l = 0; l < g.locs; l++)
		if (one_in(&g, 8))
			fprintf(g.out, "init %s 1\n", loc_names[l]);

	if (features & GENERATE_RELAYS)
		put_relays(&g);
	else if (!features && one_in(&g, 2))
		put_cycle(&g);
	else
		put_threads(&g, events);
	if (one_in(&g, 4))
		fprintf(g.out, "final\n  r0 = load.rlx %s\n  outcome 0:r0 1:r0\n", any_loc(&g));
	fclose(g.out);
	return text;
}
