/* generate_mixed.c -- random programs with plain accesses and frees between atomic operations.
 *
 * A program begins as one or two patterns of the sort that reductions are about: threads that
 * help each other, read in vain, retry, wait, are stopped, are alike.  Then it is salted: plain
 * accesses of common data, and ends of its life, are put between any two lines.  Often one thread's
 * access stands in any place and the other's behind all that it waits for, so that few
 * executions go wrong, or none:
 *
 *     thread                       thread
 *       store.rel y 1                r0 = load.acq y
 *       pstore d 1      <- salt      if r0 == 0 goto out
 *       cas.rel.rlx x 0 2            cas.rel.rlx x 0 2
 *                                    r1 = load.acq x
 *                                    if r1 != 2 goto out
 *                                    r2 = pload d             <- salt
 *                                    out:
 */
#define _GNU_SOURCE
#include "generator.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

enum { LINES = 60, LENGTH = 48, THREADS = 4, PATTERNS = 12 /* the next one: publishing */ };

struct body {
	char line[LINES][LENGTH];
	unsigned count;
};

struct mixer {
	struct generator g;
	unsigned wrong;  /* in percent: orders that are not as they should be */
	bool sc;         /* all orders are seq_cst */
	bool careful;    /* salt is at the beginning or end of threads */
	unsigned threads;
	struct body body[THREADS];
	const char *init; /* lines in front */
	bool twins;       /* the first two threads are alike */
};

__attribute__((format(printf, 3, 4)))
static void put(struct mixer *m, unsigned t, const char *format, ...)
{
	struct body *b = &m->body[t];
	va_list args;

	if (b->count == LINES)
		LP_BUG("a generated thread is too long");
	va_start(args, format);
	vsnprintf(b->line[b->count++], LENGTH, format, args);
	va_end(args);
}

static void insert(struct mixer *m, unsigned t, unsigned at, const char *text)
{
	struct body *b = &m->body[t];

	if (b->count == LINES)
		LP_BUG("a generated thread is too long");
	memmove(b->line[at + 1], b->line[at], (b->count - at) * sizeof *b->line);
	snprintf(b->line[at], LENGTH, "%s", text);
	b->count++;
}

/* Likewise, and perhaps for one value of some register only. */
static void insert_salt(struct mixer *m, unsigned t, unsigned at, const char *text)
{
	const unsigned label = m->g.label;
	char line[LENGTH];

	if (below(&m->g, 100) < 70) {
		insert(m, t, at, text);
		return;
	}
	m->g.label++;
	snprintf(line, sizeof line, "S%u:", label);
	insert(m, t, at, line);
	insert(m, t, at, text);
	const unsigned reg = below(&m->g, 4), value = below(&m->g, 3);
	snprintf(line, sizeof line, "if r%u != %u goto S%u", reg, value, label);
	insert(m, t, at, line);
}

static bool chance(struct mixer *m, unsigned percent)
{
	return below(&m->g, 100) < percent;
}

/* ---- orders ---- */

static const char *order(struct mixer *m, const char *right, const char *const *names, unsigned count)
{
	if (m->sc)
		return "sc";
	return chance(m, m->wrong) ? names[below(&m->g, count)] : right;
}

static const char *acq(struct mixer *m)
{
	static const char *const names[] = { "rlx", "rlx", "sc" };
	return order(m, "acq", names, 3);
}

static const char *rel(struct mixer *m)
{
	static const char *const names[] = { "rlx", "rlx", "sc" };
	return order(m, "rel", names, 3);
}

static const char *both(struct mixer *m)
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
static void put_publishing(struct mixer *m, unsigned a, unsigned b, const char *loc)
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
	const unsigned patience = below(&m->g, 3);

	if (chance(m, 60))
		put(m, a, "store.%s x 1", rel(m));
	else
		put(m, a, "r3 = add.%s x 1", both(m));
	if (chance(m, 40)) {
		put(m, a, "r0 = load.%s x", acq(m));
		put(m, a, "r1 = xchg.%s x 0", both(m));
		put(m, a, "if r1 == 0 goto out");
	}
	put(m, b, "V:");
	if (patience) {
		put(m, b, "r14 = r14+1");
		put(m, b, "if r14 > %u goto V2", patience);
	}
	put(m, b, "r0 = load.%s x", acq(m));
	put(m, b, "if r0 == 0 goto V");
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
	if (patience && chance(m, 40))
		put(m, b, "store.%s y 1", rel(m));
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
	put(m, b, "r8 = load.%s x", acq(m));
	put(m, b, "if r8 == 0 goto out");
	if (chance(m, 60)) {
		put(m, b, plain ? "r9 = pload n@r8" : "r9 = load.rlx n@r8");
		put(m, b, "r10 = cas.%s.rlx x r8 r9", both(m));
		put(m, b, "if r10 != r8 goto out");
		if (chance(m, 40))
			put(m, b, "free n@r8");
	}
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

