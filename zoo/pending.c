/* pending.c -- an object that refines itself, and is not linearizable with respect to itself.
 *
 * Bouajjani, Emmi, Enea and Hamza, "Tractable Refinement Checking for Concurrent Objects" (POPL 2015), example 5.1: the only
 * run of the object is m(), m'(), m() returns.  The call of m' never returns.  In a linearization it would have to return, or be left
 * out; the object has no such run.  (If it is never called, m() does not return either.)
 *
 *     -DSEQUENTIAL   against the runs of the object in which all calls return, of which there are none
 */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int called;

#ifdef SEQUENTIAL
#include <linchpin/spec.h>

static enum lp_answer never(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)s, (void)c;
	return LP_BLOCKS;
}

static const struct lp_method methods[] = {
	{ "wait", 0, LP_VALUE, 0, never },
	{ "call", 0, LP_NOTHING, 0, never },
};
static const struct lp_kind completed = {
	.name = "completed", .about = "no call ever returns", .methods = methods, .method_count = 2,
};
LP_SPEC_OWN(completed)
#endif

LP_METHOD(wait)
{
	while (!atomic_load(&called))
		;
	return 1;
}

LP_METHOD(call)
{
	atomic_store(&called, 1);
	while (atomic_load(&called))
		;
	return LP_VOID;
}
