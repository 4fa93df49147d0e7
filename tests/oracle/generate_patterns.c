/* generate_patterns.c -- what reductions are about, as lines of two or three threads; see
 * generate_mixed.c.
 */
#include "mixer.h"

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

/* ---- orders ---- */

static const char *order(struct mixer *m, const char *right, const char *const *names, unsigned count)
{
	if (m->sc)
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

static const char *fails(struct mixer *m)
{
	static const char *const names[] = { "acq", "sc" };
	return order(m, "rlx", names, 2);
}

static const char *cas(struct mixer *m)
{
	return chance(m, 10) ? "wcas" : "cas";
}

/* A line that is reached for one value of the register only. */
static void put_maybe(struct mixer *m, unsigned t, const char *reg, const char *line)
{
	const unsigned label = m->g.label++;

	put(m, t, "if %s != %u goto S%u", reg, below(&m->g, 3), label);
	put(m, t, "%s", line);
	put(m, t, "S%u:", label);
}

/* ---- patterns: threads a and b, perhaps c ---- */

/* b does for a what a is about to do. */
static void put_helping(struct mixer *m, unsigned a, unsigned b, bool stores)
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
		put(m, b, "if r1 == 2 goto H2");
	}
	if (stores)
		put(m, b, "store.%s x 2", rel(m));
	else
		put(m, b, "%s.%s.%s x 0 2", cas(m), rel(m), fails(m));
	if (again) {
		put(m, b, "goto H");
		put(m, b, "H2:");
	} else if (sees) {
		put(m, b, "r1 = load.%s x", acq(m));
		put(m, b, "if r1 != 2 goto out");
	}
}

/* b waits, in some way, for what a says. */
void put_publishing(struct mixer *m, unsigned a, unsigned b, const char *loc)
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

static void put_locking(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const inside[] = { "pstore d 1", "r4 = pload d", "r4 = load.rlx x",
					      "store.rlx x 1", "yield" };
	const unsigned one = below(&m->g, 5), other = below(&m->g, 5);

	put_lock(m, a, inside[one]);
	put_lock(m, b, inside[other]);
}

static void put_semaphore(struct mixer *m, unsigned a, unsigned b)
{
	if (chance(m, 60)) {
		put(m, a, "post s");
		put(m, b, "wait s");
		return;
	}
	m->init = "init s 1\n";
	for (unsigned i = 0; i < 2; i++) {
		put(m, i ? b : a, "wait s");
		put(m, i ? b : a, i ? "r4 = pload d" : "pstore d 1");
		put(m, i ? b : a, "post s");
	}
}

/* b looks before it takes, for as often as it has patience, and then does something else. */
static void put_vain_reads(struct mixer *m, unsigned a, unsigned b)
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
		put(m, b, "if r14 > %u goto V2", patience);
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
		put(m, b, "V2:");
	if (waits || (patience && chance(m, 40)))
		put(m, b, "store.%s y 1", waits ? "rlx" : rel(m));
}

/* Read-modify-writes that may change nothing. */
static void put_idle(struct mixer *m, unsigned a, unsigned b)
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

static void put_pop(struct mixer *m, unsigned t, bool plain)
{
	const bool again = chance(m, 50);

	if (again)
		put(m, t, "Q:");
	put(m, t, "r8 = load.%s x", acq(m));
	put(m, t, "if r8 == 0 goto out");
	if (chance(m, 30))
		return;
	put(m, t, plain ? "r9 = pload n@r8" : "r9 = load.rlx n@r8");
	put(m, t, "r10 = cas.%s.rlx x r8 r9", both(m));
	put(m, t, "if r10 != r8 goto %s", again ? "Q" : "out");
	if (chance(m, 50))
		put(m, t, "free n@r8");
}

