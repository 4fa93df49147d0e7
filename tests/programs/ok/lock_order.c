/* Two mutexes, always taken in the same order.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include "../parallel.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(void)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
}

int main(void)
{
	parallel(both, both);
	return 0;
}
