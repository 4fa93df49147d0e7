/* flags.c -- an object with code for the kinds of changes that other objects here do not allow. */
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 4
#define BOTH(a, b) do { if (a) atomic_store(&first, 1); if (b) atomic_store(&second, 1); } while (0)

static atomic_int first, second, full, count;
static atomic_long item[SLOTS];

/* Two conditions and two stores in one line of the source. */
static void note(long v)
{
	BOTH(v > 0, v > 1000);
}

/* A bag that is filled from below, and never emptied. */
static bool put(long v)
{
	int at = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);

	if (at >= SLOTS) { /* it takes more calls */
		atomic_store_explicit(&full, 1, memory_order_relaxed);
		return false;
	}
	note(v);
	atomic_store_explicit(&item[at], v, memory_order_release);
	return true;
}

static bool has(long v)
{
	for (int i = 0; i < SLOTS; i++)
		if (atomic_load_explicit(&item[i], memory_order_acquire) == v)
			return true;
	return false;
}

#include <linchpin.h>

LP_SPEC("multiset")
LP_METHOD(insert, v) { return put(v); }
LP_METHOD(contains, v) { return has(v); }
