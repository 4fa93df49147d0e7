/* An array of variable length whose size is a constant after all, in a loop that retries: it is private, so the live state
 * of the thread is known, and iterations that change nothing are recognised.
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment(void *unused)
{
	int n = 2, value[n];

	value[0] = x;
	do
		value[1] = value[0] + 1;
	while (!atomic_compare_exchange_weak(&x, &value[0], value[1]));
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, increment, NULL);
	pthread_create(&b, NULL, increment, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x == 2);
	return 0;
}
