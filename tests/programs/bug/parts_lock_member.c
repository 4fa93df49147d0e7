/* Part of a mutex, accessed as an atomic of its own: not modelled, and said so.
 * expect sc,rc11: inconclusive, says "mixed-size"
 */
#include "../parallel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&mutex);
	__atomic_store_n((char *)&mutex, 0, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&mutex);
	return 0;
}
