/* shim_rwlock.c -- readers-writer locks.
 *
 * The word is the number of readers, or WRITER.  How a thread holds the lock is
 * kept in its rt_state().  Recursive readers are allowed; a reader that wants to write waits for
 * itself, as in glibc.
 *
 * The lock behaves differently towards its writer than towards other threads.  A client can observe this only if the
 * writer holds the lock beyond the end of a call: see rt_is_writer().
 */
#define _GNU_SOURCE
#include "runtime/shims/shim.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

#define WRITER (UINT64_C(1) << 63)

struct holders {
	uint32_t writer;               /* id plus one, or 0 */
	uint8_t reads[SHIM_THREADS];   /* by thread: how often it holds the lock */
};

static struct holders *holders(const struct shim_site *at, pthread_rwlock_t *l)
{
	if (rt_me() >= SHIM_THREADS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, l,
			 "%s() by thread %u: at most %d can use readers-writer locks",
			 at->name, rt_me(), SHIM_THREADS);
	if (l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) /* by its initialiser */
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, l, "read-write locks that prefer writers");
	return rt_own_state(l, sizeof(struct holders));
}

static struct holders *holders_of(const struct shim_site *at, pthread_rwlock_t *l)
{
	shim_usable(at, l, sizeof *l, "lock");
	return holders(at, l);
}

/* How many locks each thread holds as their writer. */
static const char writers_owner;

static uint32_t *written_by_me(void)
{
	LP_HOLDS(rt_me() < SHIM_THREADS); /* holders_of() refuses others */
	return (uint32_t *)rt_own_state(&writers_owner, SHIM_THREADS * sizeof(uint32_t)) + rt_me();
}

bool rt_is_writer(void)
{
	const uint32_t *writers = rt_state_if_any(&writers_owner);

	return writers && rt_me() < SHIM_THREADS && writers[rt_me()];
}

static int lock_to_read(const struct shim_site *at, pthread_rwlock_t *l, enum lp_else otherwise)
{
	struct holders *h = holders_of(at, l);

	if (h->writer == rt_me() + 1)
		return otherwise == LP_ELSE_FAIL ? EBUSY : EDEADLK;
	if (h->reads[rt_me()] == UINT8_MAX)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, l, "%s(): more than %d at a time by one thread", at->name,
			 UINT8_MAX);
	if (shim_rmw(at, l, 8, SHIM_ADD(lp_value(1)), LP_ACQ,
		     SHIM_IF_CLEAR(lp_value(WRITER), otherwise)).failed)
		return EBUSY;
	LP_HOLDS(!h->writer);
	h->reads[rt_me()]++;
	return 0;
}

static int lock_to_write(const struct shim_site *at, pthread_rwlock_t *l, enum lp_else otherwise)
{
	struct holders *h = holders_of(at, l);

	if (h->writer == rt_me() + 1)
		return otherwise == LP_ELSE_FAIL ? EBUSY : EDEADLK;
	if (shim_rmw(at, l, 8, SHIM_XCHG(lp_value(WRITER)), LP_ACQ,
		     SHIM_IF_EQUAL(lp_value(0), otherwise)).failed)
		return EBUSY;
	LP_HOLDS(!h->writer && !h->reads[rt_me()]);
	h->writer = rt_me() + 1;
	++*written_by_me();
	return 0;
}

typedef int lock_function(const struct shim_site *, pthread_rwlock_t *, enum lp_else);

static int timed(const struct shim_site *at, pthread_rwlock_t *l, lock_function *lock,
		 struct shim_if busy, const struct timespec *until)
{
	if (holders_of(at, l)->writer != rt_me() + 1 && shim_times_out(at, l, busy, until))
		return ETIMEDOUT;
	return lock(at, l, shim_otherwise(SHIM_TIMED));
}

static int timed_to_read(const struct shim_site *at, pthread_rwlock_t *l, const struct timespec *until)
{
	return timed(at, l, lock_to_read, SHIM_IF_SET(lp_value(WRITER), LP_ELSE_DROP), until);
}

static int timed_to_write(const struct shim_site *at, pthread_rwlock_t *l, const struct timespec *until)
{
	return timed(at, l, lock_to_write, SHIM_IF_DIFFERENT(lp_value(0), LP_ELSE_DROP), until);
}

LP_API int lp_shim_pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	const struct shim_site *at = SHIM_AT;

	(void)attr; /* preferences between readers and writers allow no executions that are not
	             * explored anyway */
	shim_object(at, l, sizeof *l);
	struct holders *h = holders(at, l);
	shim_refuse_held(at, l, memcmp(l, &(uint64_t){ WRITER }, 8) ? 0 : h->writer, "lock");
	rt_fill(l, 0, sizeof *l, at->pc);
	*h = (struct holders){ 0 };
	return 0;
}

LP_API int lp_shim_pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	const struct shim_site *at = SHIM_AT;

	shim_usable(at, l, sizeof *l, "lock");
	shim_must_be_free(at, l, 8, "lock");
	shim_destroy(at, l, sizeof *l);
	return 0;
}

LP_API int lp_shim_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return lock_to_read(SHIM_AT, l, LP_ELSE_WAIT);
}

LP_API int lp_shim_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return lock_to_read(SHIM_AT, l, LP_ELSE_FAIL);
}

LP_API int lp_shim_pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return timed_to_read(SHIM_AT, l, until);
}

LP_API int lp_shim_pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
					      const struct timespec *until)
{
	(void)clock;
	return timed_to_read(SHIM_AT, l, until);
}

LP_API int lp_shim_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return lock_to_write(SHIM_AT, l, LP_ELSE_WAIT);
}

LP_API int lp_shim_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return lock_to_write(SHIM_AT, l, LP_ELSE_FAIL);
}

LP_API int lp_shim_pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return timed_to_write(SHIM_AT, l, until);
}

LP_API int lp_shim_pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
					      const struct timespec *until)
{
	(void)clock;
	return timed_to_write(SHIM_AT, l, until);
}

/* A reader's release is an RMW: others may be reading still. */
LP_API int lp_shim_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	const struct shim_site *at = SHIM_AT;
	struct holders *h = holders_of(at, l);

	if (h->writer == rt_me() + 1) {
		LP_HOLDS(!h->reads[rt_me()] && *written_by_me());
		h->writer = 0;
		--*written_by_me();
		shim_store(at, l, 8, LP_REL, 0);
	} else if (h->reads[rt_me()] > 0) {
		h->reads[rt_me()]--;
		shim_rmw(at, l, 8, SHIM_SUB(lp_value(1)), LP_REL, SHIM_ALWAYS);
	} else {
		rt_error(LP_ERROR_MUTEX, at->pc, l,
			 "%s() of a lock that the thread does not hold", at->name);
	}
	return 0;
}
