/* Double-checked locking with an atomic pointer.
 * expect sc,tso,ra,rc11: verified
 */
#include <stdlib.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;

static void use(void)
{
	int *it = load(&instance, acquire);

	if (!it) {
		pthread_mutex_lock(&lock);
		it = load(&instance, relaxed);
		if (!it) {
			it = malloc(sizeof *it);
			*it = 42;
			store(&instance, it, release);
		}
		pthread_mutex_unlock(&lock);
	}
	assert(*it == 42);
}

int main(void)
{
	parallel(use, use);
	return 0;
}
