/* reread.c -- a slot that is read, and read again by a compare-exchange that fails.
 *
 * After the load the thread looks at `mark`, and so it does after the compare-exchange that failed; either
 * way it then overwrites it.  But only after the load does it go elsewhere if the mark is there.  A
 * failed compare-exchange that finds FULL therefore does not leave the thread where a load that
 * finds FULL does, although it does in the memory that was there when the load took place: to
 * leave out the former (explore/reduce/redundant_rereads.h) would lose the wrong answer.
 */
#include <linchpin.h>
#include <stdatomic.h>

enum { EMPTY, FULL, CLOSED, NEVER };

static atomic_int slot, calls;
static int mark;

LP_SPEC("register")
LP_METHOD(read)
{
	int found = atomic_load_explicit(&slot, memory_order_acquire), seen;

	if (found == FULL) {
		seen = mark;
		mark = 7;
		if (seen == 5)
			return 1;
	} else {
		if (atomic_compare_exchange_strong_explicit(&slot, &found, CLOSED, memory_order_acquire,
							    memory_order_acquire))
			return 0;
		seen = mark;
		mark = 7;
		if (seen == 9)
			return 0;
	}
	while (atomic_load_explicit(&slot, memory_order_relaxed) == NEVER)
		;
	return 77; /* wrong */
}
LP_METHOD(write, value)
{
	int found = EMPTY;

	(void)value;
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	mark = 5;
	atomic_compare_exchange_strong_explicit(&slot, &found, FULL, memory_order_release,
						memory_order_relaxed);
	return LP_VOID;
}
