/* An early return leaves the mutex locked: the next thread waits forever.
 * expect sc,rc11: violation deadlock
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void)
{
	pthread_mutex_lock(&lock);
	if (count++ > 0)
		return;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(add, add, add);
	return 0;
}
