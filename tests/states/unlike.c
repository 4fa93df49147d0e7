/* Things that make states incomparable, one at a time. */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(long) word;

LP_SPEC("register")

LP_METHOD(write, v)
{
	long here = (long)v;
#if defined NAME
	here += pthread_self() == 0;
#elif defined STACK
	_Atomic(long *) *shared = (_Atomic(long *) *)&word;
	*shared = &here;
#elif defined CONDITION
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutex_lock(&m);
	while (word)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
#endif
	word = here;
	return LP_VOID;
}

LP_METHOD(read)
{
	return word;
}
