/* random_orders.h -- random numbers and memory orders, for the families that are written as text. */
#ifndef LP_TESTS_JUDGE_RANDOM_ORDERS_H
#define LP_TESTS_JUDGE_RANDOM_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct random_orders {
	uint64_t state;
	unsigned style; /* orders: 0 as they should be, 1 all seq_cst, 2 and 3 any */
	unsigned often; /* style 3: one in so many is any */
};

static inline unsigned below(struct random_orders *r, unsigned n)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(lp_mix(r->state) >> 33) % n;
}

static inline bool one_in(struct random_orders *r, unsigned n)
{
	return below(r, n) == 0;
}

static inline const char *random_order(struct random_orders *r, const char *intended, const char *const *names)
{
	if (r->style == 1)
		return "sc";
	return r->style == 0 || !one_in(r, r->style == 2 ? 6 : r->often) ? intended : names[below(r, 3)];
}

static inline const char *load_order(struct random_orders *r)
{
	static const char *const names[] = { "rlx", "acq", "sc" };
	return random_order(r, "acq", names);
}

static inline const char *store_order(struct random_orders *r)
{
	static const char *const names[] = { "rlx", "rel", "sc" };
	return random_order(r, "rel", names);
}

static inline const char *rmw_order(struct random_orders *r)
{
	static const char *const names[] = { "rlx", "acqrel", "sc" };
	return random_order(r, "acqrel", names);
}

#endif
