/* Thread-specific data: own values, and destructors at the end of a thread.
 * expect sc,rc11: verified
 */
#include <stdint.h>

#include "../parallel.h"

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
	fetch_add(&destroyed, (int)(intptr_t)value, relaxed);
}

static void use(intptr_t mine)
{
	assert(pthread_getspecific(key) == NULL);
	pthread_setspecific(key, (void *)mine);
	assert(pthread_getspecific(key) == (void *)mine);
}

static void one(void)
{
	use(1);
}

static void two(void)
{
	use(2);
}

static void none(void)
{
}

int main(void)
{
	pthread_key_create(&key, destroy);
	parallel(one, two, none);
	assert(load(&destroyed, relaxed) == 3);
	pthread_key_delete(key);
	return 0;
}
