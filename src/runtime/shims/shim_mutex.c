/* shim_mutex.c -- mutexes and spin locks.
 *
 * The word of a mutex is its first eight bytes: 0 is free, otherwise it is the
 * owner's id plus one.  The kind is stored where glibc stores it, so that static initialisers work.
 * The holder is also in rt_state().  From this copy a thread decides whether it holds the mutex itself;
 * no other thread can change the answer.
 *
 * If states are compared, only the explorer has the contents of allocated memory, which moves
 * between operations: the kind of a mutex in such memory is read by an operation, and its holder is
 * in a table of the thread (memory/held.h).  A pointer to the holder is not kept across an
 * operation.
 */
#include "runtime/shims/shim.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "linchpin.h"

struct holder {
	uint32_t owner; /* id plus one, or 0 */
	uint32_t depth; /* recursive mutexes: locks beyond the first */
};

/* glibc's kinds have robust, inherit and protect flags above these bits. */
enum { NORMAL = PTHREAD_MUTEX_NORMAL, RECURSIVE = PTHREAD_MUTEX_RECURSIVE,
       ERRORCHECK = PTHREAD_MUTEX_ERRORCHECK, KIND_MASK = 3, DESTROYED = -1 };

_Static_assert(sizeof(struct holder) == sizeof(uint64_t), "room for it in the table of held.h");

static struct holder *holder_of(const volatile void *lock)
{
	return rt_held_applies((const void *)lock) ? rt_held_data((const void *)lock) :
						     rt_own_state((const void *)lock, sizeof(struct holder));
}

/* Reads by an operation, which has its own name in reports. */
static uint64_t look_at(const struct shim_site *at, const char *name, const void *p, unsigned size)
{
	LP_HOLDS(size <= sizeof(uint64_t));
	return shim_load(&(struct shim_site){ .name = name, .pc = at->pc }, p, size, LP_RLX).lo;
}

static int stored_kind(const struct shim_site *at, pthread_mutex_t *m)
{
	return rt_held_applies(m) ? (int)look_at(at, "read the kind of", &m->__data.__kind, sizeof m->__data.__kind) :
				    m->__data.__kind;
}

static int kind_of(const struct shim_site *at, pthread_mutex_t *m)
{
	shim_object(at, m, sizeof *m);
	const int stored = stored_kind(at, m);
	if (stored == DESTROYED)
		rt_error(LP_ERROR_MUTEX, at->pc, m, "%s() of a mutex that was destroyed", at->name);
	const int kind = stored & KIND_MASK;
	if (kind == RECURSIVE || kind == ERRORCHECK)
		rt_tells_apart();
	return kind;
}

/* Handles a lock by the owner of a recursive or error-checking mutex.  Returns true if nothing else
 * is to be done. */
static bool lock_own(struct holder *h, int kind, int *error)
{
	LP_HOLDS(h->owner || !h->depth);
	if (h->owner != rt_me() + 1 || (kind != RECURSIVE && kind != ERRORCHECK))
		return false;
	if (kind == RECURSIVE) {
		h->depth++;
		LP_HOLDS(h->depth); /* it has not overflowed */
		rt_changed();
	}
	*error = kind == RECURSIVE ? 0 : EDEADLK;
	return true;
}

static int lock(const struct shim_site *at, pthread_mutex_t *m, enum shim_patience patience)
{
	const int kind = kind_of(at, m);
	int error;

	if (lock_own(holder_of(m), kind, &error))
		return error;
	/* The owner of a normal mutex waits for itself: a deadlock, and reported so. */
	shim_take(at, m, 8, rt_me() + 1, patience);
	LP_HOLDS(!holder_of(m)->depth && !holder_of(m)->owner);
	holder_of(m)->owner = rt_me() + 1;
	return 0;
}

int shim_mutex_lock(const struct shim_site *at, pthread_mutex_t *m)
{
	return lock(at, m, SHIM_FOREVER);
}

int shim_mutex_trylock(const struct shim_site *at, pthread_mutex_t *m)
{
	const int kind = kind_of(at, m);
	int error;

	if (kind == RECURSIVE && lock_own(holder_of(m), kind, &error))
		return error;
	if (shim_rmw(at, m, 8, SHIM_XCHG(lp_value(rt_me() + 1)), LP_ACQ,
		     SHIM_IF_EQUAL(lp_value(0), LP_ELSE_FAIL)).failed)
		return EBUSY;
	LP_HOLDS(!holder_of(m)->depth && !holder_of(m)->owner);
	holder_of(m)->owner = rt_me() + 1;
	return 0;
}

