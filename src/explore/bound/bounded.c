/* bounded.c -- explores within a bound, and looks for the cheapest schedule of an error.
 *
 * An execution with an error may be found before one that needs fewer preemptions.  So the exploration is
 * repeated with lower bounds, from 0 on.  Each of these explorations may visit several times as many graphs as it took to find the error.  If that is
 * not enough, the error is reported as it was found.  If there is a judge, the exploration is not repeated, because the judge knows only the
 * execution that it was asked about last.
 */
#include "explore/bound/bound.h"

#include <stdio.h>

#include "base/error.h"

#include "explore/explore.h"

static struct lp_explore_options restricted(const struct lp_explore_options *options, struct lp_bound_facts *facts)
{
	struct lp_explore_options with = *options;

	with.bounds.facts = facts;
	with.jobs = 1;
	return with;
}

static void sign(const struct lp_explore_options *options, int cost, struct lp_arena *arena, struct lp_exploration *out)
{
	const char *what = options->bounds.preemptions ? "preemption" : options->bounds.delays ? "delay" : "round";
	char text[512];

	if (out->verdict != LP_VIOLATION || cost < 0)
		return;
	snprintf(text, sizeof text, "%s (after %d %s%s)", out->text, cost, what, cost == 1 ? "" : "s");
	out->text = lp_arena_strdup(arena, text);
}

static void lower(struct lp_explore_options *o, uint32_t bound)
{
	if (o->bounds.preemptions)
		o->bounds.preemptions = 1 + bound;
	else if (o->bounds.delays)
		o->bounds.delays = 1 + bound;
	else
		o->bounds.rounds = bound ? bound : 1;
}

static void explore(struct lp_program *program, const struct lp_explore_options *options, struct lp_arena *arena,
		    struct lp_exploration *out)
{
	options->bounds.facts->cost = -1;
	lp_explore_graphs(program, options, arena, out);
}

/* Explores within lower bounds than the cost of the error that was found, in `out`.  If there is a cheaper one, `out` is that; returns
 * the cost. */
static int find_cheaper(struct lp_program *program, struct lp_explore_options with, int cost, struct lp_arena *arena,
			 struct lp_exploration *out)
{
	const uint64_t most = 100 + 10 * (out->executions + out->blocked + out->abandoned);
	struct lp_exploration found = { .verdict = LP_VERIFIED };

	for (int bound = 0; bound < cost; bound++) {
		LP_HOLDS(with.jobs == 1 && with.bounds.facts);
		lower(&with, (uint32_t)bound);
		with.limits.executions = with.limits.blocked = most;
		if (with.callbacks.restarted)
			with.callbacks.restarted(with.callbacks.closure);
		explore(program, &with, arena, &found);
		if (found.verdict != LP_VERIFIED)
			break;
	}
	/* A bound also admits some executions that cost more (bound.h). */
	if (found.verdict != LP_VIOLATION || with.bounds.facts->cost < 0 || with.bounds.facts->cost >= cost)
		return cost;
	*out = found;
	return with.bounds.facts->cost;
}

void lp_explore_bounded(struct lp_program *program, const struct lp_explore_options *options, struct lp_arena *arena,
			struct lp_exploration *out)
{
	struct lp_bound_facts facts = { 0 };
	struct lp_explore_options with = restricted(options, &facts);

	if (options->model != LP_MODEL_SC) {
		*out = (struct lp_exploration){ .verdict = LP_INCONCLUSIVE, .reason = "schedules can be bounded under sc only" };
		return;
	}
	explore(program, &with, arena, out);
	int cost = facts.cost;
	if (out->verdict == LP_VIOLATION && cost > 0 && !options->callbacks.judge)
		cost = find_cheaper(program, with, cost, arena, out);
	sign(options, cost, arena, out);
	out->distinct = out->executions;
	lp_bound_forget(&facts);
}
