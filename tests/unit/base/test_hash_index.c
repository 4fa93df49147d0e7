/* test_hash_index.c -- an index against a list: random numbers, whose hashes are good, poor, or all the same.
 *
 *     test_hash_index [SEED]
 */
#include <stdlib.h>

#include "../../expect.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/hash_index.h"

enum { MOST = 3000 };

static uint64_t state;

static uint64_t next_random(void)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	return lp_mix(state);
}

/* `spread`: so many different hashes; 0: one for each value. */
static uint64_t hash_of(uint64_t value, uint64_t spread)
{
	return spread ? value % spread : lp_mix(value);
}

static uint32_t find(const struct lp_hash_index *t, const uint64_t *values, uint64_t value, uint64_t spread)
{
	struct lp_hash_probe probe = lp_hash_probe(t, hash_of(value, spread));
	uint32_t id;

	while ((id = lp_hash_next(t, &probe)) != LP_HASH_NONE)
		if (values[id] == value)
			return id;
	return LP_HASH_NONE;
}

static uint32_t find_slowly(const uint64_t *values, uint32_t count, uint64_t value)
{
	for (uint32_t i = 0; i < count; i++)
		if (values[i] == value)
			return i;
	return LP_HASH_NONE;
}

static void try_index(struct lp_hash_index *t, uint64_t spread, uint64_t range)
{
	uint64_t *values = lp_alloc(sizeof *values * MOST);
	uint32_t count = 0;

	EXPECT(find(t, values, 7, spread) == LP_HASH_NONE);
	for (uint32_t i = 0; i < MOST; i++) {
		const uint64_t value = next_random() % range;
		const uint32_t known = find_slowly(values, count, value);
		EXPECT(find(t, values, value, spread) == known, "spread %llu, after %u", (unsigned long long)spread, i);
		if (known != LP_HASH_NONE)
			continue;
		values[count] = value;
		lp_hash_add(t, hash_of(value, spread), count++);
		EXPECT(t->count == count && 2 * t->count <= t->room);
	}
	for (uint32_t i = 0; i < count; i++)
		EXPECT(find(t, values, values[i], spread) == i);
	lp_free(values);
}

/* All that have the hash are found, each once. */
static void try_equal_hashes(void)
{
	struct lp_hash_index t = { 0 };
	uint32_t found[100] = { 0 }, id;

	for (uint32_t i = 0; i < 100; i++)
		lp_hash_add(&t, i % 2 ? 77 : 5, i);
	struct lp_hash_probe probe = lp_hash_probe(&t, 77);
	while ((id = lp_hash_next(&t, &probe)) != LP_HASH_NONE && id < 100)
		found[id]++;
	for (uint32_t i = 0; i < 100; i++)
		EXPECT(found[i] == i % 2);
	lp_hash_close(&t);
}

int main(int argc, char **argv)
{
	const uint64_t spreads[] = { 0, 0, 1, 3, 64, 1000 };
	struct lp_hash_index kept = { 0 };

	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	printf("seed %llu\n", (unsigned long long)state);
	for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
		struct lp_hash_index t = { 0 };
		if (i % 2)
			lp_hash_reserve(&t, 500);
		try_index(&t, spreads[i], i % 3 ? 100000 : 4000);
		lp_hash_close(&t);
		EXPECT(!t.at && !t.count);
		const uint32_t room = kept.room;
		lp_hash_clear(&kept);
		EXPECT(kept.room == room && !kept.count);
		try_index(&kept, spreads[i], 5000);
	}
	lp_hash_close(&kept);
	try_equal_hashes();
	return expect_status();
}
