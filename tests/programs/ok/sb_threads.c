/* Store buffering with seq_cst accesses, one side divided between a thread and the one that joins it, or starts it.
 * expect sc,tso,rc11: verified, executions 3
 * expect sc,tso,rc11 -- -DSTARTS: verified, executions 3
 * expect rc11 --release-sequences c20: verified, executions 3
 * expect rc11 --release-sequences c20 -- -DSTARTS: verified, executions 3
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2;

static void *first(void *unused)
{
#ifdef STARTS
	r1 = atomic_load(&y);
#else
	atomic_store(&x, 1);
#endif
	return unused;
}

static void *second(void *unused)
{
	atomic_store(&y, 1);
	r2 = atomic_load(&x);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&b, NULL, second, NULL);
#ifdef STARTS
	atomic_store(&x, 1);
#endif
	pthread_create(&a, NULL, first, NULL);
	pthread_join(a, NULL);
#ifndef STARTS
	r1 = atomic_load(&y);
#endif
	pthread_join(b, NULL);
	assert(r1 || r2);
	return 0;
}
