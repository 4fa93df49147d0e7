/* Two readers are inside at the same time: each waits there for the other.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void reader(void)
{
	pthread_rwlock_rdlock(&lock);
	fetch_add(&inside, 1, relaxed);
	while (load(&inside, relaxed) < 2)
		;
	pthread_rwlock_unlock(&lock);
}

int main(void)
{
	parallel(reader, reader);
	return 0;
}
