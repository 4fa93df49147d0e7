/* exit() ends no local variable: other threads may go on to use those of the thread that calls it.
 *
 * expect sc,rc11 -- -DEND=exit(0): verified
 * expect sc,rc11 -- -DREV -DEND=exit(0): verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) p;
static void *a(void *z)
{
	int *q = atomic_load(&p);
	if (q && *q)
		abort();
	return 0;
}
static void *b(void *z)
{
	int local = 0;
	atomic_store(&p, &local);
	END;
}
int main(void)
{
	pthread_t t, u;
#ifdef REV
	pthread_create(&u, 0, b, 0);
	pthread_create(&t, 0, a, 0);
#else
	pthread_create(&t, 0, a, 0);
	pthread_create(&u, 0, b, 0);
#endif
	pthread_exit(0);
}
