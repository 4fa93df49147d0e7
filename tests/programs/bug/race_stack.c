/* A local variable of main, shared by its address.
 * expect rc11: violation race at BUG
 */
#include <pthread.h>
#include <stddef.h>

static void *add(void *arg)
{
	++*(int *)arg; /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int local = 0;

	pthread_create(&a, NULL, add, &local);
	pthread_create(&b, NULL, add, &local);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return local == 0;
}
