/* T1 tries to take a lock until it has it, and T2 polls under the same lock.  Each of them can always come
 * to its end, but with turns of one operation each T1 finds the lock held every time, and T2 was said
 * to have an endless loop.
 *
 * expect sc,rc11: inconclusive, says "might have come to an end"
 */
#include "../programs/parallel.h"

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tries(void)
{
	while (pthread_mutex_trylock(&lock))
		;
	data = 1;
	pthread_mutex_unlock(&lock);
}

static void polls(void)
{
	for (int seen = 0; !seen;) {
		pthread_mutex_lock(&lock);
		seen = data;
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	parallel(tries, polls);
	return 0;
}
