/* Message passing: a thread that sees the flag sees the message.
 * expect sc,tso,ra,rc11: verified, executions 2
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
	if (load(&flag, acquire))
		assert(message == 42);
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
