/* Both ask under a lock whether the other is ready first, and the attempts of neither are the last
 * ones: they wait forever all the same.
 * expect sc,tso,ra,rc11: violation liveness
 * expect rc11 -j 2: violation liveness
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready[2]; /* under the lock */

static void wait_then_be_ready(int me)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		const int seen = ready[!me];
		pthread_mutex_unlock(&lock);
		if (seen)
			break;
	}
	pthread_mutex_lock(&lock);
	ready[me] = 1;
	pthread_mutex_unlock(&lock);
}

static void one(void)
{
	wait_then_be_ready(0);
}

static void two(void)
{
	wait_then_be_ready(1);
}

int main(void)
{
	parallel(one, two);
	return 0;
}
