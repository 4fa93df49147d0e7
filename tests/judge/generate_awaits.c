/* generate_awaits.c -- random programs of threads that wait.
 *
 * Loops of one read, compare-and-swaps that are repeated until they succeed, operations that wait by
 * themselves, mutexes and semaphores, among stores and RMWs to the same few locations: most waits can end by
 * several writes, and several threads wait for the same one.  Some read plain data while they wait; in some
 * programs all threads are alike.
 *
 * Loops whose first read stands before them are a family of their own: mostly that read is the same as the one in the
 * loop (frontend/ir/state/same_sites.h), but for one thing at times.  So are compare-and-swaps whose answer is the next
 * guess (redundant_rereads.h).
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include "base/hash.h"

static void put_spin(struct generator *g)
{
	const char *order = load_order(g), *loc = any_loc(g), *sign = one_in(g, 3) ? "==" : "!=";
	const unsigned label = g->label++, value = below(g, 3);

	fprintf(g->out, "  again%u:\n  r0 = load.%s %s\n", label, order, loc);
	if (one_in(g, 10))
		fputs("  r5 = pload d\n", g->out);
	fprintf(g->out, "  if r0 %s %u goto again%u\n", sign, value, label);
}

static void put_swap(struct generator *g)
{
	const char *order = rmw_order(g), *loc = any_loc(g), *kind = one_in(g, 8) ? "wcas" : "cas";
	const unsigned label = g->label++, expected = below(g, 2), value = below(g, 3);

	fprintf(g->out, "  again%u:\n  r1 r2 = %s.%s.rlx %s %u %u\n  if r2 == 0 goto again%u\n", label, kind, order, loc,
		expected, value, label);
}

static void put_exchange(struct generator *g)
{
	const char *order = rmw_order(g), *loc = any_loc(g);
	const unsigned label = g->label++;

	fprintf(g->out, "  again%u:\n  r1 = xchg.%s %s 1\n  if r1 != 0 goto again%u\n", label, order, loc, label);
}

static void put_await(struct generator *g)
{
	static const char *const conditions[] = { "", "!= ", ">= " };
	const char *order = load_order(g), *loc = any_loc(g), *condition = conditions[below(g, 3)];
	const unsigned value = 1 + below(g, 2);

	fprintf(g->out, "  r0 = await.%s %s %s%u\n", order, loc, condition, value);
}

static void put_access(struct generator *g)
{
	const char *loc = any_loc(g);
	const unsigned value = below(g, 3);

	switch (below(g, 7)) {
	case 0:
		fprintf(g->out, "  r3 = load.%s %s\n", load_order(g), loc);
		break;
	case 1:
	case 2:
		fprintf(g->out, "  r3 = add.%s %s 1\n", rmw_order(g), loc);
		break;
	case 3:
		fprintf(g->out, "  r3 = xchg.%s %s %u\n", rmw_order(g), loc, value);
		break;
	default:
		fprintf(g->out, "  store.%s %s %u\n", store_order(g), loc, value);
		break;
	}
}

static void put_guarded(struct generator *g)
{
	const bool counted = one_in(g, 3);

	fputs(counted ? "  wait s\n" : "  lock m\n", g->out);
	if (one_in(g, 3))
		fputs("  r4 = pload d\n  pstore d r4+1\n", g->out);
	else
		put_access(g);
	if (counted ? !one_in(g, 4) : true)
		fputs(counted ? "  post s\n" : "  unlock m\n", g->out);
}

static void put_statement(struct generator *g)
{
	switch (below(g, 10)) {
	case 0:
	case 1:
		put_spin(g);
		break;
	case 2:
		put_swap(g);
		break;
	case 3:
		put_exchange(g);
		break;
	case 4:
		put_await(g);
		break;
	case 5:
		put_guarded(g);
		break;
	case 6:
		if (one_in(g, 4)) {
			put_fence(g);
			break;
		}
		/* fall through */
	default:
		put_access(g);
		break;
	}
	if (one_in(g, 25))
		fputs("  pstore d 1\n", g->out);
}

/* Between a read and the test of what it has read: mostly nothing. */
static void put_between(struct generator *g)
{
	static const char *const lines[] = { "r7 = r7+1", "r7 = 1", "r5 = pload d", "r6 = load.rlx y", "r0 = r0+1", "fence.acqrel" };

	if (one_in(g, 8))
		fprintf(g->out, "  %s\n", lines[below(g, 6)]);
}

