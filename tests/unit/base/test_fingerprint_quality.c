/* test_fingerprint_quality.c -- are fingerprints of states as good as random numbers?
 *
 * "Verified" of `linchpin states` rests on this: that different states have different fingerprints.  Fingerprints are
 * made here as the state explorer makes them, of states that look like its own: counters, flags, pointers into a row of
 * nodes, permutations, processes that differ in one step.
 *
 *   bias      one small change of a state, such as a counter that goes up or a single bit: each of the 128 bits should
 *             change in half of the cases;
 *   birthday  many different states: in every window of 26 bits of the fingerprint, as many should meet as if they
 *             were random.  Were something lost on the way, more would;
 *   places    one small value in one place: all are different, and from no value at all.
 *
 * The first two are judged by the standard deviation of random numbers.
 *
 *     test_fingerprint_quality [--report] [SEED]
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../expect.h"
#include "base/alloc.h"
#include "base/hash.h"

enum { WORDS = 8, PROCESSES = 4, BITS = 26, MANY = 1 << 17, CHANGES = 1 << 13 };

static const double most_deviations = 6;

struct state {
	uint64_t memory[WORDS], local[PROCESSES];
};

static bool report;

static uint64_t random_word(uint64_t *random)
{
	*random += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = *random; /* not lp_mix(), which is on trial */
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* As in explore/state/state.c. */
static struct lp_fingerprint fingerprint(const struct state *s)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (uint32_t i = 0; i < WORDS; i++)
		if (s->memory[i])
			lp_fingerprint_place(&f, i, s->memory[i]);
	for (uint32_t i = 0; i < PROCESSES; i++)
		lp_fingerprint_word(&f, s->local[i]);
	return lp_fingerprint_end(f);
}

/* ---- states, a different one for each number below MANY ---- */

static void counters(uint32_t n, struct state *s)
{
	for (uint32_t i = 0; i < 6; i++) /* 18 bits: more than MANY */
		s->memory[i] = n >> 3 * i & 7;
}

static void one_counter(uint32_t n, struct state *s)
{
	s->memory[3] = n;
}

static void flags(uint32_t n, struct state *s)
{
	for (uint32_t i = 0; i < WORDS; i++)
		s->memory[i] = n >> 2 * i & 3;
	s->local[0] = n >> 16;
}

static void pointers(uint32_t n, struct state *s)
{
	for (uint32_t i = 0; i < 6; i++)
		s->memory[i] = UINT64_C(0x200000000000) + 32 * (n >> 3 * i & 7);
}

/* Two of the bits of memory, and two locals. */
static void sparse(uint32_t n, struct state *s)
{
	const uint32_t a = n % (WORDS * 64), b = n / (WORDS * 64) % (WORDS * 64);

	s->memory[a / 64] ^= UINT64_C(1) << a % 64;
	s->memory[b / 64] += UINT64_C(1) << b % 64;
	s->local[1] = b < a; /* the same two bits the other way round */
	s->local[2] = a == b ? 1 + a : 0;
}

static void processes(uint32_t n, struct state *s)
{
	for (uint32_t i = 0; i < PROCESSES; i++)
		s->local[i] = n >> 5 * i & (i < 3 ? 31 : 7);
}

static void last_process(uint32_t n, struct state *s)
{
	s->local[PROCESSES - 1] = n;
}

/* The values 1 to 8 in any order, and 7 other states of a process. */
static void permutations(uint32_t n, struct state *s)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		const uint32_t at = n % (i + 1);
		n /= i + 1;
		s->memory[i] = s->memory[at];
		s->memory[at] = i + 1;
	}
	s->local[0] = n;
}

static const struct family {
	const char *name;
	void (*make)(uint32_t n, struct state *s);
} families[] = {
	{ "counters", counters },   { "one counter", one_counter }, { "flags", flags },
	{ "pointers", pointers },   { "sparse", sparse },           { "processes", processes },
	{ "last process", last_process }, { "permutations", permutations },
};

static struct lp_fingerprint of_family(const struct family *f, uint32_t n)
{
	struct state s = { 0 };

	f->make(n, &s);
	return fingerprint(&s);
}

/* ---- birthday ---- */

static uint64_t window(struct lp_fingerprint f, uint32_t from)
{
	const unsigned __int128 all = (unsigned __int128)f.b << 64 | f.a;

	return (uint64_t)(all >> from) & ((UINT64_C(1) << BITS) - 1);
}

