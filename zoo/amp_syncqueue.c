/* amp_syncqueue.c -- a synchronous queue as a monitor.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 10.6.1.  An enqueue offers its item, when no other does, and waits until it is taken.
 */
#include <pthread.h>
#include <stdbool.h>

enum { NONE = -1 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool enqueuing;
	long item;
};

static void queue_enqueue(struct queue *q, long value)
{
	pthread_mutex_lock(&q->lock);
	while (q->enqueuing)
		pthread_cond_wait(&q->changed, &q->lock);
	q->enqueuing = true;
	q->item = value;
	pthread_cond_broadcast(&q->changed);
	while (q->item != NONE)
		pthread_cond_wait(&q->changed, &q->lock);
	q->enqueuing = false;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

static long queue_dequeue(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->item == NONE)
		pthread_cond_wait(&q->changed, &q->lock);
	const long value = q->item;
	q->item = NONE;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	return value;
}

#include <linchpin.h>

static struct queue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, NONE };

LP_SPEC("queue:synchronous=1,blocking=1")
LP_METHOD(enqueue, v) { queue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { return queue_dequeue(&q); }
