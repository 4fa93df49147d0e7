/* closes.c -- a second call fails: what the first one leaves behind is a 0 in the first word of memory, which was 1. */
#include <assert.h>
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int is_open = 1;

LP_SPEC("stack")

LP_METHOD(pop)
{
	assert(is_open);
	is_open = 0;
	return LP_EMPTY;
}
