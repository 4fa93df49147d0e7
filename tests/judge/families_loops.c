/* families_loops.c -- loops: retried updates, locks made of atomics, waiting for each other. */
#include "family.h"

/* An update that is retried until nothing came in between. */
static void put_update(struct mixer *m, unsigned t, const char *loc, unsigned step, const char *before)
{
	const bool by_flag = chance(m, 40);

	put(m, t, "C:");
	put(m, t, "r0 = load.%s %s", chance(m, 50) ? "rlx" : acq(m), loc);
	if (before)
		put(m, t, "%s", before);
	if (by_flag) {
		put(m, t, "r1 r3 = %s.%s.%s %s r0 r0+%u", chance(m, 40) ? "wcas" : "cas", both(m), fails(m), loc, step);
		put(m, t, "if r3 == 0 goto C");
	} else {
		put(m, t, "r1 = cas.%s.%s %s r0 r0+%u", both(m), fails(m), loc, step);
		put(m, t, "if r1 != r0 goto C");
	}
}

void put_cas_loops(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const between[] = { NULL, NULL, "r4 = pload d", "r4 = load.rlx y", "fence.acqrel", "pstore n@ r0" };

	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a, what = below(&m->g, 6);

		if (what == 5)
			put(m, t, "r5 = alloc n@");
		put_update(m, t, "x", 1 + below(&m->g, 2), between[what]);
		if (what == 5 && chance(m, 60))
			put(m, t, "store.%s y r5", rel(m));
	}
	put_data(m, a, false);
	put(m, b, "if r0 == 0 goto out");
	put_data(m, b, true);
}

/* A thread's own node is filled in again in each attempt, and then published. */
void put_retry(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 60), reads = chance(m, 30);

	put(m, a, "r5 = alloc n@");
	put(m, a, "P:");
	put(m, a, "r6 = load.%s x", chance(m, 70) ? "rlx" : acq(m));
	if (reads)
		put(m, a, "r9 = load.%s y", acq(m));
	if (chance(m, 80))
		put(m, a, plain ? "pstore n@ r6" : "store.rlx n@ r6");
	else
		put_maybe(m, a, "r6", plain ? "pstore n@ 1" : "store.rlx n@ 1");
	if (chance(m, 15))
		put(m, a, plain ? "r2 = pload n@" : "r2 = load.rlx n@");
	if (chance(m, 60)) {
		put(m, a, "r7 = cas.%s.%s x r6 r5", rel(m), fails(m));
		put(m, a, "if r7 != r6 goto P");
	} else {
		put(m, a, "r7 r3 = wcas.%s.%s x r6 r5", rel(m), fails(m));
		put(m, a, "if r3 == 0 goto P");
	}
	if (reads)
		put(m, b, "store.%s y 1", rel(m));
	if (chance(m, 60))
		put(m, b, "r0 = add.%s x 1", both(m));
	else
		put(m, b, "cas.%s.rlx x 0 1", both(m));
	if (chance(m, 60)) {
		const unsigned c = m->threads - 1;

		put(m, c, "r8 = load.%s x", acq(m));
		put(m, c, "if r8 < 65536 goto out");
		put(m, c, "if r8 > 65540 goto out");
		put(m, c, plain ? "r2 = pload n@r8" : "r2 = load.rlx n@r8");
	}
}

/* An attempt whose first read is already overwritten looks elsewhere, and accesses data, before it fails. */
void put_stale(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned c = m->threads - 1;
	const char *order = chance(m, 60) ? "rlx" : acq(m);

	put(m, a, "A:");
	put(m, a, "r0 = load.%s x", order);
	put(m, a, "r1 = load.%s y", order);
	if (chance(m, 80))
		put(m, a, "if r0 != 0 goto B");
	put(m, a, "if r1 != 1 goto B");
	put(m, a, chance(m, 50) ? "r4 = pload d" : chance(m, 50) ? "r4 = load.rlx b" : "r4 = pload b");
	put(m, a, "B:");
	put(m, a, "r3 = cas.%s.%s x r0 r0+2", both(m), fails(m));
	put(m, a, "if r3 != r0 goto A");
	put(m, b, "cas.%s.rlx x 0 1", both(m));
	if (c == b && chance(m, 30))
		return;
	put(m, c, "r2 = load.%s x", chance(m, 50) ? "rlx" : acq(m));
	put(m, c, chance(m, 70) ? "if r2 != 1 goto out" : "if r2 == 0 goto out");
	put(m, c, "store.%s y 1", chance(m, 60) ? "rlx" : rel(m));
	put(m, c, chance(m, 60) ? "pstore d 5" : "free b");
}

