/* A way back that is only tried writes to a local variable of its own thread, which another thread reads.
 *
 * expect rc11: violation race
 */
#include "two_threads.h"

atomic_int x, done, fin;
_Atomic(int *) p;

static void *b(void *a)
{
	int *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(x, 3);
		ST(fin, 1);
		return 0;
	}
	ST(x, 1);
	ST(x, 2);
	ST(x, 3);
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
	for (;;) {
		int s = LD(x);
		if (s == 1)
			continue;
		if (s == 2) {
			local = 5;
			continue;
		}
		if (s == 3)
			break;
	}
	ST(done, 1);
	while (!atomic_load_explicit(&fin, memory_order_acquire))
		;
	return 0;
}

int main(void)
{
	return leave_two(b, a);
}
