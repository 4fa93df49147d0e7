/* families_attempts.c -- attempts: a thread reads, prepares, and tries to make its change by a compare-and-swap.
 *
 *     A:  r0 = load x                  what the attempt is about
 *         r4 = load y                  looks: reads, plain accesses, checks that x is unchanged
 *         store w r0                   preparations, which others may see
 *         r1 r3 = cas x r0 r0+1
 *         if r3 == 0 goto A
 *         store y 1                    what comes after
 *
 * A failed attempt has no effect, or so it seems: it may have met an error, have been seen, or have waited.
 * Registers: r0 and r4 are what was read, r3 says whether the change was made, r5 is the thread's own node, r8 a
 * node that was found.
 */
#include "family.h"

static const char *weak_rel(struct mixer *m)
{
	return chance(m, 50) ? "rlx" : rel(m);
}

static const char *weak_acq(struct mixer *m)
{
	return chance(m, 35) ? "rlx" : acq(m);
}

/* ---- parts of attempts ---- */

/* What attempts access, and others write to or free: mostly the same in all of a program. */
enum { RISKS = 6 };

static unsigned any_risk(struct mixer *m)
{
	return chance(m, 75) ? m->risk % RISKS : below(&m->g, RISKS);
}

/* A plain access that is made for some values only, of data or of memory that others free: often only if x was 0, so
 * that the attempt fails if it has changed, and its successor does not do it again. */
static void put_risk(struct mixer *m, unsigned t, const char *reg)
{
	static const char *const lines[RISKS] = { "r12 = pload d", "r12 = load.rlx b", "r12 = pload b", "r12 = load.rlx e",
						  "r12 = pload e", "assert r0 != 2" };
	const char *line = lines[any_risk(m)];
	const unsigned label = m->g.label;

	if (chance(m, 40)) {
		put_maybe(m, t, reg, line);
		return;
	}
	m->g.label++;
	put(m, t, "if r0 != 0 goto S%u", label);
	if (chance(m, 70))
		put(m, t, "if %s != %u goto S%u", reg, below(&m->g, 2), label);
	put(m, t, "%s", line);
	put(m, t, "S%u:", label);
}

/* The second thread accesses data, or frees it, when the first one has come to its end: mostly that does not order the
 * access after those of the first thread's attempts. */
static void put_aftermath(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const lines[RISKS] = { "pstore d 5", "free b", "free b", "pstore e 5", "store.rlx e 5", "free d" };
	const unsigned label = m->g.label++;

	if (chance(m, 40))
		return;
	put(m, a, "store.%s g 1", chance(m, 75) ? "rlx" : rel(m));
	put(m, b, "W%u:", label);
	put(m, b, "r11 = load.%s g", chance(m, 75) ? "rlx" : acq(m));
	put(m, b, chance(m, 50) ? "if r11 == 0 goto out" : "if r11 == 0 goto W%u", label);
	put(m, b, "%s", lines[any_risk(m)]);
}

/* Something that an attempt at x, whose first line has that label, does before its compare-and-swap. */
static void put_look(struct mixer *m, unsigned t, unsigned label)
{
	switch (below(&m->g, 13)) {
	case 0:
	case 1:
		put(m, t, "r4 = load.%s y", weak_acq(m));
		break;
	case 11: /* fails whatever x is */
		put(m, t, "r4 = load.%s y", weak_acq(m));
		put(m, t, "if r4 == %u goto A%u", below(&m->g, 2), label);
		break;
	case 2:
		put(m, t, "r4 = load.%s y", weak_acq(m));
		put_risk(m, t, "r4");
		break;
	case 3:
		put(m, t, "r4 = load.%s y", weak_acq(m));
		put(m, t, "if r4 == %u goto out", 1 + below(&m->g, 2));
		break;
	case 4:
		put(m, t, "r6 = load.%s x", weak_acq(m));
		put(m, t, "if r6 != r0 goto A%u", label);
		break;
	case 5:
		put_risk(m, t, "r0");
		break;
	case 6:
		put(m, t, "r12 = pload d");
		break;
	case 7:
		put(m, t, chance(m, 50) ? "fence.sc" : "fence.%s", acq(m));
		break;
	case 8:
		put(m, t, "r7 = load.%s z", weak_acq(m));
		put_risk(m, t, "r7");
		break;
	case 9:
		put(m, t, "r7 = or.%s z 0", both(m));
		break;
	case 10:
		put(m, t, "r12 = r0");
		break;
	default:
		put(m, t, "if r0 == %u goto out", 1 + below(&m->g, 3));
		break;
	}
}

