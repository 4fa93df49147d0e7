/* hpstack.c -- Treiber's stack, whose nodes are freed when no hazard pointer is on them.
 *
 * M. Michael, "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects" (TPDS 2004).  A thread announces
 * which node it is going to read, and then checks that this is still the top.  A thread that has removed a node
 * frees it if no other thread has announced it.  (Otherwise this version leaks the node instead of retrying later.)
 *
 *     -DUNSAID         no hazard pointers: use after free; with --reuse and a pool, ABA
 *     -DUNSEEN         the top is not looked at again
 *     -DSAY=memory_order_release   it is said too late: the look comes first (not under sc)
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef SAY
#define SAY memory_order_seq_cst
#endif

enum { THREADS = 4 };

struct node {
	int value;
	struct node *next;
};

struct stack {
	_Atomic(struct node *) top, hazard[THREADS];
	atomic_int threads;
};

static _Thread_local int own; /* 1 + its hazard pointer */

static _Atomic(struct node *) *hazard_of(struct stack *s)
{
	if (!own)
		own = 1 + atomic_fetch_add_explicit(&s->threads, 1, memory_order_relaxed);
	return &s->hazard[own - 1];
}

static void stack_push(struct stack *s, int value)
{
	struct node *n = malloc(sizeof *n), *top = atomic_load_explicit(&s->top, memory_order_relaxed);

	n->value = value;
	do
		n->next = top;
	while (!atomic_compare_exchange_strong_explicit(&s->top, &top, n, memory_order_release,
							memory_order_relaxed));
}

static bool is_hazardous(struct stack *s, struct node *n)
{
	for (int i = 0; i < THREADS; i++)
		if (atomic_load_explicit(&s->hazard[i], memory_order_seq_cst) == n)
			return true;
	return false;
}

static bool stack_pop(struct stack *s, int *value)
{
	_Atomic(struct node *) *hazard = hazard_of(s);

	for (;;) {
		struct node *top = atomic_load_explicit(&s->top, memory_order_acquire);
		if (!top)
			return false;
#ifndef UNSAID
		atomic_store_explicit(hazard, top, SAY);
#endif
#ifndef UNSEEN
		if (atomic_load_explicit(&s->top, memory_order_seq_cst) != top)
			continue;
#endif
		struct node *taken = top;
		if (!atomic_compare_exchange_strong_explicit(&s->top, &taken, top->next, memory_order_seq_cst,
							     memory_order_relaxed))
			continue;
		atomic_store_explicit(hazard, NULL, memory_order_release);
		*value = top->value;
		if (!is_hazardous(s, top))
			free(top);
		return true;
	}
}

#include <linchpin.h>

static struct stack s;

LP_SPEC("stack")
LP_METHOD(push, v) { stack_push(&s, (int)v); return LP_VOID; }
LP_METHOD(pop) { int v; return stack_pop(&s, &v) ? v : LP_EMPTY; }
