/* A loop that never touches shared memory and never ends.
 * expect sc,rc11: violation endless loop
 */
#include "../parallel.h"

static void spin(void)
{
	for (volatile int i = 0; i >= 0; i = (i + 1) & 0xff)
		;
}

int main(void)
{
	parallel(spin);
	return 0;
}
