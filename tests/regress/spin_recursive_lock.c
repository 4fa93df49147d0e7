/* How often a thread holds a recursive mutex is part of where it is.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m;

static void *body(void *unused)
{
	int held = 0;

	pthread_mutex_lock(&m);
	while (!atomic_load(&x))
		pthread_mutex_lock(&m);
	while (held < 10 && !pthread_mutex_unlock(&m))
		held++;
	assert(held != 3); /* BUG */
	return unused;
}

int main(void)
{
	pthread_mutexattr_t recursive;
	pthread_t t;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &recursive);
	pthread_create(&t, NULL, body, NULL);
	atomic_store(&x, 1);
	pthread_join(t, NULL);
	return 0;
}
