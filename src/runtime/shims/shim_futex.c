/* shim_futex.c -- futexes, by system call or by libstdc++.
 *
 * As in the kernel, there is a lock for each word, so that comparing the word and joining its
 * waiters is one step for threads that wake waiters of this word.  A thread leaves the set of waiters
 * before it is woken.  As in the kernel, both waiting and waking begin with a full barrier: programs
 * that count their waiters themselves, and make no system call if there are none, rely on this barrier.
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

struct bucket {
	struct lp_value waiters;
	uint64_t lock;
};

static struct bucket *bucket_of(const uint32_t *word)
{
	return rt_state(word, sizeof(struct bucket));
}

/* Returns 0, EAGAIN if the word has another value, or ETIMEDOUT. */
static int futex_wait(const struct shim_site *at, uint32_t *word, uint32_t expected, bool timed)
{
	struct bucket *b = bucket_of(word);

	shim_object(at, word, sizeof *word);
	rt_fence(at->pc, LP_SC);
	shim_lock(at, &b->lock);
	const bool changed = shim_load(at, word, sizeof *word, LP_RLX).lo != expected;
	if (!changed)
		shim_waiters_join(at, &b->waiters);
	shim_unlock(at, &b->lock);
	if (changed)
		return EAGAIN;
	const bool woken = shim_waiters_wait(at, &b->waiters, timed ? SHIM_TIMED : SHIM_FOREVER);
	LP_HOLDS(woken || timed);
	return woken ? 0 : ETIMEDOUT;
}

/* Returns how many threads were woken. */
static long futex_wake(const struct shim_site *at, uint32_t *word, uint32_t most)
{
	struct bucket *b = bucket_of(word);
	long woken = 0;

	rt_fence(at->pc, LP_SC);
	shim_lock(at, &b->lock);
	if (most >= SHIM_THREADS)
		woken = shim_waiters_wake_all(at, &b->waiters);
	else
		while ((uint32_t)woken < most && shim_waiters_wake_one(at, &b->waiters))
			woken++;
	shim_unlock(at, &b->lock);
	LP_HOLDS(woken >= 0 && woken <= SHIM_THREADS && (uint64_t)woken <= most);
	return woken;
}

static long fail(int error)
{
	*shim_errno() = error;
	return -1;
}

/* Arguments that its operation does not use need not have been passed. */
static long futex(const struct shim_site *at, va_list args)
{
	uint32_t *const word = va_arg(args, uint32_t *);
	const int operation = va_arg(args, int), command = operation & FUTEX_CMD_MASK;
	const uint32_t value = va_arg(args, uint32_t);
	const bool some_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
	const void *const timeout = command == FUTEX_WAIT || some_bits ? va_arg(args, const void *) : NULL;
	int error;

	if (some_bits) {
		(void)va_arg(args, uint32_t *); /* a second futex, of other operations */
		if (va_arg(args, uint32_t) != FUTEX_BITSET_MATCH_ANY)
			rt_error(LP_ERROR_UNSUPPORTED, at->pc, word, "futex operation %d with some of the bits only", operation);
	}
	switch (command) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		error = futex_wait(at, word, value, timeout != NULL);
		return error ? fail(error) : 0;
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return futex_wake(at, word, value);
	default:
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, word, "futex operation %d", operation);
	}
}

LP_API long lp_shim_syscall(long number, ...)
{
	const struct shim_site *at = SHIM_NAMED("futex");
	va_list args;
	long result;

	switch (number) {
	case SYS_futex:
		va_start(args, number);
		result = futex(at, args);
		va_end(args);
		return result;
	case SYS_gettid:
		return 1000 + (long)rt_self();
	case SYS_sched_yield:
		shim_yield(at);
		return 0;
	default:
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "system call %ld", number);
	}
}

/* std::future waits with this function.  It returns true unless the wait timed out. */
LP_API bool
lp_shim__ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
	void *self, uint32_t *word, uint32_t expected, bool timed, int64_t seconds, int64_t ns)
{
	(void)self, (void)seconds, (void)ns;
	return futex_wait(SHIM_NAMED("std::future::wait"), word, expected, timed) != ETIMEDOUT;
}

LP_API bool
lp_shim__ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
	void *self, uint32_t *word, uint32_t expected, bool timed, int64_t seconds, int64_t ns)
{
	(void)self, (void)seconds, (void)ns;
	return futex_wait(SHIM_NAMED("std::future::wait"), word, expected, timed) != ETIMEDOUT;
}

LP_API void lp_shim__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(uint32_t *word)
{
	futex_wake(SHIM_NAMED("std::promise"), word, INT32_MAX);
}
