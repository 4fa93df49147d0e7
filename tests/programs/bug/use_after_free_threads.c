/* One thread frees what the other still reads.
 * expect sc,rc11: violation use after free|race
 */
#include <stdlib.h>

#include "../parallel.h"

static int *shared;
static atomic_int done;

static void user(void)
{
	store(&done, 1, release);
	assert(*shared == 1);
}

static void cleaner(void)
{
	if (load(&done, acquire))
		free(shared);
}

int main(void)
{
	shared = malloc(sizeof *shared);
	*shared = 1;
	parallel(user, cleaner);
	return 0;
}
