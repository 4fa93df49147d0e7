/* expect sc,rc11: violation mutex misuse at BUG
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_unlock(&lock); /* BUG */
	return 0;
}
