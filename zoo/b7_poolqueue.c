/* b7_poolqueue.c -- a lock-free queue whose nodes come from a pool of fixed size, with bug B7 of
 * POPL 2015.
 *
 * The shape is that of the queue of liblfds 6: the queue of Michael and Scott (PODC 1996) with
 * counts beside all pointers, and nodes out of a lock-free free list that had one more than
 * CAPACITY of them in the beginning (the dummy is one).  An enqueue that finds the list empty
 * fails.
 *
 * "Predetermined capacity exceeded" (Bouajjani, Emmi, Enea and Hamza, POPL 2015, table 1):
 *     -DB7  the client takes no notice of the failure, and values are lost.
 *
 * With the failures it is not a bounded queue in the strict sense, either: a node is taken before
 * the enqueue takes effect, and goes back after the dequeue has (docs/findings/poolqueue.md).
 *
 * Nodes are named by their index + 1, so that a pointer with its count is one word.  All
 * accesses are seq_cst.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef CAPACITY
#define CAPACITY 2
#endif

typedef uint64_t pointer; /* count << 32 | index + 1, or 0 there for none */

struct node {
	atomic_long value;
	_Atomic(pointer) next;
	_Atomic(pointer) next_free;
};

static struct node nodes[CAPACITY + 1];
static _Atomic(pointer) head, tail, free_list;

static pointer name_of(pointer p)
{
	return p & UINT32_MAX;
}

static struct node *node_of(pointer p)
{
	return &nodes[name_of(p) - 1];
}

/* To the node, with a count that the place has never had. */
static bool swing(_Atomic(pointer) *place, pointer from, pointer to)
{
	return atomic_compare_exchange_strong(place, &from,
					      ((from >> 32) + 1) << 32 | name_of(to));
}

static pointer take_node(void)
{
	for (;;) {
		const pointer top = atomic_load(&free_list);
		if (!name_of(top))
			return 0;
		if (swing(&free_list, top, atomic_load(&node_of(top)->next_free)))
			return name_of(top);
	}
}

static void give_node(pointer node)
{
	pointer top;

	do {
		top = atomic_load(&free_list);
		atomic_store(&node_of(node)->next_free, name_of(top));
	} while (!swing(&free_list, top, node));
}

static void queue_init(void)
{
	for (uint32_t i = 1; i <= CAPACITY + 1; i++)
		give_node(i);
	const pointer dummy = take_node();
	atomic_store(&head, dummy);
	atomic_store(&tail, dummy);
}

static bool enqueue(long value)
{
	const pointer node = take_node();

	if (!node)
		return false;
	atomic_store(&node_of(node)->value, value);
	/* No successor, and a count that tells this life of the node from the earlier ones. */
	atomic_store(&node_of(node)->next, ((atomic_load(&node_of(node)->next) >> 32) + 1) << 32);
	for (;;) {
		const pointer last = atomic_load(&tail);
		const pointer next = atomic_load(&node_of(last)->next);
		if (last != atomic_load(&tail))
			continue;
		if (name_of(next)) {
			swing(&tail, last, next);
		} else if (swing(&node_of(last)->next, next, node)) {
			swing(&tail, last, node);
			return true;
		}
	}
}

static bool dequeue(long *value)
{
	for (;;) {
		const pointer dummy = atomic_load(&head);
		const pointer last = atomic_load(&tail);
		const pointer next = atomic_load(&node_of(dummy)->next);
		if (dummy != atomic_load(&head))
			continue;
		if (name_of(dummy) == name_of(last)) {
			if (!name_of(next))
				return false;
			swing(&tail, last, next);
			continue;
		}
		*value = atomic_load(&node_of(next)->value);
		if (swing(&head, dummy, next)) {
			give_node(dummy);
			return true;
		}
	}
}

#include <linchpin.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

LP_SETUP { queue_init(); }
LP_METHOD(dequeue) { long v; return dequeue(&v) ? v : LP_EMPTY; }
#ifdef B7
LP_SPEC("queue")
LP_METHOD(enqueue, v) { enqueue(v); return LP_VOID; }
#else
LP_SPEC("queue:bounded=" TEXT(CAPACITY))
LP_METHOD(enqueue, v) { return enqueue(v); }
#endif
