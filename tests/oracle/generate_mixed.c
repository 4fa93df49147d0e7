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
#include "mixer.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"

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
		/* Not on a loop: the explorer keeps more of its iterations than need be. */
		snprintf(text, sizeof text, chance(m, 50) && !is_in_loop(&m->body[t], at) ?
			 "r2 = choose 2" : "if r2 == 0 goto out");
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
	static const char *const pattern[] = { "x", "x", "y", "f", "m" };
	static const char *const allocated[] = { "d", "a", "b" };
	const unsigned a = below(&m->g, m->threads);
	const unsigned b = (a + 1 + below(&m->g, m->threads - 1)) % m->threads;
	const enum where first = m->careful || chance(m, 50) ? EARLY : ANYWHERE;
	const enum where second = m->careful || chance(m, 70) ? LATE : ANYWHERE;
	const bool atomic = chance(m, 25);
	const char *loc = data[number % 3];
	char text[LENGTH];

	if (chance(m, 15))
		loc = pattern[below(&m->g, 5)];
	if (chance(m, 4))
		put_free(m, a, "m", LATE);
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
	const unsigned die = below(&m.g, PATTERNS + 3), any = die > PATTERNS ? VAIN_READS : die;
	const unsigned other = below(&m.g, PATTERNS + 1);
	put_pattern(&m, a, b, pattern < 0 ? any : (unsigned)pattern);
	if (c > b && chance(&m, 30))
		put_pattern(&m, chance(&m, 50) ? b : c, chance(&m, 50) ? c : a, other);
	else if (chance(&m, 20))
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