static void put_first(struct mixer *m, unsigned t, unsigned label, const char *loc)
{
	put(m, t, "A%u:", label);
	put(m, t, "r0 = load.%s %s", weak_acq(m), loc);
}

/* The compare-and-swap at the end of an attempt, and where the thread goes if it fails: mostly back. */
static void put_try(struct mixer *m, unsigned t, unsigned label, const char *loc, const char *desired)
{
	const char *success = chance(m, 85) ? both(m) : "rlx", *failure = fails(m);

	if (chance(m, 50)) {
		put(m, t, "r1 r3 = %s.%s.%s %s r0 %s", cas(m), success, failure, loc, desired);
		put(m, t, chance(m, 92) ? "if r3 == 0 goto A%u" : "if r3 == 0 goto out", label);
		return;
	}
	put(m, t, "r1 = cas.%s.%s %s r0 %s", success, failure, loc, desired);
	put(m, t, chance(m, 92) ? "if r1 != r0 goto A%u" : "if r1 != r0 goto out", label);
}

static const char *any_desired(struct mixer *m)
{
	static const char *const values[] = { "r0+1", "r0+1", "r0+2", "1", "2", "r0" };
	return values[below(&m->g, 6)];
}

static void put_attempt_at(struct mixer *m, unsigned t, const char *loc, unsigned looks)
{
	const unsigned label = m->g.label++;

	put_first(m, t, label, loc);
	for (unsigned i = 0; i < looks; i++)
		put_look(m, t, label);
	put_try(m, t, label, loc, any_desired(m));
}

/* Changes what attempts look at. */
static void put_disturbance(struct mixer *m, unsigned t)
{
	static const char *const locs[] = { "x", "x", "y", "y", "z" };
	const unsigned n = 1 + below(&m->g, 3);

	for (unsigned i = 0; i < n; i++) {
		const char *loc = locs[below(&m->g, 5)];
		const unsigned value = 1 + below(&m->g, 2);

		switch (below(&m->g, 6)) {
		case 0:
			put(m, t, "r13 = add.%s %s %u", both(m), loc, value);
			break;
		case 1:
			put(m, t, "cas.%s.rlx %s 0 %u", both(m), loc, value);
			break;
		case 2:
			put(m, t, "r11 = load.%s %s", weak_acq(m), loc);
			put(m, t, "if r11 == 0 goto out");
			break;
		default:
			put(m, t, "store.%s %s %u", weak_rel(m), loc, value);
			break;
		}
	}
	if (chance(m, 12))
		put(m, t, chance(m, 50) ? "free b" : "pstore d 5");
}

/* ---- families ---- */

/* Attempts that read several locations. */
void put_looking(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned c = m->threads - 1;

	put_attempt_at(m, a, "x", 1 + below(&m->g, 3));
	if (chance(m, 50))
		put(m, a, "r2 = r4");
	if (chance(m, 40))
		put_attempt_at(m, b, "x", below(&m->g, 2));
	else
		put_disturbance(m, b);
	if (c != b && chance(m, 50))
		put_disturbance(m, c);
	put_aftermath(m, a, chance(m, 60) ? b : c);
}

