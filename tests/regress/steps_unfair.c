/* A loop that writes, and ends when the other thread has had its turn: long, but not endless.
 * That was called an endless loop; now only what goes on although all have their turns is,
 * or whatever exceeds a bound that is given.
 *
 * expect ra,rc11: inconclusive, says "more than 20000 operations"
 * expect rc11 -j 2: inconclusive, says "more than 20000 operations"
 * expect rc11 --steps 50: violation endless loop
 * expect rc11 -- -DFOR_EVER: violation endless loop
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, count;

static void *count_up(void *arg)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	return arg;
}

static void *set(void *arg)
{
#ifndef FOR_EVER
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, count_up, NULL);
	pthread_create(&t[1], NULL, set, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
