/* seqcstdeque.c -- a work-stealing deque without fences: the accesses that owner and thieves compete by are
 * sequentially consistent.
 *
 * After D. Chase and Y. Lev, "Dynamic Circular Work-Stealing Deque" (SPAA 2005), in an array that does not
 * grow.  A thief who loses gives up.
 *
 *     -DLOOKED=memory_order_relaxed  a thief reads `top` relaxed and may find an old `bottom` afterwards: it steals
 *                                    an item that the owner has taken (5 calls; not under sc and tso)
 *     -DLOOKED=memory_order_acquire  the same with two thieves, as C++20 defines seq_cst; not on ARM
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef LOOKED
#define LOOKED memory_order_seq_cst
#endif

enum { SIZE = 8 };

struct deque {
	atomic_long top, bottom;
	atomic_int item[SIZE];
};

static void deque_push(struct deque *d, int value)
{
	long b = atomic_load_explicit(&d->bottom, memory_order_relaxed);

	atomic_store_explicit(&d->item[b % SIZE], value, memory_order_relaxed);
	atomic_store_explicit(&d->bottom, b + 1, memory_order_release);
}

static bool win(struct deque *d, long t)
{
	return atomic_compare_exchange_strong_explicit(&d->top, &t, t + 1, memory_order_seq_cst,
						       memory_order_relaxed);
}

static bool deque_take(struct deque *d, int *value)
{
	long b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;

	atomic_store(&d->bottom, b);
	*value = atomic_load_explicit(&d->item[b % SIZE], memory_order_relaxed);
	long t = atomic_load(&d->top);
	if (t < b)
		return true;
	const bool taken = t == b && win(d, t);
	atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
	return taken;
}

static bool deque_steal(struct deque *d, int *value)
{
	long t = atomic_load_explicit(&d->top, LOOKED);

	if (t >= atomic_load(&d->bottom))
		return false;
	*value = atomic_load_explicit(&d->item[t % SIZE], memory_order_relaxed);
	return win(d, t);
}

#include <linchpin.h>

static struct deque d;

LP_SPEC("work_stealing:losing")
LP_ROLE("push pop") /* the owner */
LP_METHOD(push, v) { deque_push(&d, (int)v); return LP_VOID; }
LP_METHOD(pop) { int v; return deque_take(&d, &v) ? v : LP_EMPTY; }
LP_METHOD(steal) { int v; return deque_steal(&d, &v) ? v : LP_EMPTY; }
