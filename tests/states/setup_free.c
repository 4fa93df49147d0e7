/* setup_free.c -- a register whose set-up frees a block in a wrong way.
 *
 *     -DWRONG=1  twice
 *     -DWRONG=2  an address inside the block
 *     -DWRONG=3  twice, with another allocation in between, which must not get the same memory
 *     -DWRONG=4  it writes to the block that it has freed
 *     -DWRONG=5  it writes behind the block
 *     -DWRONG=6  calls read the block that it has freed
 *     -DMANY     and more blocks than there is room for at once
 */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WRONG
#define WRONG 0
#endif

static atomic_int value;
static long *kept;

LP_SPEC("register")
LP_ARGS("write 0 1")
LP_SETUP
{
	kept = malloc(2 * sizeof *kept);
	if (WRONG == 5)
		kept[2] = 1;
	free(kept);
#ifdef MANY
	for (int i = 0; i < 1000; i++)
		free(calloc(1, sizeof *kept));
	kept = NULL;
#endif
	if (WRONG == 3)
		(void)malloc(2 * sizeof *kept);
	if (WRONG == 1 || WRONG == 3)
		free(kept);
	if (WRONG == 2)
		free(kept + 1);
	if (WRONG == 4)
		*kept = 1;
}
LP_METHOD(write, v) { value = (int)v; return LP_VOID; }
LP_METHOD(read) { return WRONG == 6 ? *kept : value; }
