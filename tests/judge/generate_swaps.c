/* generate_swaps.c -- random programs of compare-and-swaps that rest on what was loaded before.
 *
 *     again:  r0 = load x
 *             ...                    reads that may go another way
 *             r2 r3 = cas x r0 r0+1
 *             if r3 == 0 goto again
 *
 * Between the load and the compare-and-swap the thread looks elsewhere, reads or writes data, prepares memory of its own,
 * or leaves.  Other threads change x and what is looked at.
 *
 * Of these programs one sort is about attempts that are out of date: few values come back, there are many ways through an
 * attempt.  The second is about values that come back, so that a compare-and-swap succeeds with another write of what was
 * loaded.  In the third values come back mostly as they do on top of a stack, and sometimes otherwise.
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include <stdlib.h>

#include "base/hash.h"

struct swaps {
	struct generator g;
	bool back;     /* values come back */
	bool stacked;  /* ... mostly as on top of a stack of at most three */
	bool once;     /* y is written at most once */
	bool quiet;    /* no plain accesses and frees of common data */
	bool own;      /* threads have memory of their own */
	bool stored;   /* ... that they mostly store to, and do not write plainly */
	bool careful;  /* orders are such that data seldom races */
	unsigned calm; /* one in so many attempts does something in between that is unusual */
};

static const char *take_order(struct swaps *s)
{
	return s->careful ? "acq" : load_order(&s->g);
}

static const char *swap_order(struct swaps *s)
{
	return s->careful ? "acqrel" : rmw_order(&s->g);
}

static const char *give_order(struct swaps *s)
{
	return s->careful ? "rel" : store_order(&s->g);
}

static const char *fail_order(struct swaps *s)
{
	static const char *const orders[] = { "rlx", "rlx", "acq", "sc" };

	return orders[below(&s->g, s->careful ? 3 : 4)];
}

static const char *elsewhere(struct swaps *s)
{
	return one_in(&s->g, 4) ? "z" : "y";
}

static void put_load(struct swaps *s)
{
	const char *order = take_order(s), *loc = elsewhere(s);

	fprintf(s->g.out, "  r1 = load.%s %s\n", order, loc);
}

static void put_xchg(struct swaps *s, const char *loc, const char *value)
{
	fprintf(s->g.out, "  r6 = xchg.%s %s %s\n", swap_order(s), loc, value);
}

static void put_store(struct swaps *s, const char *loc, unsigned value)
{
	fprintf(s->g.out, "  store.%s %s %u\n", give_order(s), loc, value);
}

static void put_cas(struct swaps *s, const char *regs, const char *loc, unsigned value)
{
	const char *order = swap_order(s), *fails = fail_order(s);
	const unsigned expected = below(&s->g, 2);

	fprintf(s->g.out, "  %s = cas.%s.%s %s %u %u\n", regs, order, fails, loc, expected, value);
}

/* A plain access of common data, perhaps only if something has been read. */
static void put_data(struct swaps *s, bool reads)
{
	const unsigned id = s->g.label++, reg = below(&s->g, 2), value = below(&s->g, 3);
	const bool guarded = one_in(&s->g, 2);
	FILE *out = s->g.out;

	if (s->quiet)
		return;
	if (guarded)
		fprintf(out, "  if r%u %s %u goto D%u\n", reg, one_in(&s->g, 2) ? "==" : "!=", value, id);
	switch (below(&s->g, reads ? 4 : 8)) {
	case 0:
	case 1:
	case 2:
		fprintf(out, "  r4 = pload d\n");
		break;
	case 3:
		fprintf(out, "  r4 = load.rlx b\n");
		break;
	case 4:
		fprintf(out, "  free b\n");
		break;
	case 5:
		fprintf(out, "  free d\n");
		break;
	default:
		fprintf(out, "  pstore d %u\n", 1 + value);
		break;
	}
	if (guarded)
		fprintf(out, "  D%u:\n", id);
}

