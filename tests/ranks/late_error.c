/* late_error.c -- a thread writes through a null pointer behind a million executions, while another one is about to end.
 *
 * One process knows by then how main() ends (final_joins.h), and leaves out that end.  The execution that it shows must be shown by several, too.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, hits;

static void *thread(void *unused)
{
	unsigned seen = 0;

	for (int i = 0; i < 3; i++) {
		seen = seen * 5 + (unsigned)atomic_load_explicit(&x, memory_order_relaxed);
		atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	}
	if (seen % 41 == 20 && atomic_fetch_add(&hits, 1) == 2)
		*(volatile int *)(long)(hits - 3) = 1;
	return unused;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}
