/* elimination.c -- a stack with elimination: a push and a pop that get into each other's way
 * meet elsewhere.
 *
 * After D. Hendler, N. Shavit and L. Yerushalmi, "A Scalable Lock-free Stack Algorithm"
 * (SPAA 2004), with one place to meet.  A push that fails to change `top` leaves its
 * node in `offer` for a while; a pop that fails takes what it finds there.  A push and the pop
 * that takes its node happen one right after the other, so the stack below is not
 * affected.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* A call whose offer was taken must learn all that the taker knew.  Otherwise its thread may find the
 * stack empty next, although the taker had seen a value that is still there.  With -DUNSEEN it does not
 * learn it; a client that shows the error has seven calls. */
#ifdef UNSEEN
#define TAKEN memory_order_relaxed
#define SEEN memory_order_relaxed
#else
#define TAKEN memory_order_release
#define SEEN memory_order_acquire
#endif

enum { PATIENCE = 1 }; /* how often a push looks whether its offer was taken */

struct node {
	long value;
	struct node *next;
};

struct stack {
	_Atomic(struct node *) top;
	_Atomic(struct node *) offer;
};

static bool swing(_Atomic(struct node *) *place, struct node *from, struct node *to,
		  memory_order order)
{
	return atomic_compare_exchange_strong_explicit(place, &from, to, order,
						       memory_order_relaxed);
}

/* Was the node taken?  Nodes are not reused: the offer can only be this one or another. */
static bool offer(struct stack *s, struct node *node)
{
	if (!swing(&s->offer, NULL, node, memory_order_release))
		return false;
	for (int i = 0; i < PATIENCE; i++)
		if (atomic_load_explicit(&s->offer, SEEN) != node)
			return true;
#ifdef WITHDRAW_BY_STORE
	atomic_store_explicit(&s->offer, NULL, memory_order_relaxed);
	return false;
#else
	return !atomic_compare_exchange_strong_explicit(&s->offer, &node, NULL, SEEN, SEEN);
#endif
}

static struct node *take_offer(struct stack *s)
{
	struct node *node = atomic_load_explicit(&s->offer, memory_order_acquire);
	return node && swing(&s->offer, node, NULL, TAKEN) ? node : NULL;
}

static void stack_push(struct stack *s, long value)
{
	struct node *node = malloc(sizeof *node);

	node->value = value;
	do {
		node->next = atomic_load_explicit(&s->top, memory_order_relaxed);
		if (swing(&s->top, node->next, node, memory_order_release))
			return;
	} while (!offer(s, node));
}

static bool stack_pop(struct stack *s, long *value)
{
	for (;;) {
		struct node *node = atomic_load_explicit(&s->top, memory_order_acquire);
		if (!node)
			return false;
		if (swing(&s->top, node, node->next, memory_order_relaxed) ||
		    (node = take_offer(s))) {
			*value = node->value;
			return true;
		}
	}
}

#include <linchpin.h>

static struct stack s;

LP_SPEC("stack")
LP_METHOD(push, v) { stack_push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return stack_pop(&s, &v) ? v : LP_EMPTY; }
