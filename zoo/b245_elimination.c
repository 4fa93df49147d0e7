/* b245_elimination.c -- the elimination stack, with the bugs B2, B4 and B5 of POPL 2015.
 *
 * D. Hendler, N. Shavit and L. Yerushalmi, "A Scalable Lock-free Stack Algorithm" (SPAA 2004).
 * Who fails to change `top` publishes its request, looks whom it finds in the one collision
 * cell, and tries to be done with it: a push and a pop eliminate each other.  A request that
 * was passive learns from its `location` what became of it: still itself if nothing; for a
 * push NULL, for a pop the request whose value it has got, if somebody was active.
 *
 * Bugs of Bouajjani, Emmi, Enea and Hamza, "Tractable Refinement Checking for Concurrent
 * Objects" (POPL 2015), table 1:
 *     -DB4  a misplaced brace: after a failed collision the operation returns, whether or not it
 *           has changed the stack (a push is lost, a pop says "empty"); with -DB4=2 the result of such
 *           a pop is what its cell had before, 0, which was never pushed.  The paper finds B4 with k = 0,
 *           where only the second can be seen;
 *     -DB5  a forgotten assignment: an eliminated pop does not take its partner's value, and says
 *           "empty";
 *     -DB2  nodes go back to the pool (with --reuse: ABA), see b23_treiber.c.
 *
 * Instead of ids of threads and an array of locations by id there are requests, which are
 * fresh in every call, and the location is in the request.  All accesses are seq_cst.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <linchpin.h>

struct node {
	atomic_long value;
	_Atomic(struct node *) next;
};

struct request {
	bool is_push;
	struct node *node; /* what is pushed; what was popped, or NULL */
	bool found_empty;
	_Atomic(struct request *) location;
};

struct stack {
	_Atomic(struct node *) top;
	_Atomic(struct request *) collision;
};

/* One attempt at the stack itself; a pop of an empty one succeeds without a node. */
static bool try_stack(struct stack *s, struct request *me)
{
	struct node *top = atomic_load(&s->top);

	if (me->is_push) {
		atomic_store(&me->node->next, top);
		return atomic_compare_exchange_strong(&s->top, &top, me->node);
	}
	if (!top) {
		me->found_empty = true;
		return true;
	}
	struct node *popped = top;
	if (!atomic_compare_exchange_strong(&s->top, &top, atomic_load(&popped->next)))
		return false;
	me->node = popped;
	return true;
}

/* As the active one; `him` is published, and of the other sort. */
static bool try_collision(struct request *me, struct request *him)
{
	struct request *expected = him;

	if (me->is_push)
		return atomic_compare_exchange_strong(&him->location, &expected, me);
	if (!atomic_compare_exchange_strong(&him->location, &expected, NULL))
		return false;
#ifndef B5
	me->node = him->node;
#endif
	return true;
}

/* As the passive one. */
static void finish(struct request *me)
{
#ifndef B5
	if (!me->is_push)
		me->node = atomic_load(&me->location)->node;
#else
	(void)me;
#endif
}

static bool withdraw(struct request *me)
{
	struct request *expected = me;
	return atomic_compare_exchange_strong(&me->location, &expected, NULL);
}

/* Was the request eliminated? */
static bool eliminate(struct stack *s, struct request *me)
{
	atomic_store(&me->location, me);
	struct request *him = atomic_exchange(&s->collision, me);
	if (him && atomic_load(&him->location) == him && him->is_push != me->is_push) {
		if (withdraw(me))
			return try_collision(me, him);
		finish(me);
		return true;
	}
	/* Here it would wait for a while: as long as it is not scheduled. */
	if (withdraw(me))
		return false;
	finish(me);
	return true;
}

static void perform(struct stack *s, struct request *me)
{
	if (try_stack(s, me))
		return;
	for (;;) {
		if (eliminate(s, me))
			return;
#ifdef B4
		try_stack(s, me);
		return;
#else
		if (try_stack(s, me))
			return;
#endif
	}
}

static void push(struct stack *s, long value)
{
	struct request *me = calloc(1, sizeof *me); /* never freed: others may look at it */

	me->is_push = true;
	me->node = lp_pool_alloc(sizeof *me->node);
	atomic_store(&me->node->value, value);
	perform(s, me);
}

static bool pop(struct stack *s, long *value)
{
	struct request *me = calloc(1, sizeof *me);

	perform(s, me);
	if (!me->node) {
#if defined B4 && B4 == 2
		*value = 0;
		return !me->found_empty;
#endif
		return false;
	}
	*value = atomic_load(&me->node->value);
#ifdef B2
	lp_pool_free(me->node);
#endif
	return true;
}

static struct stack s;

LP_SPEC("stack")
LP_METHOD(push, v) { push(&s, v); return LP_VOID; }
LP_METHOD(pop) { long v; return pop(&s, &v) ? v : LP_EMPTY; }
