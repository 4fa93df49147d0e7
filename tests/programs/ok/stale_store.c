/* Three pushes onto a stack: one that has read an old top fails.  What it has stored in its own node does not matter, since it stores
 * there again.  So nothing is left blocked.
 * expect sc,tso,ra,rc11: verified, executions 6, blocked 0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

static void *push(void *arg)
{
	struct node *node = malloc(sizeof *node), *seen;

	do {
		seen = atomic_load_explicit(&top, memory_order_relaxed);
		atomic_store_explicit(&node->next, seen, memory_order_relaxed);
	} while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_release, memory_order_relaxed));
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, push, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
