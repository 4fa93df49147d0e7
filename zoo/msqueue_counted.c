/* msqueue_counted.c -- the queue of Michael and Scott (PODC 1996), with counted pointers.
 *
 * A list with a dummy node in front.  Nodes may be used again, at once; so that a thread which
 * looks at an old one is not deceived, every pointer has a count that grows with each
 * change.  Counts are only ever compared for equality: here a counted pointer is the address of a
 * *reference*, allocated afresh with each change, and two are equal if and only if the
 * pointers and their counts were.  Unreachable references are collected, so that states
 * are finite though counts are not.
 *
 * Nodes that are free lie on a stack (Treiber's, as in the paper), whose cells are collected,
 * too, so that it needs no counts.  There, a free node's next is the link of that stack; here
 * it is made NULL when the node is freed instead of when it is used again.
 *
 *     -DSIZE=3   nodes beside the dummy: that many values are enqueued, in all; an enqueue that
 *                finds no node is not made.  (A model with numbers for counts is finite like that.)
 *     -DREUSE    nodes that are dequeued are used again: that many values at a time
 *     -DCALLS=n  a thread makes no more calls than that (default: forever)
 *     -DBUG=1    no counts: pointers are nodes.  Needs REUSE to do harm
 *     -DBUG=2    dequeue reads the value after it has taken the node.  The same
 *     -DBUG=3    enqueue links its node by a store
 *     -DBUG=4    dequeue does not look again whether its head is the head.  Needs REUSE to do harm
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 3
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 4, "there is no such BUG");
#ifdef REUSE
#define FREE_NODE(n) free_node(n)
#else
#define FREE_NODE(n) ((void)0) /* the collector's */
#endif

void __VERIFIER_assume(int);

#ifdef CALLS
static _Thread_local int calls;
#define COUNT_CALL() __VERIFIER_assume(calls++ < CALLS)
#else
#define COUNT_CALL() ((void)0)
#endif

/* What a counted pointer points to.  (Each struct has a size of its own: by that it is
 * recognised which fields never change.) */
struct reference {
	struct node *node;
};

struct cell {
	struct node *node;
	struct cell *rest;
};

struct node {
	_Atomic int64_t value;
	_Atomic uintptr_t next; /* a counted pointer */
	uintptr_t unused;
};

static _Atomic uintptr_t head, tail; /* counted pointers */
static _Atomic(struct cell *) free_nodes;

/* Without counts the node itself is all there is to a pointer. */
static uintptr_t refer(struct node *n)
{
	if (BUG == 1)
		return (uintptr_t)n;
	struct reference *r = malloc(sizeof *r);
	r->node = n;
	return (uintptr_t)r;
}

static struct node *node_of(uintptr_t pointer)
{
	return BUG == 1 ? (struct node *)pointer : ((struct reference *)pointer)->node;
}

static int cas(_Atomic uintptr_t *at, uintptr_t old, struct node *n)
{
	return atomic_compare_exchange_strong(at, &old, refer(n));
}

static struct node *take_node(void)
{
	struct cell *c = free_nodes;

	do
		__VERIFIER_assume(c != NULL);
	while (!atomic_compare_exchange_strong(&free_nodes, &c, c->rest));
	return c->node;
}

static void free_node(struct node *n)
{
	struct cell *c = malloc(sizeof *c);

	n->next = refer(NULL);
	c->node = n;
	c->rest = free_nodes;
	while (!atomic_compare_exchange_strong(&free_nodes, &c->rest, c))
		;
}

LP_SPEC("queue")
LP_GC

LP_SETUP
{
	for (int i = 0; i < SIZE + 1; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = 1;
		n->unused = 0;
		free_node(n);
	}
	struct node *dummy = take_node();
	head = refer(dummy);
	tail = refer(dummy);
}

LP_METHOD(enqueue, v)
{
	COUNT_CALL();
	struct node *n = take_node();
	uintptr_t t, next;

	n->value = v;
	for (;;) {
		t = tail;
		next = node_of(t)->next;
		if (t != tail)
			continue;
		if (!node_of(next)) {
			if (BUG == 3) {
				node_of(t)->next = refer(n);
				break;
			}
			if (cas(&node_of(t)->next, next, n))
				break;
		} else {
			cas(&tail, t, node_of(next));
		}
	}
	cas(&tail, t, n);
	return 1;
}

LP_METHOD(dequeue)
{
	COUNT_CALL();
	for (;;) {
		const uintptr_t h = head, t = tail, next = node_of(h)->next;
		if (BUG != 4 && h != head)
			continue;
		if (node_of(h) == node_of(t)) {
			if (!node_of(next))
				return LP_EMPTY;
			cas(&tail, t, node_of(next));
		} else {
			int64_t v = BUG == 2 ? 0 : node_of(next)->value;
			if (cas(&head, h, node_of(next))) {
				struct node *taken = node_of(next);
				FREE_NODE(node_of(h));
				if (BUG == 2)
					v = taken->value;
				return v;
			}
		}
	}
}
