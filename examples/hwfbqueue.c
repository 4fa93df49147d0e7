/* hwfbqueue.c -- an array queue with both ends in one word.
 *
 * Golovin, Kokologiannakis and Vafeiadis, "RELINCHE" (POPL 2025), example 2.2.  Enqueues and
 * dequeues take the next index from `ends`, and then have that slot to themselves: a dequeue
 * waits there for its enqueue.  Only the slots synchronise, so that nothing is ordered but
 * an enqueue and the dequeue of its value (--sync r, and no more).
 */
#include <stdatomic.h>
#include <stdint.h>

/* For variants that get it wrong. */
#ifndef FILL
#define FILL memory_order_release
#endif
#ifndef DRAW_BACK
#define DRAW_BACK(ends) atomic_fetch_add_explicit(ends, 1, memory_order_relaxed)
#endif
#ifndef MINE
#define MINE(ends) ((ends) >> 32)
#endif

enum { SLOTS = 32, NOTHING = 0 }; /* values are not 0 */

struct hwfbqueue {
	_Atomic(uint64_t) ends; /* front in the upper half, back in the lower */
	atomic_long slot[SLOTS];
};

static const uint64_t one_front = UINT64_C(1) << 32;

static void hwfbqueue_enqueue(struct hwfbqueue *q, long value)
{
	uint64_t ends = DRAW_BACK(&q->ends);
	atomic_store_explicit(&q->slot[(uint32_t)ends], value, FILL);
}

static long hwfbqueue_dequeue(struct hwfbqueue *q)
{
	uint64_t ends;
	long value;

	do {
		ends = atomic_load_explicit(&q->ends, memory_order_relaxed);
		if (ends >> 32 >= (uint32_t)ends)
			return NOTHING;
	} while (!atomic_compare_exchange_strong_explicit(&q->ends, &ends, ends + one_front,
							  memory_order_relaxed,
							  memory_order_relaxed));
	do
		value = atomic_load_explicit(&q->slot[MINE(ends)], memory_order_acquire);
	while (value == NOTHING);
	return value;
}

#include <linchpin.h>

static struct hwfbqueue q;

LP_SPEC("queue")
LP_METHOD(enqueue, v) { hwfbqueue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v = hwfbqueue_dequeue(&q); return v != NOTHING ? v : LP_EMPTY; }
