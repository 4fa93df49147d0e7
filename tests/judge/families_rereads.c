/* families_rereads.c -- a thread looks, tries, and is then where it would be had it seen the same when it looked (redundant_rereads.h).
 *
 *     V:  r14 = r14+1                  not a redundant iteration: the thread counts, or looks elsewhere
 *         if r14 > 2 goto V_end
 *         r0 = load x
 *         if r0 != 0 goto N
 *         r0 = cas x 0 1
 *         if r0 == 0 goto V_end
 *     N:  r0 = load y                  the same at the next slot
 *         ...
 *         goto V
 *     V_end:
 */
#include "family.h"

/* Something in between, which mostly makes a difference. */
static void put_between(struct mixer *m, unsigned t)
{
	static const char *const lines[] = { "r2 = r0", "r12 = pload d", "r13 = load.rlx z", "fence.acqrel", "r14 = r14+1",
					     "fence.sc", "yield", "if r0 == 2 goto out" };

	put(m, t, "%s", lines[below(&m->g, 8)]);
}

/* The second look: a load, or an operation that makes a change if it finds what is wanted. */
static void put_second(struct mixer *m, unsigned t, const char *loc, unsigned wanted)
{
	const char *success = both(m), *failure = acq(m);

	switch (below(&m->g, 10)) {
	case 0:
	case 1:
		put(m, t, "r0 = load.%s %s", failure, loc);
		break;
	case 2:
		put(m, t, "r0 = xchg.%s %s %u", success, loc, 1 - wanted);
		break;
	case 3:
		put(m, t, "r0 = or.%s %s 1", success, loc);
		break;
	case 4:
		put(m, t, "r0 r3 = wcas.%s.%s %s %u %u", success, failure, loc, wanted, 1 - wanted);
		break;
	default:
		put(m, t, "r0 = cas.%s.%s %s %u %u", success, failure, loc, wanted, wanted ? 0 : 1 + below(&m->g, 2));
		break;
	}
}

/* What the thread does once it has found what it wants. */
static void put_found(struct mixer *m, unsigned t, const char *loc, unsigned wanted)
{
	if (chance(m, 50))
		put_data(m, t, false);
	else
		put(m, t, "r2 = %u", *loc == 'x' ? 7 : 8);
	if (chance(m, 30))
		put(m, t, "store.%s %s %u", rel(m), loc, wanted);
	put(m, t, chance(m, 85) ? "goto V_end" : "goto out");
}

static void put_peek(struct mixer *m, unsigned t, const char *loc, unsigned wanted)
{
	const unsigned label = m->g.label++;
	const char *failed = chance(m, 90) ? "!=" : "==";

	if (chance(m, 6))
		put(m, t, "r0 = %s.%s %s 0", chance(m, 50) ? "or" : "add", both(m), loc);
	else
		put(m, t, "r0 = load.%s %s", chance(m, 40) ? "rlx" : acq(m), loc);
	put(m, t, "if r0 %s %u goto N%u", failed, wanted, label);
	if (chance(m, 12))
		put_between(m, t);
	put_second(m, t, loc, wanted);
	put(m, t, "if r0 %s %u goto N%u", failed, wanted, label);
	put_found(m, t, loc, wanted);
	put(m, t, "N%u:", label);
	if (chance(m, 10))
		put_between(m, t);
}

/* Looks at one slot or two, some times or until another thread says that it is enough. */
static void put_peeks(struct mixer *m, unsigned t, unsigned wanted)
{
	const bool counts = chance(m, 75);

	put(m, t, "V:");
	if (counts) {
		put(m, t, "r14 = r14+1");
		put(m, t, "if r14 > %u goto V_end", 1 + below(&m->g, 2));
	} else {
		put(m, t, "r11 = load.%s z", acq(m));
		put(m, t, "if r11 != 0 goto V_end");
	}
	put_peek(m, t, "x", wanted);
	if (chance(m, 40))
		put_peek(m, t, "y", wanted);
	else if (counts && chance(m, 60))
		put(m, t, chance(m, 70) ? "r11 = load.%s y" : "r11 = add.%s y 1", acq(m));
	put(m, t, "goto V");
	put(m, t, "V_end:");
	if (!counts)
		put(m, t == 0 ? 1 : 0, "store.%s z 1", rel(m));
}

static void put_fill(struct mixer *m, unsigned t, unsigned value)
{
	const char *loc = chance(m, 75) ? "x" : "y";

	if (chance(m, 30))
		put_data(m, t, false);
	put(m, t, chance(m, 75) ? "store.%s %s %u" : "xchg.%s %s %u", rel(m), loc, value);
}

void put_peeking(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned wanted = chance(m, 60) ? 0 : 1, c = m->threads - 1;

	put_peeks(m, a, wanted);
	if (chance(m, 25)) {
		put_peeks(m, b, chance(m, 60) ? wanted : 1 - wanted);
	} else {
		put_fill(m, b, 1);
		if (chance(m, 60))
			put_fill(m, b, chance(m, 50) ? 0 : 2);
		if (chance(m, 30))
			put(m, b, "r11 = load.%s y", acq(m));
	}
	if (c != b && chance(m, 60))
		put_fill(m, c, 1 + below(&m->g, 2));
}