int shim_mutex_timedlock(const struct shim_site *at, pthread_mutex_t *m, const struct timespec *until)
{
	const int kind = kind_of(at, m);
	int error;

	if (lock_own(holder_of(m), kind, &error))
		return error;
	if (shim_times_out(at, m, SHIM_IF_DIFFERENT(lp_value(0), LP_ELSE_DROP), until))
		return ETIMEDOUT;
	return lock(at, m, SHIM_TIMED);
}

int shim_mutex_unlock(const struct shim_site *at, pthread_mutex_t *m)
{
	const int kind = kind_of(at, m);
	struct holder *h = holder_of(m);

	if (h->owner != rt_me() + 1) {
		if (kind != NORMAL && kind <= ERRORCHECK)
			return EPERM;
		rt_error(LP_ERROR_MUTEX, at->pc, m,
			 "%s() of a mutex that the thread does not hold", at->name);
	}
	if (h->depth > 0) {
		h->depth--;
		rt_changed();
		return 0;
	}
	LP_HOLDS(!h->depth && h->owner == rt_me() + 1);
	h->owner = 0;
	shim_give_back(at, m, 8);
	return 0;
}

/* The kind of a mutex that was not allocated is read without an operation, so if states are compared it must not
 * change. */
static void refuse_if_compared(const struct shim_site *at, pthread_mutex_t *m)
{
	if (rt_compared() && !rt_held_applies(m))
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, m, "%s() in a call: states cannot be compared",
			 at->name);
}

/* If states are compared, only the thread that holds a lock in allocated memory knows that it does. */
static void refuse_held(const struct shim_site *at, const void *lock, unsigned size, uint64_t held, const char *what)
{
	const bool mine = holder_of(lock)->owner;

	LP_HOLDS(held && (!mine || holder_of(lock)->owner == rt_me() + 1)); /* the table belongs to the
	                                                                     * thread */
	if (look_at(at, "look whether held:", lock, size) != held)
		return;
	rt_error(mine ? LP_ERROR_MUTEX : LP_ERROR_UNSUPPORTED, at->pc, lock, "%s() of a %s that %s", at->name, what,
		 mine ? "the thread holds" : "another thread may hold: states cannot be compared");
}

void shim_mutex_init(const struct shim_site *at, pthread_mutex_t *m, int kind)
{
	refuse_if_compared(at, m);
	shim_object(at, m, sizeof *m);
	const uint32_t owner = holder_of(m)->owner;
	if (rt_held_applies(m))
		refuse_held(at, m, 8, rt_me() + 1, "mutex");
	else
		shim_refuse_held(at, m, memcmp(m, &(uint64_t){ owner }, 8) ? 0 : owner, "mutex");
	RT_WRITE(m, .__data.__kind = kind, at->pc);
	*holder_of(m) = (struct holder){ 0, 0 };
}

int shim_mutex_destroy(const struct shim_site *at, pthread_mutex_t *m)
{
	refuse_if_compared(at, m);
	kind_of(at, m);
	shim_must_be_free(at, m, 8, "mutex");
	RT_WRITE(m, .__data.__kind = DESTROYED, at->pc);
	return 0;
}

LP_API int lp_shim_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	const struct shim_site *at = SHIM_AT;
	int kind = NORMAL;

	if (attr) {
		rt_read(attr, sizeof *attr, at->pc);
		pthread_mutexattr_gettype(attr, &kind);
	}
	shim_mutex_init(at, m, kind);
	return 0;
}

LP_API int lp_shim_pthread_mutex_destroy(pthread_mutex_t *m)
{
	return shim_mutex_destroy(SHIM_AT, m);
}

LP_API int lp_shim_pthread_mutex_lock(pthread_mutex_t *m)
{
	return shim_mutex_lock(SHIM_SIMPLY_AT, m);
}

LP_API int lp_shim_pthread_mutex_trylock(pthread_mutex_t *m)
{
	return shim_mutex_trylock(SHIM_AT, m);
}

LP_API int lp_shim_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return shim_mutex_timedlock(SHIM_AT, m, until);
}

LP_API int lp_shim_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
					   const struct timespec *until)
{
	(void)clock;
	return shim_mutex_timedlock(SHIM_AT, m, until);
}

