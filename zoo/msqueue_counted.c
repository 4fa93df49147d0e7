/* msqueue_counted.c -- the queue of Michael and Scott (PODC 1996), with counted pointers.
 *
 * A list with a dummy node in front.  Nodes are used again, at once, and are never given
 * back; so that a thread which looks at an old one is not deceived, every pointer has a count
 * that grows with each change.  Counts are only ever compared for equality: here a counted
 * pointer is the address of a *reference*, allocated afresh with each change, and two are
 * equal if and only if the pointers and their counts were.  References that nobody holds are
 * collected (--gc), so that states are finite though counts are not.
 *
 *     -DSIZE=3   nodes beside the dummy: no more values at a time
 *     -DBUG=1    no counts: references are compared by the node they name
 *     -DBUG=2    dequeue reads the value after it has taken the node
 *     -DBUG=3    enqueue links its node by a store
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

void __VERIFIER_assume(int);

enum { NONE = 0 }; /* nodes are 1 .. SIZE + 1 */

/* What a counted pointer points to. */
struct reference {
	uintptr_t node;
};

typedef struct reference *counted;

static struct {
	_Atomic int64_t value;
	_Atomic uintptr_t next; /* a counted pointer */
} node[SIZE + 2];

static _Atomic uintptr_t head, tail;
static _Atomic unsigned unused; /* nodes, a bit each */

/* Without counts the node itself is all there is to a pointer. */
static uintptr_t refer(uintptr_t n)
{
	if (BUG == 1)
		return n;
	counted c = malloc(sizeof *c);
	c->node = n;
	return (uintptr_t)c;
}

static uintptr_t node_of(uintptr_t pointer)
{
	return BUG == 1 ? pointer : ((counted)pointer)->node;
}

static int cas(_Atomic uintptr_t *at, uintptr_t old, uintptr_t n)
{
	return atomic_compare_exchange_strong(at, &old, refer(n));
}

static uintptr_t take_node(void)
{
	unsigned set = unused;

	do
		__VERIFIER_assume(set != 0);
	while (!atomic_compare_exchange_strong(&unused, &set, set & (set - 1)));
	return (uintptr_t)__builtin_ctz(set);
}

LP_SPEC("queue")

LP_SETUP
{
	node[1].next = refer(NONE);
	head = refer(1);
	tail = refer(1);
	unused = (1u << (SIZE + 2)) - 4;
}

LP_METHOD(enqueue, v)
{
	const uintptr_t n = take_node();
	uintptr_t t, next;

	node[n].value = v;
	node[n].next = refer(NONE);
	for (;;) {
		t = tail;
		next = node[node_of(t)].next;
		if (t != tail)
			continue;
		if (node_of(next) == NONE) {
			if (BUG == 3) {
				node[node_of(t)].next = refer(n);
				break;
			}
			if (cas(&node[node_of(t)].next, next, n))
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
	for (;;) {
		const uintptr_t h = head, t = tail, next = node[node_of(h)].next;
		if (h != head)
			continue;
		if (node_of(h) == node_of(t)) {
			if (node_of(next) == NONE)
				return LP_EMPTY;
			cas(&tail, t, node_of(next));
		} else {
			int64_t v = BUG == 2 ? 0 : node[node_of(next)].value;
			if (cas(&head, h, node_of(next))) {
				atomic_fetch_or(&unused, 1u << node_of(h));
				if (BUG == 2)
					v = node[node_of(next)].value;
				return v;
			}
		}
	}
}
