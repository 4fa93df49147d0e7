/* Waiting without holding the mutex.
 * expect sc,rc11: violation mutex misuse at BUG
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void)
{
	pthread_cond_wait(&changed, &lock); /* BUG */
	return 0;
}
