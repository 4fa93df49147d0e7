/* The updater frees the old block while a reader may still be using it.
 * expect sc,rc11: violation use after free|race
 */
#include <stdlib.h>

#include "../parallel.h"

static _Atomic(int *) current;

static void updater(void)
{
	int *new = malloc(sizeof *new), *old;

	*new = 2;
	old = exchange(&current, new, acq_rel);
	free(old);
}

static void reader(void)
{
	int *seen = load(&current, acquire);

	assert(*seen > 0);
}

int main(void)
{
	int *one = malloc(sizeof *one);

	*one = 1;
	store(&current, one, relaxed);
	parallel(updater, reader);
	return 0;
}
