/* The block is lost if both threads publish.
 * expect rc11: verified
 * expect sc,rc11 --leaks: violation leak
 */
#include <stdlib.h>

#include "../parallel.h"

static _Atomic(int *) instance;

static void publish(void)
{
	if (!load(&instance, acquire)) {
		int *mine = malloc(sizeof *mine);

		*mine = 1;
		store(&instance, mine, release);
	}
}

int main(void)
{
	parallel(publish, publish);
	return 0;
}
