/* A value of thread-specific data is lost when its thread has ended, or its key is deleted: what it
 * pointed to counted as reachable.
 *
 * expect rc11 --leaks: violation leak at LOST
 * expect rc11 --leaks -- -DDELETED: violation leak at LOST
 * expect sc,tso,ra,rc11 --leaks -- -DDESTRUCTOR=free: verified
 * expect rc11 --leaks -- -DKEPT: verified
 */
#include <pthread.h>
#include <stdlib.h>

#ifndef DESTRUCTOR
#define DESTRUCTOR NULL
#endif

static pthread_key_t key;

static void *set(void *arg)
{
	pthread_setspecific(key, malloc(4)); /* LOST */
	return arg;
}

int main(void)
{
	pthread_t t = 0;

	pthread_key_create(&key, DESTRUCTOR);
#if defined KEPT || defined DELETED
	(void)t;
	set(NULL);
#else
	pthread_create(&t, NULL, set, NULL);
	pthread_join(t, NULL);
#endif
#ifdef DELETED
	pthread_key_delete(key);
#endif
	return 0;
}
