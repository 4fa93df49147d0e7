/* A loop that counts forever, in shared memory.
 * options: --steps 10000
 * expect sc,rc11: violation endless loop
 */
#include "../parallel.h"

static atomic_uint count;

static void spin(void)
{
	for (;;)
		fetch_add(&count, 1, relaxed);
}

int main(void)
{
	parallel(spin);
	return 0;
}
