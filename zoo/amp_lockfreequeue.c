/* amp_lockfreequeue.c -- the queue of Michael and Scott, under garbage collection.
 *
 * M. Michael and M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
 * Queue Algorithms" (PODC 1996); Herlihy, Shavit, Luchangco and Spear, "The Art of
 * Multiprocessor Programming" (2020), section 10.5.  Nothing is freed, and nothing counted.
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
	struct node *node = malloc(sizeof *node);
	node->value = value;
	atomic_init(&node->next, NULL);
	return node;
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value);

	for (;;) {
		struct node *last = q->tail, *next = last->next;

		if (last != q->tail)
			continue;
		if (next) {
			atomic_compare_exchange_strong(&q->tail, &last, next);
		} else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
			atomic_compare_exchange_strong(&q->tail, &last, node);
			return;
		}
	}
}

static bool queue_dequeue(struct queue *q, long *value)
{
	for (;;) {
		struct node *first = q->head, *last = q->tail, *next = first->next;

		if (first != q->head)
			continue;
		if (first == last) {
			if (!next)
				return false;
			atomic_compare_exchange_strong(&q->tail, &last, next);
		} else {
			*value = next->value;
			if (atomic_compare_exchange_strong(&q->head, &first, next))
				return true;
		}
	}
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue")
LP_SETUP { q.head = q.tail = new_node(0); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
