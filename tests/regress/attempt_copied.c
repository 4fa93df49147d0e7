/* A lock is only taken for nothing; but somebody copies its word meanwhile, and fails when all is over.
 * Copies were no operations that see locks.
 *
 * expect sc --races ignore: violation assertion
 * expect tso --races ignore --steps 40: violation endless loop
 * expect rc11: violation race
 */
#include <string.h>

#include "../programs/parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int version, done;

static void attempt(void)
{
	int seen;

	while ((seen = load(&version, relaxed)) != 2) {
		if (seen != 1)
			continue;
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	store(&done, 1, relaxed);
}

static void change(void)
{
	long word;

	store(&version, 1, relaxed);
	memcpy(&word, &lock, sizeof word);
	store(&version, 2, relaxed);
	while (!load(&done, relaxed))
		;
	assert(!word);
}

int main(void)
{
	parallel(attempt, change);
	return 0;
}
