/* A loop in registers: there is not even a hook in it.
 * expect sc,rc11: violation endless loop
 */
#include "../parallel.h"

static void spin(void)
{
	for (;;)
		__asm__ volatile("");
}

int main(void)
{
	parallel(spin);
	return 0;
}