/* The value that was read is there again when it is compared. */
void put_aba(struct mixer *m, unsigned a, unsigned b)
{
	const bool again = chance(m, 60);

	if (again)
		put(m, a, "A:");
	put(m, a, "r0 = load.%s x", acq(m));
	put(m, a, "r4 = load.%s y", acq(m));
	if (chance(m, 30))
		put(m, a, "r12 = pload d");
	put(m, a, "r1 r3 = %s.%s.%s x r0 r0+1", cas(m), both(m), fails(m));
	if (again)
		put(m, a, "if r3 == 0 goto A");
	else
		put(m, a, "if r3 == 0 goto out");
	put(m, a, "r2 = r4");
	if (chance(m, 50)) {
		put(m, b, "store.%s x 1", rel(m));
		put(m, b, "store.%s y 1", rel(m));
		put(m, b, "store.%s x 0", rel(m));
	} else {
		put(m, b, "cas.%s.rlx x 0 1", both(m));
		put(m, b, "store.%s y 1", rel(m));
		put(m, b, "cas.%s.rlx x 1 0", both(m));
	}
	put_data(m, b, true);
}

/* Test-and-set, test-and-test-and-set, or compare-and-swap. */
static void put_take(struct mixer *m, unsigned t)
{
	const unsigned label = m->g.label++; /* a thread may take it twice */

	switch (below(&m->g, 4)) {
	case 0:
		put(m, t, "L%u:", label);
		put(m, t, "r3 = load.%s x", chance(m, 50) ? "rlx" : acq(m));
		put(m, t, "if r3 != 0 goto L%u", label);
		put(m, t, "r3 = xchg.%s x 1", both(m));
		put(m, t, "if r3 != 0 goto L%u", label);
		return;
	case 1:
		put(m, t, "L%u:", label);
		put(m, t, "r3 r4 = %s.%s.%s x 0 1", cas(m), both(m), fails(m));
		put(m, t, "if r4 == 0 goto L%u", label);
		return;
	case 2:
		put(m, t, "r3 = xchg.%s x 1", both(m));
		put(m, t, "if r3 != 0 goto out");
		return;
	default:
		put(m, t, "L%u:", label);
		put(m, t, "r3 = xchg.%s x 1", both(m));
		put(m, t, "if r3 != 0 goto L%u", label);
		return;
	}
}

void put_tas_lock(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned n = 2 + (m->threads > 2 && chance(m, 25));

	for (unsigned i = 0; i < n; i++) {
		const unsigned t = i == 2 ? m->threads - 1 : i ? b : a;

		put_take(m, t);
		put_data(m, t, chance(m, 50));
		if (!chance(m, 8))
			put(m, t, chance(m, 85) ? "store.%s x 0" : "xchg.%s x 0", rel(m));
	}
}

void put_ticket_lock(struct mixer *m, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;

		put(m, t, "r3 = add.%s x 1", chance(m, 60) ? "rlx" : both(m));
		if (chance(m, 20)) {
			put(m, t, "await.%s y r3", acq(m));
		} else {
			put(m, t, "T:");
			put(m, t, "r4 = load.%s y", acq(m));
			put(m, t, "if r4 != r3 goto T");
		}
		put_data(m, t, chance(m, 50));
		if (chance(m, 70))
			put(m, t, "store.%s y r3+1", rel(m));
		else
			put(m, t, "add.%s y 1", rel(m));
	}
}

