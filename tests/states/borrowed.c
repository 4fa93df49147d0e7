/* borrowed.c -- a register with one writer.  `read` has no role, but each call of it needs a call of `write`, so only the writer can
 * read.
 */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int value;

LP_SPEC("register:k=3")
LP_ROLE("write")
LP_AFTER("read", "write")

LP_METHOD(write, v)
{
	value = v;
	return LP_VOID;
}

LP_METHOD(read)
{
#ifdef WRONG
	return 3 - value;
#else
	return value;
#endif
}
