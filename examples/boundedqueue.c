/* boundedqueue.c -- a bounded queue as a monitor: a mutex and two conditions.
 *
 * C. A. R. Hoare, "Monitors: An Operating System Structuring Concept" (CACM 1974), in the form
 * that POSIX threads give it.  A call that waits forever is correct exactly if the queue stays
 * full, or empty.
 */
#include <pthread.h>

enum { CAPACITY = 1 };

struct boundedqueue {
	pthread_mutex_t lock;
	pthread_cond_t not_full, not_empty;
	unsigned first, count;
	long item[CAPACITY];
};

/* For variants that get it wrong.  All threads that wait at one of the conditions wait for the same
 * thing, so a signal wakes one that can go on; and a woken thread checks again. */
#ifndef NOT_FULL
#define NOT_FULL(q) (&(q)->not_full)
#endif
#ifndef WHILE
#define WHILE while
#endif

static void boundedqueue_enqueue(struct boundedqueue *q, long value)
{
	pthread_mutex_lock(&q->lock);
	WHILE (q->count == CAPACITY)
		pthread_cond_wait(NOT_FULL(q), &q->lock);
	q->item[(q->first + q->count++) % CAPACITY] = value;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

static long boundedqueue_dequeue(struct boundedqueue *q)
{
	pthread_mutex_lock(&q->lock);
	WHILE (q->count == 0)
		pthread_cond_wait(&q->not_empty, &q->lock);
	long value = q->item[q->first];
	q->first = (q->first + 1) % CAPACITY;
	q->count--;
	pthread_cond_signal(NOT_FULL(q));
	pthread_mutex_unlock(&q->lock);
	return value;
}

#include <linchpin.h>

static struct boundedqueue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
				 PTHREAD_COND_INITIALIZER, 0, 0, { 0 } };

LP_SPEC("queue:bounded=1,blocking")
LP_METHOD(enqueue, v) { boundedqueue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { return boundedqueue_dequeue(&q); }
