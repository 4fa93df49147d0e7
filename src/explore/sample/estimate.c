/* estimate.c -- estimates the number of executions from a sample of the tree that the graph explorer walks
 * through.
 *
 * A random walk through interleavings is not enough: many interleavings reach the same execution, and their number is not known.
 * But the walk of the graph explorer is a tree in which every execution graph occurs exactly once.  A node of the tree is a graph
 * that the walk has grown to its end.  Some of the choices that the walk has made on the way have alternatives left.  For each of
 * these alternatives the node has a child: the graph that the walk first grows to its end from this alternative.  Children are kept
 * as items (item.h), the form in which processes also give work to each other.  So the tree is that of the exploration, with all
 * its reductions, and tree_sample.h visits some of its nodes.
 *
 * Each item is followed from the beginning of the program, which a depth-first walk need not do.  So the time that the
 * exploration will take cannot be measured here.
 */
#include "explore/explore.h"

#include "base/error.h"
#include "explore/clock.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/restarts.h"
#include "explore/sample/tree_sample.h"

enum {
	FIRST_WIDTH = 16, /* the first width, if the effort is given as a time */
	ROUNDS = 5,       /* the number of rounds in that case, after the trials */
	TRIALS = 3,       /* the number of first rounds, which are for learning and for measuring
	                   * the time of a round */
	WIDEST = 20000,
	PARTS = 8,        /* a class is made of two numbers below this */
};

_Static_assert(PARTS * PARTS == LP_TREE_CLASSES, "each pair is a class");
static const double PATIENCE = 3; /* seconds */

enum { EXECUTIONS, GRAPHS }; /* values */

/* The arguments of lp_explore_estimate(), and its result. */
struct question {
	struct lp_estimate_effort effort;
	struct lp_estimate *estimate;
};

/* The state of one pass. */
struct sampling {
	struct lp_explorer x;
	struct lp_tree_sample tree;
	uint32_t events; /* of the first graph */
};

/* The more threads have not started, and the fewer events there are, the more executions can follow.  Of several such
 * measures that were tried, this one came closest on the programs of bench/. */
static uint32_t class_of(const struct sampling *s, const struct lp_graph *g)
{
	const uint32_t part = g->ev.count * PARTS / (s->events + 1);
	uint32_t begun = 0, threads = g->threads.count;

	for (uint32_t t = 0; t < threads; t++)
		begun += g->threads.at[t].count > 0;
	const uint32_t idle = threads - begun < PARTS ? threads - begun : PARTS - 1;
	LP_HOLDS(begun && begun <= threads);
	return (PARTS - 1 - idle) * PARTS + (part < PARTS ? part : PARTS - 1);
}

/* A graph has grown to its end: offers all alternatives that are left. */
static bool offer_alternatives(struct lp_explorer *x)
{
	struct sampling *s = x->walk.between_closure;

	if (!s->events)
		s->events = lp_top(x)->g.ev.count;
	while (lp_walk_back(x) && !x->stopped) {
		struct lp_frame *f = lp_top(x);
		if (f->useless) { /* no other graph follows */
			f->useless = false;
			x->out->abandoned++;
			continue;
		}
		struct lp_bytes *bytes = lp_tree_offer(&s->tree, class_of(s, &f->g));
		if (bytes)
			lp_item_write(x, f, NULL, 1, 0, bytes);
	}
	return false;
}

static bool visit(struct lp_tree_sample *tree, const struct lp_bytes *item, double *value)
{
	struct sampling *s = tree->closure;
	struct lp_exploration *out = s->x.out;

	LP_AGREES(lp_item_is_whole(item->at, item->count));
	out->executions = out->blocked = out->abandoned = 0;
	lp_walk(&s->x, lp_item_read(&s->x, item->at));
	value[EXECUTIONS] = (double)out->executions;
	value[GRAPHS] = (double)(out->executions + out->blocked + out->abandoned);
	return !s->x.stopped && !lp_watch_asks_for_restart(s->x.options->watch);
}

/* ---- rounds ---- */

/* The sums of the estimates of all rounds, and of their squares. */
struct sums {
	double sum[LP_TREE_VALUES], squares[LP_TREE_VALUES];
	uint32_t rounds;
};

