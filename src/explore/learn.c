/* learn.c -- a pass with a false fact goes on for a while, to learn more facts. */
#include "explore/learn.h"

#include "base/error.h"
#include "explore/graph/frame.h"
#include "explore/reduce/driver.h"
#include "explore/restarts.h"

enum { MANY = LP_DEBUG ? 1 : 2000 }; /* graphs; debug builds learn in small explorations, too */

static enum lp_judgement take_for_right(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	(void)closure, (void)g, (void)stuck, (void)error;
	return LP_JUDGED_RIGHT;
}

void lp_explore_silently(struct lp_explore_options *o)
{
	o->callbacks.complete = NULL;
	o->callbacks.exercised = NULL;
	o->callbacks.restarted = NULL;
	o->callbacks.judge = o->callbacks.judge ? take_for_right : NULL;
}

static uint64_t graphs_of(const struct lp_explorer *x)
{
	return x->out->executions + x->out->blocked + x->out->abandoned;
}

/* Are facts about the writes to locations the only ones that are false? */
static bool may_learn(const struct lp_explorer *x)
{
	const struct lp_explore_options *o = x->options;

	return !o->watch->shared && !x->walk.between && !o->limits.executions && !o->limits.blocked && lp_watch_may_go_on(o->watch);
}

bool lp_learn_is_enough(struct lp_explorer *x)
{
	const uint64_t visited = graphs_of(x);

	if (!lp_watch_asks_for_restart(x->options->watch))
		return false;
	if (!may_learn(x))
		return true;
	if (!x->learn.until && visited >= MANY) {
		x->learn.until = 2 * visited;
		x->learn.options = *x->options;
		lp_explore_silently(&x->learn.options);
		x->options = &x->learn.options;
	}
	return visited >= x->learn.until;
}

bool lp_learn_has_erred(const struct lp_explorer *x)
{
	LP_HOLDS(!x->learn.until || lp_watch_asks_for_restart(x->options->watch));
	return x->learn.until && x->out->kind != LP_ERROR_NONE;
}
