/* big0.c -- two threads of loads and two of stores, acquire and release.
 *
 * The loads are of four variables in turn, so most combinations of values are
 * inconsistent: 82,472 executions remain. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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
	put(&x, 1), put(&y, 1), put(&x, 2), put(&y, 2), put(&x, 3), put(&y, 3);
	return NULL;
}

static void *write_zw(void *unused)
{
	(void)unused;
	put(&z, 1), put(&w, 1), put(&z, 2), put(&w, 2), put(&z, 3), put(&w, 3);
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
