/* slot.c -- one slot, which is often found empty.
 *
 * Everything is seq_cst, so that relations between calls do not tell which orders are possible.  The
 * barrier is one of old: an operation on memory that changes nothing there.
 */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_long slot, barrier;

LP_SPEC("multiset")

LP_METHOD(insert, v)
{
	for (;;) {
		long nothing = 0;
		if (atomic_load(&slot))
			continue;
		if (atomic_compare_exchange_strong(&slot, &nothing, v))
			break;
	}
	atomic_fetch_add(&barrier, 0);
	return 1;
}

LP_METHOD(take)
{
	atomic_fetch_add(&barrier, 0);
	for (int i = 0; i < 2; i++) {
		if (!atomic_load(&slot))
			continue;
		const long v = atomic_exchange(&slot, 0);
		if (v)
			return v;
	}
	return LP_EMPTY;
}
