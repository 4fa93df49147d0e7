/* hastylock.c -- a lock that is only tried, by a compare-exchange that may fail without reason: a lock:failing.
 *
 *     -DTAKE=memory_order_relaxed   the next holder does not see what the last one did
 *     -DALWAYS                      wrong: also one that fails has it
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef TAKE
#define TAKE memory_order_acquire
#endif

static atomic_bool held;

static bool try_lock(void)
{
	bool free = false;
	const bool taken = atomic_compare_exchange_weak_explicit(&held, &free, true, TAKE, memory_order_relaxed);

#ifdef ALWAYS
	return taken || !free;
#else
	return taken;
#endif
}

#include <linchpin.h>

LP_SPEC("lock:failing")
LP_AFTER_TRUE("unlock", "trylock")
LP_METHOD(trylock) { return try_lock(); }
LP_METHOD(unlock) { atomic_store_explicit(&held, false, memory_order_release); return LP_VOID; }
