/* Double-checked locking as it was once taught: the first check races.
 * expect rc11,sc: violation race at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *instance;

static void use(void)
{
	if (!instance) { /* BUG */
		pthread_mutex_lock(&lock);
		if (!instance) {
			int *it = malloc(sizeof *it);

			*it = 42;
			instance = it; /* BUG */
		}
		pthread_mutex_unlock(&lock);
	}
	assert(*instance == 42);
}

int main(void)
{
	parallel(use, use);
	return 0;
}