static void put_wait(struct mixer *m, unsigned t, const char *loc, unsigned value)
{
	const unsigned label = m->g.label++; /* a thread may wait twice */

	switch (below(&m->g, 4)) {
	case 0:
		put(m, t, "await.%s %s %u", acq(m), loc, value);
		return;
	case 1:
		put(m, t, "W%u:", label);
		put(m, t, "r3 = load.rlx %s", loc);
		put(m, t, "if r3 != %u goto W%u", value, label);
		put(m, t, "fence.%s", acq(m));
		return;
	default:
		put(m, t, "W%u:", label);
		put(m, t, "r3 = load.%s %s", acq(m), loc);
		put(m, t, "if r3 != %u goto W%u", value, label);
		return;
	}
}

/* One asks, the other answers, and perhaps the first one goes on after that. */
void put_handshake(struct mixer *m, unsigned a, unsigned b)
{
	put_data(m, a, false);
	put(m, a, "store.%s x 1", rel(m));
	put_wait(m, b, "x", 1);
	put_data(m, b, true);
	put(m, b, "store.%s y 1", rel(m));
	put_wait(m, a, "y", 1);
	put_data(m, a, true);
	if (chance(m, 30)) {
		put(m, a, "store.%s x 2", rel(m));
		put_wait(m, b, "x", 2);
		put_data(m, b, true);
	}
}

/* What is taken by a read-modify-write is given back if that was too much. */
void put_give_back(struct mixer *m, unsigned a, unsigned b)
{
	const bool loops = chance(m, 50);

	put_init(m, "init x 1");
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;
		const bool again = loops && !i;

		if (again)
			put(m, t, "G:");
		put(m, t, "r3 = sub.%s x 1", both(m));
		put(m, t, "if r3 == 1 goto H");
		if (chance(m, 15))
			put(m, t, "r4 = load.%s y", acq(m));
		put(m, t, "add.%s x 1", chance(m, 50) ? "rlx" : both(m));
		put(m, t, "goto %s", again ? "G" : "out");
		put(m, t, "H:");
		put_data(m, t, chance(m, 50));
		if (chance(m, 30))
			put(m, t, "store.%s y 1", rel(m));
		if (!chance(m, 10))
			put(m, t, "add.%s x 1", both(m));
	}
	if (m->threads > 2 && chance(m, 50))
		put(m, m->threads - 1, chance(m, 50) ? "r2 = load.%s x" : "r2 = add.%s x 0", acq(m));
}

void put_barrier(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned n = m->threads > 2 && chance(m, 30) ? 3 : 2;
	const bool sense = chance(m, 40);

	for (unsigned i = 0; i < n; i++) {
		const unsigned t = i == 2 ? m->threads - 1 : i ? b : a, label = m->g.label++;

		put(m, t, i ? "r11 = pload e" : "pstore d 1");
		put(m, t, "r3 = add.%s x 1", both(m));
		if (sense) {
			put(m, t, "if r3 != %u goto U%u", n - 1, label);
			put(m, t, "store.%s y 1", rel(m));
			put(m, t, "U%u:", label);
		}
		put_wait(m, t, sense ? "y" : "x", sense ? 1 : n);
		put(m, t, i ? "r2 = pload d" : chance(m, 50) ? "pstore e 1" : "r2 = pload d");
	}
}

/* Values change hands. */
void put_exchange(struct mixer *m, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;

		put_data(m, t, chance(m, 50));
		if (chance(m, 50))
			put(m, t, "r2 = xchg.%s x %u", both(m), 1 + i);
		else
			put(m, t, "r2 = add.%s x 1", both(m));
		if (chance(m, 40))
			put(m, t, "r11 = xchg.%s %s r2", both(m), chance(m, 50) ? "x" : "y");
		if (chance(m, 40))
			put(m, t, "if r2 == 0 goto out");
		put_data(m, t, chance(m, 50));
	}
}

/* What a failed compare-and-swap read is the next guess. */
void put_reread(struct mixer *m, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;

		put(m, t, "r0 = load.%s x", acq(m));
		put(m, t, "R:");
		if (chance(m, 30))
			put(m, t, "r12 = pload d");
		put(m, t, "r3 = r0");
		put(m, t, "r0 r4 = %s.%s.%s x r3 r3+1", cas(m), both(m), fails(m));
		put(m, t, "if r4 == 0 goto R");
	}
	put_data(m, b, true);
}
