/* Memory orders that the operation cannot have, and that are known only when the program runs.
 * expect rc11: violation invalid order at HERE, says "a load with memory_order_release"
 * expect rc11 -- -DORDER=memory_order_acq_rel: violation invalid order at HERE
 * expect rc11 -- -DORDER=memory_order_acquire: verified, executions 2
 * expect rc11 -- -DORDER=memory_order_relaxed: violation race at RACE
 * expect rc11 -- -DSTORE=memory_order_acquire: violation invalid order at STORE, says "a store with memory_order_acquire"
 * expect rc11 -- -DSTORE=17: violation invalid order at STORE, says "a store with memory order 17"
 * expect rc11 -- -DFAIL=memory_order_release: violation invalid order at FAIL, says "a compare-exchange that fails with memory_order_release"
 * expect rc11 -- -DFAIL=memory_order_acquire -DORDER=memory_order_acquire: verified
 * expect rc11 -- -DWIDE=memory_order_release: violation invalid order at WIDE, says "a load with memory_order_release"
 * expect rc11 --invalid-orders ignore: violation race at RACE
 * expect rc11 --invalid-orders ignore -- -DORDER=memory_order_acquire -DSTORE=memory_order_acquire: violation race at RACE
 * expect rc11 --invalid-orders ignore -- -DORDER=memory_order_acquire -DFAIL=memory_order_acq_rel: violation race at RACE
 * expect rc11 --invalid-orders ignore -- -DORDER=memory_order_acquire -DWIDE=memory_order_release: verified, executions 2
 */
#include "../parallel.h"

#ifndef ORDER
#define ORDER memory_order_release
#endif
#ifndef STORE
#define STORE memory_order_release
#endif

static int message;
static atomic_int flag;
static memory_order load_order = ORDER, store_order = STORE;

static void sender(void)
{
	message = 42; /* RACE */
	atomic_store_explicit(&flag, 1, store_order); /* STORE */
}

static void receiver(void)
{
#ifdef FAIL
	static memory_order fail_order = FAIL;
	int seen = 2;
	const int held = !atomic_compare_exchange_strong_explicit(&flag, &seen, 2, memory_order_relaxed, fail_order) && seen == 1; /* FAIL */
#else
	const int held = atomic_load_explicit(&flag, load_order) == 1; /* HERE */
#endif
	if (held)
		assert(message == 42); /* RACE */
}

int main(void)
{
#ifdef WIDE
	static struct { _Alignas(16) _Atomic struct { long a, b; } both; } wide;
	static memory_order order = WIDE;
	(void)atomic_load_explicit(&wide.both, order); /* WIDE */
#endif
	parallel(sender, receiver);
	return 0;
}
