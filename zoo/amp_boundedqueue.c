/* amp_boundedqueue.c -- a bounded queue with two locks.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 10.3.  Enqueues and dequeues share `size` only, and wake each other up when it leaves
 * its bounds.  Each condition is signalled under its own lock: who has found the queue full, or
 * empty, is asleep by then.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { CAPACITY = 2 };

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct queue {
	pthread_mutex_t enq_lock, deq_lock;
	pthread_cond_t not_full, not_empty;
	atomic_int size;
	struct node *head, *tail; /* of deq_lock; of enq_lock */
};

static struct node *new_node(long value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	atomic_init(&node->next, NULL);
	return node;
}

static void wake_all(pthread_mutex_t *lock, pthread_cond_t *condition)
{
	pthread_mutex_lock(lock);
	pthread_cond_broadcast(condition);
	pthread_mutex_unlock(lock);
}

static void queue_enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value);

	pthread_mutex_lock(&q->enq_lock);
	while (q->size == CAPACITY)
		pthread_cond_wait(&q->not_full, &q->enq_lock);
	q->tail->next = node;
	q->tail = node;
	const bool was_empty = atomic_fetch_add(&q->size, 1) == 0;
	pthread_mutex_unlock(&q->enq_lock);
	if (was_empty)
		wake_all(&q->deq_lock, &q->not_empty);
}

static long queue_dequeue(struct queue *q)
{
	struct node *first;

	pthread_mutex_lock(&q->deq_lock);
	while (!(first = q->head->next))
		pthread_cond_wait(&q->not_empty, &q->deq_lock);
	const long value = first->value;
	q->head = first;
	const bool was_full = atomic_fetch_sub(&q->size, 1) == CAPACITY;
	pthread_mutex_unlock(&q->deq_lock);
	if (was_full)
		wake_all(&q->enq_lock, &q->not_full);
	return value;
}

#include <linchpin.h>

static struct queue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
			  PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL, NULL };

LP_SPEC("queue:bounded=2,blocking")
LP_SETUP { q.head = q.tail = new_node(0); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { return queue_dequeue(&q); }
