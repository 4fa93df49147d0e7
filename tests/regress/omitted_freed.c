/* The iteration that reads 1 is redundant, and looks into a node: atomically, so that no thread took
 * account of it.  The node is freed when, by relaxed accesses only, the loop is left.
 *
 * expect rc11: violation use after free at BUG
 * expect rc11 -j 2: violation use after free at BUG
 * expect sc,tso,ra: verified
 */
#include <stdlib.h>

#include "../programs/parallel.h"

static atomic_int x, done;
static atomic_int *node;

static void look(void)
{
	for (;;) {
		const int s = load(&x, relaxed);
		if (s == 1)
			load(node, relaxed); /* BUG */
		else if (s == 2)
			break;
	}
	store(&done, 1, relaxed);
}

static void give(void)
{
	store(&x, 1, relaxed);
	store(&x, 2, relaxed);
	while (!load(&done, relaxed))
		;
	free(node); /* BUG */
}

int main(void)
{
	node = calloc(1, sizeof *node);
	parallel(look, give);
	return 0;
}
