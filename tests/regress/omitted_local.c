/* A redundant iteration accesses a local variable of another thread, which returns from the variable's function
 * once it sees, by relaxed accesses only, that the loop has ended.  The iteration is left out, so that in what
 * is explored no other thread accesses the variable, and the end of its life was not recorded.
 *
 * expect rc11: violation use after free
 * expect rc11 -- -DREV: violation use after free
 * expect rc11 -- -DLOCK: violation use after free
 * expect rc11 -- -DLOCK -DREV: violation use after free
 */
#include "two_threads.h"

atomic_int x, done, y;

#ifdef LOCK /* the iteration takes a lock and gives it back */
typedef pthread_mutex_t variable;
#define INITIAL PTHREAD_MUTEX_INITIALIZER
#define USE(v) (pthread_mutex_lock(v), pthread_mutex_unlock(v))
#else
typedef atomic_int variable;
#define INITIAL 7
#define USE(v) (LD(*(v)) == 7 ? (void)0 : __builtin_trap())
#endif
_Atomic(variable *) p;

static __attribute__((noinline)) void f(void)
{
	variable local = INITIAL;
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
	variable *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(done, 1);
		return 0;
	}
	for (;;) {
		int s = LD(x);
		if (s == 1) {
			USE(q);
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
	return leave_two(b, a);
}
