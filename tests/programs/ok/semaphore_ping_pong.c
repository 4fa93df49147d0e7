/* Two semaphores hand a plain variable to and fro.
 * expect sc,tso,rc11: verified, executions 1
 */
#include <semaphore.h>

#include "../parallel.h"

static sem_t ping, pong;
static int ball;

static void left(void)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&ping);
		assert(ball == 2 * i);
		ball++;
		sem_post(&pong);
	}
}

static void right(void)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&pong);
		assert(ball == 2 * i + 1);
		ball++;
		sem_post(&ping);
	}
}

int main(void)
{
	sem_init(&ping, 0, 1);
	sem_init(&pong, 0, 0);
	parallel(left, right);
	assert(ball == 6);
	return 0;
}
