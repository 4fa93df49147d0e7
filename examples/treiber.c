/* treiber.c -- Treiber's lock-free stack.
 *
 * R. K. Treiber, "Systems Programming: Coping with Parallelism" (IBM RJ 5118, 1986).  A
 * linked list whose head is compared and swapped.  Nodes are never freed.
 *
 * The orders are the weakest that are correct.  A relaxed pop is fine, although it publishes
 * the node below: all writes of `top` are read-modify-writes, so that the release of a push
 * reaches through them.  A pop then synchronises with the push of its value (--sync r),
 * but pushes do not with each other, nor pops; with -DSYNC_ALL they do (--sync rid).
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef SYNC_ALL
#define PUSH memory_order_acq_rel
#define POP memory_order_acq_rel
#endif
#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef POP
#define POP memory_order_relaxed
#endif
#ifndef DISPOSE /* of a node that was popped: another may be about to read its `next` */
#define DISPOSE(node) (void)(node)
#endif

struct node {
	long value;
	struct node *next;
};

struct treiber {
	_Atomic(struct node *) top;
};

static bool swing(struct treiber *s, struct node **from, struct node *to, memory_order order)
{
#ifdef TEST_THEN_SET
	if (atomic_load_explicit(&s->top, memory_order_relaxed) != *from)
		return false;
	atomic_store_explicit(&s->top, to, memory_order_release);
	(void)order;
	return true;
#else
	return atomic_compare_exchange_strong_explicit(&s->top, from, to, order,
						       memory_order_relaxed);
#endif
}

static void treiber_push(struct treiber *s, long value)
{
	struct node *node = malloc(sizeof *node);
	struct node *top;

	node->value = value;
	do {
		top = atomic_load_explicit(&s->top, memory_order_relaxed);
		node->next = top;
	} while (!swing(s, &top, node, PUSH));
}

static bool treiber_pop(struct treiber *s, long *value)
{
	struct node *top;

	do {
		top = atomic_load_explicit(&s->top, memory_order_acquire);
		if (!top)
			return false;
	} while (!swing(s, &top, top->next, POP));
	*value = top->value;
	DISPOSE(top);
	return true;
}

#include <linchpin.h>

static struct treiber s;

LP_SPEC("stack")
LP_METHOD(push, v) { treiber_push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return treiber_pop(&s, &v) ? v : LP_EMPTY; }
