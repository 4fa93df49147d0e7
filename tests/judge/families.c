/* families.c -- orders and lines, and the families that have no loop to speak of; see family.h. */
#include "family.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"

bool chance(struct mixer *m, unsigned percent)
{
	return below(&m->g, 100) < percent;
}

void put(struct mixer *m, unsigned t, const char *format, ...)
{
	struct body *b = &m->body[t];
	va_list args;

	if (b->count == LINES)
		LP_BUG("a generated thread is too long");
	va_start(args, format);
	vsnprintf(b->line[b->count++], LENGTH, format, args);
	va_end(args);
}

void put_init(struct mixer *m, const char *line)
{
	const size_t used = strlen(m->init);

	if (!strstr(m->init, line))
		snprintf(m->init + used, sizeof m->init - used, "%s\n", line);
}

/* ---- orders ---- */

static const char *order(struct mixer *m, const char *right, const char *const *names, unsigned count)
{
	if (m->sc || (m->mixed && chance(m, 40)))
		return "sc";
	return chance(m, m->wrong) ? names[below(&m->g, count)] : right;
}

const char *acq(struct mixer *m)
{
	static const char *const names[] = { "rlx", "rlx", "sc" };
	return order(m, "acq", names, 3);
}

const char *rel(struct mixer *m)
{
	static const char *const names[] = { "rlx", "rlx", "sc" };
	return order(m, "rel", names, 3);
}

const char *both(struct mixer *m)
{
	static const char *const names[] = { "rlx", "rel", "acq", "sc" };
	return order(m, "acqrel", names, 4);
}

const char *fails(struct mixer *m)
{
	static const char *const names[] = { "acq", "sc" };
	return order(m, "rlx", names, 2);
}

const char *cas(struct mixer *m)
{
	return chance(m, 10) ? "wcas" : "cas";
}

void put_maybe(struct mixer *m, unsigned t, const char *reg, const char *line)
{
	const unsigned label = m->g.label++;

	put(m, t, "if %s != %u goto S%u", reg, below(&m->g, 3), label);
	put(m, t, "%s", line);
	put(m, t, "S%u:", label);
}

void put_data(struct mixer *m, unsigned t, bool second)
{
	static const char *const writes[] = { "pstore d 1", "pstore d 2", "pstore e 1", "r11 = pload d" };
	static const char *const reads[] = { "r11 = pload d", "r11 = pload d", "pstore d 3", "r11 = pload e" };
	const unsigned which = below(&m->g, 4);

	if (chance(m, 65))
		put(m, t, "%s", (second ? reads : writes)[which]);
}

/* ---- families ---- */

/* b does for a what a is about to do. */
static void put_help(struct mixer *m, unsigned a, unsigned b, bool stores)
{
	const bool again = chance(m, 40), sees = !chance(m, 30);

	if (chance(m, 20))
		put(m, a, "r1 = load.%s x", acq(m));
	if (chance(m, 50))
		put(m, a, "store.%s y 1", rel(m));
	else
		put(m, a, "cas.%s.%s y 0 1", rel(m), fails(m));
	if (stores)
		put(m, a, "store.%s x 2", rel(m));
	else
		put(m, a, "%s.%s.%s x 0 2", cas(m), rel(m), fails(m));
	if (again)
		put(m, b, "H:");
	put(m, b, "r0 = load.%s y", acq(m));
	put(m, b, "if r0 == 0 goto out");
	if (again) {
		put(m, b, "r1 = load.%s x", acq(m));
		put(m, b, "if r1 == 2 goto H_end");
	}
	if (stores)
		put(m, b, "store.%s x 2", rel(m));
	else
		put(m, b, "%s.%s.%s x 0 2", cas(m), rel(m), fails(m));
	if (again) {
		put(m, b, "goto H");
		put(m, b, "H_end:");
	} else if (sees) {
		put(m, b, "r1 = load.%s x", acq(m));
		put(m, b, "if r1 != 2 goto out");
	}
}

void put_helping(struct mixer *m, unsigned a, unsigned b)
{
	put_help(m, a, b, false);
}

void put_skipped_stores(struct mixer *m, unsigned a, unsigned b)
{
	put_help(m, a, b, true);
}

void put_publishing_at(struct mixer *m, unsigned a, unsigned b, const char *loc)
{
	const unsigned how = below(&m->g, 3);

	if (how == 0)
		put(m, a, "xchg.%s %s 1", both(m), loc);
	else if (how == 1)
		put(m, a, "cas.%s.rlx %s 0 1", rel(m), loc);
	else
		put(m, a, "store.%s %s 1", rel(m), loc);
	switch (below(&m->g, 8)) {
	case 0:
		put(m, b, "await.%s %s 1", acq(m), loc);
		break;
	case 1:
		put(m, b, "require.%s %s 1", acq(m), loc);
		break;
	case 2:
		put(m, b, "r2 = load.%s %s", acq(m), loc);
		put(m, b, "assume r2 == 1");
		break;
	case 3:
	case 4:
		put(m, b, "W%s:", loc);
		put(m, b, "r2 = load.%s %s", acq(m), loc);
		put(m, b, "if r2 != 1 goto W%s", loc);
		break;
	case 5:
		put(m, b, "r2 = load.rlx %s", loc);
		put(m, b, "fence.%s", acq(m));
		put(m, b, "if r2 != 1 goto out");
		break;
	default:
		put(m, b, "r2 = load.%s %s", acq(m), loc);
		put(m, b, "if r2 != 1 goto out");
		break;
	}
}

