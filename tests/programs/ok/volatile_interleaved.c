/* Volatile accesses as of old: a waiting loop on one, with races ignored.
 * options: --races ignore
 * expect sc,tso: verified
 */
#include "../parallel.h"

static volatile int flag;
static volatile int message;

static void sender(void)
{
	message = 1;
	flag = 1;
}

static void receiver(void)
{
	while (!flag)
		;
	assert(message == 1);
}

int main(void)
{
	parallel(sender, receiver);
	return 0;
}
