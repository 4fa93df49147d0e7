/* With --races ignore a use after free was found only if the thread that frees was performed first: a
 * free is not an operation, and unordered accesses were not compared with it.
 *
 * expect sc,tso --races ignore: violation use after free
 * expect sc,tso --races ignore -- -DREVERSED: violation use after free
 * expect sc,tso --races ignore -- -DORDERED: verified
 * expect sc,tso --races ignore -- -DORDERED -DREVERSED: verified
 */
#include <stdlib.h>

#include "../programs/parallel.h"

static int *block, done; /* plain: a flag that is a race elsewhere */

static void reader(void)
{
	assert(*block != 9);
	done = 1;
}

static void owner(void)
{
#ifdef ORDERED
	if (!done)
		return;
#endif
	free(block);
}

int main(void)
{
	block = malloc(sizeof *block);
	*block = 0;
#ifdef REVERSED
	parallel(owner, reader);
#else
	parallel(reader, owner);
#endif
	return 0;
}
