/* b23_treiber.c -- Treiber's stack, with the bugs B2 and B3 of POPL 2015.
 *
 * R. K. Treiber, "Systems Programming: Coping with Parallelism" (IBM RJ 5118, 1986); Bouajjani,
 * Emmi, Enea and Hamza, "Tractable Refinement Checking for Concurrent Objects" (POPL 2015),
 * table 1 and figure 1.
 *     -DB2       a popped node goes back to the pool: with --reuse a push may get it again, and
 *                the compare-exchange of a pop that is still under way takes it for the old one (ABA);
 *     -DB2_TAG   the same, with a count beside `top` that makes it correct;
 *     -DB3_PUSH  the compare-exchange of push is a comparison and then a store;
 *     -DB3_POP   that of pop is.
 *
 * The pool is type-stable: a node that was freed may be read.  All accesses are seq_cst.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linchpin.h>

struct node {
	atomic_long value; /* atomic, as a node may be filled again while someone looks at it */
	_Atomic(struct node *) next;
};

/* `top` is a pointer, or a pointer with a count in its upper 16 bits, which are not used in
 * addresses of x86-64 and aarch64. */
typedef _Atomic(uintptr_t) link;

#ifdef B2_TAG
enum { TAG_SHIFT = 48 };
static struct node *node_of(uintptr_t word)
{
	return (struct node *)(word & (((uintptr_t)1 << TAG_SHIFT) - 1));
}

static uintptr_t successor(uintptr_t word, struct node *node)
{
	return (uintptr_t)node | ((word >> TAG_SHIFT) + 1) << TAG_SHIFT;
}
#else
static struct node *node_of(uintptr_t word)
{
	return (struct node *)word;
}

static uintptr_t successor(uintptr_t word, struct node *node)
{
	(void)word;
	return (uintptr_t)node;
}
#endif

static bool swing(link *top, uintptr_t from, struct node *to)
{
	return atomic_compare_exchange_strong(top, &from, successor(from, to));
}

#if defined B3_PUSH || defined B3_POP
static bool compare_then_store(link *top, uintptr_t from, struct node *to)
{
	if (atomic_load(top) != from)
		return false;
	atomic_store(top, successor(from, to));
	return true;
}
#endif

#ifdef B3_PUSH
#define swing_push compare_then_store
#else
#define swing_push swing
#endif
#ifdef B3_POP
#define swing_pop compare_then_store
#else
#define swing_pop swing
#endif

static void push(link *top, long value)
{
	struct node *node = lp_pool_alloc(sizeof *node);
	uintptr_t old;

	atomic_store(&node->value, value);
	do {
		old = atomic_load(top);
		atomic_store(&node->next, node_of(old));
	} while (!swing_push(top, old, node));
}

static bool pop(link *top, long *value)
{
	struct node *node;
	uintptr_t old;

	do {
		old = atomic_load(top);
		node = node_of(old);
		if (!node)
			return false;
	} while (!swing_pop(top, old, atomic_load(&node->next)));
	*value = atomic_load(&node->value);
#if defined B2 || defined B2_TAG
	lp_pool_free(node);
#endif
	return true;
}

static link top;

LP_SPEC("stack")
LP_METHOD(push, v) { push(&top, v); return LP_VOID; }
LP_METHOD(pop) { long v; return pop(&top, &v) ? v : LP_EMPTY; }
