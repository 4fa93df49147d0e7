/* The end of main() is taken as known once it was seen to be quiet.  Here a thread does, in
 * a later execution, what makes a difference to it and is no access to memory.
 * expect rc11: violation thread misuse
 * expect rc11 -- -DAT_EXIT: violation assertion
 * expect rc11 -- -DNOTHING: verified, executions 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

static void at_exit(void)
{
	assert(0);
}

/* Reads 0 in the execution that is explored first. */
static void *reader(void *unused)
{
	if (atomic_load(&x)) {
#ifdef AT_EXIT
		atexit(at_exit);
#elif !defined NOTHING
		pthread_detach(pthread_self());
#endif
	}
	(void)at_exit;
	return unused;
}

static void *writer(void *unused)
{
	atomic_store(&x, 1);
	return unused;
}

int main(void)
{
	pthread_t r, w;

	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
