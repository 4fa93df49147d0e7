/* families_rewriting.c -- attempts that write, and are repeated: what they wrote is overwritten (overwritten_iterations.h). */
#include "family.h"

#include <string.h>

/* Where the thread writes in its loop, and again in the next iteration: the same for all, or one of
 * two places, by what register r5 holds. */
enum retried { PLAIN_OF_ALL, STORE_OF_ALL, PLAIN_OF_ONE, STORE_OF_ONE };

/* The lines that access it: what stands in front of the location, and behind. */
static void put_there(struct mixer *m, unsigned t, enum retried what, const char *reg, const char *access,
		      const char *value)
{
	const bool plain = what == PLAIN_OF_ALL || what == PLAIN_OF_ONE;
	const unsigned label = m->g.label;

	if (what < PLAIN_OF_ONE) {
		put(m, t, "%s %c %s", access, plain ? 'd' : 'w', value);
		return;
	}
	m->g.label += 2;
	put(m, t, "if %s == 1 goto S%u", reg, label);
	put(m, t, "%s %c %s", access, plain ? 'e' : 'v', value);
	put(m, t, "goto S%u", label + 1);
	put(m, t, "S%u:", label);
	put(m, t, "%s %c %s", access, plain ? 'd' : 'w', value);
	put(m, t, "S%u:", label + 1);
}

static void put_retried(struct mixer *m, unsigned t, enum retried what)
{
	const bool plain = what == PLAIN_OF_ALL || what == PLAIN_OF_ONE;

	put_there(m, t, what, "r5", plain ? "pstore" : chance(m, 60) || !strcmp(rel(m), "rlx") ? "store.rlx" :
		  "store.rel", "r6");
}

/* An attempt that failed is repeated, and what it wrote is overwritten. */
static void put_retry_loop(struct mixer *m, unsigned t, enum retried what, unsigned value)
{
	const bool one = what >= PLAIN_OF_ONE;

	if (one || chance(m, 40))
		put(m, t, "r5 = add.%s c 1", chance(m, 60) ? "rlx" : both(m));
	if (chance(m, 20))
		put_retried(m, t, what);
	if (chance(m, 15))
		put(m, t, "fence.rel");
	put(m, t, "P:");
	put(m, t, "r6 = load.%s x", chance(m, 50) ? "rlx" : acq(m));
	if (chance(m, 25))
		put(m, t, "r8 = load.%s f", acq(m));
	put_retried(m, t, what);
	if (chance(m, 15))
		put_maybe(m, t, "r6", "store.rlx y r6");
	if (chance(m, 10))
		put(m, t, chance(m, 50) ? "fence.rel" : "r9 = pload d");
	if (one)
		put(m, t, "r7 = cas.%s.%s x r6 r5", rel(m), fails(m));
	else
		put(m, t, "r7 = cas.%s.%s x r6 %u", rel(m), fails(m), value);
	put(m, t, "if r7 != r6 goto P");
}

void put_rewriting(struct mixer *m, unsigned a, unsigned b)
{
	const enum retried what = (enum retried)below(&m->g, 4);
	const char *access = what == PLAIN_OF_ALL || what == PLAIN_OF_ONE ? "r2 = pload" : "r2 = load.rlx";
	const unsigned c = m->threads - 1;

	put_init(m, "init c 1");
	put_retry_loop(m, a, what, 1);
	if (what >= PLAIN_OF_ONE ? chance(m, 70) : chance(m, 20))
		put_retry_loop(m, b, what, 2);
	else
		put(m, b, chance(m, 50) ? "store.%s x 3" : "cas.%s.rlx x 0 3", rel(m));
	if (chance(m, 35)) { /* before */
		put(m, c, "r6 = 1");
		put_there(m, c, what, "r6", access, "");
		if (chance(m, 70))
			put(m, c, "store.%s f 1", rel(m));
	}
	if (chance(m, 60)) { /* after */
		put(m, c, "r6 = load.%s x", acq(m));
		put(m, c, "if r6 == %u goto out", chance(m, 70) ? 0 : 3);
		if (chance(m, 15))
			put(m, c, "fence.acq");
		put_there(m, c, what, "r6", access, "");
	}
}
