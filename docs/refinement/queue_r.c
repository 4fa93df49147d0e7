/* queue_r.c -- a queue as a program: a removal happens after the insertion of its value, and nothing else is ordered. */
#include <linchpin.h>
#include <stdatomic.h>

static struct lp_partial lock;
static atomic_long item[32];
static int front, back;
#ifdef INSERTIONS
static atomic_int inserted; /* each insertion happens before the next one, ... */
#endif
#ifdef REMOVALS
static atomic_int removed; /* ... and each removal before the next one */
#endif

#ifdef BLOCKING
LP_SPEC("queue:blocking")
#else
LP_SPEC("queue")
#endif

LP_METHOD(enqueue, v)
{
	lp_partial_lock(&lock);
#ifdef INSERTIONS
	atomic_fetch_add_explicit(&inserted, 1, memory_order_acq_rel);
#endif
	atomic_store_explicit(&item[back++], v, memory_order_release);
	lp_partial_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t v = LP_EMPTY;

	lp_partial_lock(&lock);
#ifdef BLOCKING
	while (front == back) {
		lp_partial_unlock(&lock);
		lp_partial_lock(&lock);
	}
#endif
	if (front < back) {
#ifdef REMOVALS
		atomic_fetch_add_explicit(&removed, 1, memory_order_acq_rel);
#endif
		v = atomic_load_explicit(&item[front++], memory_order_acquire);
	}
	lp_partial_unlock(&lock);
	return v;
}
