/* Writing under a read lock.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int count;

static void add(void)
{
	pthread_rwlock_rdlock(&lock);
	count++; /* BUG */
	pthread_rwlock_unlock(&lock);
}

int main(void)
{
	parallel(add, add);
	return 0;
}
