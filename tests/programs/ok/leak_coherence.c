/* Two stores whose order is not that in which they are explored: what is reachable at
 * the end follows from coherence.
 * expect sc,tso,ra,rc11 --leaks: verified, executions 2
 */
#include <stdlib.h>

#include "../parallel.h"

static _Atomic(int *) shared;
static int *block;

static void publish(void)
{
	store(&shared, block, relaxed);
}

static void withdraw(void)
{
	store(&shared, NULL, relaxed);
}

int main(void)
{
	int *mine = block = malloc(sizeof *block);

	parallel(publish, withdraw);
	block = NULL;
	if (!load(&shared, relaxed))
		free(mine);
	return 0;
}