/* A write to one of the places, perhaps in some attempts only. */
static void put_trace(struct mixer *m, unsigned t, bool own, bool plain)
{
	static const char *const places[] = { "w", "w", "v" };
	const char *place = own && chance(m, 60) ? "n@" : places[below(&m->g, 3)], *order = weak_rel(m);
	const char *value = chance(m, 60) ? "r0" : chance(m, 50) ? "2" : "1";
	char line[LENGTH];

	if (plain)
		snprintf(line, sizeof line, "pstore %s %s", place, value);
	else
		snprintf(line, sizeof line, "store.%s %s %s", order, place, value);
	if (chance(m, 40))
		put_maybe(m, t, "r0", line);
	else
		put(m, t, "%s", line);
}

/* Reads what attempts have left, once it is told something. */
static void put_inspection(struct mixer *m, unsigned t, bool plain)
{
	if (chance(m, 70)) {
		put(m, t, "r2 = load.%s %s", acq(m), chance(m, 60) ? "x" : chance(m, 50) ? "y" : "z");
		put(m, t, "if r2 == 0 goto out");
	}
	put(m, t, plain ? "r11 = pload %s" : "r11 = load.rlx %s", chance(m, 60) ? "w" : "v");
	if (!plain && chance(m, 30))
		put(m, t, "r2 = load.%s w", weak_acq(m));
	if (chance(m, 25))
		put(m, t, "store.%s z 1", rel(m));
}

/* Attempts with preparations: writes that the next attempt overwrites, or reads, or adds to. */
void put_preparing(struct mixer *m, unsigned a, unsigned b)
{
	const bool own = chance(m, 35), plain = chance(m, 40);
	const unsigned label = m->g.label++, c = m->threads - 1;

	if (own)
		put(m, a, "r5 = alloc n@");
	put_first(m, a, label, "x");
	for (unsigned i = 0; i < 2; i++) {
		if (chance(m, 25))
			put_look(m, a, label);
		if (chance(m, 12))
			put(m, a, plain ? "r2 = pload w" : "r2 = load.rlx w");
		if (chance(m, 15))
			put_maybe(m, a, "r0", chance(m, 50) ? "r13 = add.rel y 1" : "store.rel z 1");
		put_trace(m, a, own, chance(m, 90) ? plain : !plain);
	}
	put_try(m, a, label, "x", own && chance(m, 60) ? "r5" : any_desired(m));
	if (chance(m, 25))
		put(m, a, "store.%s y 1", rel(m));
	if (chance(m, 60))
		put_disturbance(m, b);
	else
		put_attempt_at(m, b, "x", 0);
	if (own && chance(m, 70)) { /* looks into the node, if it is there */
		put(m, c, "r8 = load.%s x", acq(m));
		put(m, c, "if r8 < 65536 goto out");
		put(m, c, plain ? "r11 = pload n@r8" : "r11 = load.%s n@r8", weak_acq(m));
	} else if (chance(m, 80)) {
		put_inspection(m, c, plain);
	}
}

/* Finds a node at x, reads in it, unlinks it, and perhaps frees it. */
static void put_unlink(struct mixer *m, unsigned t, bool plain, unsigned frees)
{
	const unsigned label = m->g.label++;
	const bool again = chance(m, 80);

	put(m, t, "A%u:", label);
	put(m, t, "r8 = load.%s x", acq(m));
	put(m, t, "if r8 == 0 goto out");
	if (chance(m, 30))
		put(m, t, "r4 = load.%s y", weak_acq(m));
	if (chance(m, 30)) {
		put(m, t, "r6 = load.%s x", weak_acq(m));
		put(m, t, again ? "if r6 != r8 goto A%u" : "if r6 != r8 goto out", label);
	}
	put(m, t, plain ? "r9 = pload n@r8" : "r9 = load.%s n@r8", weak_acq(m));
	put(m, t, "r10 = cas.%s.%s x r8 %s", both(m), fails(m), chance(m, 70) ? "r9" : "0");
	put(m, t, again ? "if r10 != r8 goto A%u" : "if r10 != r8 goto out", label);
	put(m, t, chance(m, 50) ? "r2 = r8" : "r2 = r9");
	if (chance(m, 25))
		put(m, t, plain ? "pstore n@r8 3" : "store.%s n@r8 3", weak_rel(m));
	if (chance(m, frees))
		put(m, t, "free n@r8");
}