static void put_lock(struct mixer *m, unsigned t, const char *inside)
{
	const bool tries = chance(m, 25);

	if (tries) {
		put(m, t, "r3 = trylock m");
		put(m, t, "if r3 != 0 goto out");
	} else {
		put(m, t, "lock m");
	}
	put(m, t, "%s", inside);
	put(m, t, "unlock m");
}

void put_locking(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const inside[] = { "pstore d 1", "r4 = pload d", "r4 = load.rlx x",
					      "store.rlx x 1", "yield" };
	const unsigned one = below(&m->g, 5), other = below(&m->g, 5);

	put_lock(m, a, inside[one]);
	put_lock(m, b, inside[other]);
}

void put_semaphore(struct mixer *m, unsigned a, unsigned b)
{
	if (chance(m, 60)) {
		put(m, a, "post s");
		put(m, b, "wait s");
		return;
	}
	put_init(m, "init s 1");
	for (unsigned i = 0; i < 2; i++) {
		put(m, i ? b : a, "wait s");
		put(m, i ? b : a, i ? "r4 = pload d" : "pstore d 1");
		put(m, i ? b : a, "post s");
	}
}

/* b looks before it takes, for as often as it has patience, and then does something else. */
void put_rereads(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned patience = chance(m, 20) ? 0 : 1 + below(&m->g, 2);

	if (chance(m, 60))
		put(m, a, "store.%s x 1", rel(m));
	else
		put(m, a, "r3 = add.%s x 1", both(m));
	if (chance(m, 70)) {
		if (chance(m, 30))
			put(m, a, "r0 = load.%s x", acq(m));
		put(m, a, "r1 = xchg.%s x 0", both(m));
		if (chance(m, 70))
			put(m, a, "if r1 == 0 goto out");
	}
	const bool waits = patience && chance(m, 30);
	if (waits) {
		put(m, a, "W:");
		put(m, a, "r2 = load.%s y", acq(m));
		put(m, a, "if r2 == 0 goto W");
		put(m, a, chance(m, 60) ? "pstore d 1" : "free d");
	}
	put(m, b, "V:");
	if (patience) {
		put(m, b, "r14 = r14+1");
		put(m, b, "if r14 > %u goto V_end", patience);
	}
	put(m, b, "r0 = load.%s x", acq(m));
	put(m, b, "if r0 == 0 goto V");
	if (waits && chance(m, 70))
		put(m, b, "r4 = pload d");
	switch (below(&m->g, 4)) {
	case 0:
		put(m, b, "r0 = load.%s x", acq(m));
		break;
	case 1:
		put(m, b, "r0 = cas.%s.%s x 1 0", both(m), acq(m));
		break;
	default:
		put(m, b, "r0 = xchg.%s x 0", both(m));
		break;
	}
	put(m, b, "if r0 == 0 goto V");
	if (patience)
		put(m, b, "V_end:");
	if (waits || (patience && chance(m, 40)))
		put(m, b, "store.%s y 1", waits ? "rlx" : rel(m));
}

/* Read-modify-writes that may change nothing. */
void put_silent_rmw(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const verbs[] = { "xchg", "or", "add", "and" };

	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;
		const char *verb = verbs[below(&m->g, 4)];
		const unsigned operand = below(&m->g, 2);

		if (chance(m, 60))
			put(m, t, "store.%s %s 1", rel(m), i ? "y" : "x");
		put(m, t, "r%u = %s.%s x %u", i, verb, both(m), operand);
		if (chance(m, 60))
			put(m, t, "if r%u == %u goto out", i, below(&m->g, 2));
		else if (chance(m, 50))
			put(m, t, "r%u = load.%s y", i, acq(m));
	}
}

/* b says at y what it is about to use, and a does not free that. */
void put_hazard(struct mixer *m, unsigned a, unsigned b)
{
	const bool fences = !chance(m, 15), waits = chance(m, 60);

	put(m, a, "r5 = alloc n@");
	put(m, a, "store.%s x r5", rel(m));
	put(m, a, "xchg.%s x 0", both(m));
	if (fences)
		put(m, a, "fence.sc");
	put(m, a, "Z:");
	put(m, a, "r6 = load.%s y", acq(m));
	put(m, a, "if r6 == r5 goto %s", waits ? "Z" : "out");
	put(m, a, "free n@");
	put(m, b, "Z:");
	put(m, b, "r7 = load.%s x", acq(m));
	put(m, b, "if r7 == 0 goto out");
	put(m, b, "store.%s y r7", rel(m));
	if (fences)
		put(m, b, "fence.sc");
	put(m, b, "r8 = load.%s x", acq(m));
	put(m, b, "if r8 != r7 goto %s", chance(m, 50) ? "Z" : "out");
	put(m, b, chance(m, 60) ? "r2 = pload n@r7" : "r2 = load.rlx n@r7");
	put(m, b, "store.%s y 0", rel(m));
}