/* The thread's own memory, written in the way of this program. */
static void put_own(struct swaps *s)
{
	static const char *const writes[] = { "pstore n@ r0", "pstore n@ r1", "store.rlx n@ r0", "pstore n@ 1" };
	FILE *out = s->g.out;

	fprintf(out, "  %s\n", writes[one_in(&s->g, 3) ? below(&s->g, 4) : s->stored ? 2 : 0]);
	if (one_in(&s->g, 8))
		fputs(one_in(&s->g, 2) ? "  r6 = pload n@\n" : "  pstore k@ r0\n", out);
}

static void put_wait(struct swaps *s)
{
	const unsigned id = s->g.label++;
	const char *order = take_order(s), *loc = elsewhere(s);
	FILE *out = s->g.out;

	fprintf(out, "  I%u:\n  r1 = load.%s %s\n", id, order, loc);
	if (one_in(&s->g, 2))
		fprintf(out, "  if r1 == %u goto I%u\n", below(&s->g, 2), id);
	else
		fprintf(out, "  if r1 != r0 goto I%u\n", id);
}

/* Between the load and the compare-and-swap of attempt `id`. */
static void put_between(struct swaps *s, unsigned id)
{
	FILE *out = s->g.out;
	const unsigned value = below(&s->g, 3);

	switch (below(&s->g, s->calm)) {
	case 0:
		put_fence(&s->g);
		break;
	case 1:
		fprintf(out, "  if r1 == %u goto out\n", value);
		break;
	case 2:
		fprintf(out, "  r5 = load.%s x\n  if r5 != r0 goto A%u\n", take_order(s), id);
		break;
	case 3:
		put_wait(s);
		break;
	case 4:
		fprintf(out, "  %s r1 != %u\n", one_in(&s->g, 2) ? "assert" : "assume", 1 + value);
		break;
	case 5:
		fprintf(out, "  r1 = choose 2\n");
		break;
	case 6:
		put_xchg(s, elsewhere(s), "r0");
		break;
	case 7:
		fprintf(out, "  if r1 == %u goto A%u\n", value, id);
		break;
	case 8:
		put_cas(s, "r5 r1", elsewhere(s), value % 2);
		break;
	case 9:
		put_store(s, elsewhere(s), 1);
		break;
	case 10:
	case 11:
	case 12:
		put_data(s, !one_in(&s->g, 6));
		break;
	case 13:
		fprintf(out, "  if r0 == %u goto B%u\n", value, s->g.label);
		put_load(s);
		fprintf(out, "  B%u:\n", s->g.label++);
		break;
	default:
		put_load(s);
		break;
	}
}

/* A value is put on another one, or taken off.  On 0 come 1 and 2, mostly in that order, and 3. */
static void put_step(struct swaps *s)
{
	static const char *const steps[] = { "0 1", "1 2", "2 1", "1 0", "2 3", "3 2", "1 3", "3 1", "0 2", "2 0", "1 1", "3 0" };
	const char *order = swap_order(s), *fails = fail_order(s), *rmw = one_in(&s->g, 2) ? "add" : "sub";
	const unsigned step = below(&s->g, one_in(&s->g, 3) ? 12 : 4);

	if (one_in(&s->g, 12))
		put_xchg(s, "x", one_in(&s->g, 2) ? "1" : "2");
	else if (one_in(&s->g, 40))
		put_store(s, "x", 1);
	else if (!s->own && one_in(&s->g, 4))
		fprintf(s->g.out, "  r6 = %s.%s x 1\n", rmw, order);
	else
		fprintf(s->g.out, "  r6 = cas.%s.%s x %s\n", order, fails, steps[step]);
}

