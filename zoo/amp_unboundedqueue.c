/* amp_unboundedqueue.c -- a queue with a lock at each end.
 *
 * M. Michael and M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
 * Queue Algorithms" (PODC 1996); Herlihy, Shavit, Luchangco and Spear, "The Art of
 * Multiprocessor Programming" (2020), section 10.4.  The ends meet in the `next` of the last
 * node only.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct queue {
	pthread_mutex_t enq_lock, deq_lock;
	struct node *head, *tail; /* of deq_lock; of enq_lock */
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

	pthread_mutex_lock(&q->enq_lock);
	q->tail->next = node;
	q->tail = node;
	pthread_mutex_unlock(&q->enq_lock);
}

static bool queue_dequeue(struct queue *q, long *value)
{
	pthread_mutex_lock(&q->deq_lock);
	struct node *first = q->head->next;
	if (first) {
		*value = first->value;
		q->head = first;
	}
	pthread_mutex_unlock(&q->deq_lock);
	return first;
}

#include <linchpin.h>

static struct queue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, NULL, NULL };

LP_SPEC("queue")
LP_SETUP { q.head = q.tail = new_node(0); }
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return queue_dequeue(&q, &v) ? v : LP_EMPTY; }
