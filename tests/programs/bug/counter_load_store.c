/* A load and a store are not an increment.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int count;

static void add(void)
{
	store(&count, load(&count, seq_cst) + 1, seq_cst);
}

int main(void)
{
	parallel(add, add);
	assert(load(&count, relaxed) == 2); /* BUG */
	return 0;
}
