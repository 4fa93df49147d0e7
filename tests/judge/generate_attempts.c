/* generate_attempts.c -- random programs with attempts under locks.
 *
 * Threads look, lock, look again, and change something if all is as it was:
 *
 *     again:  r0 = load x
 *             lock m
 *             r1 = load x
 *             if r0 == r1 goto valid
 *             unlock m
 *             goto again
 *     valid:  store x r1+1
 *             unlock m
 *
 * Nearly everything about that is sometimes otherwise than it should be for an attempt that
 * fails to be of no consequence: what it remembers, and writes, and reads plainly; locks that it
 * keeps, or that others only try to take; orders.  Or what is waited for never comes.
 */
#include "generate_judged.h"
#include "generator.h"
#include "whole.h"

#include "base/hash.h"

static const char *lock_name(struct generator *g)
{
	return one_in(g, 3) ? "l" : "m";
}

/* Something that an attempt does besides. */
static void put_besides(struct generator *g)
{
	switch (below(g, 9)) {
	case 0:
		fputs("  r6 = pload p\n", g->out);
		break;
	case 1:
		fputs("  r5 = r5+1\n", g->out); /* remembered */
		break;
	case 2:
		fprintf(g->out, "  r2 = load.%s %s\n", load_order(g), any_loc(g));
		break;
	case 3:
		fputs("  r4 = xchg.rlx z 0\n", g->out); /* which is 0, as a rule */
		break;
	case 4:
		put_fence(g);
		break;
	case 5:
		if (one_in(g, 3))
			fputs("  pstore p 1\n", g->out);
		break;
	case 6:
		if (one_in(g, 3))
			fprintf(g->out, "  store.%s %s 2\n", store_order(g), any_loc(g));
		break;
	default:
		break;
	}
}

/* Takes the second lock, does something, and gives it back; or not. */
static void put_second_lock(struct generator *g, const char *first)
{
	const char *second = *first == 'm' ? "l" : "m";

	if (!one_in(g, 3))
		return;
	fprintf(g->out, "  lock %s\n", second);
	put_besides(g);
	if (!one_in(g, 12))
		fprintf(g->out, "  unlock %s\n", second);
}

static void put_attempts(struct generator *g)
{
	const unsigned id = g->label++;
	const char *loc = any_loc(g), *m = lock_name(g);
	const bool early = one_in(g, 8); /* looks at something before it starts again */

	fprintf(g->out, "thread\n  again%u:\n", id);
	const char *first = load_order(g), *second = load_order(g), *store = store_order(g);
	if (one_in(g, 6))
		put_besides(g);
	if (!one_in(g, 20))
		fprintf(g->out, "  r0 = load.%s %s\n", first, loc);
	if (one_in(g, 4))
		put_besides(g);
	fprintf(g->out, "  lock %s\n", m);
	if (one_in(g, 3))
		put_besides(g);
	put_second_lock(g, m);
	if (one_in(g, 15)) /* waits for a number, which may never come */
		fprintf(g->out, "  r1 = load.%s %s\n  if r1 == %u goto valid%u\n", second, any_loc(g), 1 + below(g, 2), id);
	else if (one_in(g, 15))
		fprintf(g->out, "  r1 = pload p\n  if r1 != 0 goto valid%u\n", id);
	else
		fprintf(g->out, "  r1 = load.%s %s\n  if r0 == r1 goto valid%u\n", second, loc, id);
	if (one_in(g, 12))
		put_besides(g);
	fprintf(g->out, "  unlock %s\n", m);
	if (early)
		put_besides(g);
	fprintf(g->out, "  goto again%u\n  valid%u:\n", id, id);
	if (!one_in(g, 4))
		fprintf(g->out, "  store.%s %s r1+1\n", store, loc);
	if (one_in(g, 4))
		fputs("  pstore p 1\n", g->out);
	fprintf(g->out, "  unlock %s\n", m);
	if (one_in(g, 4))
		put_besides(g);
}

static void put_other(struct generator *g)
{
	const unsigned id = g->label++;
	const char *m = lock_name(g);

	fputs("thread\n", g->out);
	for (unsigned n = 1 + below(g, 2); n-- > 0;) {
		switch (below(g, 7)) {
		case 0: /* tries to take it */
			fprintf(g->out, "  r3 = cas.acq.rlx %s 0 1\n  if r3 != 0 goto busy%u%u\n", m, id, n);
			put_besides(g);
			fprintf(g->out, "  unlock %s\n  busy%u%u:\n", m, id, n);
			break;
		case 1:
			fprintf(g->out, "  lock %s\n  pstore p %u\n  unlock %s\n", m, 1 + below(g, 2), m);
			break;
		case 2:
			fprintf(g->out, "  r2 = load.%s %s\n", load_order(g), any_loc(g));
			if (one_in(g, 4))
				fprintf(g->out, "  %s r2 != %u\n", one_in(g, 2) ? "assert" : "assume", below(g, 3));
			break;
		case 3:
			fprintf(g->out, "  r6 = %s %s\n", one_in(g, 4) ? "pload" : "load.rlx", one_in(g, 3) ? "z" : "x");
			break;
		default:
			fprintf(g->out, "  lock %s\n  store.%s %s %u\n  unlock %s\n", m, store_order(g), any_loc(g), 1 + below(g, 2), m);
			break;
		}
		if (one_in(g, 3))
			fprintf(g->out, "  store.%s %s %u\n", store_order(g), any_loc(g), 1 + below(g, 2));
	}
}

char *generate_attempts(uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed + 11), .locs = 2, .relaxed = 30 };
	char *text;

	g.out = open_text(&text);
	put_attempts(&g);
	if (one_in(&g, 2))
		put_attempts(&g);
	put_other(&g);
	if (one_in(&g, 3))
		put_other(&g);
	put_end(g.out, "xy", 2, "123456");
	fclose(g.out);
	return text;
}
