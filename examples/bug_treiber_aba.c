/* bug_treiber_aba.c -- Treiber's stack with nodes out of a pool, to which they go back.
 *
 * A pop that has read `top` and `top->next` compares `top` only: if the node was popped and
 * pushed again meanwhile, what it is about to make the new top is long gone.  That is the ABA
 * problem; figure 1 of Bouajjani, Emmi, Enea and Hamza, "Tractable Refinement Checking for
 * Concurrent Objects" (POPL 2015) shows it with three pushes and three pops.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
	atomic_bool used;
	atomic_long value;
	_Atomic(struct node *) next;
};

struct stack {
	_Atomic(struct node *) top;
	struct node pool[8];
};

/* There are enough of them. */
static struct node *new_node(struct stack *s)
{
	for (struct node *node = s->pool;; node++)
		if (!atomic_exchange(&node->used, true))
			return node;
}

static void stack_push(struct stack *s, long value)
{
	struct node *node = new_node(s);
	struct node *top;

	atomic_store(&node->value, value);
	do {
		top = atomic_load(&s->top);
		atomic_store(&node->next, top);
	} while (!atomic_compare_exchange_strong(&s->top, &top, node));
}

static bool stack_pop(struct stack *s, long *value)
{
	struct node *top;

	do {
		top = atomic_load(&s->top);
		if (!top)
			return false;
	} while (!atomic_compare_exchange_strong(&s->top, &top, atomic_load(&top->next)));
	*value = atomic_load(&top->value);
	atomic_store(&top->used, false);
	return true;
}

#include <linchpin.h>

static struct stack s;

LP_SPEC("stack")
LP_METHOD(push, v) { stack_push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return stack_pop(&s, &v) ? v : LP_EMPTY; }
