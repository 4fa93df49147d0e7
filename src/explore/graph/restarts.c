/* restarts.c -- explores all graphs, and begins again where that relied on what turns out not to be so. */
#include "explore/explore.h"

#include "explore/bound/bound.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/parallel/parallel.h"
#include "explore/reduce/facts/answers.h"

/* How to begin again after that one has ended, without an error. */
static enum lp_brief next_brief(enum lp_brief brief)
{
	return brief == LP_BRIEF_IF_NEEDED ? LP_BRIEF : LP_BRIEF_NEVER;
}

static void explore(struct lp_program *program, const struct lp_explore_options *options,
		    struct lp_arena *arena, struct lp_exploration *out)
{
	struct lp_explorer x;

	/* An observer of every execution is to be in one process with all of them. */
	if (options->jobs > 1 && !options->complete &&
	    lp_explore_parallel(program, options, arena, out))
		return;
	lp_explorer_open(&x, program, options, arena, out);
	x.idle = options->idle;
	x.brief.how = options->complete ? LP_BRIEF_NEVER : options->brief;
	lp_omitted_begin(&x);
	struct lp_omitted_facts *omitted = x.machine.omitted.facts;
	const bool visited = lp_walk(&x, false);
	const bool broken = lp_helping_is_broken(x.facts), matters = lp_omitted_matters(omitted);
	const bool outdated = lp_answers_is_broken(x.answers) || lp_bound_is_outdated(&x);
	const bool unproved = x.brief.lengthy || (x.brief.how == LP_BRIEF && !x.stopped);
	const bool again = unproved || (x.stopped ? out->doubtful || lp_mixed_parts_are_new(x.parts) : broken || matters || outdated);
	struct lp_explore_options without = *options;
	if (unproved)
		without.brief = next_brief(x.brief.how);
	lp_mixed_heed(x.parts, &without, arena);
	if (visited && lp_mixed_doubt(x.parts))
		lp_explorer_stop(&x, lp_mixed_doubt(x.parts));
	without.helping &= !broken;
	without.idle &= !out->doubtful;
	lp_omitted_heed(omitted, &without);
	out->estimate = visited ? (double)out->executions : lp_walk_estimate(&x);
	lp_explorer_close(&x);
	lp_omitted_facts_close(omitted);
	if (!again)
		return;
	if (options->answers)
		lp_answers_restart(options->answers);
	if (options->begun_anew)
		options->begun_anew(options->closure);
	explore(program, &without, arena, out);
}

void lp_explore_graphs(struct lp_program *program, const struct lp_explore_options *options,
		       struct lp_arena *arena, struct lp_exploration *out)
{
	struct lp_explore_options with = *options;

	if ((options->stale || options->twins) && !options->answers)
		with.answers = lp_answers_open();
	explore(program, &with, arena, out);
	if (!options->answers)
		lp_answers_close(with.answers);
}
