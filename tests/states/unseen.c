/* unseen.c -- for formulae: calls whose only steps are such that no other thread can observe them. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_uchar never_written;

LP_SPEC("register")
LP_ARGS("write 1")

LP_METHOD(write, v)
{
	(void)v;
	return LP_VOID;
}

LP_METHOD(read)
{
	return never_written;
}
