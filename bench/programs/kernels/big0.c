/* big0.c -- two threads of loads and two of stores, acquire and release.
 *
 * A thread of stores writes N times to both of its variables.  The loads are of four
 * variables in turn, so most combinations of values are inconsistent: for N = 3, 82,472
 * executions remain. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y, z, w;

static void get(atomic_int *from)
{
	(void)atomic_load_explicit(from, memory_order_acquire);
}

static void put(atomic_int *to, int value)
{
	atomic_store_explicit(to, value, memory_order_release);
}

static void *read_all(void *unused)
{
	(void)unused;
	get(&x), get(&y), get(&z), get(&w), get(&x), get(&y), get(&z);
	return NULL;
}

static void *read_some(void *unused)
{
	(void)unused;
	get(&x), get(&y), get(&z);
	return NULL;
}

static void *write_xy(void *unused)
{
	(void)unused;
	for (int i = 1; i <= N; i++)
		put(&x, i), put(&y, i);
	return NULL;
}

static void *write_zw(void *unused)
{
	(void)unused;
	for (int i = 1; i <= N; i++)
		put(&z, i), put(&w, i);
	return NULL;
}

int main(void)
{
	void *(*const body[4])(void *) = { read_all, read_some, write_xy, write_zw };
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, body[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
