/* amp_dualqueue.c -- a synchronous queue whose calls wait in line.
 *
 * W. Scherer, D. Lea and M. Scott, "Scalable Synchronous Queues" (PPoPP 2006), as in Herlihy,
 * Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020), section 10.6.2.
 * The list holds either items of enqueues, or reservations of dequeues, whose callers wait
 * at their node until a call of the other kind has changed its item.
 *
 * -DORIGINAL: as printed, a dequeue does not look whether the item of the first node is still
 * there.  If another dequeue has just taken it, and has not yet moved the head, it exchanges
 * nothing for nothing, is content, and returns null without waiting.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };
enum kind { ITEM, RESERVATION };

struct node {
	enum kind kind;
	_Atomic(long) item;
	_Atomic(struct node *) next;
};

struct queue {
	_Atomic(struct node *) head, tail;
};

static struct node *new_node(enum kind kind, long item)
{
	struct node *node = malloc(sizeof *node);
	node->kind = kind;
	atomic_init(&node->item, item);
	atomic_init(&node->next, NULL);
	return node;
}

static void move(_Atomic(struct node *) *end, struct node *from, struct node *to)
{
	atomic_compare_exchange_strong(end, &from, to);
}

/* Puts `offer` in line, waits until its item is another one, and returns that; false if the
 * line has changed. */
static bool wait_in_line(struct queue *q, struct node *last, struct node *offer, long *item)
{
	const long offered = *item;
	struct node *next = last->next;

	if (last != q->tail)
		return false;
	if (next) {
		move(&q->tail, last, next);
		return false;
	}
	if (!atomic_compare_exchange_strong(&last->next, &next, offer))
		return false;
	move(&q->tail, last, offer);
	while ((*item = offer->item) == offered)
		;
	struct node *first = q->head;
	if (offer == first->next)
		move(&q->head, first, offer);
	return true;
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *offer = new_node(ITEM, value);

	for (;;) {
		struct node *last = q->tail, *first = q->head;

		if (first == last || last->kind == ITEM) {
			long item = value;
			if (wait_in_line(q, last, offer, &item))
				return;
			continue;
		}
		struct node *next = first->next;
		if (last != q->tail || first != q->head || !next)
			continue;
		long none = NONE;
		const bool given = atomic_compare_exchange_strong(&next->item, &none, value);
		move(&q->head, first, next);
		if (given)
			return;
	}
}

static long queue_dequeue(struct queue *q)
{
	struct node *offer = new_node(RESERVATION, NONE);

	for (;;) {
		struct node *last = q->tail, *first = q->head;

		if (first == last || last->kind == RESERVATION) {
			long item = NONE;
			if (wait_in_line(q, last, offer, &item))
				return item;
			continue;
		}
		struct node *next = first->next;
		if (last != q->tail || first != q->head || !next)
			continue;
		long item = next->item, taken = item;
#ifndef ORIGINAL
		if (item == NONE)
			continue;
#endif
		const bool is_mine = atomic_compare_exchange_strong(&next->item, &taken, NONE);
		move(&q->head, first, next);
		if (is_mine)
			return item;
	}
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue:synchronous=1,blocking=1")
LP_SETUP { q.head = q.tail = new_node(ITEM, NONE); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue)
{
	const long item = queue_dequeue(&q);
	return item == NONE ? LP_EMPTY : item;
}
