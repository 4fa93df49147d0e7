/* borrowed.c -- a register that only its owner writes, and that may be read by who has written: the owner.  `read` has no role, but
 * needs a call of one.
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
