/* b1_twolock.c -- the two-lock queue of Michael and Scott, with a lock that is not atomic.
 *
 * M. Michael and M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent
 * Queue Algorithms" (PODC 1996).  Bug B1 of Bouajjani, Emmi, Enea and Hamza, "Tractable
 * Refinement Checking for Concurrent Objects" (POPL 2015), table 1: a lock is looked at, and
 * then taken, in two steps, so that two may take it.
 *     -DB1_HEAD  the lock of the dequeues: two of them return the same value;
 *     -DB1_TAIL  the lock of the enqueues: one overwrites what the other has linked.
 *
 * Nodes are never freed, and all accesses are seq_cst: what goes wrong is the queue itself, not
 * memory.  (Under a weak model the locks would have to order plain accesses; see
 * examples/twolock.c for that.)
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long value;
	_Atomic(struct node *) next;
};

struct queue {
	atomic_bool head_lock, tail_lock;
	_Atomic(struct node *) head, tail;
};

static void take(atomic_bool *lock)
{
	while (atomic_exchange(lock, true))
		;
}

#if defined B1_HEAD || defined B1_TAIL
static void look_then_take(atomic_bool *lock)
{
	while (atomic_load(lock))
		;
	atomic_store(lock, true);
}
#endif

static void give(atomic_bool *lock)
{
	atomic_store(lock, false);
}

#ifdef B1_HEAD
#define take_head look_then_take
#else
#define take_head take
#endif
#ifdef B1_TAIL
#define take_tail look_then_take
#else
#define take_tail take
#endif

static struct node *new_node(long value)
{
	struct node *node = calloc(1, sizeof *node); /* `next` is null */
	node->value = value;
	return node;
}

static void queue_init(struct queue *q)
{
	struct node *dummy = new_node(0);
	atomic_init(&q->head, dummy);
	atomic_init(&q->tail, dummy);
}

static void enqueue(struct queue *q, long value)
{
	struct node *node = new_node(value);

	take_tail(&q->tail_lock);
	atomic_store(&atomic_load(&q->tail)->next, node);
	atomic_store(&q->tail, node);
	give(&q->tail_lock);
}

static bool dequeue(struct queue *q, long *value)
{
	take_head(&q->head_lock);
	struct node *first = atomic_load(&atomic_load(&q->head)->next);
	if (first) {
		*value = first->value;
		atomic_store(&q->head, first);
	}
	give(&q->head_lock);
	return first;
}

#include <linchpin.h>

static struct queue q;

LP_SPEC("queue")
LP_SETUP { queue_init(&q); }
LP_METHOD(enqueue, v) { enqueue(&q, v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return dequeue(&q, &v) ? v : LP_EMPTY; }
