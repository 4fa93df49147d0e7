/* counted.c -- Treiber's stack by weak compare-exchanges, with another read-modify-write in each push.
 *
 * The nodes come out of an array, by a counter; or with -DCOUNT from malloc(), and are counted.  Either
 * way other threads might know of the node when the loop begins, and what a failed attempt writes
 * to it is overwritten all the same (explore/reduce/overwritten_iterations.h).
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	long value;
	struct node *next;
};

static _Atomic(struct node *) top;
static atomic_int count;

static struct node *new_node(void)
{
#ifdef COUNT
	struct node *node = malloc(sizeof *node);

	atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	return node;
#else
	static struct node nodes[8];

	return &nodes[atomic_fetch_add_explicit(&count, 1, memory_order_relaxed)];
#endif
}

LP_SPEC("stack")
LP_METHOD(push, value)
{
	struct node *node = new_node(), *first;

	node->value = value;
	do {
		first = atomic_load_explicit(&top, memory_order_relaxed);
		node->next = first;
	} while (!atomic_compare_exchange_weak_explicit(&top, &first, node, memory_order_release,
							memory_order_relaxed));
	return LP_VOID;
}
LP_METHOD(pop)
{
	struct node *first;

	do {
		first = atomic_load_explicit(&top, memory_order_acquire);
		if (!first)
			return LP_EMPTY;
	} while (!atomic_compare_exchange_weak_explicit(&top, &first, first->next, memory_order_relaxed,
							memory_order_relaxed));
	return first->value;
}