/* One of the two reads: r0 gets the value. */
static void put_look(struct generator *g, unsigned how, const char *order, const char *loc)
{
	if (one_in(g, 12))
		order = load_order(g);
	if (one_in(g, 12))
		loc = any_loc(g);
	if (one_in(g, 12))
		how = below(g, 4);
	switch (how) {
	case 0:
		fprintf(g->out, "  r0 = xchg.acq %s 1\n", loc);
		break;
	case 1:
		fprintf(g->out, "  r0 r8 = cas.acq.rlx %s 0 2\n", loc);
		break;
	default:
		fprintf(g->out, "  r0 = load.%s %s\n", order, loc);
		break;
	}
	put_between(g);
}

static void put_first(struct generator *g)
{
	const char *order = load_order(g), *loc = any_loc(g), *sign = one_in(g, 3) ? "!=" : "==";
	const unsigned label = g->label++, how = below(g, 8), value = below(g, 2);
	const bool swaps = how > 1 && one_in(g, 2), late = one_in(g, 12);

	put_look(g, how, order, loc);
	if (late)
		fprintf(g->out, "  if r0 %s %u goto again%u\n  goto out%u\n", sign, value, label, label);
	else
		fprintf(g->out, "  goto test%u\n", label);
	fprintf(g->out, "  again%u:\n", label);
	put_look(g, how, order, loc);
	fprintf(g->out, "  test%u:\n  if r0 %s %u goto again%u\n", label, sign, value, label);
	if (swaps)
		fprintf(g->out, "  r1 r2 = cas.acq.rlx %s r0 r0%s\n  if r2 == 0 goto again%u\n", loc,
			value || *sign == '!' ? "^1" : "-1", label);
	fprintf(g->out, "  out%u:\n", label);
	if (swaps && !one_in(g, 4))
		fprintf(g->out, "  add.rel %s 1\n", loc);
}

/* A compare-and-swap whose answer is the next guess; the first one was loaded, or is a number. */
static void put_guess(struct generator *g)
{
	static const char *const lines[] = { "r7 = r7+1", "r7 = r1", "r5 = pload d", "r6 = load.rlx y", "fence.sc" };
	const char *order = load_order(g), *swap = rmw_order(g), *fail = load_order(g), *loc = any_loc(g);
	const char *kind = one_in(g, 8) ? "wcas" : "cas", *step = one_in(g, 4) ? "^1" : "+1";
	const unsigned label = g->label++, first = below(g, 3);

	if (first == 2)
		fprintf(g->out, "  r0 = %u\n", below(g, 2));
	else
		fprintf(g->out, "  r0 = load.%s %s\n", order, first ? loc : any_loc(g));
	if (one_in(g, 8))
		fprintf(g->out, "  %s\n", lines[below(g, 5)]);
	fprintf(g->out, "  again%u:\n", label);
	if (one_in(g, 6))
		fprintf(g->out, "  if r0 == 2 goto out%u\n", label);
	fprintf(g->out, "  r1 r2 = %s.%s.%s %s r0 r0%s\n  if r2 == 1 goto out%u\n", kind, swap, fail, loc, step, label);
	if (one_in(g, 8))
		fprintf(g->out, "  %s\n", lines[below(g, 5)]);
	fprintf(g->out, "  r0 = r1\n  goto again%u\n  out%u:\n", label, label);
}

static char *generate(struct generator *g, void (*statement)(struct generator *), const char *regs)
{
	char *text;

	g->locs = 1 + below(g, 2);
	g->threads = 2 + below(g, 3);
	g->out = open_text(&text);
	if (one_in(g, 2))
		fputs("init s 1\n", g->out);
	for (unsigned t = 0; t < g->threads; t++) {
		fputs("thread\n", g->out);
		for (unsigned n = 1 + below(g, g->threads > 3 ? 2 : 3); n-- > 0;)
			statement(g);
	}
	put_end(g->out, "xy", g->threads, regs);
	fclose(g->out);
	return text;
}

char *generate_awaits(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 47), .relaxed = 50 };

	return generate(&g, put_statement, "0134");
}

static void put_first_or_other(struct generator *g)
{
	if (one_in(g, 2))
		put_first(g);
	else
		put_statement(g);
}

static void put_guess_or_access(struct generator *g)
{
	if (one_in(g, 2))
		put_guess(g);
	else
		put_access(g);
	if (one_in(g, 25))
		fputs("  pstore d 1\n", g->out);
}

char *generate_guesses(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 59), .relaxed = 50 };

	return generate(&g, put_guess_or_access, "0137");
}

char *generate_first_looks(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 53), .relaxed = 50 };

	return generate(&g, put_first_or_other, "0137");
}
