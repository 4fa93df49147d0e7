/* The block is lost if its address is overwritten, in whichever order that is explored.
 * expect rc11: verified
 * expect sc,tso,ra,rc11 --leaks: violation leak
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
	if (load(&shared, relaxed))
		free(mine);
	return 0;
}
