/* A compare-exchange that fails writes to `expected`, a local variable that another thread reads.
 *
 * expect sc,rc11 -- -DWHAT=atomic_compare_exchange_strong(&x,&e,7): violation race
 * expect sc,rc11 -- -DREV -DWHAT=atomic_compare_exchange_strong(&x,&e,7): violation race
 */
#include "two_threads.h"

atomic_int x = 3, fin;
_Atomic(int *) p;

static void *b(void *a)
{
	int *q = atomic_load_explicit(&p, memory_order_acquire);
	if (q && *q == 9)
		abort();
	atomic_store_explicit(&fin, 1, memory_order_release);
	return 0;
}

static void *a(void *z)
{
	int e = 5;
	atomic_store_explicit(&p, &e, memory_order_release);
	WHAT;
	while (!atomic_load_explicit(&fin, memory_order_acquire))
		;
	return (void *)(long)e;
}

int main(void)
{
	return leave_two(b, a);
}
