/* Message passing with a waiting loop: one execution, however long the wait.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42;
	store(&flag, 1, release);
}

static void receiver(void)
{
	while (!load(&flag, acquire))
		;
	assert(message == 42);
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
