/* An increment continues the release sequence of the store that it overwrites.
 * expect rc11: verified, executions 6
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42;
	store(&flag, 10, release);
}

static void helper(void)
{
	fetch_add(&flag, 1, relaxed);
}

static void receiver(void)
{
	if (load(&flag, acquire) == 11)
		assert(message == 42);
}

int main(void)
{
	parallel(sender, helper, receiver);
	return 0;
}
