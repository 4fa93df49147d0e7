/* Message passing by fences around relaxed accesses.
 * expect sc,tso,rc11: verified, executions 2
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42;
	fence(release);
	store(&flag, 1, relaxed);
}

static void receiver(void)
{
	if (load(&flag, relaxed)) {
		fence(acquire);
		assert(message == 42);
	}
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
