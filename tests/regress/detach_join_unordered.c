/* One thread detaches itself, another joins it: an error whichever comes first, which no
 * operation orders.  Several processes find it and meet it again.
 * expect sc,tso,ra,rc11: violation thread misuse
 * expect sc,tso,ra,rc11 -j 2: violation thread misuse
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static pthread_t thread[3];

static void *detaches(void *arg)
{
	if (atomic_load(&y))
		pthread_detach(pthread_self());
	atomic_store(&z, 2);
	return arg;
}

static void *joins(void *arg)
{
	atomic_fetch_add(&y, 1);
	while (!atomic_load(&x))
		;
	pthread_join(thread[0], NULL);
	return arg;
}

static void *stores(void *arg)
{
	atomic_store(&y, 2);
	atomic_store(&x, 2);
	atomic_load(&z);
	return arg;
}

int main(void)
{
	pthread_create(&thread[0], NULL, detaches, NULL);
	pthread_create(&thread[1], NULL, joins, NULL);
	pthread_create(&thread[2], NULL, stores, NULL);
	atomic_load(&x);
	pthread_join(thread[2], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
