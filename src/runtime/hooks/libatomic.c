/* libatomic.c -- the library functions that compilers call for atomic accesses without a processor
 * instruction: __atomic_load_16, and the generic functions that take a size.
 *
 * Sizes of 1, 2, 4, 8 and 16 bytes are atomic accesses like any other.  Accesses of other sizes, and
 * to unaligned objects, take a lock, as in the real library, so they are ordered more strongly than
 * the program requests.
 */
#include <string.h>

#include "base/error.h"
#include "runtime/hooks/atomics.h"
#include "runtime/ignored.h"

typedef lp_u128 u128;

static bool is_one_access(size_t size, const volatile void *p)
{
	return size && size <= 16 && !(size & (size - 1)) && !((uintptr_t)p % size);
}

/* Takes or releases the one lock for all these accesses. */
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

/* Converts the compiler's memory order (__ATOMIC_*, with hints in higher bits).  Consume becomes
 * acquire, as in compilers. */
static enum lp_order order_of(int order)
{
	static const uint8_t ours[8] = { LP_RLX, LP_ACQ, LP_ACQ, LP_REL, LP_ACQREL, LP_SC, LP_SC,
					 LP_SC };
	return (enum lp_order)ours[order & 7];
}

/* Values that are passed in memory are in the program's memory. */
static struct lp_value get(const void *from, size_t size, uintptr_t pc)
{
	LP_HOLDS(size <= sizeof(struct lp_value));
	rt_read(from, size, pc);
	return lp_value_read(from, (unsigned)size);
}

static void put(void *to, size_t size, struct lp_value value, uintptr_t pc)
{
	rt_write(to, &value, size, pc);
}

/* `expected` becomes the value found. */
/* What is expected is filled in. */
RT_INLINE bool compare_exchange(volatile void *p, unsigned size, void *expected, struct rt_cas cas, uintptr_t pc)
{
	bool failed;

	cas.expected = get(expected, size, pc);
	cas.argument = (uintptr_t)expected;
	const struct lp_value old = rt_atomic_cas((uintptr_t)p, size, &cas, &failed, pc);
	LP_HOLDS(failed != lp_value_equal(old, cas.expected)); /* the compare-exchange is strong */

	if (failed)
		put(expected, size, old, pc);
	return !failed;
}

LP_API void lp_shim___atomic_load(size_t size, void *p, void *to, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		put(to, size, rt_atomic_load((uintptr_t)p, (unsigned)size, order_of(mo),
					     (uintptr_t)to, pc), pc);
		return;
	}
	lock(true, pc);
	rt_copy(to, p, size, pc);
	lock(false, pc);
}

LP_API void lp_shim___atomic_store(size_t size, void *p, void *from, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		rt_atomic_store((uintptr_t)p, (unsigned)size, order_of(mo), get(from, size, pc), pc);
		return;
	}
	lock(true, pc);
	rt_copy(p, from, size, pc);
	lock(false, pc);
}

LP_API void lp_shim___atomic_exchange(size_t size, void *p, void *from, void *to, int mo)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p)) {
		const struct rt_rmw rmw = { LP_XCHG, order_of(mo), get(from, size, pc), (uintptr_t)to };
		put(to, size, rt_atomic_rmw((uintptr_t)p, (unsigned)size, &rmw, pc), pc);
		return;
	}
	lock(true, pc);
	rt_copy(to, p, size, pc);
	rt_copy(p, from, size, pc);
	lock(false, pc);
}

LP_API bool lp_shim___atomic_compare_exchange(size_t size, void *p, void *expected, void *from,
					      int mo, int fail)
{
	const uintptr_t pc = RT_PC;

	if (is_one_access(size, p))
		return compare_exchange(p, (unsigned)size, expected, (struct rt_cas){ .wanted = get(from, size, pc),
					.order = order_of(mo), .fail_order = order_of(fail) }, pc);
	lock(true, pc);
	rt_read(p, size, pc);
	rt_read(expected, size, pc);
	const bool failed = memcmp(p, expected, size) != 0;
	rt_copy(failed ? expected : p, failed ? p : from, size, pc);
	lock(false, pc);
	return !failed;
}

LP_API bool lp_shim___atomic_is_lock_free(size_t size, void *p)
{
	return is_one_access(size, p);
}

/* After an assignment like `x += 1.5` to an atomic floating-point number: raises the exceptions of the
 * successful attempt only.  Programs here cannot observe the flags, so nothing is done. */
LP_API void lp_shim___atomic_feraiseexcept(int exceptions)
{
	(void)exceptions;
}

/* The operation that comes next is relaxed. */
LP_API void lp_shim_lp_invalid_order(const char *operation, int order)
{
	const uintptr_t pc = RT_PC;

	if (order >= __ATOMIC_RELAXED && order <= __ATOMIC_SEQ_CST)
		rt_atomic_disorder(operation, order_of(order), 0, pc);
	else if (!rt.options.invalid_orders && !lp_native_passes_over(LP_ERROR_ORDER, pc))
		rt_error(LP_ERROR_ORDER, pc, NULL, "%s with memory order %d: there is no such order", operation, order);
}

#define FETCH(n, type, name, how)                                                     \
	LP_API type lp_shim___atomic_##name##_##n(volatile void *p, type v, int mo)   \
	{                                                                             \
		const struct rt_rmw rmw = { how, order_of(mo), rt_from_wide(v), 0 };  \
		return (type)rt_to_wide(rt_atomic_rmw((uintptr_t)p, n, &rmw, RT_PC)); \
	}

#define SIZE(n, type)                                                                 \
	LP_API type lp_shim___atomic_load_##n(const volatile void *p, int mo)         \
	{                                                                             \
		return (type)rt_to_wide(rt_atomic_load((uintptr_t)p, n, order_of(mo), \
						       0, RT_PC));                    \
	}                                                                             \
	LP_API void lp_shim___atomic_store_##n(volatile void *p, type v, int mo)      \
	{                                                                             \
		rt_atomic_store((uintptr_t)p, n, order_of(mo), rt_from_wide(v), RT_PC); \
	}                                                                             \
	LP_API bool lp_shim___atomic_compare_exchange_##n(volatile void *p, void *expected, \
							  type v, int mo, int fail)   \
	{                                                                             \
		const struct rt_cas cas = { .wanted = rt_from_wide(v), .order = order_of(mo), \
					    .fail_order = order_of(fail) };           \
		return compare_exchange(p, n, expected, cas, RT_PC);                  \
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
