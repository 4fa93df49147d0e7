/* sort.c -- radix sort, and a table that numbers values. */
#include "check/sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum { BITS = 11, DIGITS = 1 << BITS, FEW = 48 };

static void insertion_sort(struct lp_keyed *at, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const struct lp_keyed moving = at[i];
		uint32_t j = i;
		for (; j > 0 && at[j - 1].key > moving.key; j--)
			at[j] = at[j - 1];
		at[j] = moving;
	}
}

void lp_sort_keyed(struct lp_keyed *at, uint32_t count)
{
	uint64_t low = UINT64_MAX, high = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < count; i++) {
		low = at[i].key < low ? at[i].key : low;
		high = at[i].key > high ? at[i].key : high;
		sorted &= !i || at[i - 1].key <= at[i].key;
	}
	if (sorted)
		return;
	if (count <= FEW) {
		insertion_sort(at, count);
		return;
	}

	/* Keys are taken relative to the lowest one, so there are only as many rounds as their range needs. */
	struct lp_keyed *from = at, *to = lp_alloc(sizeof *to * count), *own = to;
	for (unsigned shift = 0; shift < 64 && (high - low) >> shift; shift += BITS) {
		uint32_t place[DIGITS] = { 0 }, sum = 0;
		for (uint32_t i = 0; i < count; i++)
			place[(from[i].key - low) >> shift & (DIGITS - 1)]++;
		for (unsigned d = 0; d < DIGITS; d++) {
			const uint32_t here = place[d];
			place[d] = sum;
			sum += here;
		}
		for (uint32_t i = 0; i < count; i++)
			to[place[(from[i].key - low) >> shift & (DIGITS - 1)]++] = from[i];
		struct lp_keyed *swap = from;
		from = to;
		to = swap;
	}
	if (from != at)
		memcpy(at, from, sizeof *at * count);
	lp_free(own);
}

/* For dense values, such as those of a counter, uses a table indexed by value. */
static uint32_t number_dense(const int64_t *values, uint32_t count, uint32_t *number,
			     int64_t low, uint64_t range)
{
	uint32_t *table = lp_alloc_zero((size_t)range + 1, sizeof *table);
	uint32_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t *entry = &table[(uint64_t)values[i] - (uint64_t)low];
		if (!*entry)
			*entry = ++used;
		number[i] = *entry - 1;
	}
	lp_free(table);
	return used;
}

/* A table in one piece, not a hash_index.h with values beside it: for millions of values each search is a cache miss. */
static uint32_t number_sparse(const int64_t *values, uint32_t count, uint32_t *number)
{
	struct slot {
		int64_t value;
		uint32_t number; /* + 1 */
	} *slots;
	uint32_t mask = 15, used = 0;

	while (mask < count * 2 && mask < UINT32_MAX / 2)
		mask = mask * 2 + 1;
	slots = lp_alloc_zero((size_t)mask + 1, sizeof *slots);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = (uint32_t)lp_mix((uint64_t)values[i]) & mask;
		while (slots[at].number && slots[at].value != values[i])
			at = (at + 1) & mask;
		if (!slots[at].number)
			slots[at] = (struct slot){ values[i], ++used };
		number[i] = slots[at].number - 1;
	}
	lp_free(slots);
	return used;
}

uint32_t lp_sort_number_values(const int64_t *values, uint32_t count, uint32_t *number)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (uint32_t i = 0; i < count; i++) {
		low = values[i] < low ? values[i] : low;
		high = values[i] > high ? values[i] : high;
	}
	const uint64_t range = count ? (uint64_t)high - (uint64_t)low : 0;
	if (range / 4 <= count)
		return number_dense(values, count, number, low, range);
	return number_sparse(values, count, number);
}

int lp_sort_compare_values(const void *a, const void *b)
{
	const int64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}
