/* value.h -- what a shared location can hold: up to 16 bytes.
 *
 * A value is an unsigned integer of the size of the access.  Bytes beyond that size are always zero.
 */
#ifndef LP_BASE_VALUE_H
#define LP_BASE_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct lp_value {
	uint64_t lo, hi; /* hi is zero for accesses of up to 8 bytes */
};

static inline struct lp_value lp_value(uint64_t lo)
{
	return (struct lp_value){ lo, 0 };
}

static inline bool lp_value_equal(struct lp_value a, struct lp_value b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static inline struct lp_value lp_value_truncate(struct lp_value v, unsigned size)
{
	if (size < 8)
		v.lo &= (UINT64_C(1) << (8 * size)) - 1;
	if (size <= 8)
		v.hi = 0;
	return v;
}

static inline struct lp_value lp_value_read(const void *from, unsigned size)
{
	struct lp_value v = { 0, 0 };
	memcpy(&v, from, size);
	return v;
}

static inline void lp_value_write(void *to, struct lp_value v, unsigned size)
{
	memcpy(to, &v, size);
}

#endif
