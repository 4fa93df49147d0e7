/* pollqueue.c -- a bounded queue whose callers ask again and again.
 *
 * Like the monitor of boundedqueue.c, but without conditions: a call that finds the queue full, or empty,
 * releases the lock and tries again.  A call that does so forever is correct exactly if the queue stays
 * full, or empty.
 */
#include <pthread.h>

enum { CAPACITY = 1 };

struct pollqueue {
	pthread_mutex_t lock;
	unsigned first, count;
	long item[CAPACITY];
};

/* For a variant that gets it wrong: the lock is held from the look that succeeds on. */
#ifndef AFTER_A_LOOK
#define AFTER_A_LOOK(q) ((void)(q))
#endif

static void lock_when_count_is_not(struct pollqueue *q, unsigned count)
{
	for (;;) {
		pthread_mutex_lock(&q->lock);
		if (q->count != count)
			break;
		pthread_mutex_unlock(&q->lock);
	}
	AFTER_A_LOOK(q);
}

static void pollqueue_enqueue(struct pollqueue *q, long value)
{
	lock_when_count_is_not(q, CAPACITY);
	q->item[(q->first + q->count++) % CAPACITY] = value;
	pthread_mutex_unlock(&q->lock);
}

static long pollqueue_dequeue(struct pollqueue *q)
{
	lock_when_count_is_not(q, 0);
	long value = q->item[q->first];
	q->first = (q->first + 1) % CAPACITY;
	q->count--;
	pthread_mutex_unlock(&q->lock);
	return value;
}

#include <linchpin.h>

static struct pollqueue q = { PTHREAD_MUTEX_INITIALIZER, 0, 0, { 0 } };

LP_SPEC("queue:bounded=1,blocking")
LP_METHOD(enqueue, v) { pollqueue_enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { return pollqueue_dequeue(&q); }