static bool make_round(struct sampling *s, struct sums *to)
{
	double sum[LP_TREE_VALUES];

	if (!lp_tree_round(&s->tree, sum))
		return false;
	for (uint32_t v = 0; v < LP_TREE_VALUES; v++) {
		to->sum[v] += sum[v];
		to->squares[v] += sum[v] * sum[v];
	}
	to->rounds++;
	return true;
}

/* The variance of the average. */
static double variance_of(const struct sums *s, uint32_t v)
{
	LP_HOLDS(s->rounds && s->sum[v] >= 0);
	const double n = s->rounds, mean = s->sum[v] / n;
	const double spread = s->rounds > 1 ? (s->squares[v] / n - mean * mean) / (n - 1) : mean * mean;

	return spread > 0 ? spread : 0;
}

/* The width of rounds such that ROUNDS of them fit into the time that is left. */
static uint32_t width_for(double left, double each)
{
	const double first = FIRST_WIDTH, widest = WIDEST, rounds = ROUNDS;
	const double width = first * left / (each * rounds + 1e-9);

	return width < first ? FIRST_WIDTH : width > widest ? WIDEST : (uint32_t)width;
}

/* Makes rounds until the time is over, but at least two. */
static void make_rounds(struct sampling *s, double deadline, struct sums *to)
{
	const double start = lp_clock_seconds();

	s->tree.width = FIRST_WIDTH;
	for (uint32_t i = 0; i < TRIALS; i++, *to = (struct sums){ 0 })
		if (!make_round(s, to))
			return;
	const double now = lp_clock_seconds();
	s->tree.width = width_for(deadline - now, (now - start) / (double)TRIALS);
	while ((to->rounds < ROUNDS || s->tree.width == WIDEST) && (to->rounds < 2 || lp_clock_seconds() < deadline))
		if (!make_round(s, to))
			return;
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const struct question *q = a->closure;
	const double deadline = a->options.limits.deadline;
	struct lp_explore_options options = a->options;
	struct sampling s = { .tree = { .visit = visit, .closure = &s, .rng = { options.sampling.seed }, .width = q->effort.width } };
	struct lp_bytes root = { 0 };
	struct sums sums = { 0 };

	/* A round that has begun is usually finished, since otherwise long rounds would be missing in the
	 * average.  But there is a limit to this. */
	options.limits.deadline = deadline > 0 ? deadline + 2 * options.limits.seconds + PATIENCE : 0;
	lp_explorer_open(&s.x, a->program, &options, a->arena, a->out);
	s.x.walk.between = offer_alternatives;
	s.x.walk.between_closure = &s;
	lp_item_write_root(&root);
	lp_tree_sample_open(&s.tree, &root);
	if (deadline > 0)
		make_rounds(&s, deadline, &sums);
	else
		while (sums.rounds < q->effort.rounds && make_round(&s, &sums))
			;
	lp_tree_sample_close(&s.tree);
	lp_free(root.at);
	const bool stopped = s.x.stopped;
	*q->estimate = (struct lp_estimate){ .rounds = sums.rounds };
	if (sums.rounds)
		*q->estimate = (struct lp_estimate){ sums.sum[EXECUTIONS] / sums.rounds, sums.sum[GRAPHS] / sums.rounds,
						     variance_of(&sums, EXECUTIONS), variance_of(&sums, GRAPHS), sums.rounds };
	a->out->estimate = q->estimate->executions;
	if (!stopped)
		lp_explorer_stop(&s.x, "only an estimate was asked for");
	lp_explorer_close(&s.x);
	return stopped ? LP_PASS_STOPPED : LP_PASS_DONE;
}

void lp_explore_estimate(struct lp_program *program, const struct lp_explore_options *options, struct lp_estimate_effort effort,
			 struct lp_arena *arena, struct lp_estimate *estimate, struct lp_exploration *out)
{
	const struct question q = { effort, estimate };

	lp_restarts_explore(&(struct lp_pass){
		.program = program, .options = *options, .arena = arena, .out = out, .explore = explore,
		.closure = &q, .watches = LP_WATCHES_HELPING | LP_WATCHES_OMITTED | LP_WATCHES_ANSWERS,
	});
}
