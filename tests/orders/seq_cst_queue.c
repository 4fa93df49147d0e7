/* seq_cst_queue.c -- the queue of docs/weakest.md.  Moving the tail for another thread is mostly left out by reductions, so
 * that it is reached with some orders only. */
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	long value;
	_Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;

static struct node *new_node(long value)
{
	struct node *n = malloc(sizeof *n);
	n->value = value;
	atomic_init(&n->next, NULL);
	return n;
}

static void put(long value)
{
	struct node *n = new_node(value);

	for (;;) {
		struct node *last = atomic_load(&tail);
		struct node *next = atomic_load(&last->next);
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
		} else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
			atomic_compare_exchange_strong(&tail, &last, n);
			return;
		}
	}
}

static int take(long *value)
{
	for (;;) {
		struct node *first = atomic_load(&head);
		struct node *last = atomic_load(&tail);
		struct node *next = atomic_load(&first->next);
		if (!next)
			return 0;
		if (first == last)
			atomic_compare_exchange_strong(&tail, &last, next);
		*value = next->value;
		if (atomic_compare_exchange_strong(&head, &first, next))
			return 1;
	}
}

#include <linchpin.h>

LP_SPEC("queue")
LP_SETUP { struct node *n = new_node(0); atomic_init(&head, n); atomic_init(&tail, n); }
LP_METHOD(enqueue, v) { put(v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return take(&v) ? v : LP_EMPTY; }
