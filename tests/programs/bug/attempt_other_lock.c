/* What is read under a lock, in an attempt that is left out, is written under another one, when by
 * relaxed accesses only the attempts are over.
 * expect rc11: violation race at BUG
 * expect rc11 -j 2: violation race at BUG
 * expect sc,tso,ra,rc11 -- -DSAME: verified
 */
#include "../parallel.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int version, done;
static int data, sum;

static void attempt(void)
{
	int seen;

	while ((seen = load(&version, relaxed)) != 2) {
		if (seen != 1)
			continue;
		pthread_mutex_lock(&one);
		seen = data; /* BUG */
		pthread_mutex_unlock(&one);
		if (seen)
			sum++;
	}
	store(&done, 1, relaxed);
}

static void change(void)
{
#ifdef SAME
	pthread_mutex_t *lock = &one;
#else
	pthread_mutex_t *lock = &other;
#endif
	store(&version, 1, relaxed);
	store(&version, 2, relaxed);
	while (!load(&done, relaxed))
		;
	pthread_mutex_lock(lock);
	data = 1; /* BUG */
	pthread_mutex_unlock(lock);
}

int main(void)
{
	parallel(attempt, change);
	return 0;
}
