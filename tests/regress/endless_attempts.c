/* Somebody tries to take the lock, so that attempts under it are kept, up to --steps.  When the violation
 * was shown again they were left out, and it could not be.
 *
 * expect sc,rc11 --steps 30: violation endless loop
 */
#include "../programs/parallel.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int go;

static void poll(void)
{
	for (int seen = 0; !seen;) {
		pthread_mutex_lock(&m);
		seen = go;
		pthread_mutex_unlock(&m);
	}
}

static void set_and_try(void)
{
	pthread_mutex_lock(&m);
	go = 1;
	pthread_mutex_unlock(&m);
	if (pthread_mutex_trylock(&m) == 0)
		pthread_mutex_unlock(&m);
}

int main(void)
{
	parallel(poll, set_and_try);
	return 0;
}
