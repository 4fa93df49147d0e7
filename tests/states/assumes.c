/* assumes.c -- for formulae: a read closes the gate, and assumes that it is open when it looks again.  So in every read there
 * is a state in which the assumption does not hold, and if another thread opens the gate in this state, it holds.
 *
 *     -DNEVER   the gate is never opened
 */
#include <linchpin.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_uchar gate;

LP_SPEC("register")
LP_ARGS("write 1")

LP_METHOD(write, v)
{
	(void)v;
#ifndef NEVER
	gate = 1;
#endif
	return LP_VOID;
}

LP_METHOD(read)
{
	gate = 0;
	__VERIFIER_assume(gate);
	return 1;
}
