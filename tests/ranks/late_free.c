/* late_free.c -- a use after free behind some ten thousand executions, in threads that are recognised to be alike.
 *
 * The violation tells these threads apart.  When one process explores up to the violation after several processes have found it, this must
 * not count: it would explore without treating them as alike, and count other executions.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, hits;

static void *thread(void *unused)
{
	unsigned seen;

	seen = (unsigned)atomic_load_explicit(&x, memory_order_relaxed);
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	seen = 3 * seen + (unsigned)atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen = 5 * seen + (unsigned)atomic_load_explicit(&x, memory_order_acquire);
	atomic_fetch_add_explicit(&y, 1, memory_order_release);
	if (seen == 12 && atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed) == 1) {
		volatile int *block = malloc(sizeof *block);
		free((void *)block);
		*block = 1;
	}
	return unused;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}
