/* families_offers.c -- offers: what a thread writes, and takes back if no other thread wants it.
 *
 *     A:  r0 = load x                  a change that is tried first
 *         pstore n@ r0                 ... and prepared
 *         r1 = cas x r0 r0+1
 *         if r1 == r0 goto H
 *         r3 = cas y 0 r5              the offer
 *         if r3 != 0 goto A
 *         r4 = load y                  was it taken?
 *         if r4 != r5 goto T
 *         r3 = cas y r5 0              it is taken back
 *         if r3 == r5 goto A
 *     T:  r2 = 7
 *
 * An offer that was taken back leaves no trace, unless it was seen: by a thread that then does something else, that learns of it late, or that
 * takes another offer of the same value.
 */
#include "family.h"

static const char *weak_acq(struct mixer *m)
{
	return chance(m, 35) ? "rlx" : acq(m);
}

/* What the thread does where its offer was taken. */
static void put_taken(struct mixer *m, unsigned t)
{
	put(m, t, "r2 = 7");
	if (chance(m, 40))
		put_data(m, t, true);
	if (chance(m, 25))
		put(m, t, "r11 = load.%s x", weak_acq(m));
}

static void put_offering(struct mixer *m, unsigned t)
{
	const unsigned label = m->g.label++;
	const bool own = chance(m, 60), tries = chance(m, 75);
	const char *what = own ? "r5" : "5";

	if (own)
		put(m, t, "r5 = alloc n@");
	if (own && chance(m, 50))
		put(m, t, "pstore n@ 3");
	else if (chance(m, 60))
		put(m, t, "pstore d 1");
	put(m, t, "A%u:", label);
	if (tries) {
		put(m, t, "r0 = load.%s x", weak_acq(m));
		if (own && chance(m, 50))
			put(m, t, "pstore n@ r0");
		put(m, t, "r1 = cas.%s.%s x r0 r0+1", rel(m), fails(m));
		put(m, t, "if r1 == r0 goto H%u", label);
	}
	put(m, t, "r3 = cas.%s.%s y 0 %s", chance(m, 85) ? rel(m) : "rlx", fails(m), what);
	put(m, t, chance(m, 90) ? "if r3 != 0 goto A%u" : "if r3 != 0 goto out", label);
	if (chance(m, 60)) {
		put(m, t, "r4 = load.%s y", weak_acq(m));
		put(m, t, "if r4 != %s goto T%u", what, label);
	}
	if (!tries || chance(m, 15))
		put(m, t, "r6 = load.%s z", weak_acq(m));
	if (chance(m, 10))
		put(m, t, "store.%s y 0", rel(m)); /* whatever is there */
	put(m, t, "r3 = cas.%s.%s y %s 0", both(m), fails(m), what);
	put(m, t, "if r3 == %s goto %s%u", what, tries || chance(m, 50) ? "A" : "H", label);
	put(m, t, "T%u:", label);
	put_taken(m, t);
	put(m, t, "goto out");
	put(m, t, "H%u:", label);
	put(m, t, "r2 = 8");
	if (chance(m, 50))
		put(m, t, "store.%s z 1", chance(m, 60) ? "rlx" : rel(m));
}

/* Takes an offer, or looks at it. */
static void put_taking(struct mixer *m, unsigned t)
{
	const unsigned label = m->g.label++;
	const char *otherwise = chance(m, 65) ? "B" : "G";

	put(m, t, "B%u:", label);
	if (chance(m, 60)) {
		put(m, t, "r0 = load.%s x", weak_acq(m));
		if (chance(m, 50))
			put(m, t, "if r0 > 1 goto G%u", label);
		if (chance(m, 20))
			put(m, t, "r12 = pload d");
	}
	put(m, t, "r6 = load.%s y", weak_acq(m));
	put(m, t, "if r6 == 0 goto %s%u", otherwise, label);
	if (chance(m, 10))
		put(m, t, "r9 = load.%s z", weak_acq(m));
	put(m, t, "r7 = %s.%s.%s y r6 0", cas(m), chance(m, 50) ? rel(m) : both(m), fails(m));
	put(m, t, "if r7 != r6 goto %s%u", chance(m, 80) ? otherwise : "G", label);
	put(m, t, "r2 = 1");
	if (chance(m, 60))
		put(m, t, chance(m, 50) ? "r11 = load.rlx x" : "r2 = pload d");
	put(m, t, "goto out");
	put(m, t, "G%u:", label);
	put(m, t, "r2 = 2");
}

/* Learns that the other thread has gone on, and looks at what it had offered. */
static void put_looking_back(struct mixer *m, unsigned t)
{
	put(m, t, "r10 = load.%s %s", weak_acq(m), chance(m, 60) ? "z" : "x");
	if (chance(m, 50))
		put(m, t, "if r10 == 0 goto out");
	put(m, t, "r2 = load.%s y", weak_acq(m));
	if (chance(m, 30))
		put(m, t, "r11 = load.%s x", weak_acq(m));
}

void put_withdrawing(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned last = m->threads - 1;

	put_offering(m, a);
	switch (below(&m->g, 4)) {
	case 0:
		put_offering(m, b);
		break;
	case 1:
		put_looking_back(m, b);
		break;
	default:
		put_taking(m, b);
		break;
	}
	if (last == a || last == b)
		return;
	if (chance(m, 60))
		put(m, last, chance(m, 50) ? "store.rlx x 4" : "r9 = add.acqrel x 1");
	if (chance(m, 60))
		put_looking_back(m, last);
}
