/* libatomic.c -- the library calls that compilers make where they see no
 * instruction: __atomic_load_16, and the generic ones that take a size.
 *
 * Sizes of 1, 2, 4, 8 and 16 bytes are atomic accesses like any other.  Other
 * sizes, and unaligned objects, are under a lock, as in the real library, and so
 * ordered more than what was asked for.
 */
#include <string.h>

#include "runtime/atomics.h"

typedef unsigned __int128 u128;

static bool is_one_access(size_t size, const volatile void *p)
{
	return size && size <= 16 && !(size & (size - 1)) && !((uintptr_t)p % size);
}

/* One lock for all, beside the state of anything else. */
static void lock(bool take, uintptr_t pc)
{
	static const char owner;
	uint64_t *word = rt_own_state(&owner, sizeof *word);
	const struct lp_op acquire = {
		.kind = LP_OP_RMW, .size = 8, .order = LP_ACQ, .rmw = LP_XCHG,
		.when = LP_IF_EQUAL, .otherwise = LP_ELSE_WAIT, .internal = true, .lock = true,
		.loc = (uintptr_t)word, .pc = pc, .mask = { UINT64_MAX, UINT64_MAX },
		.operand = { 1, 0 }, .name = "__atomic (locked)",
	};
	const struct lp_op release = {
		.kind = LP_OP_STORE, .size = 8, .order = LP_REL, .internal = true, .lock = true,
		.loc = (uintptr_t)word, .pc = pc, .name = "__atomic (locked)",
	};

	rt_op(take ? &acquire : &release);
}

static struct lp_value value_of(u128 v)
{
	return (struct lp_value){ (uint64_t)v, (uint64_t)(v >> 64) };
}

static u128 wide(struct lp_value v)
{
	return (u128)v.hi << 64 | v.lo;
}

LP_API void lp_shim___atomic_load(size_t size, void *p, void *to, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		lp_value_write(to, rt_atomic_load((uintptr_t)p, (unsigned)size, rt_order(mo), pc),
			       (unsigned)size);
		return;
	}
	lock(true, pc);
	rt_plain(p, size, false, pc);
	memcpy(to, p, size);
	lock(false, pc);
}

LP_API void lp_shim___atomic_store(size_t size, void *p, void *from, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		rt_atomic_store((uintptr_t)p, (unsigned)size, rt_order(mo),
				lp_value_read(from, (unsigned)size), pc);
		return;
	}
	lock(true, pc);
	rt_plain(p, size, true, pc);
	memcpy(p, from, size);
	lock(false, pc);
}

LP_API void lp_shim___atomic_exchange(size_t size, void *p, void *from, void *to, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		lp_value_write(to, rt_atomic_rmw((uintptr_t)p, (unsigned)size, LP_XCHG,
						 rt_order(mo),
						 lp_value_read(from, (unsigned)size), false, pc),
			       (unsigned)size);
		return;
	}
	lock(true, pc);
	rt_plain(p, size, false, pc);
	memcpy(to, p, size);
	rt_plain(p, size, true, pc);
	memcpy(p, from, size);
	lock(false, pc);
}

LP_API bool lp_shim___atomic_compare_exchange(size_t size, void *p, void *expected, void *from,
					      int mo, int fail)
{
	const uintptr_t pc = RT_PC;
	bool failed;

	if (is_one_access(size, p)) {
		const struct lp_value old =
			rt_atomic_cas((uintptr_t)p, (unsigned)size,
				      lp_value_read(expected, (unsigned)size),
				      lp_value_read(from, (unsigned)size), rt_order(mo),
				      rt_order(fail), false, &failed, (uintptr_t)expected, pc);
		if (failed)
			lp_value_write(expected, old, (unsigned)size);
		return !failed;
	}
	lock(true, pc);
	rt_plain(p, size, false, pc);
	failed = memcmp(p, expected, size) != 0;
	if (failed) {
		memcpy(expected, p, size);
	} else {
		rt_plain(p, size, true, pc);
		memcpy(p, from, size);
	}
	lock(false, pc);
	return !failed;
}

LP_API bool lp_shim___atomic_is_lock_free(size_t size, void *p)
{
	return is_one_access(size, p);
}

/* After an assignment like `x += 1.5` to an atomic floating-point number: flags that the
 * attempts which failed are not to leave behind.  Nobody can see whether we set them. */
LP_API void lp_shim___atomic_feraiseexcept(int exceptions)
{
	(void)exceptions;
}

#define FETCH(n, type, name, how)                                                     \
	LP_API type lp_shim___atomic_##name##_##n(volatile void *p, type v, int mo)   \
	{                                                                             \
		return (type)wide(rt_atomic_rmw((uintptr_t)p, n, how, rt_order(mo),   \
						value_of(v), true, RT_PC));           \
	}

#define SIZE(n, type)                                                                 \
	LP_API type lp_shim___atomic_load_##n(const volatile void *p, int mo)         \
	{                                                                             \
		return (type)wide(rt_atomic_load((uintptr_t)p, n, rt_order(mo), RT_PC)); \
	}                                                                             \
	LP_API void lp_shim___atomic_store_##n(volatile void *p, type v, int mo)      \
	{                                                                             \
		rt_atomic_store((uintptr_t)p, n, rt_order(mo), value_of(v), RT_PC);   \
	}                                                                             \
	LP_API bool lp_shim___atomic_compare_exchange_##n(volatile void *p, void *expected, \
							  type v, int mo, int fail)   \
	{                                                                             \
		bool failed;                                                          \
		const struct lp_value old = rt_atomic_cas(                            \
			(uintptr_t)p, n, lp_value_read(expected, n), value_of(v),     \
			rt_order(mo), rt_order(fail), false, &failed,                 \
			(uintptr_t)expected, RT_PC);                                  \
		if (failed)                                                           \
			lp_value_write(expected, old, n);                             \
		return !failed;                                                       \
	}                                                                             \
	FETCH(n, type, exchange, LP_XCHG)                                             \
	FETCH(n, type, fetch_add, LP_ADD)                                             \
	FETCH(n, type, fetch_sub, LP_SUB)                                             \
	FETCH(n, type, fetch_and, LP_AND)                                             \
	FETCH(n, type, fetch_or, LP_OR)                                               \
	FETCH(n, type, fetch_xor, LP_XOR)                                             \
	FETCH(n, type, fetch_nand, LP_NAND)

SIZE(1, uint8_t)
SIZE(2, uint16_t)
SIZE(4, uint32_t)
SIZE(8, uint64_t)
SIZE(16, u128)