/* Treiber's push and pop of what each thread allocates for itself. */
static void put_stack(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 60);

	for (unsigned i = 0; i < 1 + below(&m->g, 2); i++) {
		const unsigned t = i ? b : a;
		put(m, t, "r5 = alloc n@");
		put(m, t, "P:");
		put(m, t, "r6 = load.%s x", chance(m, 70) ? "rlx" : acq(m));
		put(m, t, plain ? "pstore n@ r6" : "store.rlx n@ r6");
		put(m, t, "r7 = cas.%s.%s x r6 r5", rel(m), fails(m));
		put(m, t, "if r7 != r6 goto P");
	}
	put_pop(m, b, plain);
	if (m->threads > 2 && chance(m, 60))
		put_pop(m, m->threads - 1, plain);
}

/* b says at y what it is about to use, and a does not free that. */
static void put_hazard(struct mixer *m, unsigned a, unsigned b)
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
static void put_known(struct mixer *m, unsigned a, unsigned b)
{
	const bool plain = chance(m, 25);

	m->init = "init n@ 4\n"; /* to be told from all that is written there */
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
static void put_attempts(struct mixer *m, unsigned a, unsigned b)
{
	const bool changes = chance(m, 40), locks = chance(m, 60);

	put(m, b, "A:");
	put(m, b, "r0 = load.%s x", acq(m));
	put(m, b, "lock m");
	put(m, b, chance(m, 85) ? "r1 = load.rlx x" : "r1 = pload x");
	put(m, b, "if r1 == r0 goto A2");
	put(m, b, "unlock m");
	put(m, b, "goto A");
	put(m, b, "A2:");
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
static void put_stopped(struct mixer *m, unsigned a, unsigned b)
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
static void put_passing(struct mixer *m, unsigned a, unsigned b)
{
	static const char *const seen[] = { "r4 = pload d", "r4 = pload b", "r4 = load.rlx b", "r4 = pload e" };
	static const char *const done[] = { "pstore d 1", "free b", "free b", "pstore e 1" };
	const unsigned what = below(&m->g, 4);
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
static void put_counting(struct mixer *m, unsigned a, unsigned b)
{
	m->init = "init c 2\n";
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;
		if (chance(m, 70))
			put(m, t, chance(m, 50) ? "r4 = pload b" : "r4 = load.rlx b");
		put(m, t, "r3 = sub.%s c 1", both(m));
		put(m, t, "if r3 != 1 goto out");
		put(m, t, "free b");
	}
}

static void put_cas_loops(struct mixer *m, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned t = i ? b : a;
		put(m, t, "C:");
		put(m, t, "r0 = load.%s x", acq(m));
		put(m, t, "r1 = cas.%s.%s x r0 r0+1", both(m), fails(m));
		put(m, t, "if r1 != r0 goto C");
	}
	put(m, b, "if r0 == 0 goto out");
}

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

static void put_retrying(struct mixer *m, unsigned a, unsigned b)
{
	const enum retried what = (enum retried)below(&m->g, 4);
	const char *access = what == PLAIN_OF_ALL || what == PLAIN_OF_ONE ? "r2 = pload" : "r2 = load.rlx";
	const unsigned c = m->threads - 1;

	m->init = "init c 1\n";
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

void put_pattern(struct mixer *m, unsigned a, unsigned b, unsigned which)
{
	switch (which) {
	case 0:
		put_helping(m, a, b, false);
		break;
	case 1:
		put_helping(m, a, b, true);
		break;
	case 2:
		put_locking(m, a, b);
		break;
	case 3:
		put_semaphore(m, a, b);
		break;
	case 4:
		put_vain_reads(m, a, b);
		break;
	case 5:
		put_idle(m, a, b);
		break;
	case 6:
		put_stack(m, a, b);
		break;
	case 7:
		put_attempts(m, a, b);
		break;
	case 8:
		put_stopped(m, a, b);
		break;
	case 9:
		put_counting(m, a, b);
		break;
	case 10:
		put_cas_loops(m, a, b);
		break;
	case 11:
		put_passing(m, a, b);
		break;
	case 12:
		put_known(m, a, b);
		break;
	case 13:
		put_hazard(m, a, b);
		break;
	case 14:
		put_retrying(m, a, b);
		break;
	default:
		put_publishing(m, a, b, "y");
		break;
	}
}
