/* Local variables of main() end when it returns; another thread may still use them.
 *
 * expect sc,rc11 -- -DWANT=0 -DACC=if(*(int*)p)abort(): violation use after free
 * expect sc,rc11 -- -DWANT=0 -DACC=if(*(int*)p)abort() -DREV: violation use after free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x, y;
static void *a(void *p)
{
	if (atomic_load(&x) == WANT)
		ACC;
	return 0;
}
static void *b(void *z)
{
	atomic_store(&x, 1);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	int local = 0;
#ifdef REV
	pthread_create(&u, 0, b, 0);
	pthread_create(&t, 0, a, &local);
#else
	pthread_create(&t, 0, a, &local);
	pthread_create(&u, 0, b, 0);
#endif
	pthread_detach(t);
	atomic_store(&y, 1);
	pthread_join(u, 0);
	return 0;
}
