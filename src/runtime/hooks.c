/* hooks.c -- the functions that -fsanitize=thread calls.
 *
 * Signatures are the compilers'; what they mean is in plain.c and atomics.c.  The
 * user's code calls __tsan_NAME, which is in enter.S and comes here.  Hooks for
 * plain accesses run before the access; those for atomic accesses are the access.
 */
#include "runtime/atomics.h"

typedef unsigned __int128 u128;

#define HOOK(type, name, ...)          \
	type lp_hook_##name(__VA_ARGS__); \
	type lp_hook_##name(__VA_ARGS__)

#define PLAIN(n)                                                                          \
	HOOK(void, read##n, void *p) { rt_read_hook(p, n, RT_PC); }                       \
	HOOK(void, write##n, void *p) { rt_plain(p, n, true, RT_PC); }                    \
	HOOK(void, unaligned_read##n, void *p) { rt_read_hook(p, n, RT_PC); }             \
	HOOK(void, unaligned_write##n, void *p) { rt_plain(p, n, true, RT_PC); }          \
	HOOK(void, read_write##n, void *p) { both(p, n, RT_PC); }                         \
	HOOK(void, unaligned_read_write##n, void *p) { both(p, n, RT_PC); }               \
	HOOK(void, volatile_read##n, void *p) { rt_volatile(p, n, false, RT_PC); }        \
	HOOK(void, volatile_write##n, void *p) { rt_volatile(p, n, true, RT_PC); }        \
	HOOK(void, unaligned_volatile_read##n, void *p) { rt_volatile(p, n, false, RT_PC); } \
	HOOK(void, unaligned_volatile_write##n, void *p) { rt_volatile(p, n, true, RT_PC); }

/* clang's hook for `x++`. */
static void both(void *p, size_t size, uintptr_t pc)
{
	rt_read_hook(p, size, pc);
	rt_plain(p, size, true, pc);
}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

HOOK(void, read_range, void *p, size_t size)
{
	rt_read_hook(p, size, RT_PC);
}

HOOK(void, write_range, void *p, size_t size)
{
	rt_plain(p, size, true, RT_PC);
}

HOOK(void, vptr_read, void **p)
{
	rt_read_hook(p, sizeof *p, RT_PC);
}

HOOK(void, vptr_update, void **p, void *value)
{
	(void)value;
	rt_plain(p, sizeof *p, true, RT_PC);
}

HOOK(void, init, void)
{
}

/* Only compiled in if there are functions that are to run atomically. */
HOOK(void, func_entry, void *caller)
{
	(void)caller;
	if (rt_running() && rt_is_atomic_function(RT_PC))
		rt_atomic(true);
}

HOOK(void, func_exit, void)
{
	if (rt_running() && rt_is_atomic_function(RT_PC))
		rt_atomic(false);
}

static inline struct lp_value from_wide(u128 v)
{
	return (struct lp_value){ (uint64_t)v, (uint64_t)(v >> 64) };
}

static inline u128 to_wide(struct lp_value v)
{
	return (u128)v.hi << 64 | v.lo;
}

#define RMW(bits, type, name, how)                                                      \
	HOOK(type, atomic##bits##_##name, volatile type *p, type v, int mo)             \
	{                                                                               \
		return (type)to_wide(rt_atomic_rmw((uintptr_t)p, bits / 8, how,         \
						   rt_order(mo), from_wide(v), true,    \
						   RT_PC));                             \
	}

#define CAS(bits, type, name, is_weak)                                                  \
	HOOK(int, atomic##bits##_compare_exchange_##name, volatile type *p,             \
	     type *expected, type v, int mo, int fail)                                  \
	{                                                                               \
		bool failed;                                                            \
		struct lp_value old = rt_expected(expected, bits / 8, RT_PC);           \
		old = rt_atomic_cas((uintptr_t)p, bits / 8, old, from_wide(v),          \
				    rt_order(mo), rt_order(fail), is_weak, &failed,     \
				    (uintptr_t)expected, RT_PC);                        \
		if (failed)                                                             \
			rt_put_expected(expected, bits / 8, old, RT_PC);                \
		return !failed;                                                         \
	}

#define ATOMIC(bits, type)                                                              \
	HOOK(type, atomic##bits##_load, const volatile type *p, int mo)                 \
	{                                                                               \
		return (type)to_wide(rt_atomic_load((uintptr_t)p, bits / 8,             \
						    rt_order(mo), RT_PC));              \
	}                                                                               \
	HOOK(void, atomic##bits##_store, volatile type *p, type v, int mo)              \
	{                                                                               \
		rt_atomic_store((uintptr_t)p, bits / 8, rt_order(mo), from_wide(v), RT_PC); \
	}                                                                               \
	RMW(bits, type, exchange, LP_XCHG)                                              \
	RMW(bits, type, fetch_add, LP_ADD)                                              \
	RMW(bits, type, fetch_sub, LP_SUB)                                              \
	RMW(bits, type, fetch_and, LP_AND)                                              \
	RMW(bits, type, fetch_or, LP_OR)                                                \
	RMW(bits, type, fetch_xor, LP_XOR)                                              \
	RMW(bits, type, fetch_nand, LP_NAND)                                            \
	CAS(bits, type, strong, false)                                                  \
	CAS(bits, type, weak, true)                                                     \
	HOOK(type, atomic##bits##_compare_exchange_val, volatile type *p, type expected, \
	     type v, int mo, int fail)                                                  \
	{                                                                               \
		bool failed;                                                            \
		return (type)to_wide(rt_atomic_cas((uintptr_t)p, bits / 8,              \
						   from_wide(expected), from_wide(v),   \
						   rt_order(mo), rt_order(fail), false, \
						   &failed, 0, RT_PC));                 \
	}

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, u128)

HOOK(void, atomic_thread_fence, int mo)
{
	const enum lp_order order = rt_order(mo);

	if (order != LP_RLX)
		rt_atomic_fence(order, RT_PC);
}

/* Orders a thread and a signal handler in it: there are none. */
HOOK(void, atomic_signal_fence, int mo)
{
	(void)mo;
}
