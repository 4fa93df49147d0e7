/* stack_r.c -- a stack as a program: a removal happens after the insertion of its value, and nothing else is ordered. */
#include <linchpin.h>
#include <stdatomic.h>

static struct lp_partial lock;
static atomic_long item[32]; /* each value in a place of its own, ... */
static int stack[32], top, pushed; /* ... and the places in the order of the stack */
#ifdef INSERTIONS
static atomic_int inserted;
#endif
#ifdef REMOVALS
static atomic_int removed;
#endif

LP_SPEC("stack")

LP_METHOD(push, v)
{
	lp_partial_lock(&lock);
#ifdef INSERTIONS
	atomic_fetch_add_explicit(&inserted, 1, memory_order_acq_rel);
#endif
	atomic_store_explicit(&item[pushed], v, memory_order_release);
	stack[top++] = pushed++;
	lp_partial_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(pop)
{
	int64_t v = LP_EMPTY;

	lp_partial_lock(&lock);
	if (top > 0) {
#ifdef REMOVALS
		atomic_fetch_add_explicit(&removed, 1, memory_order_acq_rel);
#endif
		v = atomic_load_explicit(&item[stack[--top]], memory_order_acquire);
	}
	lp_partial_unlock(&lock);
	return v;
}
