/* With main()'s end known, the ends of threads come last: one that joins another, and then
 * helps a third that waits, has not yet done all it can.
 * expect rc11: verified, executions 4
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int w, x, y;
static pthread_t last;

static void *reads(void *unused)
{
	atomic_load_explicit(&w, memory_order_relaxed);
	return unused;
}

static void *writes(void *unused)
{
	atomic_store_explicit(&w, 1, memory_order_relaxed);
	return unused;
}

/* Its reads of x and y are two: x may be read before it is written, y after that. */
static void *waits(void *unused)
{
	for (;;) {
		const int a = atomic_load_explicit(&x, memory_order_relaxed);
		const int b = atomic_load_explicit(&y, memory_order_relaxed);
		if (b && !a)
			return unused;
		if (b)
			return NULL;
	}
}

static void *ends(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

static void *joins(void *unused)
{
	pthread_join(last, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t r, s, t, u;

	pthread_create(&r, NULL, reads, NULL);
	pthread_create(&s, NULL, writes, NULL);
	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&last, NULL, ends, NULL);
	pthread_create(&u, NULL, joins, NULL);
	pthread_join(r, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
