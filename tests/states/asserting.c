/* asserting.c -- a call whose assertion fails while it holds a block that only it points to.  The report is the assertion, and
 * not that the block is unreachable, with every choice of reductions.  With ASSUMES, such calls are not made. */
#include <assert.h>
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

static atomic_int inside;

LP_SPEC("stack")

LP_METHOD(pop)
{
	int *before = malloc(sizeof *before);

	*before = atomic_fetch_add(&inside, 1);
#ifdef ASSUMES
	__VERIFIER_assume(*before < 1);
#else
	assert(*before < 1);
#endif
	atomic_fetch_sub(&inside, 1);
	free(before);
	return LP_EMPTY;
}
