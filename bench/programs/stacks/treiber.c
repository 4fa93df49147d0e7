/* treiber.c -- Treiber's stack (1986), linked, never freed. */
#include <stdatomic.h>
#include <stdlib.h>

#include "../client.h"

#ifndef PUSH
#define PUSH 4
#endif
#ifndef POP
#define POP 3
#endif

struct node {
	int value;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

static void client_setup(void)
{
	atomic_init(&top, NULL);
}

#define SWING(to, from, new)                                                           \
	atomic_compare_exchange_strong_explicit(to, &(from), new, memory_order_release, \
						memory_order_relaxed)

static void client_insert(int value)
{
	struct node *node = malloc(sizeof *node);
	struct node *first;

	node->value = value;
	do {
		first = atomic_load_explicit(&top, memory_order_acquire);
		atomic_store_explicit(&node->next, first, memory_order_relaxed);
	} while (!SWING(&top, first, node));
}

static void client_remove(void)
{
	struct node *first, *next;
	int value;

	do {
		first = atomic_load_explicit(&top, memory_order_acquire);
		if (first == NULL)
			return;
		next = atomic_load_explicit(&first->next, memory_order_relaxed);
	} while (!SWING(&top, first, next));
	value = first->value;
	(void)value;
}

int main(void)
{
	client_run(PUSH, POP);
	return 0;
}
