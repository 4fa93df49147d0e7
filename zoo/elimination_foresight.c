/* elimination_foresight.c -- the stack of examples/elimination.c, whose calls know from the beginning
 * whether they will be eliminated.
 *
 * There, a call that fails to change `top` goes to the exchanger, where it may meet no other call, and comes
 * back.  Such failed attempts multiply executions (six calls have five million), but no client can
 * observe them.  Here a call is eliminated or not, by choice, and executions in which the choice
 * turns out to be wrong are dropped: eight calls have 24,148.
 *
 * Every execution of the original that ends has one here with the same results: failed attempts of a
 * call are left out, except for the last failed attempt before it is eliminated.  A failed attempt changes
 * nothing.  An offer that is withdrawn is put into an empty place and makes it empty again; calls that saw it
 * there went away.  What is left of `offer` are offers that are taken, in the same order, each
 * change a read-modify-write of the one before.  What is left out may have synchronised calls, which is
 * more than is asked for: so clients can order calls here as they could there.  And every execution
 * here is one of the original.  That clients of up to five calls see the same is checked:
 * tests/observations.
 *
 *     -DUNSEEN   as in the original: who takes an offer does not pass on what it knows
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <linchpin.h>

#ifdef UNSEEN
#define TAKEN memory_order_relaxed
#define SEEN memory_order_relaxed
#else
#define TAKEN memory_order_release
#define SEEN memory_order_acquire
#endif

void __VERIFIER_assume(int);

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

static bool is_eliminated(void)
{
	return lp_choose(2);
}

/* Somebody will take it. */
static void offer(struct stack *s, struct node *node)
{
	__VERIFIER_assume(swing(&s->offer, NULL, node, memory_order_release));
	__VERIFIER_assume(atomic_load_explicit(&s->offer, SEEN) != node);
}

/* There will be one. */
static struct node *take_offer(struct stack *s)
{
	struct node *node = atomic_load_explicit(&s->offer, memory_order_acquire);

	__VERIFIER_assume(node && swing(&s->offer, node, NULL, TAKEN));
	return node;
}

static void stack_push(struct stack *s, long value)
{
	struct node *node = malloc(sizeof *node);

	node->value = value;
	if (is_eliminated()) {
		node->next = atomic_load_explicit(&s->top, memory_order_relaxed);
		__VERIFIER_assume(!swing(&s->top, node->next, node, memory_order_release));
		offer(s, node);
		return;
	}
	do {
		node->next = atomic_load_explicit(&s->top, memory_order_relaxed);
	} while (!swing(&s->top, node->next, node, memory_order_release));
}

static bool stack_pop(struct stack *s, long *value)
{
	const bool eliminated = is_eliminated();
	struct node *node;

	do {
		node = atomic_load_explicit(&s->top, memory_order_acquire);
		if (!node) {
			__VERIFIER_assume(!eliminated);
			return false;
		}
		if (eliminated) {
			__VERIFIER_assume(!swing(&s->top, node, node->next, memory_order_relaxed));
			node = take_offer(s);
			break;
		}
	} while (!swing(&s->top, node, node->next, memory_order_relaxed));
	*value = node->value;
	return true;
}

static struct stack s;

LP_SPEC("stack")
LP_METHOD(push, v) { stack_push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return stack_pop(&s, &v) ? v : LP_EMPTY; }
