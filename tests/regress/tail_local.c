/* The end of main() is the same in every execution and is performed once.  It ends the life of a local variable that
 * another thread may still use.
 *
 * expect sc,rc11 -- -DWANT=1 -DACC=*(int*)p=1: violation use after free
 * expect sc,rc11 -- -DWANT=1 -DACC=*(int*)p=1 -DREV: violation use after free
 */
#include "two_threads.h"

atomic_int x, y;
pthread_t t, u;

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

static __attribute__((noinline)) void f(void)
{
	int local = 0;

	start_two(&t, a, &local, &u, b, NULL);
	atomic_store(&y, 1);
	pthread_join(u, 0);
}

int main(void)
{
	f();
	pthread_join(t, 0);
	return 0;
}
