/* A store of another thread does not continue a release sequence.
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

static void helper(void)
{
	if (load(&flag, relaxed) == 1)
		store(&flag, 2, relaxed);
}

static void receiver(void)
{
	if (load(&flag, acquire) == 2)
		assert(message == 42); /* BUG */
}

int main(void)
{
	parallel(sender, helper, receiver);
	return 0;
}
