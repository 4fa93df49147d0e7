/* A redundant iteration, which is left out, writes to a local variable of its own thread that another thread reads.
 * With -DTRIED the iteration is not in any graph: it is a way back that is only tried.
 *
 * expect rc11: violation race
 * expect rc11 -- -DREV: violation race
 * expect rc11 -- -DTRIED: violation race
 */
#include "two_threads.h"

#ifdef TRIED
enum { READS = 1, WRITES, LEAVES };
#else
enum { WRITES = 1, LEAVES, READS };
#endif

atomic_int x, done, fin;
_Atomic(int *) p;

static void *b(void *a)
{
	int *q = atomic_load_explicit(&p, memory_order_acquire);
	if (!q) {
		ST(x, LEAVES);
		ST(fin, 1);
		return 0;
	}
#ifdef TRIED
	ST(x, READS);
#endif
	ST(x, WRITES);
	ST(x, LEAVES);
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
		if (s == READS)
			continue;
		if (s == WRITES) {
			local = 5;
			continue;
		}
		if (s == LEAVES)
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
