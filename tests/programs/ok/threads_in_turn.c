/* Thirty threads one after the other, sharing a counter: one execution.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *add(void *unused)
{
	atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	for (int i = 0; i < 30; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, add, NULL);
		pthread_join(thread, NULL);
	}
	assert(count == 30);
	return 0;
}
