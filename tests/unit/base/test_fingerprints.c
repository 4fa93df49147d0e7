/* test_fingerprints.c -- fingerprints, and sets of them against a plain list. */
#include "base/fingerprints.h"
#include "expect.h"

#include <stdio.h>
#include <string.h>

enum { SOME = 3000 };

/* Words that meet in the same places of the set, and some that are there twice. */
static struct lp_fingerprint some(uint32_t i)
{
	const uint64_t word = i / 2;

	switch (word % 3) {
	case 0:
		return (struct lp_fingerprint){ lp_mix(word), word };
	case 1:
		return (struct lp_fingerprint){ word % 5 << 40, word }; /* all in the first places */
	default:
		return (struct lp_fingerprint){ UINT64_MAX - word % 2, word }; /* and in the last */
	}
}

static bool listed(uint32_t count, struct lp_fingerprint f)
{
	for (uint32_t i = 0; i < count; i++)
		if (some(i).a == f.a && some(i).b == f.b)
			return true;
	return false;
}

static void test_set(struct lp_fingerprints *set)
{
	uint32_t distinct = 0;

	EXPECT(!lp_fingerprints_have(set, some(0)));
	for (uint32_t i = 0; i < SOME; i++) {
		const bool known = listed(i, some(i));
		EXPECT(lp_fingerprints_have(set, some(i)) == known);
		EXPECT(lp_fingerprints_add(set, some(i)) == !known);
		distinct += !known;
		EXPECT(set->count == distinct);
		EXPECT(2 * set->count <= set->room + 2);
	}
	EXPECT(distinct == SOME / 2);
	for (uint32_t i = 0; i < SOME; i++) {
		struct lp_fingerprint other = some(i);
		other.b += SOME; /* the same place, another one */
		EXPECT(lp_fingerprints_have(set, some(i)));
		EXPECT(!lp_fingerprints_have(set, other));
	}
}

/* What marks a free place is a fingerprint like any other. */
static void test_zero(void)
{
	struct lp_fingerprints set = { 0 };
	const struct lp_fingerprint zero = { 0, 0 };

	EXPECT(!lp_fingerprints_have(&set, zero));
	EXPECT(lp_fingerprints_add(&set, zero));
	EXPECT(lp_fingerprints_have(&set, zero));
	EXPECT(!lp_fingerprints_add(&set, zero));
	lp_fingerprints_clear(&set);
	EXPECT(!lp_fingerprints_have(&set, zero));
	lp_fingerprints_close(&set);
	lp_fingerprints_close(&set);
}

static struct lp_fingerprint of_bytes(const char *bytes, size_t size)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, bytes, size);
	return f;
}

/* Every byte counts; of zeroes, also their number. */
static void test_bytes(void)
{
	char bytes[41] = { 0 };
	struct lp_fingerprints set = { 0 };

	for (size_t size = 0; size <= sizeof bytes; size++)
		EXPECT(lp_fingerprints_add(&set, of_bytes(bytes, size)));
	for (size_t size = 0; size <= sizeof bytes; size++) {
		lp_fingerprints_clear(&set);
		EXPECT(lp_fingerprints_add(&set, of_bytes(bytes, size)));
		for (size_t i = 0; i < size; i++)
			for (int bit = 0; bit < 8; bit++) {
				bytes[i] = (char)(1 << bit);
				EXPECT(lp_fingerprints_add(&set, of_bytes(bytes, size)));
				bytes[i] = 0;
			}
	}
	lp_fingerprints_close(&set);
}

/* Neither order nor repetition of words cancels. */
static void test_words(void)
{
	struct lp_fingerprints set = { 0 };

	for (uint64_t x = 0; x < 40; x++)
		for (uint64_t y = 0; y < 40; y++) {
			struct lp_fingerprint f = LP_FINGERPRINT;
			lp_fingerprint_word(&f, x);
			EXPECT(y || lp_fingerprints_add(&set, f));
			lp_fingerprint_word(&f, y);
			EXPECT(lp_fingerprints_add(&set, f));
			lp_fingerprint_word(&f, x);
			EXPECT(lp_fingerprints_add(&set, f));
		}
	lp_fingerprints_close(&set);
}

int main(void)
{
	struct lp_fingerprints set = { 0 };

	test_set(&set);
	lp_fingerprints_clear(&set);
	EXPECT(set.count == 0);
	test_set(&set); /* in memory that was used before */
	lp_fingerprints_close(&set);
	EXPECT(!set.at && !set.count && !set.room);
	test_zero();
	test_bytes();
	test_words();
	return expect_status();
}
