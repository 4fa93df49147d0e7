/* striped.c -- a counter with a cell for each of two groups of threads, which are chosen by the parity of lp_thread().  Threads 1 and 3
 * share a cell without knowing: with three calls, the increments are lost only if thread 2 makes the other call. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int cell[2];

LP_SPEC("counter")

LP_METHOD(increment)
{
	atomic_int *own = &cell[lp_thread() % 2];

#ifdef ATOMIC
	atomic_fetch_add(own, 1);
#else
	atomic_store(own, atomic_load(own) + 1);
#endif
	return LP_VOID;
}

/* Both cells at one moment: they only grow. */
LP_METHOD(read)
{
	int first, second;

	do {
		first = atomic_load(&cell[0]);
		second = atomic_load(&cell[1]);
	} while (atomic_load(&cell[0]) != first);
	return first + second;
}
