/* An iteration that is left out writes to a variable on the thread's own stack, which another thread reads.
 *
 * expect rc11: violation race
 * expect rc11 -- -DREV: violation race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x, done, fin;
_Atomic(int *) p;
#define R memory_order_relaxed
#define LD(v) atomic_load_explicit(&v, R)
#define ST(v, n) atomic_store_explicit(&v, n, R)
#ifndef LOOP
#define LOOP for (;;)
#endif
static void *b(void *a)
{
	int *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(x, 2);
		ST(fin, 1);
		return 0;
	}
	ST(x, 1);
	ST(x, 2);
	while (!LD(done))
		;
	if (*q != 5)
		abort();
	atomic_store_explicit(&fin, 1, memory_order_release);
	return 0;
}
static void *a(void *z)
{
	int local = 5;
	atomic_store_explicit(&p, &local, memory_order_release);
	LOOP
	{
		int s = LD(x);
		if (s == 1) {
			local = 5;
			continue;
		}
		if (s == 2)
			break;
	}
	ST(done, 1);
	while (!atomic_load_explicit(&fin, memory_order_acquire))
		;
	return 0;
}
int main(void)
{
	pthread_t t, u;
#ifdef REV
	pthread_create(&u, 0, a, 0);
	pthread_create(&t, 0, b, 0);
#else
	pthread_create(&t, 0, b, 0);
	pthread_create(&u, 0, a, 0);
#endif
	pthread_exit(0);
}
