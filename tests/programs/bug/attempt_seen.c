/* Each time the lock is taken, nothing is done under it.  But this cannot be left out: a thread that only
 * tries to take the lock, or destroys it, sees that it is held.  (So does a timed lock, which times out: it never gives the
 * lock back.)
 * expect sc,rc11: violation assertion at SEEN
 * expect sc,rc11 -- -DTIMED: violation deadlock
 * expect sc,rc11 -- -DDESTROY: violation mutex misuse|race
 * expect rc11 -- -DFREE: violation use after free
 */
#include <stdlib.h>
#include <time.h>

#include "../parallel.h"

static pthread_mutex_t *lock;
static atomic_int version, done;

static void attempt(void)
{
	int seen;

	while ((seen = load(&version, relaxed)) != 2) {
		if (seen != 1)
			continue;
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
	store(&done, 1, relaxed);
}

static void change(void)
{
	store(&version, 1, relaxed);
	store(&version, 2, relaxed);
#if defined TIMED
	assert(!pthread_mutex_timedlock(lock, &(struct timespec){ 1, 0 }));
#elif defined DESTROY
	pthread_mutex_destroy(lock);
#elif defined FREE
	if (load(&done, relaxed))
		free(lock);
#else
	assert(!pthread_mutex_trylock(lock)); /* SEEN */
#endif
}

int main(void)
{
	lock = malloc(sizeof *lock);
	pthread_mutex_init(lock, NULL);
	parallel(attempt, change);
	return 0;
}
