/* Treiber's stack that frees its nodes: another thread may still look at them.
 *
 *     -DFREE   nodes are freed
 *     -DPOOL   nodes are of a pool: freed, too, but to look at them is no error
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

struct node {
	struct node *next;
	int64_t value;
};

static _Atomic(struct node *) top;
static _Atomic int size;

LP_SPEC("stack")

LP_METHOD(push, v)
{
	__VERIFIER_assume(atomic_fetch_add(&size, 1) < 2);
#ifdef POOL
	struct node *n = lp_pool_alloc(sizeof *n);
#else
	struct node *n = malloc(sizeof *n);
#endif
	n->value = v;
	n->next = top;
	while (!atomic_compare_exchange_strong(&top, &n->next, n))
		;
	return 1;
}

LP_METHOD(pop)
{
	struct node *n = top;

	while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
		;
	if (!n)
		return LP_EMPTY;
	const int64_t v = n->value;
#if defined POOL
	lp_pool_free(n);
#elif defined FREE
	free(n);
#endif
	atomic_fetch_sub(&size, 1);
	return v;
}