/* Links its own node at x, by a store or by attempts. */
static void put_link(struct mixer *m, unsigned t, bool plain)
{
	const unsigned label = m->g.label++;

	put(m, t, "r5 = alloc n@");
	if (chance(m, 40)) {
		put(m, t, plain ? "pstore n@ 0" : "store.%s n@ 0", weak_rel(m));
		put(m, t, chance(m, 50) ? "store.%s x r5" : "xchg.%s x r5", rel(m));
		return;
	}
	put_first(m, t, label, "x");
	put(m, t, plain ? "pstore n@ r0" : "store.%s n@ r0", weak_rel(m));
	put(m, t, "r1 = cas.%s.%s x r0 r5", rel(m), fails(m));
	put(m, t, "if r1 != r0 goto A%u", label);
}

/* Attempts that read in nodes which other threads unlink and free. */
void put_reclaiming(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 60);
	const unsigned c = m->threads - 1, frees = chance(m, 60) ? 0 : 60;

	put_link(m, a, plain);
	switch (below(&m->g, 4)) {
	case 0: /* takes it back */
		put(m, a, "r10 = cas.%s.rlx x r5 0", both(m));
		put(m, a, "if r10 != r5 goto out");
		break;
	case 1:
		put(m, a, "r10 = xchg.%s x 0", both(m));
		put(m, a, "if r10 != r5 goto out");
		if (chance(m, 50))
			put(m, a, "store.%s y 1", rel(m));
		break;
	default:
		put_unlink(m, b, plain, frees);
		if (c != b)
			put_unlink(m, c, plain, frees);
		return;
	}
	if (chance(m, 50))
		put(m, a, chance(m, 50) ? "await.%s y 2" : "require.%s y 2", acq(m));
	if (chance(m, 60))
		put(m, a, "free n@");
	else
		put(m, a, plain ? "pstore n@ 7" : "store.%s n@ 7", weak_rel(m));
	put_unlink(m, b, plain, frees / 2);
	put(m, b, chance(m, 50) ? "store.%s y 2" : "r3 = add.%s y 2", rel(m));
}

/* A node is unlinked and linked again while somebody's attempt is about it. */
void put_relinking(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 40);

	put(m, a, "r5 = alloc n@");
	put(m, a, plain ? "pstore n@ 0" : "store.rlx n@ 0");
	put(m, a, "store.%s x r5", rel(m));
	put(m, a, chance(m, 50) ? "r10 = xchg.%s x 0" : "r10 = cas.%s.rlx x r5 0", both(m));
	put(m, a, "if r10 != r5 goto out");
	if (chance(m, 60))
		put(m, a, plain ? "pstore n@ 1" : "store.%s n@ 1", weak_rel(m));
	put(m, a, chance(m, 50) ? "store.%s x r5" : "cas.%s.rlx x 0 r5", rel(m));
	put_unlink(m, b, plain, 20);
	if (m->threads > 2 && chance(m, 30))
		put_unlink(m, m->threads - 1, plain, 0);
}

static void put_spin_lock(struct mixer *m, unsigned t)
{
	const unsigned label = m->g.label++;

	put(m, t, "L%u:", label);
	put(m, t, chance(m, 70) ? "r10 = xchg.%s l 1" : "r10 = cas.%s.rlx l 0 1", both(m));
	put(m, t, "if r10 != 0 goto L%u", label);
}

/* Attempts under a spin lock, or with one inside: it is given back, or kept, when they fail. */
void put_spinning(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned label = m->g.label++, place = below(&m->g, 3), c = m->threads - 1;
	const bool attempts = chance(m, 30);

	if (place == 0) /* around all attempts */
		put_spin_lock(m, a);
	put_first(m, a, label, "x");
	if (place == 1)
		put_spin_lock(m, a);
	if (chance(m, 60))
		put_look(m, a, label);
	if (place == 1 && chance(m, 80))
		put(m, a, "store.%s l 0", rel(m));
	put_try(m, a, label, "x", any_desired(m));
	if (place == 2)
		put_spin_lock(m, a);
	put_data(m, a, chance(m, 50));
	if (place != 1)
		put(m, a, "store.%s l 0", rel(m));
	for (unsigned t = b; t <= c; t += c > b ? c - b : 1) {
		if (t == c && c != b && chance(m, 60))
			break;
		if (attempts && t == b) {
			put_attempt_at(m, t, "x", 0);
			continue;
		}
		if (chance(m, 75))
			put_spin_lock(m, t);
		put_disturbance(m, t);
		put(m, t, "store.%s l 0", rel(m));
	}
	put_aftermath(m, a, b);
}

