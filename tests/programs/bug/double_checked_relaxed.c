/* Double-checked locking with a relaxed first check: no race on the pointer any
 * more, but on what it points to.
 * expect rc11: violation race|uninitialised at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;

static void use(void)
{
	int *it = load(&instance, relaxed);

	if (!it) {
		pthread_mutex_lock(&lock);
		it = load(&instance, relaxed);
		if (!it) {
			it = malloc(sizeof *it);
			*it = 42; /* BUG */
			store(&instance, it, release);
		}
		pthread_mutex_unlock(&lock);
	}
	assert(*it == 42); /* BUG */
}

int main(void)
{
	parallel(use, use);
	return 0;
}