/* What is a's own and known to b is written in a loop. */
void put_known(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 25);

	put_init(m, "init n@ 4"); /* to be told from all that is written there */
	put(m, a, "r5 = alloc n@");
	if (chance(m, 80))
		put(m, a, "store.%s x r5", rel(m));
	else
		put(m, a, "cas.%s.rlx x 0 r5", rel(m));
	put(m, a, "P:");
	put(m, a, "r6 = load.%s y", acq(m));
	if (plain)
		put(m, a, "pstore n@ r6");
	else
		put(m, a, "store.%s n@ r6", rel(m));
	put(m, a, "r7 = cas.%s.%s y r6 r6+1", both(m), fails(m));
	put(m, a, "if r7 != r6 goto P");
	put(m, b, "r8 = load.%s x", acq(m));
	put(m, b, "if r8 == 0 goto out");
	if (chance(m, 50))
		put(m, b, "add.%s y 1", both(m));
	if (plain)
		put(m, b, "r2 = pload n@r8");
	else
		put(m, b, "r2 = load.%s n@r8", acq(m));
	if (m->threads > 2 && chance(m, 30))
		put(m, m->threads - 1, "add.%s y 1", both(m));
}

/* b looks at x, takes a lock, and looks again. */
void put_attempts(struct mixer *m, unsigned a, unsigned b)
{
	const bool changes = chance(m, 40), locks = chance(m, 60);

	put(m, b, "A:");
	put(m, b, "r0 = load.%s x", acq(m));
	put(m, b, "lock m");
	put(m, b, chance(m, 85) ? "r1 = load.rlx x" : "r1 = pload x");
	put(m, b, "if r1 == r0 goto A_end");
	put(m, b, "unlock m");
	put(m, b, "goto A");
	put(m, b, "A_end:");
	if (changes)
		put(m, b, "store.%s x r0+1", rel(m));
	put(m, b, "unlock m");
	if (locks)
		put_lock(m, a, chance(m, 80) ? "store.rel x 1" : "pstore x 1");
	else
		put(m, a, "store.%s x 1", rel(m));
	if (chance(m, 25))
		put(m, a, "r3 = trylock m");
}

/* Something is done before it is known whether that counts. */
void put_stopped(struct mixer *m, unsigned a, unsigned b)
{
	const bool stores = chance(m, 50);

	put(m, a, "r0 = load.%s x", acq(m));
	if (stores)
		put(m, a, "store.%s y 1", rel(m));
	else
		put_maybe(m, a, "r0", chance(m, 50) ? "pstore d 1" : "r4 = pload d");
	put(m, a, "assume r0 %s 0", chance(m, 50) ? "!=" : "==");
	if (stores || chance(m, 30)) {
		put(m, b, "r1 = load.%s y", acq(m));
		put(m, b, "if r1 == 0 goto out");
	}
	put(m, b, "store.%s x 1", rel(m));
	/* Others go on when it is stopped. */
	if (!stores && chance(m, 60)) {
		const unsigned c = m->threads - 1;

		put(m, b, "await.%s f 1", acq(m));
		put(m, b, chance(m, 50) ? "pstore d 1" : "free d");
		put(m, c == b ? a : c, "store.%s f 1", rel(m));
	}
}

/* a goes by values at which b, which waits for the last one, does something. */
void put_passing(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const seen[] = { "r4 = pload d", "r4 = pload b", "r4 = load.rlx b", "r4 = pload e",
					    "r4 = or.rlx e 0", "r4 = pload e" };
	static const char *const done[] = { "pstore d 1", "free b", "free b", "pstore e 1", "r5 = pload e",
					    "store.rlx e 1" };
	const unsigned what = below(&m->g, 6);
	const bool answers = chance(m, 60);

	put(m, a, "store.%s x 1", rel(m));
	put(m, a, "store.%s x 2", rel(m));
	put(m, b, "G:");
	put(m, b, "r0 = load.%s x", acq(m));
	put_maybe(m, b, "r0", seen[what]);
	put(m, b, "if r0 != 2 goto G");
	if (answers) {
		put(m, b, "store.%s y 1", rel(m));
		put(m, a, "G:");
		put(m, a, "r1 = load.%s y", acq(m));
		put(m, a, "if r1 == 0 goto G");
	}
	put(m, a, "%s", done[what]);
}

/* The last to let go of b frees it. */
void put_counting(struct mixer *m, unsigned a, unsigned b)
{
	put_init(m, "init c 2");
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;
		if (chance(m, 70))
			put(m, t, chance(m, 50) ? "r4 = pload b" : "r4 = load.rlx b");
		put(m, t, "r3 = sub.%s c 1", both(m));
		put(m, t, "if r3 != 1 goto out");
		put(m, t, "free b");
	}
}

void put_publishing(struct mixer *m, unsigned a, unsigned b)
{
	put_publishing_at(m, a, b, "y");
}
