/* generate.c -- random programs with plain accesses and frees between atomic operations.
 *
 * A program begins as one or two families (families.def): threads that
 * help each other, read redundantly, retry, wait, are stopped, are alike.  Then it is salted: plain
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
#include "family.h"
#include "generate_judged.h"
#include "whole.h"

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
	char *text;
	FILE *out = open_text(&text);

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
	/* Registers that are results are live to the end. */
	const bool more = chance(m, 35);
	fputs("  outcome 0:r0 0:r1", out);
	for (unsigned t = 1; t <= m->threads; t++)
		fprintf(out, more ? " %u:r2 %u:r11 %u:r0 %u:r1" : " %u:r2 %u:r11", t, t, t, t);
	fputs("\n", out);
	fclose(out);
	return text;
}

/* ---- families ---- */

static const struct {
	const char *name;
	void (*put)(struct mixer *, unsigned a, unsigned b);
	char *(*whole)(uint64_t seed);
} families[] = {
#define FAMILY(name) { #name, put_##name, NULL },
#define WHOLE(name, generate) { #name, NULL, generate },
#include "families.def"
#undef WHOLE
#undef FAMILY
};

enum {
#define FAMILY(name) FAMILY_##name,
#define WHOLE(name, generate) FAMILY_##name,
#include "families.def"
#undef WHOLE
#undef FAMILY
	FAMILIES,
	PATTERNS = FAMILY_helpers, /* the first whole program */
};

unsigned family_count(void)
{
	return FAMILIES;
}

const char *family_name(unsigned family)
{
	return families[family].name;
}

/* Labels of the thread's lines from `from` on, other than those that are numbered anyway, are numbered. */
static void number_labels(struct mixer *m, struct body *b, unsigned from)
{
	const unsigned number = m->g.label++;

	for (unsigned i = from; i < b->count; i++) {
		char *jump = strstr(b->line[i], "goto "), *colon = strchr(b->line[i], ':');
		char *end = b->line[i] + strlen(b->line[i]);

		if (jump && strcmp(jump + 5, "out") && !strchr("0123456789", end[-1]))
			snprintf(end, LENGTH - strlen(b->line[i]), "%u", number);
		else if (colon && colon > b->line[i] && !strchr("0123456789", colon[-1]))
			snprintf(colon, LENGTH - (size_t)(colon - b->line[i]), "%u:", number);
	}
	for (unsigned i = from; i < b->count; i++)
		for (unsigned k = 0; k < i && strchr(b->line[i], ':'); k++)
			if (!strcmp(b->line[i], b->line[k]))
				LP_BUG("a generated thread has label %s twice", b->line[i]);
}

/* Of two families in one thread each may be a call. */
static void put_family(struct mixer *m, unsigned a, unsigned b, unsigned family)
{
	unsigned from[THREADS];

	for (unsigned t = 0; t < m->threads; t++) {
		if (m->body[t].count && chance(m, 30))
			put(m, t, "r15 = choose 1");
		from[t] = m->body[t].count;
	}
	families[family].put(m, a, b);
	for (unsigned t = 0; t < m->threads; t++)
		number_labels(m, &m->body[t], from[t]);
}

static void put_message(struct mixer *m, unsigned a, unsigned b)
{
	const unsigned from[] = { m->body[a].count, m->body[b].count };

	put_publishing_at(m, a, b, "f");
	number_labels(m, &m->body[a], from[0]);
	number_labels(m, &m->body[b], from[1]);
}

static void put_more(struct mixer *m)
{
	static const unsigned second[] = { FAMILY_locking, FAMILY_semaphore, FAMILY_counting, FAMILY_publishing };
	const unsigned a = 0, b = 1, c = m->threads - 1;

	if (c > b && chance(m, 30)) {
		const unsigned from = chance(m, 50) ? b : c, to = chance(m, 50) ? c : a;
		put_family(m, from, to == from ? a : to, below(&m->g, PATTERNS));
	} else if (chance(m, 15)) {
		const unsigned from = chance(m, 50) ? b : a;
		put_family(m, from, c == b ? b - from : c, second[below(&m->g, 4)]);
	} else if (chance(m, 45)) {
		const unsigned from = chance(m, 50) ? a : b, to = chance(m, 50) ? c : a;
		put_message(m, from, to == from ? b - from : to);
	}
	if (c > b && !m->body[c].count)
		put_message(m, c, b);
}

/* Threads that calculate with addresses are told apart by them. */
static bool calculates(const struct mixer *m)
{
	const bool addresses = mentions(m, "alloc n@") || mentions(m, "= me");
	return addresses && (mentions(m, "+1") || mentions(m, "+2") || mentions(m, "add.") || mentions(m, "sub.") ||
			     mentions(m, "and.") || mentions(m, "or.") || mentions(m, "< ") || mentions(m, "> "));
}

static char *mix(uint64_t seed, unsigned family)
{
	struct mixer m = { .g = { .state = lp_mix(seed + 71), .label = 10 } };

	m.sc = chance(&m, 8);
	m.mixed = chance(&m, 10);
	m.risk = below(&m.g, 64);
	m.wrong = chance(&m, 55) ? 0 : chance(&m, 60) ? 15 : 80;
	m.threads = 2 + chance(&m, 40) + chance(&m, 6);
	put_family(&m, 0, 1, family);
	put_more(&m);
	m.careful = chance(&m, 45);
	for (unsigned n = chance(&m, 50) + chance(&m, 30) + chance(&m, 15), i = 0; i < n; i++)
		put_salt(&m, below(&m.g, 3) + i);
	m.twins = chance(&m, m.threads > 2 ? 25 : 12) && !calculates(&m);
	if (m.twins)
		m.body[1] = m.body[0];
	return print(&m);
}

unsigned family_of(uint64_t seed)
{
	return (unsigned)(lp_mix(seed * 3 + 1) >> 20) % FAMILIES;
}

char *generate_litmus(uint64_t seed)
{
	return generate_script(seed, seed % 2 ? GENERATE_PLAIN : GENERATE_LOCKS | GENERATE_AWAITS, 4 + (unsigned)(seed % 5));
}

char *generate_litmus_loops(uint64_t seed)
{
	return generate_script(seed, GENERATE_LOOPS | (seed % 3 ? GENERATE_PLAIN : GENERATE_CHOICES), 4 + (unsigned)(seed % 4));
}

char *generate_twins(uint64_t seed)
{
	return generate_script(seed, GENERATE_TWINS | (seed % 2 ? GENERATE_LOOPS : GENERATE_RELAYS), 4 + (unsigned)(seed % 3));
}

char *generate_own_twins(uint64_t seed)
{
	return generate_script(seed, GENERATE_TWINS | GENERATE_OWN, 6 + (unsigned)(seed % 4));
}

char *generate_judged(uint64_t seed, int family)
{
	const unsigned which = family < 0 ? family_of(seed) : (unsigned)family;

	return families[which].whole ? families[which].whole(seed) : mix(seed, which);
}
