/* basketsqueue.c -- the baskets queue.
 *
 * M. Hoffman, O. Shalev and N. Shavit, "The Baskets Queue" (OPODIS 2007).  Like the queue of
 * Michael and Scott, but an enqueue that was too late to append its node does not start again: it
 * and those who won were there at the same time, so that their nodes, a basket, may stand in any
 * order, and it puts its own in front of them.  For that a dequeue must not take nodes off the
 * list at once, or an enqueue could put its node where no dequeue looks any more.  It marks the link to
 * the node that it takes (the lowest bit), and only now and then moves the head over what was taken.
 *
 * All accesses have the strongest orders below seq_cst.  A dequeue then synchronises with the
 * enqueue of its value (--sync r), but the enqueues of a basket do not with each other, nor with
 * others later on: --sync ri fails.
 *
 * A basket is closed when the tail has moved on, or a dequeue has taken from it.  Checking for one of
 * the two would suffice: no dequeue takes before the tail has moved, and an enqueue that joins a basket
 * behind the tail still overlaps with those who are in it.  With -DNEVER_CLOSED an enqueue looks for
 * neither, and may put its node where the head has passed.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef HOPS
#define HOPS 3 /* taken nodes that a dequeue has gone past before it moves the head */
#endif
#ifdef SEQ_CST
#define READ memory_order_seq_cst
#define SWAP memory_order_seq_cst
#else
#define READ memory_order_acquire
#define SWAP memory_order_acq_rel
#endif

typedef uintptr_t link; /* the address of a node, and whether somebody has taken that */

struct node {
	long value;
	_Atomic(link) next;
};

struct queue {
	_Atomic(link) head, tail;
};

static link link_to(struct node *node) { return (link)node; }
static link taken(link l) { return l | 1; }
static bool is_taken(link l) { return l & 1; }
static struct node *target(link l) { return (struct node *)(l & ~(link)1); }
static link read(_Atomic(link) *l) { return atomic_load_explicit(l, READ); }

static bool swing(_Atomic(link) *l, link from, link to)
{
	return atomic_compare_exchange_strong_explicit(l, &from, to, SWAP, READ);
}

static struct node *new_node(long value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	atomic_init(&node->next, 0);
	return node;
}

static void queue_init(struct queue *q)
{
	struct node *dummy = new_node(0);
	atomic_init(&q->head, link_to(dummy));
	atomic_init(&q->tail, link_to(dummy));
}

/* The tail lags behind: to the last node with it. */
static void move_tail(struct queue *q, link tail, link next)
{
	link further;

	while ((further = read(&target(next)->next)) && read(&q->tail) == tail)
		next = further;
	swing(&q->tail, tail, link_to(target(next)));
}

/* May a node be put between the tail and what follows it? */
static bool is_open(struct queue *q, link tail, link next)
{
#ifdef NEVER_CLOSED
	(void)q, (void)tail, (void)next;
	return true;
#else
	return read(&q->tail) == tail && !is_taken(next);
#endif
}

/* Puts the node right after the tail, in front of the others that were put there. */
static bool join_basket(struct queue *q, link tail, struct node *node)
{
	link next = read(&target(tail)->next);

	while (is_open(q, tail, next)) {
		atomic_store_explicit(&node->next, next, memory_order_relaxed);
		if (swing(&target(tail)->next, next, link_to(node)))
			return true;
		next = read(&target(tail)->next);
	}
	return false;
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value);

	for (;;) {
		link tail = read(&q->tail), next = read(&target(tail)->next);
		if (next) {
			move_tail(q, tail, next);
			continue;
		}
		atomic_store_explicit(&node->next, 0, memory_order_relaxed);
		if (swing(&target(tail)->next, 0, link_to(node))) {
			swing(&q->tail, tail, link_to(node));
			return;
		}
		if (join_basket(q, tail, node))
			return;
	}
}

static bool queue_dequeue(struct queue *q, long *value)
{
	for (;;) {
		link head = read(&q->head), tail = read(&q->tail);
		struct node *at = target(head);
		link next = read(&at->next);
		unsigned hops = 0;

		if (head == tail) {
			if (!next)
				return false;
			move_tail(q, tail, next);
			continue;
		}
		while (is_taken(next) && at != target(tail) && read(&q->head) == head) {
			at = target(next);
			next = read(&at->next);
			hops++;
		}
		if (read(&q->head) != head)
			continue;
		if (at == target(tail)) {
			swing(&q->head, head, link_to(at));
			continue;
		}
		*value = target(next)->value;
		if (swing(&at->next, next, taken(next))) {
			if (hops >= HOPS)
				swing(&q->head, head, link_to(target(next)));
			return true;
		}
	}
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue")
LP_SETUP { queue_init(&q); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
