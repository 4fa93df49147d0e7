/* twolock.c -- the two-lock queue of Michael and Scott.
 *
 * From the same paper as msqueue.c: one lock for each end of a list behind a dummy node,
 * so that an enqueue and a dequeue never wait for each other.  The two meet in the `next`
 * of the last node, which is therefore atomic; everything else belongs to a lock.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef LOCK /* a variant brings its own lock */
#define LOCK pthread_mutex_t
#define lock_init(lock) pthread_mutex_init(lock, NULL)
#define lock_take pthread_mutex_lock
#define lock_give pthread_mutex_unlock
#endif
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct twolock {
	LOCK head_lock, tail_lock;
	struct node *head, *tail;
};

static struct node *new_node(long value)
{
	struct node *node = calloc(1, sizeof *node); /* `next` is null */
	node->value = value;
	return node;
}

static void twolock_init(struct twolock *q)
{
	lock_init(&q->head_lock);
	lock_init(&q->tail_lock);
	q->head = q->tail = new_node(0);
}

static void twolock_enqueue(struct twolock *q, long value)
{
	struct node *node = new_node(value);

	lock_take(&q->tail_lock);
	atomic_store_explicit(&q->tail->next, node, PUBLISH);
	q->tail = node;
	lock_give(&q->tail_lock);
}

static bool twolock_dequeue(struct twolock *q, long *value)
{
	lock_take(&q->head_lock);
	struct node *dummy = q->head;
	struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);
	if (first) {
		*value = first->value;
		q->head = first; /* the new dummy */
	}
	lock_give(&q->head_lock);
	/* With a successor it is no longer the tail's, and no other thread can reach it. */
	if (first)
		free(dummy);
	return first;
}

#include <linchpin.h>

static struct twolock q;

LP_SPEC("queue")
LP_SETUP { twolock_init(&q); }
LP_METHOD(enqueue, v) { twolock_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return twolock_dequeue(&q, &v) ? v : LP_EMPTY; }