/* Attempts inside attempts, and loops inside loops. */
void put_nesting(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned outer = m->g.label++;
	const unsigned inside = below(&m->g, 4);

	put(m, a, "B%u:", outer);
	put(m, a, "r6 = load.%s y", weak_acq(m));
	if (inside == 0) { /* waits */
		put(m, a, "I%u:", outer);
		put(m, a, "r7 = load.%s z", weak_acq(m));
		put(m, a, "if r7 == 0 goto I%u", outer);
	} else if (inside == 1) { /* an update of its own */
		put_attempt_at(m, a, "x", chance(m, 30));
	} else { /* one attempt, after which all begins again */
		put(m, a, "r0 = load.%s x", weak_acq(m));
		if (chance(m, 50))
			put_risk(m, a, chance(m, 50) ? "r0" : "r6");
		put(m, a, "r1 = cas.%s.%s x r0 %s", both(m), fails(m), any_desired(m));
		put(m, a, chance(m, 80) ? "if r1 != r0 goto B%u" : "if r1 == 2 goto B%u", outer);
	}
	put(m, a, "r9 = cas.%s.%s y r6 r6+%u", both(m), fails(m), 1 + below(&m->g, 2));
	if (chance(m, 85))
		put(m, a, "if r9 != r6 goto B%u", outer);
	put_data(m, a, false);
	if (inside == 0 || chance(m, 60))
		put_disturbance(m, b);
	else
		put_attempt_at(m, b, chance(m, 50) ? "x" : "y", 0);
	if (inside == 0)
		put(m, b, "store.%s z 1", weak_rel(m));
	put_aftermath(m, a, b);
}

/* Something that is written once the attempt has succeeded: there, elsewhere, or what was there before. */
static void put_after(struct mixer *m, unsigned t)
{
	switch (below(&m->g, 6)) {
	case 0:
		put(m, t, "store.%s x %u", weak_rel(m), below(&m->g, 3));
		break;
	case 1:
		put(m, t, "r13 = sub.%s x 1", both(m));
		break;
	case 2:
		put(m, t, "store.%s x r0", weak_rel(m));
		break;
	case 3:
		put(m, t, "store.%s y 1", weak_rel(m));
		break;
	case 4:
		put(m, t, "r2 = load.%s y", weak_acq(m));
		break;
	default:
		put_attempt_at(m, t, "x", 0);
		break;
	}
}

/* Threads that go on writing after their attempts. */
void put_going_on(struct mixer *m, unsigned a, unsigned b)
{
	const bool two = chance(m, 50);

	put_attempt_at(m, a, "x", below(&m->g, 2));
	put_after(m, a);
	if (chance(m, 40))
		put_after(m, a);
	if (two) {
		put_attempt_at(m, b, "x", 0);
		put_after(m, b);
	} else {
		put_disturbance(m, b);
	}
	put_aftermath(m, a, b);
	if (m->threads > 2 && chance(m, 40))
		put(m, m->threads - 1, "r2 = load.%s x", weak_acq(m));
}

