/* hooks.h -- what the hooks have in common. */
#ifndef LP_RUNTIME_HOOKS_H
#define LP_RUNTIME_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/program.h"

/* The compiler's memory order (__ATOMIC_*, with hints in higher bits) as ours.
 * consume is acquire, as compilers have it. */
static inline enum lp_order rt_order(int order)
{
	static const uint8_t ours[8] = { LP_RLX, LP_ACQ, LP_ACQ, LP_REL, LP_ACQREL, LP_SC, LP_SC,
					 LP_SC };
	return (enum lp_order)ours[order & 7];
}

/* runtime.c: is this code of a function that is to run atomically? */
bool rt_is_atomic_function(uintptr_t pc);

/* plain.c: what a hook for a plain read does; rt_plain() with a twist. */
void rt_read_hook(const void *p, size_t size, uintptr_t pc);
void rt_volatile(const void *p, size_t size, bool write, uintptr_t pc);
/* The `expected` of a compare-and-swap, for which there is no hook: reading it, and
 * putting back what was found instead. */
struct lp_value rt_expected(const void *p, unsigned size, uintptr_t pc);
void rt_put_expected(void *p, unsigned size, struct lp_value, uintptr_t pc);

#endif
