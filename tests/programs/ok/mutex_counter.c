/* Three sections in any order: 3! executions.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 6
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(add, add, add);
	assert(count == 3);
	pthread_mutex_destroy(&lock);
	return 0;
}