static void put_desired(struct swaps *s)
{
	static const char *const known[] = { "r0+1", "r0+1", "r0+2", "1", "2", "r1" }, *const back[] = { "0", "1", "r0+1", "1-r0", "2", "r1" };

	if (s->own) /* addresses are not calculated with, or like threads could be told apart */
		fputs(one_in(&s->g, 3) ? " 1\n" : " r7\n", s->g.out);
	else
		fprintf(s->g.out, " %s\n", s->back ? back[below(&s->g, 6)] : known[below(&s->g, 6)]);
}

static void put_attempt(struct swaps *s)
{
	const unsigned id = s->g.label++, between = one_in(&s->g, 3) ? 0 : 1 + below(&s->g, s->back ? 1 : 2);
	const bool weak = one_in(&s->g, 6), again = !one_in(&s->g, s->back ? 3 : 10);
	const char *loaded = one_in(&s->g, 12) ? "0" : "r0";
	FILE *out = s->g.out;

	fprintf(out, "  A%u:\n", id);
	if (one_in(&s->g, 12))
		put_load(s);
	fprintf(out, "  r0 = load.%s x\n", take_order(s));
	if (one_in(&s->g, 8))
		put_data(s, true);
	for (unsigned i = 0; i < between; i++)
		put_between(s, id);
	if (s->own)
		put_own(s);
	if (one_in(&s->g, 8))
		put_load(s);
	const char *order = swap_order(s), *fails = fail_order(s);
	fprintf(out, "  r2 r3 = %s.%s.%s x %s", weak ? "wcas" : "cas", order, fails, loaded);
	put_desired(s);
	if (again && one_in(&s->g, 3) && !weak && *loaded == 'r')
		fprintf(out, "  if r2 != r0 goto A%u\n", id);
	else if (again)
		fprintf(out, "  if r3 == 0 goto A%u\n", id);
	else
		fputs("  if r3 == 0 goto out\n", out);
}

/* Changes something that attempts rest on. */
static void put_change(struct swaps *s)
{
	static const char *const rmws[] = { "xchg", "add", "add", "sub" };
	const char *loc = one_in(&s->g, 3) ? elsewhere(s) : "x", *rmw = rmws[s->own ? 0 : below(&s->g, 4)];
	const bool store = one_in(&s->g, s->back ? 3 : 2);
	const unsigned value = s->back ? below(&s->g, 2) : 1 + below(&s->g, 2);
	FILE *out = s->g.out;

	if (s->once && *loc != 'x')
		loc = "x";
	if (store)
		put_store(s, loc, value);
	else if (one_in(&s->g, 2))
		put_cas(s, "r6", loc, value);
	else
		fprintf(out, "  r6 = %s.%s %s %u\n", rmw, swap_order(s), loc, *rmw == 'x' ? value : 1);
}

/* Goes away from a value, and comes back. */
static void put_back(struct swaps *s)
{
	FILE *out = s->g.out;

	switch (s->own ? 1 + below(&s->g, 3) : below(&s->g, 4)) {
	case 0:
		fprintf(out, "  r6 = add.%s x 1\n", swap_order(s));
		if (one_in(&s->g, 3))
			put_change(s);
		fprintf(out, "  r6 = sub.%s x 1\n", swap_order(s));
		break;
	case 1:
		put_xchg(s, "x", "1");
		put_xchg(s, "x", "0");
		break;
	case 2:
		put_store(s, "x", 1);
		put_store(s, "x", 0);
		break;
	default:
		fprintf(out, "  r6 = cas.%s.rlx x 0 1\n", swap_order(s));
		fprintf(out, "  r6 = cas.%s.rlx x 1 0\n", swap_order(s));
		break;
	}
}

/* Looks whether something has happened, and goes on only then. */
static void put_look(struct swaps *s)
{
	const char *loc = one_in(&s->g, 2) ? "x" : elsewhere(s), *sign = one_in(&s->g, 2) ? "==" : "!=";
	const unsigned value = below(&s->g, 2);

	fprintf(s->g.out, "  r1 = load.%s %s\n", take_order(s), loc);
	if (!one_in(&s->g, 4))
		fprintf(s->g.out, "  if r1 %s %u goto out\n", sign, value);
	else if (one_in(&s->g, 2))
		fprintf(s->g.out, "  r11 = r1\n");
}

