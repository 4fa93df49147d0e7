/* The race exists only if the lock is taken in one of the two orders.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int x;

static void left(void)
{
	x = 1; /* BUG */
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
}

static void right(void)
{
	int is_ready;

	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	if (!is_ready && x == 7) /* BUG */
		x = 0;           /* BUG */
}

int main(void)
{
	parallel(left, right);
	return 0;
}
