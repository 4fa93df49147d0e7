/* The message is plain and the flag relaxed: a race, except where every read
 * synchronises with what it reads from, as under sc and tso.
 * expect rc11: violation race at BUG
 * expect sc,tso: verified, executions 2
 * expect sc,tso --races ignore -- -O0: verified
 */
#include "../parallel.h"

static int message;
static atomic_int flag;

static void sender(void)
{
	message = 42; /* BUG */
	store(&flag, 1, relaxed);
}

static void receiver(void)
{
	if (load(&flag, relaxed) && message != 42) /* BUG */
		assert(0);
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