static void try_birthday(const struct family *f, uint8_t *seen)
{
	const double expected = (double)MANY * (double)MANY / 2 / (double)(UINT64_C(1) << BITS);
	double worst = 0;

	for (uint32_t from = 0; from + BITS <= 128; from += 4) {
		uint32_t met = 0;
		memset(seen, 0, (size_t)1 << (BITS - 3));
		for (uint32_t n = 0; n < MANY; n++) {
			const uint64_t at = window(of_family(f, n), from);
			met += seen[at / 8] >> at % 8 & 1;
			seen[at / 8] |= (uint8_t)(1u << at % 8);
		}
		const double deviations = fabs(met - expected) / sqrt(expected);
		worst = deviations > worst ? deviations : worst;
		EXPECT(deviations < most_deviations, "%s, bits %u to %u: %u meet, %.0f expected", f->name, from, from + BITS - 1,
		       met, expected);
	}
	if (report)
		printf("%-14s meetings in 26 bits: at most %.1f standard deviations from %.0f\n", f->name, worst, expected);
}

/* ---- bias ---- */

/* What changes: a bit, one more, another node. */
enum { ONE_MORE = 64, ANOTHER_NODE = 65 };
static const uint32_t changes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 13, 26, 39, 52, 62, 63, ONE_MORE, ANOTHER_NODE };

static void change(struct state *s, uint32_t word, uint32_t how)
{
	uint64_t *at = word < WORDS ? &s->memory[word] : &s->local[word - WORDS];

	if (how == ONE_MORE || how == ANOTHER_NODE)
		*at += how == ONE_MORE ? 1 : 32;
	else
		*at ^= UINT64_C(1) << how;
}

static double try_change(const struct family *f, uint32_t word, uint32_t how, uint64_t *random)
{
	uint32_t flips[128] = { 0 };
	double worst = 0;

	for (uint32_t i = 0; i < CHANGES; i++) {
		struct state s = { 0 };
		f->make((uint32_t)(random_word(random) % MANY), &s);
		const struct lp_fingerprint before = fingerprint(&s);
		change(&s, word, how);
		const struct lp_fingerprint after = fingerprint(&s);
		for (uint32_t b = 0; b < 64; b++) {
			flips[b] += (before.a ^ after.a) >> b & 1;
			flips[64 + b] += (before.b ^ after.b) >> b & 1;
		}
	}
	for (uint32_t b = 0; b < 128; b++) {
		const double deviations = fabs(flips[b] - (double)CHANGES / 2) / sqrt((double)CHANGES / 4);
		worst = deviations > worst ? deviations : worst;
	}
	return worst;
}

/* A single value in a single place: none of them is like another, or like nothing. */
static void try_places(void)
{
	enum { PLACES = 64, VALUES = 64 };
	struct lp_fingerprint of[1 + PLACES * VALUES] = { LP_FINGERPRINT };

	for (uint32_t i = 1; i <= PLACES * VALUES; i++) {
		of[i] = (struct lp_fingerprint)LP_FINGERPRINT;
		lp_fingerprint_place(&of[i], (i - 1) / VALUES, (i - 1) % VALUES);
		for (uint32_t j = 0; j < i; j++)
			EXPECT(of[i].a != of[j].a && of[i].b != of[j].b, "value %u in place %u is like number %u", (i - 1) % VALUES,
			       (i - 1) / VALUES, j);
	}
}

int main(int argc, char **argv)
{
	uint64_t random = 1;
	uint8_t *seen = lp_alloc((size_t)1 << (BITS - 3));

	for (int i = 1; i < argc; i++) {
		report |= !strcmp(argv[i], "--report");
		random = argv[i][0] != '-' ? strtoull(argv[i], NULL, 10) : random;
	}
	printf("seed %llu\n", (unsigned long long)random);
	try_places();
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		try_birthday(&families[i], seen);
	for (uint32_t word = 0; word < WORDS + PROCESSES; word++) {
		double worst = 0;
		for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
			const double one = try_change(&families[0], word, changes[i], &random);
			worst = one > worst ? one : worst;
			EXPECT(one < most_deviations, "word %u, change %u: a bit is %.1f standard deviations off", word, changes[i],
			       one);
		}
		if (report)
			printf("word %2u: bias of a bit at most %.1f standard deviations\n", word, worst);
	}
	lp_free(seen);
	return expect_status();
}
