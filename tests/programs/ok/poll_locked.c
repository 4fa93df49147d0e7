/* Threads ask under a lock, again and again, whether they may go on.  Attempts that change
 * nothing are left out: with them there would be no end.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 * expect rc11 -j 2: verified, executions 2
 * expect rc11 -- -DSPIN: verified, executions 2
 */
#include "../parallel.h"

#ifdef SPIN
static pthread_spinlock_t lock; /* which is free if it is zero */
#define take() pthread_spin_lock(&lock)
#define give_back() pthread_spin_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define take() pthread_mutex_lock(&lock)
#define give_back() pthread_mutex_unlock(&lock)
#endif

static int ready, passed; /* under the lock */

static void wait_for_it(void)
{
	for (;;) {
		take();
		if (ready)
			break;
		give_back();
	}
	passed++;
	give_back();
}

static void let_go(void)
{
	take();
	ready = 1;
	give_back();
}

int main(void)
{
	parallel(wait_for_it, wait_for_it, let_go);
	assert(passed == 2);
	return 0;
}
