/* estimate.c -- how many executions there are, from random descents.
 *
 * Knuth, "Estimating the Efficiency of Backtrack Programs", Mathematics of Computation
 * 1975.  Go down a tree from its root, at each node to one of its children, all equally
 * likely.  If the node reached is one that counts, the product of the numbers of children
 * met on the way, and otherwise 0, is on average the number of nodes that count.
 *
 * A random walk through interleavings does not do: an execution is reached by many of them, and
 * we do not know how many.  But the graph explorer's walk is a tree in which every
 * execution graph is a leaf exactly once, and its revisits are children like any others.  So
 * we descend in that one, counting the children of every choice by trying them all.
 */
#include "explore/explore.h"

#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/restarts.h"
#include "explore/sample/rng.h"

/* Where the choice is whose children are being met. */
struct node {
	uint32_t depth;
	uint32_t choices;     /* of its frame, without it */
	lp_eid events, half;  /* of its graph, without its event */
	uint32_t seq;
};

static double unknown(const struct lp_explorer *x)
{
	(void)x;
	return 0;
}

static struct node here(struct lp_explorer *x)
{
	const struct lp_frame *f = lp_top(x);

	return (struct node){ x->depth, f->choices.count, f->g.ev.count, f->half, f->seq.count };
}

/* To the next child of the choice.  A revisit has as many as the write that revisits
 * has places: these are alternatives in a frame of its own. */
static bool next_child(struct lp_explorer *x, const struct node *n)
{
	if (x->depth > n->depth) {
		if (lp_walk_alternative(x))
			return true;
		x->depth = n->depth;
		x->agree = LP_UNKNOWN;
	}
	return lp_top(x)->choices.count > n->choices && lp_walk_alternative(x);
}

static void back_to(struct lp_explorer *x, const struct node *n)
{
	x->depth = n->depth;
	lp_top(x)->choices.count = n->choices;
	lp_shrink(x, n->events, n->seq, 0);
	lp_top(x)->half = n->half;
	x->agree = LP_UNKNOWN;
}

/* The step just taken from `n` left a choice.  Goes to one of its children, all equally
 * likely, and returns how many there are. */
static uint32_t choose(struct lp_explorer *x, const struct node *n, bool grown, struct lp_rng *rng)
{
	uint32_t children = grown;

	while (!x->stopped && next_child(x, n))
		children++;
	if (!children || x->stopped)
		return 0;
	uint32_t skip = lp_rng_below(rng, children);
	back_to(x, n);
	if (lp_walk_step(x) != LP_WALK_GROWN)
		skip++;
	while (skip--)
		next_child(x, n);
	return children;
}

/* One descent: 0, or the product of the numbers of children. */
static double descend(struct lp_explorer *x, struct lp_rng *rng)
{
	double product = 1;

	x->depth = 0;
	lp_graph_clear(&lp_explorer_push_frame(x)->g);
	x->agree = LP_UNKNOWN;
	while (!x->stopped && product > 0 && lp_within_limits(x, unknown)) {
		const struct node n = here(x);
		const enum lp_walk_step step = lp_walk_step(x);
		if (lp_top(x)->choices.count > n.choices && !x->stopped)
			product *= choose(x, &n, step == LP_WALK_GROWN, rng);
		else if (step == LP_WALK_COMPLETE)
			return product;
		else if (step != LP_WALK_GROWN)
			return 0;
	}
	return 0;
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const uint32_t descents = *(const uint32_t *)a->closure;
	struct lp_explorer x;
	struct lp_rng rng = { a->options.seed };
	double sum = 0;
	uint32_t done = 0;

	lp_explorer_open(&x, a->program, &a->options, a->arena, a->out);
	while (done < descents && !x.stopped && !lp_watch_asks_for_restart(a->options.watch)) {
		sum += descend(&x, &rng);
		done += !x.stopped;
	}
	const bool stopped = x.stopped;
	a->out->estimate = done ? sum / done : 0;
	if (!stopped)
		lp_explorer_stop(&x, "only an estimate was asked for");
	lp_explorer_close(&x);
	return stopped ? LP_PASS_STOPPED : LP_PASS_DONE;
}

/* Descents count on a step to grow one graph: LP_ESTIMATING.  Executions are as many. */
void lp_explore_estimate(struct lp_program *program, const struct lp_explore_options *options,
			 uint32_t descents, struct lp_arena *arena, struct lp_exploration *out)
{
	lp_restarts_explore(&(struct lp_pass){
		.program = program, .options = *options, .arena = arena, .out = out, .explore = explore,
		.closure = &descents, .situation = LP_ESTIMATING, .watches = LP_WATCHES_HELPING,
	});
}
