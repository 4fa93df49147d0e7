/* A normal mutex, locked twice by the same thread.
 * expect sc,rc11: violation mutex misuse|deadlock at BUG
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock); /* BUG */
	return 0;
}
