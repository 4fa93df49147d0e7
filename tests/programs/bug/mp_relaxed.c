/* Message passing, everything relaxed: tso keeps the order of the stores, rc11 not.
 * expect sc: verified, executions 3
 * expect tso: verified, executions 3
 * expect rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int message, flag;
static int seen, got;

static void sender(void)
{
	store(&message, 42, relaxed);
	store(&flag, 1, relaxed);
}

static void receiver(void)
{
	seen = load(&flag, relaxed);
	got = load(&message, relaxed);
}

int main(void)
{
	parallel(sender, receiver);
	assert(!seen || got == 42); /* BUG */
	return 0;
}
