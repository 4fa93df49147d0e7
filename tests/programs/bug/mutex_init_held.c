/* A lock is initialised again while it is held, by another thread or by the same.
 * expect sc,rc11: violation mutex misuse at BUG
 * expect sc,rc11 -- -DRWLOCK: violation mutex misuse at BUG
 * expect sc,rc11 -- -DSPIN: violation mutex misuse at BUG
 * expect sc,rc11 -- -DSAME: violation mutex misuse at BUG
 */
#include "../parallel.h"

#if defined RWLOCK
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE() pthread_rwlock_wrlock(&lock)
#define INIT() pthread_rwlock_init(&lock, NULL)
#elif defined SPIN
static pthread_spinlock_t lock;
#define TAKE() pthread_spin_lock(&lock)
#define INIT() pthread_spin_init(&lock, 0)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE() pthread_mutex_lock(&lock)
#define INIT() pthread_mutex_init(&lock, NULL)
#endif

static atomic_int held;

static void hold(void)
{
	TAKE();
	store(&held, 1, release);
#ifdef SAME
	INIT(); /* BUG */
#endif
}

static void init(void)
{
#ifndef SAME
	if (load(&held, acquire))
		INIT(); /* BUG */
#endif
}

int main(void)
{
	parallel(hold, init);
	return 0;
}
