/* syncqueue.c -- a synchronous queue: an enqueue returns when its value was taken.
 *
 * The monitor version of M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming"
 * (2008), section 10.6.1.  `offered` says that an enqueue has the place, `full` that its value
 * is still there.
 */
#include <pthread.h>
#include <stdbool.h>

/* For variants that get it wrong. */
#ifndef IS_TAKEN
#define IS_TAKEN(q) ((q)->offered)
#endif
#ifndef WAITS
#define WAITS(q) ((q)->full)
#endif
#ifndef TELL_DONE
#define TELL_DONE(q) pthread_cond_broadcast(&(q)->changed)
#endif

struct syncqueue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool offered, full;
	long item;
};

static void syncqueue_enqueue(struct syncqueue *q, long value)
{
	pthread_mutex_lock(&q->lock);
	while (IS_TAKEN(q))
		pthread_cond_wait(&q->changed, &q->lock);
	q->offered = q->full = true;
	q->item = value;
	pthread_cond_broadcast(&q->changed);
	while (WAITS(q))
		pthread_cond_wait(&q->changed, &q->lock);
	q->offered = false;
	TELL_DONE(q);
	pthread_mutex_unlock(&q->lock);
}

static long syncqueue_dequeue(struct syncqueue *q)
{
	pthread_mutex_lock(&q->lock);
	while (!q->full)
		pthread_cond_wait(&q->changed, &q->lock);
	long value = q->item;
	q->full = false;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	return value;
}

#include <linchpin.h>

static struct syncqueue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, 0 };

LP_SPEC("queue:synchronous")
LP_METHOD(enqueue, v) { syncqueue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { return syncqueue_dequeue(&q); }
