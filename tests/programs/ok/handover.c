/* A block changes hands by an exchange; the thread that gets it frees it.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include <stdlib.h>

#include "../parallel.h"

static _Atomic(int *) box;

static void take(void)
{
	int *mine = exchange(&box, NULL, acq_rel);

	if (mine) {
		assert(*mine == 1);
		free(mine);
	}
}

int main(void)
{
	int *block = malloc(sizeof *block);

	*block = 1;
	store(&box, block, relaxed);
	parallel(take, take);
	return 0;
}
