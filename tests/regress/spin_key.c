/* A loop that counts in thread-specific data does not come back to where it was.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_key_t key;

static void *body(void *unused)
{
	while (!atomic_load(&x)) {
		pthread_setspecific(key, (char *)pthread_getspecific(key) + 1);
		assert((char *)pthread_getspecific(key) != (char *)3); /* BUG */
	}
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_key_create(&key, NULL);
	pthread_create(&t, NULL, body, NULL);
	atomic_store(&x, 1);
	pthread_join(t, NULL);
	return 0;
}
