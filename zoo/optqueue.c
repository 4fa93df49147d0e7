/* optqueue.c -- the optimistic queue.
 *
 * E. Ladan-Mozes and N. Shavit, "An Optimistic Approach to Lock-Free FIFO Queues" (DISC 2004), with
 * a dummy at the head as in libcds.  An enqueue needs a single compare-exchange, that of the tail:
 * the new node points to the one before it (`older`), and the link in the other direction, which
 * dequeues go along, is stored afterwards.  A dequeue that does not find it goes through the queue
 * from its tail, and puts right what is missing.
 *
 *     head -> dummy <-older- a <-older- b <- tail
 *             dummy -newer-> a  ...         (may be late)
 *
 * Nodes are not reused, so that `newer`, once set, is correct, and neither the counters beside the
 * pointers nor the second looks at `head` of the paper are needed.
 *
 * A thread that reaches a node must see it initialised, so a pointer to one is never published
 * without release; hence all enqueues synchronise, and all dequeues (--sync rid).
 *
 * -DLOST forgets to put right what is missing, and says that the queue is empty.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long value;
	struct node *older;
	_Atomic(struct node *) newer;
};

struct queue {
	_Atomic(struct node *) head, tail;
};

static struct node *new_node(long value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	node->older = NULL;
	atomic_init(&node->newer, NULL);
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

	do
		node->older = read(&q->tail);
	while (!swing(&q->tail, node->older, node));
	atomic_store_explicit(&node->older->newer, node, memory_order_release);
}

/* Sets the links from `first` to `last` that are still missing. */
static void put_right(struct queue *q, struct node *first, struct node *last)
{
	for (struct node *node = last; node != first; node = node->older) {
		if (read(&q->head) != first) /* somebody else has done it */
			return;
		atomic_store_explicit(&node->older->newer, node, memory_order_release);
	}
}

static bool queue_dequeue(struct queue *q, long *value)
{
	for (;;) {
		struct node *dummy = read(&q->head);
		struct node *last = read(&q->tail);
		if (dummy == last)
			return false;
		struct node *first = read(&dummy->newer);
		if (!first) {
#ifdef LOST
			return false;
#endif
			put_right(q, dummy, last);
			continue;
		}
		*value = first->value;
		if (swing(&q->head, dummy, first))
			return true;
	}
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue")
LP_SETUP { queue_init(&q); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
