/* shim_cond.c -- condition variables.
 *
 * The state is the set of waiting threads, 16 bytes inside the user's object.
 * A thread waits in four steps: it joins the set, unlocks, waits until it is taken out of the set,
 * and locks.  A thread joins the set before it unlocks, so a thread that holds the mutex later, and signals
 * then or afterwards, finds it in the set.  There are no spurious wake-ups unless an option asks for them;
 * then a thread may have one at each condition variable.  With more spurious wake-ups executions would be
 * infinite, because the loop around a wait repeats at each wake-up.
 */
#include "runtime/shims/shim.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

/* The object is 48 bytes aligned to 8: one aligned place is at 0 or at 8. */
static void *waiters_of(const struct shim_site *at, pthread_cond_t *c)
{
	shim_usable(at, c, sizeof *c, "condition variable");
	void *const set = (void *)(((uintptr_t)c + 15) & ~(uintptr_t)15);
	LP_HOLDS((uintptr_t)set + sizeof(struct lp_value) < (uintptr_t)(c + 1));
	return set;
}

void shim_cond_init(const struct shim_site *at, pthread_cond_t *c)
{
	rt_fill(c, 0, sizeof *c, at->pc);
}

/* The set of threads that have had their spurious wake-up: returns the word with the current
 * thread's bit.  Only this thread uses the bit. */
static uint64_t *startled(pthread_cond_t *c, uint64_t *bit)
{
	LP_HOLDS(rt_self() < SHIM_THREADS); /* otherwise the set has no room for the thread */
	*bit = UINT64_C(1) << rt_self() % 64;
	return &((uint64_t *)rt_state(c, SHIM_THREADS / 8))[rt_self() / 64];
}

static enum shim_patience patience(pthread_cond_t *c, bool timed)
{
	uint64_t bit;

	if (timed)
		return SHIM_TIMED;
	if (!rt_option_spurious())
		rt_note_use(RT_USE_GIVEN, "no spurious wake-ups (--spurious)", 0);
	return rt_option_spurious() && !(*startled(c, &bit) & bit) ? SHIM_MAY_GIVE_UP
								   : SHIM_FOREVER;
}

int shim_cond_wait(const struct shim_site *at, pthread_cond_t *c, pthread_mutex_t *m,
		   const struct timespec *until)
{
	void *waiters = waiters_of(at, c);

	shim_waiters_join(at, waiters);
	const int error = shim_mutex_unlock(at, m);
	if (error)
		rt_error(LP_ERROR_MUTEX, at->pc, m, "%s() without holding the mutex", at->name);
	const bool woken = shim_waiters_wait(at, waiters, patience(c, until));
	LP_HOLDS(woken || until || rt_option_spurious());
	if (!woken && !until) {
		uint64_t bit, *word = startled(c, &bit);
		LP_HOLDS(!(*word & bit)); /* its first at this condition variable */
		*word |= bit;
	}
	const int again = shim_mutex_lock(at, m);
	LP_HOLDS(!again); /* the thread has released the mutex */
	if (woken || !until)
		return 0;
	shim_time_is_up(at, until);
	return ETIMEDOUT;
}

void shim_cond_signal(const struct shim_site *at, pthread_cond_t *c)
{
	shim_waiters_wake_one(at, waiters_of(at, c));
}

void shim_cond_broadcast(const struct shim_site *at, pthread_cond_t *c)
{
	shim_waiters_wake_all(at, waiters_of(at, c));
}

void shim_cond_destroy(const struct shim_site *at, pthread_cond_t *c)
{
	const struct lp_value waiting = shim_load(at, waiters_of(at, c), 16, LP_RLX);

	if (waiting.lo | waiting.hi)
		rt_error(LP_ERROR_MUTEX, at->pc, c,
			 "%s() of a condition variable that a thread waits on", at->name);
	shim_destroy(at, c, sizeof *c);
}

LP_API int lp_shim_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	(void)attr;
	shim_cond_init(SHIM_AT, c);
	return 0;
}

LP_API int lp_shim_pthread_cond_destroy(pthread_cond_t *c)
{
	shim_cond_destroy(SHIM_AT, c);
	return 0;
}

LP_API int lp_shim_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return shim_cond_wait(SHIM_AT, c, m, NULL);
}

LP_API int lp_shim_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
					  const struct timespec *until)
{
	return shim_cond_wait(SHIM_AT, c, m, until);
}

LP_API int lp_shim_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
					  const struct timespec *until)
{
	(void)clock;
	return shim_cond_wait(SHIM_AT, c, m, until);
}

LP_API int lp_shim_pthread_cond_signal(pthread_cond_t *c)
{
	shim_cond_signal(SHIM_AT, c);
	return 0;
}

LP_API int lp_shim_pthread_cond_broadcast(pthread_cond_t *c)
{
	shim_cond_broadcast(SHIM_AT, c);
	return 0;
}
