/* seqlock.c -- a register of two words, whose readers write nothing.
 *
 * H.-J. Boehm, "Can Seqlocks Get Along with Programming Language Memory Models?" (MSPC 2012).  The
 * number is odd while somebody writes; who has read begins again if it has changed.
 *
 *     -DNO_WRITER_FENCE   the words may be seen before the odd number (not on x86)
 *     -DNO_READER_FENCE   the number may be looked at before the words (not on x86)
 *     -DLOOK_ONCE         the number is not looked at again
 */
#include <stdatomic.h>

struct seqlock {
	atomic_uint number;
	atomic_long low, high;
};

static void seqlock_write(struct seqlock *s, long low, long high)
{
	unsigned n;

	do
		n = atomic_load_explicit(&s->number, memory_order_relaxed) & ~1u;
	while (!atomic_compare_exchange_weak_explicit(&s->number, &n, n + 1, memory_order_acquire,
						      memory_order_relaxed));
#ifndef NO_WRITER_FENCE
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&s->low, low, memory_order_relaxed);
	atomic_store_explicit(&s->high, high, memory_order_relaxed);
	atomic_store_explicit(&s->number, n + 2, memory_order_release);
}

static void seqlock_read(struct seqlock *s, long *low, long *high)
{
	unsigned n;

	do {
		n = atomic_load_explicit(&s->number, memory_order_acquire) & ~1u;
		*low = atomic_load_explicit(&s->low, memory_order_relaxed);
		*high = atomic_load_explicit(&s->high, memory_order_relaxed);
#ifdef LOOK_ONCE
		return;
#endif
#ifndef NO_READER_FENCE
		atomic_thread_fence(memory_order_acquire);
#endif
	} while (atomic_load_explicit(&s->number, memory_order_relaxed) != n);
}

#include <linchpin.h>

static struct seqlock s;

LP_SPEC("register")
LP_METHOD(write, v) { seqlock_write(&s, v, v); return LP_VOID; }
LP_METHOD(read) { long low, high; seqlock_read(&s, &low, &high); return low == high ? low : 1000 * low + high; }
