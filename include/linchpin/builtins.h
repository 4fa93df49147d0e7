/* linchpin/builtins.h -- included before the first line of every source that linchpin compiles.
 *
 * In two cases clang's output does not show what the source says, so macros replace the operations:
 *
 *   - An atomic access with an order that the operation does not allow, such as a load with
 *     memory_order_release, is undefined behaviour; clang warns, and omits such a load or store.  The
 *     macros call lp_invalid_order() first, so that linchpin reports an error if the access is executed.
 *   - According to GCC's manual, all __sync_ operations but two are full barriers; clang makes them
 *     sequentially consistent operations, which is weaker.  The macros add a fence before and after each.
 */
#ifndef LINCHPIN_BUILTINS_H
#define LINCHPIN_BUILTINS_H

#ifdef __clang__
#pragma clang system_header /* no warnings about what is here */
#endif

#ifdef __cplusplus
extern "C"
#endif
void lp_invalid_order(const char *operation, int order);

/* The following macros check orders that are constants, in C.  Orders that are variables, as in the classes of C++,
 * are checked when the program runs (src/frontend/ir/access/dynamic_orders.h).  In C++, clang itself rejects
 * constants that are not allowed. */
#ifndef __cplusplus
#define LP_IS_(order, a, b) (__builtin_constant_p(order) && ((order) == (a) || (order) == (b)))
#define LP_BAD_LOAD_(order) LP_IS_(order, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL)
#define LP_BAD_STORE_(order) \
	(LP_IS_(order, __ATOMIC_ACQUIRE, __ATOMIC_ACQ_REL) || LP_IS_(order, __ATOMIC_CONSUME, __ATOMIC_CONSUME))
#define LP_CHECK_(bad, operation, order) ((bad) ? lp_invalid_order(operation, (order)) : (void)0)
#define LP_LOAD_(o) LP_CHECK_(LP_BAD_LOAD_(o), "a load", o)
#define LP_STORE_(o) LP_CHECK_(LP_BAD_STORE_(o), "a store", o)
#define LP_FAIL_(o) LP_CHECK_(LP_BAD_LOAD_(o), "a compare-exchange that fails", o)
/* The memory order that the access gets.  An invalid order is replaced by relaxed, because lp_invalid_order() returns
 * if the user has chosen to ignore the error. */
#define LP_LOADS_(o) (LP_BAD_LOAD_(o) ? __ATOMIC_RELAXED : (o))
#define LP_STORES_(o) (LP_BAD_STORE_(o) ? __ATOMIC_RELAXED : (o))

/* GCC also accepts the operations of stdatomic.h on objects that are not _Atomic, and some programs that are only compiled
 * by GCC rely on it.  So the macros convert the pointer to one to an _Atomic object.  LP_ATOMIC_ uses a comma
 * expression, because its right operand is a value, whose type is neither qualified nor _Atomic; clang's
 * __typeof_unqual__ would keep _Atomic. */
#define LP_ATOMIC_(p) ((_Atomic(__typeof__(((void)0, *(p)))) *)(p))
#define __c11_atomic_init(p, v) __c11_atomic_init(LP_ATOMIC_(p), v)
#define __c11_atomic_load(p, o) (LP_LOAD_(o), __c11_atomic_load(LP_ATOMIC_(p), LP_LOADS_(o)))
#define __c11_atomic_store(p, v, o) (LP_STORE_(o), __c11_atomic_store(LP_ATOMIC_(p), v, LP_STORES_(o)))
#define __c11_atomic_exchange(p, v, o) __c11_atomic_exchange(LP_ATOMIC_(p), v, o)
#define __c11_atomic_compare_exchange_strong(p, e, v, s, f) \
	(LP_FAIL_(f), __c11_atomic_compare_exchange_strong(LP_ATOMIC_(p), e, v, s, LP_LOADS_(f)))
#define __c11_atomic_compare_exchange_weak(p, e, v, s, f) \
	(LP_FAIL_(f), __c11_atomic_compare_exchange_weak(LP_ATOMIC_(p), e, v, s, LP_LOADS_(f)))
