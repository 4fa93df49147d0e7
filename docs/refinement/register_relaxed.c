/* register_relaxed.c -- a register as a program: reads return the last value written, and nothing is ordered. */
#include <linchpin.h>
#include <stdatomic.h>

static struct lp_partial lock;
static atomic_long value;
#ifdef READS_FROM
static const memory_order reads = memory_order_acquire, writes = memory_order_release; /* a write before the reads of its value */
#else
static const memory_order reads = memory_order_relaxed, writes = memory_order_relaxed;
#endif
#ifdef CONFLICTS
static atomic_int written, read_before; /* all calls are ordered but two reads: writes before what follows, ... */
#endif

LP_SPEC("register")

LP_METHOD(write, v)
{
	lp_partial_lock(&lock);
#ifdef CONFLICTS
	atomic_load_explicit(&read_before, memory_order_acquire); /* ... and reads before the next write */
	atomic_fetch_add_explicit(&written, 1, memory_order_acq_rel);
#endif
	atomic_store_explicit(&value, v, writes);
	lp_partial_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(read)
{
	lp_partial_lock(&lock);
#ifdef CONFLICTS
	atomic_load_explicit(&written, memory_order_acquire);
	atomic_fetch_add_explicit(&read_before, 1, memory_order_release);
#endif
	const int64_t v = atomic_load_explicit(&value, reads);
	lp_partial_unlock(&lock);
	return v;
}
