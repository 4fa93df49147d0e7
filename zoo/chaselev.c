/* chaselev.c -- a work-stealing deque: its owner works at one end, thieves at the other.
 *
 * D. Chase and Y. Lev, "Dynamic Circular Work-Stealing Deque" (SPAA 2005), with the memory orders of
 * N. Le, A. Pop, A. Cohen and F. Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory
 * Models" (PPoPP 2013), in an array that does not grow.  A thief who loses tries again.
 *
 *     -DFENCE=memory_order_acq_rel   both sides may miss each other: an item twice (5 calls; not under sc)
 *     -DPUT=memory_order_relaxed     an item that is not there yet is stolen (2; not on x86)
 *     -DALONE                        the last item is taken without asking (3)
 *     -DLOSE                         a thief who loses gives up: a work_stealing:losing
 *     -DFIFO                         the owner takes the oldest item, as a thief does: a fifo_work_stealing
 */
#include <stdatomic.h>
#include <stdbool.h>

#ifndef FENCE
#define FENCE memory_order_seq_cst
#endif
#ifndef PUT
#define PUT memory_order_release
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
	atomic_thread_fence(PUT);
	atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
}

static bool win(struct deque *d, long t)
{
	return atomic_compare_exchange_strong_explicit(&d->top, &t, t + 1, memory_order_seq_cst,
						       memory_order_relaxed);
}

static bool deque_take(struct deque *d, int *value)
{
	long b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
	bool taken = true;

	atomic_store_explicit(&d->bottom, b, memory_order_relaxed);
	atomic_thread_fence(FENCE);
	long t = atomic_load_explicit(&d->top, memory_order_relaxed);
	if (t < b) {
		*value = atomic_load_explicit(&d->item[b % SIZE], memory_order_relaxed);
		return true;
	}
	if (t > b) {
		taken = false;
	} else {
		*value = atomic_load_explicit(&d->item[b % SIZE], memory_order_relaxed);
#ifndef ALONE
		taken = win(d, t);
#endif
	}
	atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
	return taken;
}

static bool deque_steal(struct deque *d, int *value)
{
	for (;;) {
		long t = atomic_load_explicit(&d->top, memory_order_acquire);
		atomic_thread_fence(FENCE);
		if (t >= atomic_load_explicit(&d->bottom, memory_order_acquire))
			return false;
		*value = atomic_load_explicit(&d->item[t % SIZE], memory_order_relaxed);
		if (win(d, t))
			return true;
#ifdef LOSE
		return false;
#endif
	}
}

#include <linchpin.h>

static struct deque d;

LP_SPEC("deque")
LP_ROLE("push pop") /* the owner */
LP_METHOD(push, v) { deque_push(&d, (int)v); return LP_VOID; }
#ifdef FIFO
LP_METHOD(pop) { int v; return deque_steal(&d, &v) ? v : LP_EMPTY; }
#else
LP_METHOD(pop) { int v; return deque_take(&d, &v) ? v : LP_EMPTY; }
#endif
LP_METHOD(steal) { int v; return deque_steal(&d, &v) ? v : LP_EMPTY; }
