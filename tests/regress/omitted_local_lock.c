/* Likewise, where the variable is a lock that is taken in vain.
 *
 * expect rc11: violation use after free
 * expect rc11 -- -DREV: violation use after free
 */
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, done, y;
_Atomic(pthread_mutex_t *) p;
#define R memory_order_relaxed
#define LD(v) atomic_load_explicit(&v, R)
#define ST(v, n) atomic_store_explicit(&v, n, R)
#ifndef LOOP
#define LOOP for (;;)
#endif
static __attribute__((noinline)) void f(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	atomic_store_explicit(&p, &m, memory_order_release);
	ST(x, 1);
	ST(x, 2);
	while (!LD(done))
		;
}
static void *b(void *a)
{
	f();
	ST(y, 1);
	return 0;
}
static void *a(void *z)
{
	pthread_mutex_t *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(done, 1);
		return 0;
	}
	LOOP
	{
		int s = LD(x);
		if (s == 1) {
			pthread_mutex_lock(q);
			pthread_mutex_unlock(q);
			continue;
		}
		if (s == 2)
			break;
	}
	ST(done, 1);
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
