/* hwqueue.c -- the queue of Herlihy and Wing.
 *
 * M. Herlihy and J. Wing, "Linearizability: A Correctness Condition for Concurrent Objects"
 * (TOPLAS 1990); memory orders after Raad et al., "On Library Correctness under Weak Memory
 * Consistency" (POPL 2019).  An enqueue reserves a slot of an array without end, and fills it;
 * a dequeue goes through the slots reserved so far and empties the first that is full, again
 * and again until it finds one.  Which of two enqueues came first is only decided by later
 * dequeues.
 *
 * A dequeue's exchange must also release: with -DACQUIRE_XCHG it does not, and seven calls
 * later values come out in a circle (Golovin, Kokologiannakis and Vafeiadis, "RELINCHE",
 * POPL 2025, example 6.1).
 */
#include <stdatomic.h>

#ifdef ACQUIRE_XCHG
#define TAKE memory_order_acquire
#else
#define TAKE memory_order_acq_rel
#endif

enum { SLOTS = 32, NOTHING = 0 }; /* values are not 0 */

struct hwqueue {
	atomic_uint back;
	atomic_long slot[SLOTS];
};

static void hwqueue_enqueue(struct hwqueue *q, long value)
{
	unsigned i = atomic_fetch_add_explicit(&q->back, 1, memory_order_release);
	atomic_store_explicit(&q->slot[i], value, memory_order_release);
}

/* The first value found in one pass over the array, or NOTHING. */
static long scan(struct hwqueue *q)
{
	unsigned back = atomic_load_explicit(&q->back, memory_order_acquire);

	for (unsigned i = 0; i < back; i++) {
		/* An exchange of an empty slot would be a write for nothing. */
		if (atomic_load_explicit(&q->slot[i], memory_order_acquire) == NOTHING)
			continue;
		long value = atomic_exchange_explicit(&q->slot[i], NOTHING, TAKE);
		if (value != NOTHING)
			return value;
	}
	return NOTHING;
}

static long hwqueue_dequeue(struct hwqueue *q)
{
	long value;

	do
		value = scan(q);
	while (value == NOTHING);
	return value;
}

#include <linchpin.h>

static struct hwqueue q;

#ifdef ONE_SCAN
LP_SPEC("queue")
LP_METHOD(dequeue) { long v = scan(&q); return v != NOTHING ? v : LP_EMPTY; }
#else
LP_SPEC("queue:blocking")
LP_METHOD(dequeue) { return hwqueue_dequeue(&q); }
#endif
LP_METHOD(enqueue, v) { hwqueue_enqueue(&q, v); return LP_VOID; }
