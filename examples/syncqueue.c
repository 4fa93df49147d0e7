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
	pthread_cond_broadcast(&q->changed);
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

/* What a synchronous queue is: each enqueue is followed by its dequeue, and one that never
 * returns has a reason, since it may lack its other half. */
static enum lp_answer enqueues(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->count || !c->result)
		return LP_BLOCKS;
	lp_state_push(s, c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer dequeues(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return LP_BLOCKS;
	const int64_t value = s->at[0];
	lp_state_remove(s, 0);
	return lp_answers(c, value);
}

static const struct lp_method methods[] = {
	{ "enqueue", 1, LP_NOTHING, LP_INSERTS, enqueues },
	{ "dequeue", 0, LP_VALUE, LP_REMOVES, dequeues },
};
static const struct lp_kind synchronous = { .name = "synchronous queue",
					    .data = LP_DATA_EQUALITY,
					    .methods = methods,
					    .method_count = 2 };

static struct syncqueue q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, 0 };
static bool sent[32], received[32]; /* by value */

LP_SPEC_OWN(synchronous)
LP_ARGS("opaque")
LP_METHOD(enqueue, v) { syncqueue_enqueue(&q, v); sent[v] = true; return LP_VOID; }
LP_METHOD(dequeue) { long v = syncqueue_dequeue(&q); received[v] = true; return v; }
/* Nor does the last enqueue return without its dequeue. */
LP_INVARIANT { return !memcmp(sent, received, sizeof sent); }
