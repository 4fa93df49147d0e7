/* fenced.c -- a snapshot whose updates end with a release fence.
 *
 * A fence only orders the later stores of its own thread.  That is enough for a thread that makes several updates, so the object is
 * sequentially consistent if there is one scan.  It is not enough for a client that makes an update when a message says that
 * another one has returned.
 */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int component[2];

LP_SPEC("snapshot:n=2")

LP_METHOD(update, i, value)
{
	atomic_store_explicit(&component[i], value, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return LP_VOID;
}

static void collect(int64_t *values)
{
	values[1] = atomic_load_explicit(&component[1], memory_order_acquire);
	values[0] = atomic_load_explicit(&component[0], memory_order_acquire);
}

LP_METHOD(scan)
{
	int64_t values[2], again[2];

	collect(again);
	do {
		values[0] = again[0];
		values[1] = again[1];
		collect(again);
	} while (values[0] != again[0] || values[1] != again[1]);
	return lp_several(values, 2);
}
