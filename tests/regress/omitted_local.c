/* An iteration that is left out uses a local variable of another thread, which returns from its function
 * when it sees, by relaxed accesses only, that the loop was left.  No return was accounted for, as nobody
 * used the variable in what was explored.
 *
 * expect rc11: violation use after free
 * expect rc11 -- -DREV: violation use after free
 */
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, done, y;
_Atomic(atomic_int *) p;
#define R memory_order_relaxed
#define LD(v) atomic_load_explicit(&v, R)
#define ST(v, n) atomic_store_explicit(&v, n, R)
static __attribute__((noinline)) void f(void)
{
	atomic_int local = 7;
	atomic_store_explicit(&p, &local, memory_order_release);
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
	atomic_int *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(done, 1);
		return 0;
	}
	for (;;) {
		int s = LD(x);
		if (s == 1) {
			if (atomic_load_explicit(q, R) != 7)
				__builtin_trap();
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