LP_API int lp_shim_pthread_mutex_unlock(pthread_mutex_t *m)
{
	return shim_mutex_unlock(SHIM_AT, m);
}

/* No thread dies with a mutex held here, so there is nothing to make consistent. */
LP_API int lp_shim_pthread_mutex_consistent(pthread_mutex_t *m)
{
	shim_object(SHIM_AT, m, sizeof *m);
	return EINVAL;
}

LP_API int lp_shim_pthread_mutex_getprioceiling(const pthread_mutex_t *m, int *ceiling)
{
	(void)m, (void)ceiling;
	return EINVAL;
}

LP_API int lp_shim_pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling, int *old)
{
	(void)m, (void)ceiling, (void)old;
	return EINVAL;
}

/* Spin locks are four bytes: 0 is free, 1 is held, and this is a lock that was destroyed. */
enum { SPIN_DESTROYED = 2 };

/* Like shim_usable(). */
static void spin_usable(const struct shim_site *at, pthread_spinlock_t *lock)
{
	shim_object(at, (const void *)lock, sizeof *lock);
	if (!rt_compared() && *lock == SPIN_DESTROYED)
		rt_error(LP_ERROR_MUTEX, at->pc, (const void *)lock, "%s() of a lock that was destroyed", at->name);
}

LP_API int lp_shim_pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	const struct shim_site *at = SHIM_AT;

	(void)shared;
	shim_object(at, (const void *)lock, sizeof *lock);
	if (rt_held_applies((const void *)lock))
		refuse_held(at, (const void *)lock, sizeof *lock, 1, "lock");
	else
		shim_refuse_held(at, (const void *)lock, *lock ? holder_of(lock)->owner : 0, "lock");
	rt_fill((void *)lock, 0, sizeof *lock, at->pc);
	*holder_of(lock) = (struct holder){ 0, 0 };
	return 0;
}

LP_API int lp_shim_pthread_spin_destroy(pthread_spinlock_t *lock)
{
	const struct shim_site *at = SHIM_AT;

	spin_usable(at, lock);
	shim_must_be_free(at, (const void *)lock, sizeof *lock, "lock");
	RT_WRITE((int *)lock, rt_compared() ? 0 : SPIN_DESTROYED, at->pc);
	return 0;
}

static void take_word(const struct shim_site *at, void *word, unsigned size)
{
	shim_object(at, word, size);
	shim_take(at, word, size, 1, SHIM_FOREVER);
	LP_HOLDS(!holder_of(word)->owner);
	holder_of(word)->owner = rt_me() + 1;
}

LP_API int lp_shim_pthread_spin_lock(pthread_spinlock_t *lock)
{
	const struct shim_site *at = SHIM_SIMPLY_AT;

	spin_usable(at, lock);
	take_word(at, (void *)lock, sizeof *lock);
	return 0;
}

LP_API int lp_shim_pthread_spin_trylock(pthread_spinlock_t *lock)
{
	const struct shim_site *at = SHIM_AT;

	spin_usable(at, lock);
	if (shim_rmw(at, (void *)lock, sizeof *lock, SHIM_XCHG(lp_value(1)), LP_ACQ,
		     SHIM_IF_EQUAL(lp_value(0), LP_ELSE_FAIL)).failed)
		return EBUSY;
	LP_HOLDS(!holder_of(lock)->owner);
	holder_of(lock)->owner = rt_me() + 1;
	return 0;
}

/* Releases a lock that is a single word. */
static void give_word_back(const struct shim_site *at, void *word, unsigned size)
{
	struct holder *h = holder_of(word);

	shim_object(at, word, size);
	if (h->owner != rt_me() + 1)
		rt_error(LP_ERROR_MUTEX, at->pc, word, "%s() of a lock that the thread does not hold", at->name);
	LP_HOLDS(!h->depth); /* it is not recursive */
	h->owner = 0;
	shim_give_back(at, word, size);
}

LP_API int lp_shim_pthread_spin_unlock(pthread_spinlock_t *lock)
{
	give_word_back(SHIM_AT, (void *)lock, sizeof *lock);
	return 0;
}

/* ---- partial locks, of specifications that are programs ---- */

LP_API void lp_shim_lp_partial_lock(struct lp_partial *lock)
{
	take_word(SHIM_PARTIAL_AT, lock, sizeof *lock);
}

LP_API void lp_shim_lp_partial_unlock(struct lp_partial *lock)
{
	give_word_back(SHIM_PARTIAL_AT, lock, sizeof *lock);
}
