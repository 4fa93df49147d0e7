/* A waiting loop does not order anything by itself.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42; /* BUG */
	store(&flag, 1, release);
}

static void receiver(void)
{
	while (!load(&flag, relaxed))
		;
	assert(message == 42); /* BUG */
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
