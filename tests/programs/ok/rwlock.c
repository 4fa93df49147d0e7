/* Writers exclude everyone, readers only writers.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void writer(void)
{
	pthread_rwlock_wrlock(&lock);
	a++;
	b++;
	pthread_rwlock_unlock(&lock);
}

static void reader(void)
{
	pthread_rwlock_rdlock(&lock);
	assert(a == b);
	pthread_rwlock_unlock(&lock);
}

int main(void)
{
	parallel(writer, reader, reader);
	assert(a == 1);
	return 0;
}
