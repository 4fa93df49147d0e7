/* options: check --ops 2
 * The specification is not part of the object, nor is what only it uses; what both use is. */
#include <linchpin.h>
#include <stdatomic.h>

static int is_small(int64_t v)
{
	return v < 100;                              /* @+ */
}

static int of_specification(int64_t v)
{
	return v > 1000;                             /* @0 */
}

static enum lp_answer say_put(struct lp_state *s, const struct lp_spec_call *c)
{
	if (is_small(c->arg[0]) && !of_specification(c->arg[0]))  /* @0 */
		lp_state_push(s, c->arg[0]);             /* @0 */
	return LP_ACCEPTS;                           /* @0 */
}

static const struct lp_method methods[] = {
	{ "put", 1, LP_NOTHING, LP_INSERTS, say_put },
};

static const struct lp_kind box = { "box", "takes values", LP_DATA_EQUALITY, false, methods, 1, 0, 0, 0 };

static atomic_long last;

LP_SPEC_OWN(box)
LP_METHOD(put, v)
{
	if (is_small(v))                             /* @+ never +2 */
		atomic_store(&last, v);                  /* @+ */
	return LP_VOID;                              /* @+ */
}
