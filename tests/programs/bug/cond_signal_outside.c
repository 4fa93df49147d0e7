/* The predicate is changed without the lock: between the check and the wait.
 * expect sc,rc11: violation deadlock
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void setter(void)
{
	store(&ready, 1, seq_cst);
	pthread_cond_signal(&changed);
}

static void waiter(void)
{
	pthread_mutex_lock(&lock);
	while (!load(&ready, seq_cst))
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(setter, waiter);
	return 0;
}
