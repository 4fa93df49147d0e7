/* A thread leaves a store to another one, which is about to make the same one, but has come to the bound on loops and never
 * makes it.
 * options: --unroll 2
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[3], y, z;

static void *b(void *p)
{
	(void)p;
	int n = atomic_load_explicit(&z, memory_order_relaxed) ? 3 : 2;
	for (int i = 0; i < n; i++) {
		if (i == 2)
			atomic_store_explicit(&y, 1, memory_order_release);
		atomic_store_explicit(&x[i], 5, memory_order_release);
	}
	return 0;
}

static void *a(void *p)
{
	(void)p;
	atomic_store_explicit(&z, 1, memory_order_relaxed);
	if (atomic_load_explicit(&y, memory_order_acquire)) {
		atomic_store_explicit(&x[2], 5, memory_order_release);
		assert(0); /* BUG */
	}
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, b, 0);
	pthread_create(&u, 0, a, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
