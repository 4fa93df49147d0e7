/* test_sort.c -- sorting and numbering of keys (check/sort.h), against comparisons of all pairs. */
#include "check/sort.h"

#include <stdbool.h>
#include <stdlib.h>

#include "../../expect.h"

enum { MOST = 300, RUNS = 400 };

/* Small ranges have many equal keys; how many rounds there are depends on the range, and on whether keys are far apart. */
static int64_t draw(unsigned range, bool apart)
{
	static const int64_t base[] = { -5, 0, INT64_MIN, INT64_MAX - (1 << 20) };
	const int64_t value = base[apart ? rand() % 4 : 0] + (int64_t)rand() % range;

	return apart && rand() % 2 ? (int64_t)((uint64_t)value * UINT64_C(0x9e3779b97f4a7c15)) : value;
}

/* In order, stable, and nothing lost: ids are places in the input. */
static void test_keyed(const int64_t *values, uint32_t count)
{
	struct lp_keyed keyed[MOST];
	bool seen[MOST] = { false };

	for (uint32_t i = 0; i < count; i++)
		keyed[i] = (struct lp_keyed){ lp_sort_key(values[i]), i };
	lp_sort_keyed(keyed, count);
	for (uint32_t i = 0; i < count; i++) {
		EXPECT(!seen[keyed[i].id] && keyed[i].key == lp_sort_key(values[keyed[i].id]));
		seen[keyed[i].id] = true;
		if (i) {
			const int64_t before = values[keyed[i - 1].id], here = values[keyed[i].id];
			EXPECT(before < here || (before == here && keyed[i - 1].id < keyed[i].id));
			EXPECT(lp_sort_compare_values(&before, &here) == (before < here ? -1 : 0));
		}
	}
}

/* Equal values have equal numbers, others have other ones; a number that is new is the next one. */
static void test_numbers(const int64_t *values, uint32_t count)
{
	uint32_t number[MOST + 1], next = 0;
	const uint32_t all = lp_sort_number_values(values, count, number);

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < i; k++)
			EXPECT((number[i] == number[k]) == (values[i] == values[k]));
		EXPECT(number[i] <= next);
		next += number[i] == next;
	}
	EXPECT(all == next);
}

int main(void)
{
	static const unsigned ranges[] = { 1, 4, 256, 257, 100000, 1000000 };
	int64_t values[MOST];

	srand(34);
	for (unsigned run = 0; run < RUNS; run++) {
		const uint32_t count = (uint32_t)rand() % (MOST + 1);
		for (uint32_t i = 0; i < count; i++)
			values[i] = draw(ranges[run % 6], run % 7 == 0);
		test_keyed(values, count);
		test_numbers(values, count);
	}
	return expect_status();
}
