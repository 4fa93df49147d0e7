/* volatile does not synchronise: a race, or at the least no order.
 * expect rc11: violation race|assertion at BUG
 * expect sc --races ignore: verified
 */
#include "../parallel.h"

static volatile int flag;
static volatile int message;

static void sender(void)
{
	message = 1; /* BUG */
	flag = 1;    /* BUG */
}

static void receiver(void)
{
	if (flag) /* BUG */
		assert(message == 1); /* BUG */
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
