/* Three philosophers who all take the left fork first.
 * expect sc,rc11: violation deadlock
 */
#include "../parallel.h"

static pthread_mutex_t fork_[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				    PTHREAD_MUTEX_INITIALIZER };

static void dine(int seat)
{
	pthread_mutex_lock(&fork_[seat]);
	pthread_mutex_lock(&fork_[(seat + 1) % 3]);
	pthread_mutex_unlock(&fork_[(seat + 1) % 3]);
	pthread_mutex_unlock(&fork_[seat]);
}

static void zero(void)
{
	dine(0);
}

static void one(void)
{
	dine(1);
}

static void two(void)
{
	dine(2);
}

int main(void)
{
	parallel(zero, one, two);
	return 0;
}
