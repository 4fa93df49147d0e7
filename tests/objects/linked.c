/* linked.c -- a queue after Michael and Scott whose enqueue notes plainly, between linking its node
 * and moving the tail, that it has done so.  A dequeue that has moved the tail by itself reads the
 * note, and nothing orders the two: a race, which is lost if that dequeue waits for the enqueue to
 * move the tail.
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	long value;
	int linked;
	_Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static bool swing(_Atomic(struct node *) *pointer, struct node *from, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(pointer, &from, to, memory_order_release,
						       memory_order_relaxed);
}

static void move_tail(struct node *from, struct node *to)
{
	swing(&tail, from, to);
}

LP_SPEC("queue")

LP_SETUP
{
	struct node *dummy = calloc(1, sizeof *dummy);
	atomic_init(&head, dummy);
	atomic_init(&tail, dummy);
}

LP_METHOD(enqueue, v)
{
	struct node *node = calloc(1, sizeof *node);

	node->value = v;
	for (;;) {
		struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
		if (next) {
			move_tail(last, next);
		} else if (swing(&last->next, NULL, node)) {
			node->linked = 1;
			move_tail(last, node);
			return LP_VOID;
		}
	}
}

LP_METHOD(dequeue)
{
	for (;;) {
		struct node *dummy = atomic_load_explicit(&head, memory_order_acquire);
		struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);
		if (!first)
			return LP_EMPTY;
		if (dummy == last) {
			move_tail(last, first);
			continue;
		}
		const long value = first->linked + first->value - 1;
		if (swing(&head, dummy, first))
			return value;
	}
}
