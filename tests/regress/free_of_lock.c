/* A mutex is freed, or destroyed, by who has only relaxed accesses to tell that it is not in use.
 *
 * expect rc11: violation use after free at BUG
 * expect rc11 -- -DDESTROY: violation race at BUG
 * expect rc11 -- -DORDER=release: verified
 */
#include <stdlib.h>

#include "../programs/parallel.h"

#ifndef ORDER
#define ORDER relaxed
#endif

static pthread_mutex_t *lock;
static atomic_int done;

static void use(void)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock); /* BUG */
	store(&done, 1, ORDER);
}

static void give(void)
{
	if (!load(&done, ORDER == release ? acquire : relaxed))
		return;
#ifdef DESTROY
	pthread_mutex_destroy(lock); /* BUG */
#else
	free(lock); /* BUG */
#endif
}

int main(void)
{
	lock = malloc(sizeof *lock);
	pthread_mutex_init(lock, NULL);
	parallel(use, give);
	return 0;
}
