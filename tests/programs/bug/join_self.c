/* expect sc,rc11: violation thread misuse|deadlock at BUG
 */
#include <pthread.h>
#include <stddef.h>

int main(void)
{
	pthread_join(pthread_self(), NULL); /* BUG */
	return 0;
}