static void put_pattern(struct mixer *m, unsigned a, unsigned b, unsigned which)
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
	default:
		put_publishing(m, a, b, "y");
		break;
	}
}

/* ---- salt ---- */

/* Is the place before line `at` on a loop?  There only reads may go, or it might not end. */
static bool is_in_loop(const struct body *b, unsigned at)
{
	for (unsigned i = at; i < b->count; i++) {
		const char *jump = strstr(b->line[i], "goto ");
		for (unsigned k = 0; jump && k < at; k++)
			if (strchr(b->line[k], ':') &&
			    !strncmp(b->line[k], jump + 5, strlen(jump + 5)))
				return true;
	}
	return false;
}

enum where { EARLY, ANYWHERE, LATE };

/* A place in the thread: at its beginning, anywhere, or at its end. */
static unsigned any_place(struct mixer *m, unsigned t, enum where where, bool reads)
{
	const struct body *b = &m->body[t];
	unsigned at = b->count;

	if (where == EARLY)
		return 0;
	for (unsigned tries = 0; where != LATE && tries < 6; tries++) {
		at = below(&m->g, b->count + 1);
		if (reads || !is_in_loop(b, at) || chance(m, 10))
			return at;
	}
	return b->count;
}

static void put_access(struct mixer *m, unsigned t, const char *loc, enum where where, bool atomic)
{
	const bool reads = chance(m, 40);
	const unsigned at = any_place(m, t, where, reads);
	char text[LENGTH];

	if (atomic && reads)
		snprintf(text, sizeof text, "r%u = load.%s %s", 11 + below(&m->g, 2), acq(m), loc);
	else if (atomic)
		snprintf(text, sizeof text, "store.%s %s 1", rel(m), loc);
	else if (reads)
		snprintf(text, sizeof text, "r%u = pload %s", 11 + below(&m->g, 2), loc);
	else
		snprintf(text, sizeof text, "pstore %s %u", loc, 1 + below(&m->g, 2));
	insert_salt(m, t, at, text);
}

static void put_free(struct mixer *m, unsigned t, const char *loc, enum where where)
{
	char text[LENGTH];

	snprintf(text, sizeof text, "free %s", loc);
	const unsigned at = any_place(m, t, where, false);
	insert_salt(m, t, at, text);
}

/* An operation on what the patterns are about. */
static void put_other(struct mixer *m)
{
	static const char *const locs[] = { "x", "y", "f" };
	const unsigned t = below(&m->g, m->threads);
	const char *loc = locs[below(&m->g, 3)];
	const unsigned at = any_place(m, t, ANYWHERE, false);
	char text[LENGTH];

	switch (below(&m->g, 6)) {
	case 5:
		snprintf(text, sizeof text, chance(m, 50) ? "r2 = choose 2" : "if r2 == 0 goto out");
		break;
	case 0:
		snprintf(text, sizeof text, "store.%s %s %u", rel(m), loc, 1 + below(&m->g, 2));
		break;
	case 1:
		snprintf(text, sizeof text, "fence.%s", chance(m, 50) ? "sc" : "acqrel");
		break;
	case 2:
		snprintf(text, sizeof text, "r13 = add.%s %s %u", both(m), loc, below(&m->g, 2));
		break;
	case 3:
		snprintf(text, sizeof text, "assert r%u != 1", below(&m->g, 3));
		break;
	default:
		snprintf(text, sizeof text, "r13 = load.%s %s", acq(m), loc);
		break;
	}
	insert_salt(m, t, at, text);
}

/* The thread's own, that it allocates: at any time after that. */
static void put_own(struct mixer *m)
{
	const unsigned t = below(&m->g, m->threads);
	struct body *b = &m->body[t];
	unsigned from = 0;

	while (from < b->count && !strstr(b->line[from], "alloc n@"))
		from++;
	if (from == b->count) {
		insert(m, t, 0, "r5 = alloc n@");
		from = 0;
	}
	const unsigned at = from + 1 + below(&m->g, b->count - from);
	insert_salt(m, t, at, chance(m, 30) ? "r9 = pload n@" : chance(m, 50) ? "pstore n@ 0" : "pstore n@ r0");
	if (chance(m, 15))
		insert_salt(m, t, b->count, "free n@");
	if (chance(m, 30))
		insert(m, t, b->count, "store.rel y r5");
}

