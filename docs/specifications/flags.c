/* Flags that are raised by name, and taken down by anyone: a specification in which one call
 * may lead to several states. */
#include <linchpin.h>
#include <pthread.h>

/* ---- the specification: the raised flags, sorted ---- */

static enum lp_answer raise_flag(struct lp_state *s, const struct lp_spec_call *c)
{
	if (lp_state_has(s, c->arg[0]))
		return lp_answers(c, false);
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return lp_answers(c, true);
}

/* Any one of them: choice 0, 1, 2, ... are the possible successors. */
static enum lp_answer take_any(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->choice == 0 && s->count == 0)
		return lp_answers(c, false);
	if (c->choice >= s->count)
		return LP_REJECTS;
	lp_state_remove(s, c->choice);
	return lp_answers(c, true);
}

static enum lp_answer is_raised(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, lp_state_has(s, c->arg[0]));
}

static const struct lp_method methods[] = {
	{ "raise", 1, LP_TRUTH, LP_INSERTS, raise_flag },
	{ "take_any", 0, LP_TRUTH, LP_REMOVES | LP_CHOOSES, take_any },
	{ "is_raised", 1, LP_TRUTH, LP_READS, is_raised },
};
static const struct lp_kind flags = {
	.name = "flags", .about = "flags that are raised by name and taken down by anyone",
	.data = LP_DATA_EQUALITY, .by_key = false,
	.methods = methods, .method_count = 3,
};

/* ---- an object ---- */

#ifdef LOCKED
#define ENTER pthread_mutex_lock(&lock)
#define LEAVE pthread_mutex_unlock(&lock)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#else
#define ENTER (void)0
#define LEAVE (void)0
#endif
static _Atomic int up[4];

LP_SPEC_OWN(flags)
LP_ARGS("1 2")
LP_METHOD(raise, f)
{
	ENTER;
	int was = up[f];
	up[f] = 1;
	LEAVE;
	return !was;
}
LP_METHOD(take_any)
{
	int taken = 0;
	ENTER;
	for (int f = 0; f < 4 && !taken; f++)
		if (up[f])
			taken = 1, up[f] = 0;
	LEAVE;
	return taken;
}
LP_METHOD(is_raised, f) { return up[f]; }
