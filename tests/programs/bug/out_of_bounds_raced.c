/* The index is out of bounds only if the other thread comes in between.
 * expect sc,rc11: violation out of bounds at BUG
 */
#include <stdlib.h>

#include "../parallel.h"

static atomic_int next;
static int *place;

static void put(void)
{
	if (load(&next, seq_cst) < 1)
		place[fetch_add(&next, 1, seq_cst)] = 1; /* BUG */
}

int main(void)
{
	place = malloc(sizeof *place);
	parallel(put, put);
	return 0;
}
