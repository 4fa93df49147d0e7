/* msqueue.c -- the queue of Michael and Scott (PODC 1996), linked, never freed.
 *
 * C11 orders: everything read through is acquired, everything published is
 * released; the value is plain and written before the node is linked.  The tail may
 * lag behind by one node; a thread that sees this moves it. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../client.h"

#ifndef ENQ
#define ENQ 4
#endif
#ifndef DEQ
#define DEQ 4
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *acquire(_Atomic(struct node *) *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static void client_setup(void)
{
	struct node *dummy = malloc(sizeof *dummy);

	atomic_init(&dummy->next, NULL);
	atomic_init(&head, dummy);
	atomic_init(&tail, dummy);
}

#define SWING(to, from, new)                                                           \
	atomic_compare_exchange_strong_explicit(to, &(from), new, memory_order_release, \
						memory_order_relaxed)

static void client_insert(int value)
{
	struct node *node = malloc(sizeof *node);
	struct node *last, *next;

	node->value = value;
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	for (;;) {
		last = acquire(&tail);
		next = acquire(&last->next);
		if (last != acquire(&tail))
			continue;
		if (next == NULL) {
			if (FINAL(SWING(&last->next, next, node)))
				break;
		} else {
			HELPING(SWING(&tail, last, next));
		}
	}
	HELPED(SWING(&tail, last, node));
}

static void client_remove(void)
{
	struct node *first, *last, *next;

	for (;;) {
		first = acquire(&head);
		last = acquire(&tail);
		next = acquire(&first->next);
		if (first != acquire(&head))
			continue;
		if (first == last) {
			if (next == NULL)
				return;
			HELPING(SWING(&tail, last, next));
		} else {
			int value = next->value;

			(void)value;
			if (SWING(&head, first, next))
				return;
		}
	}
}

int main(void)
{
	client_run(ENQ, DEQ);
	return 0;
}
