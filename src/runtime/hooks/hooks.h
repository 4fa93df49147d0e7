/* hooks.h -- conversions that the hooks and libatomic.c share. */
#ifndef LP_RUNTIME_HOOKS_HOOKS_H
#define LP_RUNTIME_HOOKS_HOOKS_H

#include "base/value.h"
#include "frontend/abi.h"

static inline struct lp_value rt_from_wide(lp_u128 v)
{
	return (struct lp_value){ (uint64_t)v, (uint64_t)(v >> 64) };
}

static inline lp_u128 rt_to_wide(struct lp_value v)
{
	return (lp_u128)v.hi << 64 | v.lo;
}

#endif
