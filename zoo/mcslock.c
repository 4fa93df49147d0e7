/* mcslock.c -- a queue lock: each waits for its predecessor, at a place of its own.
 *
 * J. Mellor-Crummey and M. Scott, "Algorithms for Scalable Synchronization on Shared-Memory
 * Multiprocessors" (TOCS 1991).  A thread that arrives exchanges the tail for its node.  A thread that
 * leaves hands the lock to its successor, whose link it may have to wait for.
 *
 *     -DHAND=memory_order_relaxed      the lock is handed on, what it protects is not
 *     -DLEAVE=memory_order_relaxed     the same if no thread waits
 *     -DENTER=memory_order_release     a thread that finds it free does not see what the last one did
 *     -DIMPATIENT                      does not wait for the link: a successor waits forever
 */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ENTER
#define ENTER memory_order_acq_rel
#endif
#ifndef HAND
#define HAND memory_order_release
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif

struct mcs_node {
	_Atomic(struct mcs_node *) next;
	atomic_bool waits;
};

struct mcs_lock {
	_Atomic(struct mcs_node *) tail;
};

static void mcs_enter(struct mcs_lock *l, struct mcs_node *n)
{
	atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&n->waits, 1, memory_order_relaxed);
	struct mcs_node *before = atomic_exchange_explicit(&l->tail, n, ENTER);
	if (!before)
		return;
	atomic_store_explicit(&before->next, n, memory_order_release);
	while (atomic_load_explicit(&n->waits, memory_order_acquire))
		;
}

static void mcs_leave(struct mcs_lock *l, struct mcs_node *n)
{
	struct mcs_node *next = atomic_load_explicit(&n->next, memory_order_acquire);
	if (!next) {
		struct mcs_node *last = n;
		if (atomic_compare_exchange_strong_explicit(&l->tail, &last, NULL, LEAVE, memory_order_relaxed))
			return;
#ifdef IMPATIENT
		return;
#endif
		while (!(next = atomic_load_explicit(&n->next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&next->waits, 0, HAND);
}

#include <linchpin.h>

static struct mcs_lock l;
static struct mcs_node *holder; /* what the lock protects */

LP_SPEC("lock")
LP_AFTER("unlock", "lock")
LP_METHOD(lock)
{
	struct mcs_node *n = malloc(sizeof *n);
	mcs_enter(&l, n);
	holder = n;
	return LP_VOID;
}
LP_METHOD(unlock) { mcs_leave(&l, holder); return LP_VOID; }
