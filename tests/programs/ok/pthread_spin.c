/* expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_spinlock_t lock;
static int count;

static void add(void)
{
	pthread_spin_lock(&lock);
	count++;
	pthread_spin_unlock(&lock);
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	parallel(add, add);
	assert(count == 2);
	assert(pthread_spin_trylock(&lock) == 0);
	pthread_spin_unlock(&lock);
	pthread_spin_destroy(&lock);
	return 0;
}
