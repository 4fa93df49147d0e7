/* Two like pushes and two like pops of Treiber's stack.  With a counter in front of the push, or
 * nodes out of an array, there are as many executions as without for each of the two orders of arrival;
 * and no iteration is kept for the sake of races.
 * expect sc,rc11 -- -DMALLOC: verified, executions 10
 * expect sc,rc11: verified, executions 20
 * expect sc,rc11 -- -DMALLOC -DCOUNT: verified, executions 20
 */
#include <pthread.h>
#include <stdlib.h>

#include "../parallel.h"

pthread_t __VERIFIER_spawn_symmetric(void *(*)(void *), void *, pthread_t);

struct node {
	struct node *next;
	long value;
};
static _Atomic(struct node *) top;
static atomic_int count;

static struct node *new_node(void)
{
#ifdef MALLOC
	struct node *node = malloc(sizeof *node);
#ifdef COUNT
	atomic_fetch_add_explicit(&count, 1, relaxed);
#endif
	return node;
#else
	static struct node pool[2];
	return &pool[atomic_fetch_add_explicit(&count, 1, relaxed)];
#endif
}

static void *push(void *nothing)
{
	struct node *node = new_node(), *first;

	node->value = 7;
	do {
		first = load(&top, relaxed);
		node->next = first;
	} while (!atomic_compare_exchange_weak_explicit(&top, &first, node, release, relaxed));
	return nothing;
}

static void *pop(void *nothing)
{
	struct node *first;

	do {
		first = load(&top, acquire);
		if (!first)
			return nothing;
	} while (!atomic_compare_exchange_weak_explicit(&top, &first, first->next, relaxed, relaxed));
	assert(first->value == 7);
	return nothing;
}

int main(void)
{
	pthread_t thread[4];

	pthread_create(&thread[0], NULL, push, NULL);
	thread[1] = __VERIFIER_spawn_symmetric(push, NULL, thread[0]);
	pthread_create(&thread[2], NULL, pop, NULL);
	thread[3] = __VERIFIER_spawn_symmetric(pop, NULL, thread[2]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
