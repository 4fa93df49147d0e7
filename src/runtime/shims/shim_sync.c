/* shim_sync.c -- semaphores and barriers. */
#include "runtime/shims/shim.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>

#include "base/error.h"

/* A semaphore's word is its value. */
static int fail(int error)
{
	*shim_errno() = error;
	return -1;
}

static bool decrease(const struct shim_site *at, sem_t *s, enum lp_else otherwise)
{
	shim_usable(at, s, sizeof *s, "semaphore");
	return !shim_rmw(at, s, 8, SHIM_SUB(lp_value(1)), LP_ACQ,
			 SHIM_IF_DIFFERENT(lp_value(0), otherwise)).failed;
}

static int wait_or_time_out(const struct shim_site *at, sem_t *s, const struct timespec *until)
{
	shim_usable(at, s, sizeof *s, "semaphore");
	if (shim_times_out(at, s, SHIM_IF_EQUAL(lp_value(0), LP_ELSE_DROP), until))
		return fail(ETIMEDOUT);
	const bool done = decrease(at, s, shim_otherwise(SHIM_TIMED));
	LP_HOLDS(done); /* it was chosen that the wait does not time out */
	return 0;
}

LP_API int lp_shim_sem_init(sem_t *s, int shared, unsigned value)
{
	const uint64_t words[sizeof *s / 8] = { value };

	(void)shared;
	if (value > INT_MAX)
		return fail(EINVAL);
	rt_write(s, words, sizeof *s, RT_PC);
	return 0;
}

LP_API int lp_shim_sem_destroy(sem_t *s)
{
	const struct shim_site *at = SHIM_AT;

	shim_usable(at, s, sizeof *s, "semaphore");
	shim_destroy(at, s, sizeof *s);
	return 0;
}

LP_API int lp_shim_sem_wait(sem_t *s)
{
	const bool done = decrease(SHIM_AT, s, LP_ELSE_WAIT);
	LP_HOLDS(done);
	return 0;
}

LP_API int lp_shim_sem_trywait(sem_t *s)
{
	return decrease(SHIM_AT, s, LP_ELSE_FAIL) ? 0 : fail(EAGAIN);
}

LP_API int lp_shim_sem_timedwait(sem_t *s, const struct timespec *until)
{
	return wait_or_time_out(SHIM_AT, s, until);
}

LP_API int lp_shim_sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	(void)clock;
	return wait_or_time_out(SHIM_AT, s, until);
}

/* A post releases only: what a thread did before it is ordered before the waits that take permits later, not before
 * other posts.  As it is an RMW, a wait synchronises with all posts before it. */
LP_API int lp_shim_sem_post(sem_t *s)
{
	const struct shim_site *at = SHIM_AT;

	shim_usable(at, s, sizeof *s, "semaphore");
	if (shim_rmw(at, s, 8, SHIM_ADD(lp_value(1)), LP_REL,
		     SHIM_IF_DIFFERENT(lp_value(INT_MAX), LP_ELSE_FAIL)).failed)
		return fail(EOVERFLOW);
	return 0;
}

/* This function does not synchronise memory (POSIX, XBD 4.12). */
LP_API int lp_shim_sem_getvalue(sem_t *s, int *value)
{
	const struct shim_site *at = SHIM_AT;

	shim_usable(at, s, sizeof *s, "semaphore");
	const struct lp_value v = shim_load(at, s, 8, LP_RLX);
	RT_WRITE(value, (int)v.lo, at->pc);
	return 0;
}

/* A barrier counts the arrivals.  The thread that completes a round leaves at once, and tells
 * the others by a second count, of the rounds that were ever completed at that address.  The second
 * count is not in the user's object: the first thread that leaves may destroy the barrier, free it
 * or initialise it again before the others have read it. */
struct barrier {
	uint64_t arrivals;
	uint64_t total; /* the threads of a round; `total` and `first` do not change after init */
	uint64_t first; /* the number of rounds that were completed before init */
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "room for our barrier");

static uint64_t *rounds_of(pthread_barrier_t *object)
{
	return rt_own_state(object, sizeof(uint64_t));
}

LP_API int lp_shim_pthread_barrier_init(pthread_barrier_t *object,
					const pthread_barrierattr_t *attr, unsigned count)
{
	const struct shim_site *at = SHIM_AT;

	(void)attr;
	if (count == 0)
		return EINVAL;
	const uint64_t first = shim_load(at, rounds_of(object), 8, LP_ACQ).lo;
	const union {
		struct barrier barrier;
		pthread_barrier_t object;
	} made = { { .total = count, .first = first } };
	rt_write(object, &made, sizeof *object, at->pc);
	return 0;
}

LP_API int lp_shim_pthread_barrier_destroy(pthread_barrier_t *object)
{
	rt_fill(object, 0, sizeof *object, RT_PC);
	return 0;
}

LP_API int lp_shim_pthread_barrier_wait(pthread_barrier_t *object)
{
	const struct shim_site *at = SHIM_AT;
	struct barrier *b = (struct barrier *)object;

	shim_object(at, object, sizeof *object);
	rt_read(&b->total, 2 * sizeof b->total, at->pc);
	const uint64_t total = b->total, first = b->first;
	if (total == 0)
		rt_error(LP_ERROR_MUTEX, at->pc, object,
			 "%s() of a barrier that is not initialised", at->name);

	const uint64_t before = shim_arrive(at, &b->arrivals, total).lo;
	LP_HOLDS(first + before / total + 1 > first);
	uint64_t *rounds = rounds_of(object);
	if ((before + 1) % total == 0) {
		shim_rmw(at, rounds, 8, SHIM_ADD(lp_value(1)), LP_REL, SHIM_ALWAYS);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	shim_await(at, rounds, 8,
		   SHIM_IF_AT_LEAST(lp_value(first + before / total + 1), LP_ELSE_WAIT));
	return 0;
}
