/* msqueue.c -- the lock-free queue of Michael and Scott.
 *
 * M. Michael and M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking
 * Concurrent Queue Algorithms" (PODC 1996).  A linked list behind a dummy node: `head`
 * is the dummy, `tail` the last node or the one before it; a thread that finds
 * it lagging moves it on.  Nodes are not reused, so that neither counters beside the pointers
 * nor the second look at `head` and `tail` of the paper are needed.
 *
 * No order can be weakened: a thread that reaches a node must also see it initialised, so a
 * pointer to one is never published without release.  As a consequence all enqueues
 * synchronise, and all dequeues: --sync rid holds.  (Only the tail that a dequeue compares
 * with could be read relaxed; the head may then overtake it, which does no harm here.)
 *
 * Where nodes come out of memory that is zero from the start (-DPOOL), weaker orders do not
 * read uninitialised memory, and what else depends on them is seen:
 *     -DRELAXED_TAIL  enqueues do not synchronise with each other (--sync ri), and three calls
 *                     suffice for a dequeue not to find what was enqueued before it;
 *     -DRELAXED_HEAD  nor do dequeues (--sync rid); four calls.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef RELAXED_TAIL
#define TAIL_ACQUIRE memory_order_relaxed
#define TAIL_RELEASE memory_order_relaxed
#else
#define TAIL_ACQUIRE memory_order_acquire
#define TAIL_RELEASE memory_order_release
#endif
#ifdef RELAXED_HEAD
#define HEAD_ACQUIRE memory_order_relaxed
#define HEAD_RELEASE memory_order_relaxed
#else
#define HEAD_ACQUIRE memory_order_acquire
#define HEAD_RELEASE memory_order_release
#endif
/* For variants that get it wrong. */
#ifndef LINK
#define LINK memory_order_release
#endif
#ifndef MOVE_HEAD
#define MOVE_HEAD(q, from, to) swing(&(q)->head, from, to, HEAD_RELEASE)
#endif

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct msqueue {
	_Atomic(struct node *) head, tail;
};

#ifdef POOL
static struct node pool[16];
static atomic_uint used;

static struct node *new_node(long value)
{
	struct node *node = &pool[atomic_fetch_add_explicit(&used, 1, memory_order_relaxed)];
	node->value = value;
	return node;
}
#else
static struct node *new_node(long value)
{
	struct node *node = calloc(1, sizeof *node); /* `next` is null */
	node->value = value;
	return node;
}
#endif

static void msqueue_init(struct msqueue *q)
{
	struct node *dummy = new_node(0);
	atomic_init(&q->head, dummy);
	atomic_init(&q->tail, dummy);
}

static bool swing(_Atomic(struct node *) *pointer, struct node *from, struct node *to,
		  memory_order order)
{
	return atomic_compare_exchange_strong_explicit(pointer, &from, to, order,
						       memory_order_relaxed);
}

/* If another thread was faster, that is just as good. */
static void move_tail(struct msqueue *q, struct node *from, struct node *to)
{
	swing(&q->tail, from, to, TAIL_RELEASE);
}

static void msqueue_enqueue(struct msqueue *q, long value)
{
	struct node *node = new_node(value);

	for (;;) {
		struct node *last = atomic_load_explicit(&q->tail, TAIL_ACQUIRE);
		struct node *next = atomic_load_explicit(&last->next, TAIL_ACQUIRE);
		if (next) {
			move_tail(q, last, next);
		} else if (swing(&last->next, NULL, node, LINK)) {
			move_tail(q, last, node);
			return;
		}
	}
}

static bool msqueue_dequeue(struct msqueue *q, long *value)
{
	for (;;) {
		struct node *dummy = atomic_load_explicit(&q->head, HEAD_ACQUIRE);
		struct node *last = atomic_load_explicit(&q->tail, TAIL_ACQUIRE);
		struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);
		if (!first)
			return false;
		if (dummy == last) { /* head must not overtake tail */
			move_tail(q, last, first);
			continue;
		}
		long found = first->value;
		if (MOVE_HEAD(q, dummy, first)) {
			*value = found;
			return true;
		}
	}
}

#include <linchpin.h>

static struct msqueue q;

LP_SPEC("queue")
LP_SETUP { msqueue_init(&q); }
LP_METHOD(enqueue, v) { msqueue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return msqueue_dequeue(&q, &v) ? v : LP_EMPTY; }
