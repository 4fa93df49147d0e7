/* dglmqueue.c -- the Michael-Scott queue whose head may overtake its tail.
 *
 * S. Doherty, L. Groves, V. Luchangco and M. Moir, "Formal Verification of a Practical Lock-Free
 * Queue Algorithm" (FORTE 2004).  An enqueue is that of Michael and Scott.  A dequeue looks at the
 * tail only after it has moved the head, so that in between the tail may lag behind; an enqueue
 * then follows the links of nodes that were dequeued already, which does no harm as long as
 * they are not freed.  The second looks at `head` and `tail` are left out for the same reason.
 *
 * A node is never published without release; hence all enqueues synchronise, and all
 * dequeues (--sync rid).
 *
 * -DFREE frees the dummy that a dequeue has replaced although others may be about to read it.
 * -DLAGGING leaves the tail behind for good; enqueues still find the way.
 * -DUNHELPFUL leaves it to each enqueue to move the tail to its own node: others wait for that.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct queue {
	_Atomic(struct node *) head, tail;
};

static struct node *new_node(long value)
{
	struct node *node = calloc(1, sizeof *node); /* `next` is null */
	node->value = value;
	return node;
}

static void queue_init(struct queue *q)
{
	struct node *dummy = new_node(0);
	atomic_init(&q->head, dummy);
	atomic_init(&q->tail, dummy);
}

static struct node *read(_Atomic(struct node *) *pointer)
{
	return atomic_load_explicit(pointer, memory_order_acquire);
}

static bool swing(_Atomic(struct node *) *pointer, struct node *from, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(pointer, &from, to, memory_order_release,
						       memory_order_relaxed);
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value);

	for (;;) {
		struct node *last = read(&q->tail), *next = read(&last->next);
		if (next) {
#ifndef UNHELPFUL
			swing(&q->tail, last, next);
#endif
		} else if (swing(&last->next, NULL, node)) {
			swing(&q->tail, last, node);
			return;
		}
	}
}

static bool queue_dequeue(struct queue *q, long *value)
{
	struct node *dummy, *first;

	do {
		dummy = read(&q->head);
		first = read(&dummy->next);
		if (!first)
			return false;
		*value = first->value;
	} while (!swing(&q->head, dummy, first));
#ifndef LAGGING
	if (read(&q->tail) == dummy)
		swing(&q->tail, dummy, first);
#endif
#ifdef FREE
	free(dummy);
#endif
	return true;
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue")
LP_SETUP { queue_init(&q); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
