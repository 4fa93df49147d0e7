/* The initialisation runs once, and everyone sees it.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void)
{
	value++;
}

static void use(void)
{
	pthread_once(&once, initialise);
	assert(value == 1);
}

int main(void)
{
	parallel(use, use, use);
	return 0;
}
