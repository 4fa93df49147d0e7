/* The life of main()'s local variables ends when it returns, while another thread may still use them.
 *
 * expect sc,rc11 -- -DWANT=0 -DACC=if(*(int*)p)abort(): violation use after free
 * expect sc,rc11 -- -DWANT=0 -DACC=if(*(int*)p)abort() -DREV: violation use after free
 */
#include "two_threads.h"

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

	start_two(&t, a, &local, &u, b, NULL);
	pthread_detach(t);
	atomic_store(&y, 1);
	pthread_join(u, 0);
	return 0;
}
