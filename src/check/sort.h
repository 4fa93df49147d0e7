/* sort.h -- sorting and numbering of many 64-bit keys in linear time. */
#ifndef LP_CHECK_SORT_H
#define LP_CHECK_SORT_H

#include <stdint.h>

struct lp_keyed {
	uint64_t key;
	uint32_t id;
};

/* Sorts by key; the sort is stable. */
void lp_sort_keyed(struct lp_keyed *at, uint32_t count);

/* Gives equal values equal numbers, 0, 1, 2, ... in order of appearance, and returns
 * how many there are. */
uint32_t lp_sort_number_values(const int64_t *values, uint32_t count, uint32_t *number);

/* A comparison for qsort() and bsearch() of elements that begin with an int64_t. */
int lp_sort_compare_values(const void *a, const void *b);

/* An order-preserving map of signed to unsigned numbers. */
static inline uint64_t lp_sort_key(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

#endif
