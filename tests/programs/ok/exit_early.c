/* exit() ends the other threads wherever they are.
 * expect sc,rc11: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int go;

static void *work(void *unused)
{
	while (!go)
		;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	exit(0);
}
