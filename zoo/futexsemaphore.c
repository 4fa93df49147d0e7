/* futexsemaphore.c -- a semaphore whose callers sleep in the kernel.
 *
 * After U. Drepper, "Futexes Are Tricky" (2011).  Who finds no permit goes to sleep if there still is none:
 * the kernel compares, with what was seen when there was none.
 *
 *     -DSTALE   compares with what was seen before it looked for a permit: given back and taken in
 *               between, a permit is there, and the sleep lasts forever
 *     -DQUIET   release() wakes only whom it saw the count at 0 for: of two that sleep one stays
 *     -DTAKE=memory_order_relaxed   a permit is taken, but not what was done before it was given
 *     -DGIVE=memory_order_relaxed   the same: what was done before is not published
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif

struct semaphore {
	atomic_int permits;
};

static bool semaphore_try(struct semaphore *s)
{
	int n = atomic_load_explicit(&s->permits, memory_order_relaxed);

	while (n > 0)
		if (atomic_compare_exchange_strong_explicit(&s->permits, &n, n - 1, TAKE,
							    memory_order_relaxed))
			return true;
	return false;
}

static void semaphore_acquire(struct semaphore *s)
{
	for (;;) {
		int seen = 0;
#ifdef STALE
		seen = atomic_load_explicit(&s->permits, memory_order_acquire);
#endif
		if (semaphore_try(s))
			return;
		syscall(SYS_futex, &s->permits, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	}
}

static void semaphore_release(struct semaphore *s)
{
	int before = atomic_fetch_add_explicit(&s->permits, 1, GIVE);

#ifdef QUIET
	if (before > 0)
		return;
#endif
	(void)before;
	syscall(SYS_futex, &s->permits, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#include <linchpin.h>

static struct semaphore s = { 1 };

LP_SPEC("semaphore:init=1")
LP_METHOD(acquire) { semaphore_acquire(&s); return LP_VOID; }
LP_METHOD(try_acquire) { return semaphore_try(&s); }
LP_METHOD(release) { semaphore_release(&s); return LP_VOID; }
