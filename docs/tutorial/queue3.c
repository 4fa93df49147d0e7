#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { long value; _Atomic(struct node *) next; };
static _Atomic(struct node *) head, tail; /* head: the node before the first value */

#ifndef LINK
#define LINK memory_order_relaxed
#endif
#define load(p) atomic_load_explicit(p, memory_order_acquire)
#define cas(p, old, new, order) atomic_compare_exchange_strong_explicit(p, \
	&(struct node *){ old }, new, order, memory_order_relaxed)

static void enqueue(long value)
{
	struct node *n = malloc(sizeof *n);
	n->value = value;
	atomic_init(&n->next, NULL);
	for (;;) {
		struct node *t = load(&tail), *next = load(&t->next);
		if (next)
			cas(&tail, t, next, memory_order_release); /* help a slower thread */
		else if (cas(&t->next, NULL, n, LINK)) {
			cas(&tail, t, n, memory_order_release);
			return;
		}
	}
}

static int dequeue(long *value)
{
	for (;;) {
		struct node *h = load(&head), *t = load(&tail), *next = load(&h->next);
		if (!next)
			return 0;
		if (h == t)
			cas(&tail, t, next, memory_order_release);
		else {
			*value = next->value;
			if (cas(&head, h, next, memory_order_release))
				return 1;
		}
	}
}

LP_SPEC("queue")
LP_SETUP
{
	struct node *n = malloc(sizeof *n);
	atomic_init(&n->next, NULL);
	head = tail = n;
}
LP_METHOD(enqueue, v) { enqueue(v); return LP_VOID; }
LP_METHOD(dequeue) { long v; return dequeue(&v) ? v : LP_EMPTY; }
