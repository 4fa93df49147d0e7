/* lock.c -- a lock.  Its state is 0 if no thread holds the lock, and otherwise 1 + the number of the thread. */
#include <stdio.h>

#include "base/alloc.h"
#include "spec/kinds/shared_steps.h"

enum { ANYONE, CONTENDED };

static void begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

static int64_t holder(const struct lp_spec_call *c)
{
	return c->param[ANYONE] ? 1 : (int64_t)c->thread + 1;
}

static enum lp_answer lock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0])
		return LP_BLOCKS;
	s->at[0] = holder(c);
	return LP_ACCEPTS;
}

static enum lp_answer trylock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0])
		return lp_answers(c, 0);
	if (lp_try_fails(c, CONTENDED))
		return LP_ACCEPTS;
	s->at[0] = holder(c);
	return lp_answers(c, 1);
}

static enum lp_answer unlock(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] != holder(c))
		return LP_REJECTS;
	s->at[0] = 0;
	return LP_ACCEPTS;
}

static void show(const struct lp_state *s, const int64_t *param, char *out, size_t size)
{
	(void)param;
	snprintf(out, size, s->at[0] ? "held" : "free");
}

/* Labels do not name threads, so in this language any thread may unlock.  The language is thus larger than the
 * specification: a history that is not in it is wrong, but one that is in it need not be correct. */
static char *grammar(const int64_t *param)
{
	return lp_strdup(param[CONTENDED] || param[CONTENDED + 1] ?
				 "Free -> | <lock> Held | <trylock => true> Held | <trylock => false> Free;\n"
				 "Held -> | <unlock> Free | <trylock => false> Held;\n" :
				 "Free -> | <lock> Held | <trylock => true> Held;\n"
				 "Held -> | <unlock> Free | <trylock => false> Held;\n");
}

/* After a successful call, the lock is held by its thread or free. */
static bool tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	lp_state_push(to, m->roles & LP_TAKES ? 0 : holder(c));
	return lp_lock_succeeded(m, c) && m->step(to, c) == LP_ACCEPTS;
}

enum { LOCK, TRYLOCK, UNLOCK };

static const struct lp_method methods[] = {
	[LOCK] = { "lock acquire", 0, LP_NOTHING, LP_TAKES, lock },
	[TRYLOCK] = { "trylock try_lock try_acquire tryacquire", 0, LP_TRUTH, LP_TAKES | LP_OBSERVES, trylock },
	[UNLOCK] = { "unlock release", 0, LP_NOTHING, LP_GIVES, unlock },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[LOCK] = { .verb = LP_VERB_LOCK },
	[UNLOCK] = { .verb = LP_VERB_UNLOCK },
};

static const struct lp_param params[] = {
	[ANYONE] = { "anyone", 0, "1: also another thread may unlock" },
	[CONTENDED] = LP_CONTENDED_PARAM,
	LP_FAILING_PARAM,
};

const struct lp_builtin lp_kind_lock = {
	.kind = { .name = "lock", .about = "one holder at a time", .data = LP_DATA_NONE, .begin = begin, .show = show,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .by_thread = true, .overlap_params = 1 << CONTENDED,
		    .grammar = grammar, .tells = tells },
};
