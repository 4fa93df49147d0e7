/* options: states --threads 2
 * Threads that call an object without end. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int reads, value;

LP_SPEC("register")
LP_ARGS("1 2")
LP_METHOD(write, v)
{
	if (atomic_load(&value) == 7)                /* @+ never +1 */
		return 7;                                /* @- */
	atomic_store(&value, (int)v);                /* @+ */
	return LP_VOID;                              /* @+ */
}
LP_METHOD(read)
{
	int expected = 0;
	if (atomic_compare_exchange_strong(&reads, &expected, 1))  /* @+ */
		atomic_store(&reads, 0);                 /* @+ */
	const int v = atomic_load(&value);           /* @+ */
	return v ? v : 0;                            /* @+ */
}
