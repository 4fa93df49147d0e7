/* families_shifts.c -- threads that add to a number, and subtract again if that was too much.
 *
 *     A:  r3 = add x 1
 *         if r3 <= 1 goto H
 *         sub x 1                      it is taken back
 *     B:  r4 = load x                  waits until it is worth another attempt
 *         if r4 > 1 goto B
 *         goto A
 *     H:  r2 = 1
 *         sub x 1
 *
 * An attempt that failed leaves no trace, unless the number was seen meanwhile: by a thread that then does something else, perhaps late; by an access that
 * is no addition; or by one that makes another thread wait where it would not wait otherwise.
 */
#include "family.h"

struct attempt {
	unsigned by, limit;    /* what is added, and what is too much before */
	unsigned from, waits;  /* taken back; the limit of the loop that waits */
	const char *succeeds;
};

static const char *weak_acq(struct mixer *m)
{
	return chance(m, 35) ? "rlx" : acq(m);
}

static struct attempt some_attempt(struct mixer *m)
{
	struct attempt a = { .by = 1 + below(&m->g, 3), .limit = below(&m->g, 3), .succeeds = chance(m, 50) ? "<=" : "==" };

	if (chance(m, 40))
		a = (struct attempt){ .by = 1, .limit = 0, .succeeds = "==" };
	a.from = chance(m, 95) ? a.by : a.by + 1;
	a.waits = chance(m, 85) ? a.limit : below(&m->g, 4);
	return a;
}

/* What the thread does besides, between the addition and the subtraction. */
static void put_meanwhile(struct mixer *m, unsigned t)
{
	static const char *const lines[] = { "r6 = load.rlx z", "store.rlx z 2", "r12 = pload d", "pstore d 2", "fence.acqrel", "r6 = load.acq y" };

	if (chance(m, 15))
		put(m, t, "%s", lines[below(&m->g, sizeof lines / sizeof *lines)]);
}

static void put_waiting(struct mixer *m, unsigned t, const struct attempt *a, unsigned label)
{
	if (chance(m, 30))
		return;
	put(m, t, "B%u:", label);
	put(m, t, "r4 = load.%s %s", weak_acq(m), chance(m, 95) ? "x" : "z");
	put(m, t, "if r4 > %u goto B%u", a->waits, label);
}

static void put_attempt(struct mixer *m, unsigned t, const struct attempt *a)
{
	const unsigned label = m->g.label++;

	if (chance(m, 20))
		put_data(m, t, false);
	put(m, t, "A%u:", label);
	if (chance(m, 20)) {
		put(m, t, "r5 = load.%s %s", weak_acq(m), chance(m, 80) ? "x" : "z");
		put(m, t, "if r5 > %u goto %s%u", a->limit, chance(m, 80) ? "A" : "G", label);
	}
	put(m, t, "r3 = add.%s x %u", weak_acq(m), a->by);
	put(m, t, "if r3 %s %u goto H%u", a->succeeds, a->limit, label);
	put_meanwhile(m, t);
	if (chance(m, 10))
		put(m, t, "%s = sub.%s x %u", chance(m, 50) ? "r7" : "r2", rel(m), a->from);
	else if (chance(m, 8))
		put(m, t, "r7 = cas.rlx.rlx x %u %u", a->by + a->limit + 1, a->limit + 1);
	else
		put(m, t, "sub.%s x %u", chance(m, 50) ? "rlx" : rel(m), a->from);
	put_meanwhile(m, t);
	put_waiting(m, t, a, label);
	put(m, t, chance(m, 93) ? "goto A%u" : "goto G%u", label);
	put(m, t, "H%u:", label);
	put(m, t, chance(m, 85) ? "r2 = 1" : "r2 = r3");
	if (chance(m, 50))
		put_data(m, t, true);
	if (chance(m, 30))
		put(m, t, "store.%s z 1", chance(m, 60) ? "rlx" : rel(m));
	if (chance(m, 75))
		put(m, t, "%ssub.%s x %u", chance(m, 10) ? "r11 = " : "", rel(m), a->by);
	put(m, t, "goto out");
	put(m, t, "G%u:", label);
	put(m, t, "r2 = 2");
}

/* Accesses the number in some other way. */
static void put_seeing(struct mixer *m, unsigned t, const struct attempt *a)
{
	const unsigned label = m->g.label++;

	if (chance(m, 50)) {
		put(m, t, "r10 = load.%s z", weak_acq(m));
		if (chance(m, 50))
			put(m, t, "if r10 == 0 goto out");
	}
	switch (below(&m->g, 9)) {
	case 0:
		put(m, t, "r2 = load.%s x", weak_acq(m));
		break;
	case 1:
		put(m, t, "r3 = load.%s x", weak_acq(m));
		put(m, t, "if r3 %s %u goto S%u", chance(m, 50) ? ">" : "==", below(&m->g, 4), label);
		put(m, t, "r2 = 3");
		put(m, t, "S%u:", label);
		break;
	case 2:
		put(m, t, "r3 = cas.%s.%s x %u %u", both(m), fails(m), below(&m->g, 4), below(&m->g, 4));
		put(m, t, "r2 = 4");
		break;
	case 3:
		put(m, t, chance(m, 50) ? "r2 = xchg.acqrel x 0" : "store.rel x 0");
		break;
	case 4:
		put(m, t, chance(m, 50) ? "r12 = pload x" : "pstore x 1");
		break;
	case 5:
		put(m, t, "r3 = load.%s x", weak_acq(m));
		put(m, t, "assert r3 != %u", a->by + below(&m->g, 3));
		break;
	case 6:
		put(m, t, "%sadd.%s x %u", chance(m, 50) ? "r2 = " : "", rel(m), 1 + below(&m->g, 2));
		break;
	default:
		put(m, t, "W%u:", label);
		put(m, t, "r3 = load.%s x", weak_acq(m));
		put(m, t, "if r3 %s %u goto W%u", chance(m, 70) ? ">" : "!=", below(&m->g, 3), label);
		put(m, t, "r2 = 5");
		break;
	}
}

void put_shifting(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned last = m->threads - 1;
	const struct attempt first = some_attempt(m), second = chance(m, 50) ? first : some_attempt(m);

	put_attempt(m, a, &first);
	if (chance(m, 70))
		put_attempt(m, b, &second);
	else
		put_seeing(m, b, &first);
	if (last == a || last == b)
		return;
	if (chance(m, 25))
		put_attempt(m, last, &second);
	else if (chance(m, 75))
		put_seeing(m, last, &first);
}
