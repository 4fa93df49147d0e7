/* randomqueue.c -- a queue whose dequeues take any of the first few values.
 *
 * Y. Afek, G. Korland and E. Yanovsky, "Quasi-Linearizability" (OPODIS 2010), as the Scal library
 * has it: the queue of Michael and Scott, with a mark in each node that is taken.  A dequeue goes
 * a random number of nodes on, less than FACTOR, and tries to take the one that it comes to; if
 * that is gone, it takes the first that is not.  The head is moved over nodes that are taken
 * only, so that values which were passed over are not lost.
 *
 * A taken node counts as one to go past.  So the first value is overtaken by those of at most
 * FACTOR - 1 nodes, however often; it would be by any number if only values counted.
 * -DSKIP_TAKEN does that.
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef FACTOR
#define FACTOR 2
#endif

struct node {
	long value;
	atomic_bool taken;
	_Atomic(struct node *) next;
};

struct queue {
	_Atomic(struct node *) head, tail; /* the node at the head is taken, or the first of all */
};

static struct node *new_node(long value, bool taken)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	atomic_init(&node->taken, taken);
	atomic_init(&node->next, NULL);
	return node;
}

static void queue_init(struct queue *q)
{
	struct node *dummy = new_node(0, true);
	atomic_init(&q->head, dummy);
	atomic_init(&q->tail, dummy);
}

static void swing(_Atomic(struct node *) *pointer, struct node *from, struct node *to)
{
	atomic_compare_exchange_strong(pointer, &from, to);
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value, false);

	for (;;) {
		struct node *last = atomic_load(&q->tail), *nothing = NULL;
		if (atomic_compare_exchange_strong(&last->next, &nothing, node)) {
			swing(&q->tail, last, node);
			return;
		}
		swing(&q->tail, last, nothing);
	}
}

static bool take(struct node *node)
{
	bool no = false;
	return atomic_compare_exchange_strong(&node->taken, &no, true);
}

/* The node that is so many after the head's next, or the last one; null if there is none. */
static struct node *node_after(struct node *head, unsigned further)
{
	struct node *node = atomic_load(&head->next), *next;

	while (node && (next = atomic_load(&node->next))) {
#ifdef SKIP_TAKEN
		if (atomic_load(&node->taken)) {
			node = next;
			continue;
		}
#endif
		if (!further--)
			break;
		node = next;
	}
	return node;
}

/* The first node that can be taken, or null; the head is moved over those before it. */
static struct node *take_first(struct queue *q)
{
	for (;;) {
		struct node *head = atomic_load(&q->head), *next = atomic_load(&head->next);
		if (!next)
			return NULL;
		const bool mine = take(next);
		swing(&q->head, head, next);
		if (mine)
			return next;
	}
}

static bool queue_dequeue(struct queue *q, long *value)
{
	struct node *node = node_after(atomic_load(&q->head), lp_choose(FACTOR));

	if (!node || !take(node))
		node = take_first(q);
	if (node)
		*value = node->value;
	return node;
}

static struct queue q;

LP_SPEC("queue")
LP_SETUP { queue_init(&q); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