static void put_other(struct swaps *s)
{
	for (unsigned n = 1 + below(&s->g, s->stacked || s->g.threads <= 2 ? 3 : 2); n-- > 0;) {
		if (s->stacked && !one_in(&s->g, 8)) {
			put_step(s);
			continue;
		}
		switch (below(&s->g, 6)) {
		case 0:
			put_look(s);
			break;
		case 1:
		case 2:
			if (s->back) {
				put_back(s);
				break;
			}
			/* fall through */
		case 3:
			put_data(s, false);
			break;
		default:
			put_change(s);
			break;
		}
	}
}

/* What the thread does after its attempt has succeeded, or in a call of its own. */
static void put_after(struct swaps *s)
{
	FILE *out = s->g.out;

	if (one_in(&s->g, 8))
		fputs("  r15 = choose 1\n", out);
	switch (below(&s->g, 8)) {
	case 0:
	case 1:
		put_data(s, false);
		break;
	case 2:
		fputs("  r11 = r1\n", out);
		break;
	case 3:
		put_change(s);
		break;
	case 4:
		fprintf(out, "  r11 = load.%s x\n", take_order(s));
		break;
	default:
		break;
	}
}

static char *thread_of(struct swaps *s, bool attempts)
{
	char *text;

	s->g.out = open_text(&text);
	fputs("thread\n", s->g.out);
	if (s->own && attempts)
		fputs("  r7 = alloc n@\n", s->g.out);
	if (!attempts)
		put_other(s);
	else {
		if (one_in(&s->g, 8))
			put_change(s);
		put_attempt(s);
		put_after(s);
	}
	fputs("  out:\n", s->g.out);
	fclose(s->g.out);
	return text;
}

static void put_threads(struct swaps *s, FILE *out)
{
	const bool alike = one_in(&s->g, 3), first = one_in(&s->g, 2);
	const unsigned threads = s->g.threads;

	for (unsigned t = 0; t < threads; t++) {
		const bool attempts = alike ? t != (first ? 0 : threads - 1) || threads == 2 : t == (first ? 0 : threads - 1) || one_in(&s->g, 2);
		char *text = thread_of(s, attempts);

		fputs(text, out);
		if (alike && attempts && t + 1 < threads) {
			fputs(text, out);
			t++;
		}
		free(text);
	}
	if (s->once && !one_in(&s->g, 5))
		fprintf(out, one_in(&s->g, 3) ? "  r9 = cas.acqrel.rlx y 0 1\n" : "  store.rel y 1\n");
}

static char *generate_swaps(uint64_t seed, bool back, bool stacked)
{
	struct swaps s = { .g = { .state = lp_mix(seed + (stacked ? 61 : back ? 59 : 53)), .relaxed = 50, .locs = 2 },
			   .back = back, .stacked = stacked };
	char *text;

	s.g.threads = 2 + below(&s.g, 2) + (stacked && one_in(&s.g, 4));
	s.once = one_in(&s.g, back ? 2 : 4);
	s.own = one_in(&s.g, 5);
	s.stored = s.own && one_in(&s.g, 2);
	s.quiet = one_in(&s.g, 3);
	s.careful = one_in(&s.g, 3);
	s.calm = one_in(&s.g, 2) ? 40 : 22;
	FILE *out = open_text(&text);
	put_threads(&s, out);
	put_end(out, "x", s.g.threads, one_in(&s.g, 2) ? "12b" : "2b");
	fclose(out);
	return text;
}

char *generate_outdated(uint64_t seed)
{
	return generate_swaps(seed, false, false);
}

char *generate_back(uint64_t seed)
{
	return generate_swaps(seed, true, false);
}

char *generate_stacked(uint64_t seed)
{
	return generate_swaps(seed, true, true);
}
