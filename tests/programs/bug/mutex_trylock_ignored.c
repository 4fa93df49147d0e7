/* The result of trylock is ignored.
 * expect sc,rc11: violation race|mutex misuse at BUG
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void attempt(void)
{
	pthread_mutex_trylock(&lock);
	inside++;                    /* BUG */
	pthread_mutex_unlock(&lock); /* BUG */
}

int main(void)
{
	parallel(attempt, attempt);
	return 0;
}
