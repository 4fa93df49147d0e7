/* A hundred threads that do not meet: one execution.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { N = 100 };
static int done[N];

static void *work(void *arg)
{
	*(int *)arg = 1;
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	int sum = 0;

	for (int i = 0; i < N; i++)
		assert(pthread_create(&thread[i], NULL, work, &done[i]) == 0);
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], NULL);
		sum += done[i];
	}
	assert(sum == N);
	return 0;
}
