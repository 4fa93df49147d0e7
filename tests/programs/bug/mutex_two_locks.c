/* Each thread protects the counter by a mutex of its own.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void left(void)
{
	pthread_mutex_lock(&one);
	count++; /* BUG */
	pthread_mutex_unlock(&one);
}

static void right(void)
{
	pthread_mutex_lock(&two);
	count++; /* BUG */
	pthread_mutex_unlock(&two);
}

int main(void)
{
	parallel(left, right);
	return 0;
}
