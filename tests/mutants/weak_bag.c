/* weak_bag.c -- a stack that is checked as a bag: mutants that destroy its order are not noticed. */
#include <stdatomic.h>

#define SLOTS 8

static atomic_int lock, count;
static long item[SLOTS];

static void take_lock(void)
{
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
		;
}

static void give_lock(void)
{
	atomic_store_explicit(&lock, 0, memory_order_release);
}

static void put(long v)
{
	take_lock();
	int n = atomic_load_explicit(&count, memory_order_relaxed);
	item[n] = v;
	atomic_store_explicit(&count, n + 1, memory_order_relaxed);
	give_lock();
}

/* The last one, which is what makes it a stack; or, if `fair`, the first one. */
static long take(int fair)
{
	long found = 0;

	take_lock();
	int n = atomic_load_explicit(&count, memory_order_relaxed);
	if (n) {
		int at = fair ? 0 : n - 1;
		found = item[at];
		item[at] = item[n - 1];
		atomic_store_explicit(&count, n - 1, memory_order_relaxed);
	}
	give_lock();
	return found;
}

#include <linchpin.h>

LP_SPEC("multiset")
LP_METHOD(put, v) { put(v); return LP_VOID; }
LP_METHOD(take) { long v = take(0); return v ? v : LP_EMPTY; }
