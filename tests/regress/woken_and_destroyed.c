/* A condition variable may be destroyed when all threads were woken, also those that might have given up waiting.
 *
 * expect sc,rc11 -- -DWAIT=pthread_cond_timedwait(cv,&m,&ts): verified
 * expect sc,rc11 -- -DREV -DWAIT=pthread_cond_timedwait(cv,&m,&ts): verified
 * expect rc11 --spurious -- -DWAIT=pthread_cond_wait(cv,&m): verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *cv;
int flag;
static void *a(void *z)
{
	struct timespec ts = {1, 0};
	pthread_mutex_lock(&m);
	while (!flag && !WAIT)
		;
	pthread_mutex_unlock(&m);
	return 0;
}
static void *b(void *z)
{
	pthread_mutex_lock(&m);
	flag = 1;
	pthread_cond_broadcast(cv);
	pthread_cond_destroy(cv);
	free(cv);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	cv = malloc(sizeof *cv);
	pthread_cond_init(cv, 0);
#ifdef REV
	pthread_create(&u, 0, a, 0);
	pthread_create(&t, 0, b, 0);
#else
	pthread_create(&t, 0, b, 0);
	pthread_create(&u, 0, a, 0);
#endif
	pthread_exit(0);
}