/* Data that two threads access, or one of them frees. */
static void put_salt(struct mixer *m, unsigned number)
{
	static const char *const data[] = { "d", "e", "b" };
	static const char *const pattern[] = { "x", "x", "y", "f" };
	static const char *const allocated[] = { "d", "a", "b" };
	const unsigned a = below(&m->g, m->threads);
	const unsigned b = (a + 1 + below(&m->g, m->threads - 1)) % m->threads;
	const enum where first = m->careful || chance(m, 50) ? EARLY : ANYWHERE;
	const enum where second = m->careful || chance(m, 70) ? LATE : ANYWHERE;
	const bool atomic = chance(m, 25);
	const char *loc = data[number % 3];
	char text[LENGTH];

	/* What threads wait for is accessed atomically. */
	if (chance(m, 15))
		loc = atomic ? pattern[below(&m->g, 4)] : "x";
	switch (below(&m->g, 10)) {
	case 0:
	case 1:
		put_access(m, a, loc, first, atomic);
		put_free(m, b, loc, second);
		break;
	case 2:
		loc = allocated[number % 3];
		snprintf(text, sizeof text, "alloc %s", loc);
		insert(m, a, any_place(m, a, first, false), text);
		put_access(m, b, loc, LATE, atomic);
		if (chance(m, 30))
			put_free(m, b, loc, LATE);
		break;
	case 3:
		put_other(m);
		break;
	case 9:
		put_own(m);
		break;
	case 4:
		put_access(m, a, loc, ANYWHERE, false);
		if (chance(m, 40))
			put_free(m, a, loc, LATE);
		break;
	default:
		put_access(m, a, loc, first, atomic && chance(m, 50));
		put_access(m, b, loc, second, false);
		break;
	}
}

/* ---- the whole ---- */

static bool mentions(const struct mixer *m, const char *word)
{
	for (unsigned t = 0; t < m->threads; t++)
		for (unsigned i = 0; i < m->body[t].count; i++)
			if (strstr(m->body[t].line[i], word))
				return true;
	return false;
}

static char *print(struct mixer *m)
{
	unsigned place[THREADS] = { 0, 1, 2, 3 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		LP_BUG("cannot generate a script");
	/* Like threads are declared so if they are neighbours. */
	for (unsigned t = m->threads; t-- > 1 && !(m->twins && chance(m, 60));) {
		const unsigned other = below(&m->g, t + 1), kept = place[t];
		place[t] = place[other];
		place[other] = kept;
	}
	fputs(m->init, out);
	for (unsigned t = 0; t < m->threads; t++) {
		const struct body *b = &m->body[place[t]];
		fputs("thread\n", out);
		for (unsigned i = 0; i < b->count; i++)
			fprintf(out, "%s%s\n", strchr(b->line[i], ':') ? " " : "  ", b->line[i]);
		fputs(" out:\n", out);
	}
	fputs("final\n", out);
	if (mentions(m, " x") && !mentions(m, "free x") && chance(m, 60))
		fputs("  r0 = load.rlx x\n", out);
	if (mentions(m, " d") && !mentions(m, "alloc d") && !(mentions(m, "free d") && chance(m, 50)))
		fputs("  r1 = pload d\n", out);
	if (!mentions(m, " b") && chance(m, 10))
		fputs("  free b\n", out);
	fputs("  outcome 0:r0 0:r1", out);
	for (unsigned t = 1; t <= m->threads; t++)
		fprintf(out, " %u:r2 %u:r11", t, t);
	if (chance(m, 40))
		fputs(" 1:r0 2:r1 2:r0", out);
	fputs("\n", out);
	fclose(out);
	return text;
}

char *generate_mixed(uint64_t seed, int pattern)
{
	/* Those that go with any other. */
	static const unsigned second[] = { 2, 3, 9, PATTERNS };
	struct mixer m = { .g = { .state = lp_mix(seed + 71) }, .init = "" };

	m.sc = chance(&m, 8);
	m.wrong = chance(&m, 55) ? 0 : chance(&m, 60) ? 15 : 80;
	m.threads = 2 + chance(&m, 45) + chance(&m, 8);
	const unsigned a = 0, b = 1, c = m.threads - 1;
	const unsigned any = below(&m.g, PATTERNS + 1);
	put_pattern(&m, a, b, pattern < 0 ? any : (unsigned)pattern);
	if (chance(&m, 20))
		put_pattern(&m, chance(&m, 50) ? b : a, c == b ? a : c, second[below(&m.g, 4)]);
	else if (chance(&m, 55))
		put_publishing(&m, chance(&m, 50) ? a : b, chance(&m, 50) ? c : a, "f");
	if (c > b && !m.body[c].count && chance(&m, 60))
		put_publishing(&m, c, b, "f");
	m.careful = chance(&m, 45);
	for (unsigned n = !chance(&m, 15) + chance(&m, 40) + chance(&m, 25), i = 0; i < n; i++)
		put_salt(&m, below(&m.g, 3) + i);
	m.twins = chance(&m, m.threads > 2 ? 25 : 8);
	if (m.twins)
		m.body[1] = m.body[0];
	return print(&m);
}