/* Writes the value that is there, or brings it back, while attempts are made. */
void put_coming_back(struct mixer *m, unsigned a, unsigned b)
{
	put_attempt_at(m, a, "x", 1 + below(&m->g, 2));
	if (chance(m, 60))
		put(m, a, "r2 = r4");
	switch (below(&m->g, 4)) {
	case 0:
		put(m, b, "store.%s x 0", weak_rel(m));
		put_data(m, b, false);
		put(m, b, "store.%s x 0", weak_rel(m));
		break;
	case 1:
		put(m, b, "store.%s x 1", weak_rel(m));
		put(m, b, "store.%s y 1", weak_rel(m));
		put(m, b, "store.%s x 1", weak_rel(m));
		break;
	case 2:
		put(m, b, "r3 = add.%s x 1", both(m));
		put(m, b, "store.%s y 1", weak_rel(m));
		put(m, b, "r4 = sub.%s x 1", both(m));
		break;
	default:
		put(m, b, "r3 = xchg.%s x 1", both(m));
		put_data(m, b, false);
		put(m, b, "store.%s x r3", weak_rel(m));
		break;
	}
	put_aftermath(m, a, b);
	if (m->threads > 2 && chance(m, 40))
		put_attempt_at(m, m->threads - 1, "x", 0);
}

/* A ticket lock that is taken only if it is free, by an attempt at two locations. */
void put_ticket_try(struct mixer *m, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a, label = m->g.label++;

		put(m, t, "A%u:", label);
		put(m, t, "r0 = load.%s y", acq(m));
		if (chance(m, 40)) {
			put(m, t, "r4 = load.%s x", weak_acq(m));
			put(m, t, chance(m, 70) ? "if r4 != r0 goto A%u" : "if r4 != r0 goto out", label);
		}
		put_try(m, t, label, "x", "r0+1");
		put_data(m, t, chance(m, 50));
		if (!chance(m, 8))
			put(m, t, chance(m, 70) ? "store.%s y r0+1" : "add.%s y 1", rel(m));
	}
}

/* Attempts that wait for something in between. */
void put_awaiting(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const waits[] = { "await.%s y 1", "r4 = await.%s y != 0", "require.%s y 1", "lock m", "wait s" };
	const unsigned label = m->g.label++, how = below(&m->g, 5);

	put_first(m, a, label, "x");
	put(m, a, waits[how], acq(m));
	if (chance(m, 50))
		put_look(m, a, label);
	if (how == 3 && chance(m, 70))
		put(m, a, "unlock m");
	put_try(m, a, label, "x", any_desired(m));
	if (chance(m, 50))
		put_disturbance(m, b);
	if (how < 3)
		put(m, b, "store.%s y 1", rel(m));
	else if (how == 4)
		put(m, b, "post s");
	else
		put(m, b, "lock m");
	if (chance(m, 60))
		put(m, b, chance(m, 50) ? "r3 = add.%s x 1" : "store.%s x 1", rel(m));
	if (how == 3)
		put(m, b, "unlock m");
	if (how == 4 && chance(m, 60))
		put(m, b, "post s");
	put_aftermath(m, a, b);
}

/* A reader that begins again if a writer came in between: attempts without a compare-and-swap. */
void put_versions(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned label = m->g.label++;
	const bool plain = chance(m, 10);

	put(m, a, "A%u:", label);
	put(m, a, "r0 = load.%s x", acq(m));
	if (chance(m, 50))
		put(m, a, "if r0 == 1 goto A%u", label);
	put(m, a, plain ? "r11 = pload d" : "r11 = load.%s y", weak_acq(m));
	if (!plain)
		put(m, a, "r2 = load.%s z", weak_acq(m));
	if (chance(m, 70))
		put(m, a, "fence.%s", acq(m));
	put(m, a, "r1 = load.%s x", weak_acq(m));
	put(m, a, "if r1 != r0 goto A%u", label);
	put(m, b, chance(m, 60) ? "store.%s x 1" : "r3 = add.%s x 1", weak_rel(m));
	if (chance(m, 60))
		put(m, b, "fence.%s", rel(m));
	put(m, b, plain ? "pstore d 1" : "store.%s y 1", weak_rel(m));
	if (!plain)
		put(m, b, "store.%s z 1", weak_rel(m));
	put(m, b, chance(m, 60) ? "store.%s x 2" : "r3 = add.%s x 1", rel(m));
}
