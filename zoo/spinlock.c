/* spinlock.c -- a lock that is taken by exchanging one word.
 *
 * The harness protects nothing: that an unlock synchronises with the next lock is for the
 * specification to demand.
 *
 *     -DTAKE=memory_order_relaxed   the next holder does not see what the last one did
 *     -DGIVE=memory_order_relaxed   the last holder does not publish what it did
 *     -DFENCES                      relaxed accesses, and fences instead: right
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif

static bool spinlock_try(atomic_bool *l)
{
#ifdef FENCES
	if (atomic_exchange_explicit(l, true, memory_order_relaxed))
		return false;
	atomic_thread_fence(memory_order_acquire);
	return true;
#else
	return !atomic_exchange_explicit(l, true, TAKE);
#endif
}

static void spinlock_lock(atomic_bool *l)
{
	while (!spinlock_try(l))
		;
}

static void spinlock_unlock(atomic_bool *l)
{
#ifdef FENCES
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(l, false, memory_order_relaxed);
#else
	atomic_store_explicit(l, false, GIVE);
#endif
}

#include <linchpin.h>

static atomic_bool l;

LP_SPEC("lock")
#ifdef ONLY_TRY
LP_AFTER_TRUE("unlock", "trylock")
LP_METHOD(trylock) { return spinlock_try(&l); }
#else
LP_AFTER("unlock", "lock")
LP_METHOD(lock) { spinlock_lock(&l); return LP_VOID; }
LP_METHOD(trylock) { return spinlock_try(&l); }
#endif
LP_METHOD(unlock) { spinlock_unlock(&l); return LP_VOID; }