#define __c11_atomic_fetch_add(p, v, o) __c11_atomic_fetch_add(LP_ATOMIC_(p), v, o)
#define __c11_atomic_fetch_sub(p, v, o) __c11_atomic_fetch_sub(LP_ATOMIC_(p), v, o)
#define __c11_atomic_fetch_and(p, v, o) __c11_atomic_fetch_and(LP_ATOMIC_(p), v, o)
#define __c11_atomic_fetch_or(p, v, o) __c11_atomic_fetch_or(LP_ATOMIC_(p), v, o)
#define __c11_atomic_fetch_xor(p, v, o) __c11_atomic_fetch_xor(LP_ATOMIC_(p), v, o)
#define __atomic_load_n(p, o) (LP_LOAD_(o), __atomic_load_n(p, LP_LOADS_(o)))
#define __atomic_load(p, r, o) (LP_LOAD_(o), __atomic_load(p, r, LP_LOADS_(o)))
#define __atomic_store_n(p, v, o) (LP_STORE_(o), __atomic_store_n(p, v, LP_STORES_(o)))
#define __atomic_store(p, v, o) (LP_STORE_(o), __atomic_store(p, v, LP_STORES_(o)))
#define __atomic_clear(p, o) (LP_STORE_(o), __atomic_clear(p, LP_STORES_(o)))
#define __atomic_compare_exchange_n(p, e, v, w, s, f) \
	(LP_FAIL_(f), __atomic_compare_exchange_n(p, e, v, w, s, LP_LOADS_(f)))
#define __atomic_compare_exchange(p, e, v, w, s, f) \
	(LP_FAIL_(f), __atomic_compare_exchange(p, e, v, w, s, LP_LOADS_(f)))
#endif

#define LP_BARRIER_ __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define LP_SYNC_(operation)                                     \
	__extension__({                                         \
		LP_BARRIER_;                                    \
		const __typeof__(operation) lp_result = operation; \
		LP_BARRIER_;                                    \
		lp_result;                                      \
	})
#define __sync_fetch_and_add(...) LP_SYNC_(__sync_fetch_and_add(__VA_ARGS__))
#define __sync_fetch_and_sub(...) LP_SYNC_(__sync_fetch_and_sub(__VA_ARGS__))
#define __sync_fetch_and_or(...) LP_SYNC_(__sync_fetch_and_or(__VA_ARGS__))
#define __sync_fetch_and_and(...) LP_SYNC_(__sync_fetch_and_and(__VA_ARGS__))
#define __sync_fetch_and_xor(...) LP_SYNC_(__sync_fetch_and_xor(__VA_ARGS__))
#define __sync_fetch_and_nand(...) LP_SYNC_(__sync_fetch_and_nand(__VA_ARGS__))
#define __sync_add_and_fetch(...) LP_SYNC_(__sync_add_and_fetch(__VA_ARGS__))
#define __sync_sub_and_fetch(...) LP_SYNC_(__sync_sub_and_fetch(__VA_ARGS__))
#define __sync_or_and_fetch(...) LP_SYNC_(__sync_or_and_fetch(__VA_ARGS__))
#define __sync_and_and_fetch(...) LP_SYNC_(__sync_and_and_fetch(__VA_ARGS__))
#define __sync_xor_and_fetch(...) LP_SYNC_(__sync_xor_and_fetch(__VA_ARGS__))
#define __sync_nand_and_fetch(...) LP_SYNC_(__sync_nand_and_fetch(__VA_ARGS__))
#define __sync_bool_compare_and_swap(...) LP_SYNC_(__sync_bool_compare_and_swap(__VA_ARGS__))
#define __sync_val_compare_and_swap(...) LP_SYNC_(__sync_val_compare_and_swap(__VA_ARGS__))
/* The two operations that are not full barriers: the first only acquires, and the second only releases. */
#define __sync_lock_test_and_set(p, ...) \
	__atomic_exchange_n(p, LP_FIRST_(__VA_ARGS__, 0), __ATOMIC_ACQUIRE)
#define __sync_lock_release(...) __atomic_store_n(LP_FIRST_(__VA_ARGS__, 0), 0, __ATOMIC_RELEASE)
#define LP_FIRST_(first, ...) first

#endif
