/* A retry loop reads plain memory that another thread has changed since: what a value of x
 * meant in the first phase (go round again) it does not mean in the second.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <assert.h>

#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y, z, a;
static int d;

static void *first(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	while (atomic_load_explicit(&a, memory_order_acquire) != 1)
		;
	d = 5;
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_release);
	return unused;
}

static void *second(void *unused)
{
	atomic_store_explicit(&z, 7, memory_order_relaxed);
	atomic_store_explicit(&z, 8, memory_order_relaxed);
	return unused;
}

static void *third(void *unused)
{
	for (;;) {
		const int seen = atomic_load_explicit(&z, memory_order_relaxed);
		const int phase = atomic_load_explicit(&x, memory_order_acquire);
		if (phase == 1 && d) {
			assert(seen != 7); /* BUG */
			return unused;
		}
		if (phase == 3) {
			atomic_store_explicit(&a, 1, memory_order_release);
			while (atomic_load_explicit(&y, memory_order_acquire) != 1)
				;
		}
	}
}

static void *fourth(void *unused)
{
	int expected = 1;

	__VERIFIER_assume(atomic_compare_exchange_strong_explicit(
		&x, &expected, 3, memory_order_relaxed, memory_order_relaxed));
	while (atomic_load_explicit(&x, memory_order_acquire) != 2)
		;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	static void *(*const body[])(void *) = { first, second, third, fourth };
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 4; i-- > 0;)
		pthread_join(t[i], NULL);
	return 0;
}
