/* explore_graphs.c -- explores all graphs, in this process or in several. */
#include "explore/explore.h"

#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/learn.h"
#include "explore/parallel/alone.h"
#include "explore/parallel/parallel.h"
#include "explore/parallel/team.h"
#include "explore/restarts.h"

enum lp_pass_end lp_walk_end(struct lp_explorer *x, bool visited)
{
	const enum lp_pass_end end = lp_learn_has_erred(x) ? LP_PASS_VOID :
				     x->brief.lengthy || (x->brief.how == LP_BRIEF && !x->stopped) ? LP_PASS_BRIEF :
				     x->stopped ? LP_PASS_STOPPED : LP_PASS_DONE;

	if (visited && lp_mixed_doubt(x->parts))
		lp_explorer_stop(x, lp_mixed_doubt(x->parts));
	x->out->estimate = visited ? (double)x->out->executions : lp_walk_estimate(x);
	return end;
}

/* One process makes a brief look; workers only report that one is needed. */
static bool takes_workers(const struct lp_pass *a)
{
	const struct lp_explore_options *o = &a->options;

	return lp_explore_is_shared(o) && !o->callbacks.complete && o->brief != LP_BRIEF;
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const struct lp_explore_options *options = &a->options;
	struct lp_explorer x;
	enum lp_pass_end end;

	/* A callback that observes every execution needs all of them in its process. */
	if (takes_workers(a) && lp_explore_parallel(a, &end))
		return end;
	if (options->limits.keep)
		return lp_explore_alone(a);
	lp_explorer_open(&x, a->program, options, a->arena, a->out);
	x.brief.how = options->callbacks.complete ? LP_BRIEF_NEVER : options->brief;
	end = lp_walk_end(&x, lp_walk(&x, false));
	lp_explorer_close(&x);
	return end;
}

void lp_explore_graphs(struct lp_program *program, const struct lp_explore_options *options,
		       struct lp_arena *arena, struct lp_exploration *out)
{
	lp_restarts_explore(&(struct lp_pass){
		.program = program, .options = *options, .arena = arena, .out = out, .explore = explore,
		.watches = LP_WATCHES_GRAPHS,
	});
	if (options->team)
		lp_team_end_exploration(options->team, out);
}
