/* random.c -- sampling executions.
 *
 * A sample is one execution, which grows forward from the empty graph: again and again a thread
 * that can go on performs its operation, in one of the ways that the model allows in the current
 * graph.  A read may take any value from the model's floor up, and a write may go to any place above
 * the floor.  So every consistent graph is reached with some probability: the events of a graph can be
 * added in any order that respects po and rf, and each part of a consistent graph that is closed under
 * po and rf is consistent.  The probabilities are far from equal; the latest value is the most likely.
 *
 * Threads that wait.  If an operation has to wait (for a lock), its thread cannot go on until there
 * is a value with which the operation succeeds.  If the operation succeeds with an older value but
 * not with the latest one, a coin toss for this operation decides whether it may take the older
 * value.  Without the coin toss, executions that end with the thread waiting would never be met.
 *
 * Threads that spin.  An iteration that changed nothing (redundant_attempts.h) is taken out of the graph again: the
 * graph without it is also an execution.  The thread then sleeps until one of the locations that the
 * iteration has read is written.  When only sleeping threads are left, each makes one more iteration
 * with the latest values, or leaves its loop.
 *
 * Every sample has its own seed, and depends on nothing else.  The first sample has the seed of the
 * options, so any sample can be reproduced as a first one.
 */
#include "explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "explore/graph/seen.h"
#include "explore/reduce/driver.h"
#include "explore/restarts.h"
#include "explore/sample/act.h"
#include "explore/sample/pct.h"
#include "explore/sample/rng.h"

/* A thread that sleeps, with the locations that its iteration has read, as they were then. */
struct sleeper {
	bool asleep;
	struct { LP_VEC(uint32_t); } loc, changes;
};

struct sampler {
	struct lp_explorer x;
	struct lp_rng rng;
	uint64_t seed;          /* the seed of the current sample */
	uint64_t number;        /* the number of samples begun */
	struct { LP_VEC(lp_tid); } able;
	lp_tid last;            /* that acted */
	struct { LP_VEC(struct sleeper); } sleepers; /* by thread */
	struct lp_ways ways;
	bool *spinning;         /* for lp_act_settle(), `room` of each */
	uint32_t *choices;
	uint32_t room;
	struct lp_pct pct;
	uint32_t length;        /* the length of an execution, for pct; 0: not known yet */
	bool measuring;         /* that length */
	struct lp_seen seen;    /* complete executions */
};

static double planned(const struct lp_explorer *x)
{
	return (double)x->options->sampling.executions;
}

/* ---- threads that spin ---- */

static struct sleeper *sleeper_of(struct sampler *s, lp_tid t)
{
	while (s->sleepers.count <= t)
		LP_PUSH(&s->sleepers, (struct sleeper){ 0 });
	return &s->sleepers.at[t];
}

/* Removes the events of a thread from index `from` on from the graph. */
static void take_out(struct lp_explorer *x, lp_tid thread, uint32_t from)
{
	struct lp_frame *old = lp_top(x), *f = lp_explorer_push_frame(x);
	const uint32_t n = old->g.ev.count;

	LP_HOLDS(from < old->g.threads.at[thread].count && x->forward);
	lp_explorer_need_scratch(x, n);
	for (lp_eid e = 0; e < n; e++)
		x->scratch.keep[e] = old->g.ev.at[e].thread != thread || old->g.ev.at[e].index < from;
	lp_graph_restrict(&f->g, &old->g, x->scratch.keep, x->scratch.renamed);
	for (uint32_t i = 0; i < old->seq.count; i++)
		if (x->scratch.keep[old->seq.at[i]])
			LP_PUSH(&f->seq, x->scratch.renamed[old->seq.at[i]]);
	x->depth--;
	x->frames.at[x->depth] = old;
	x->frames.at[x->depth - 1] = f;
	LP_VALID(lp_graph_validate(&lp_top(x)->g) && lp_top(x)->g.threads.at[thread].count == from);
	x->agree = LP_UNKNOWN;
}

/* The writes to a location that changed it. */
static uint32_t changes_of(const struct lp_graph *g, uint32_t l)
{
	const struct lp_loc *loc = &g->locs.at[l];
	uint32_t changes = 0;

	for (uint32_t i = 0; i < loc->co.count; i++) {
		const struct lp_event *w = lp_graph_event(g, loc->co.at[i]);
		changes += !lp_explorer_changes_nothing(g, &g->threads.at[w->thread], w->index);
	}
	return changes;
}

/* Does another thread read from the RMWs of the iteration? */
static bool is_read(const struct lp_graph *g, lp_tid thread, uint32_t from)
{
	for (lp_eid e = 0; e < g->ev.count; e++) {
		const struct lp_event *r = lp_graph_event(g, e);
		if (r->kind != LP_EV_READ || r->rf >= LP_INIT || r->thread == thread)
			continue;
		const struct lp_event *w = lp_graph_event(g, r->rf);
		if (w->thread == thread && w->index >= from)
			return true;
	}
	return false;
}

/* The last iteration of the thread, marked by lp_reduce_before(), changed nothing.  Returns false if
 * it cannot be removed: then the sample is discarded, because other samples do without the
 * iteration. */
static bool fall_asleep(struct sampler *s, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	const uint32_t from = lp_graph_note(g, LP_LAST(t))->since;
	struct sleeper *sleeper = sleeper_of(s, thread);

	LP_HOLDS(lp_graph_note(g, LP_LAST(t))->stop == LP_STOP_SPINS && from < t->count);
	if (is_read(g, thread, from))
		return false;
	sleeper->asleep = true;
	sleeper->loc.count = sleeper->changes.count = 0;
	for (uint32_t i = from; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_READ)
			continue;
		LP_PUSH(&sleeper->loc, e->loc);
	}
	take_out(&s->x, thread, from);
	/* Its own writes to locks have been removed by now. */
	for (uint32_t i = 0; i < sleeper->loc.count; i++)
		LP_PUSH(&sleeper->changes, changes_of(&lp_top(&s->x)->g, sleeper->loc.at[i]));
	return true;
}

/* Does the thread sleep?  The write that wakes it up may belong to an iteration of another thread that
 * is removed later, so it may fall asleep again until it has gone on. */
static bool is_asleep(struct sampler *s, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;
	const struct sleeper *sleeper = sleeper_of(s, thread);

	LP_HOLDS(!sleeper->asleep || sleeper->loc.count == sleeper->changes.count);
	for (uint32_t i = 0; sleeper->asleep && i < sleeper->loc.count; i++)
		if (changes_of(g, sleeper->loc.at[i]) != sleeper->changes.at[i])
			return false;
	return sleeper->asleep;
}

/* ---- moves ---- */

/* Does the sample follow one interleaving, in which reads take the latest value? */
static bool interleaves(const struct sampler *s)
{
	return s->measuring || (s->x.options->sampling.pct && s->x.options->model == LP_MODEL_SC);
}

/* The coin of an operation that may have to wait: does it insist on the latest value? */
static bool insists(struct sampler *s, const struct lp_move *m)
{
	const uint32_t index = lp_top(&s->x)->g.threads.at[m->thread].count;

	return m->op->otherwise == LP_ELSE_WAIT &&
	       lp_mix(s->seed ^ lp_mix((uint64_t)m->thread << 32 | index)) & 1;
}

static bool ways_of(struct sampler *s, const struct lp_move *m)
{
	return lp_ways_of(&s->x, m, interleaves(s) || insists(s, m), &s->ways);
}

/* Does the thread have an operation that need not wait? */
static bool can_go_on(struct sampler *s, lp_tid t)
{
	const struct lp_op *op;

	if (lp_stop_of(&s->x, t, &op) != LP_STOP_NONE || is_asleep(s, t))
		return false;
	if ((op->kind != LP_OP_LOAD && op->kind != LP_OP_RMW) || op->otherwise == LP_ELSE_FAIL)
		return true;
	const struct lp_move move = { t, op, lp_ops_intern(&s->x.ops, op), 0 };
	return ways_of(s, &move) && s->ways.count;
}

/* A thread at an error comes first, so that the execution ends with this error: other threads might
 * otherwise come to errors as well. */
static void find_able(struct sampler *s)
{
	const struct lp_graph *g = &lp_top(&s->x)->g;

	s->able.count = 0;
	for (lp_tid t = 0; t < g->threads.count && !s->x.stopped; t++) {
		if (!g->threads.at[t].exists || !can_go_on(s, t))
			continue;
		const bool wrong = lp_machine_pending(&s->x.machine, t)->kind == LP_OP_ERROR;
		if (wrong)
			s->able.count = 0;
		LP_PUSH(&s->able, t);
		if (wrong)
			return;
	}
}

static lp_tid pick_thread(struct sampler *s)
{
	LP_HOLDS(s->able.count);
	if (s->measuring)
		return s->able.at[0];
	if (s->x.options->sampling.pct)
		return lp_pct_pick(&s->pct, s->able.at, s->able.count, &s->rng);
	return s->able.at[lp_rng_below(&s->rng, s->able.count)];
}

/* Picks a way by its index: the latest with probability 1/2, otherwise any. */
static uint32_t pick_way(struct sampler *s)
{
	if (s->ways.count == 1 || lp_rng_word(&s->rng) & 1)
		return 0;
	return lp_rng_below(&s->rng, s->ways.count);
}

/* Performs the thread's operation.  Returns false if this is impossible: then the sample is
 * discarded. */
static bool act(struct sampler *s, const struct lp_move *m)
{
	if (lp_op_chooses(m->op->kind))
		return lp_act_go(&s->x, m, lp_rng_below(&s->rng, m->op->count ? m->op->count : 1));
	if (!ways_of(s, m))
		return false;
	while (s->ways.count) {
		const uint32_t i = pick_way(s);
		if (lp_act_go(&s->x, m, s->ways.at[i]))
			return true;
		s->ways.at[i] = LP_LAST(&s->ways);
		s->ways.count--;
	}
	return false;
}

/* ---- a sample ---- */

enum result { GOES_ON, COMPLETE, BLOCKED };

/* No thread can go on, except perhaps sleeping ones. */
static enum result settle(struct sampler *s)
{
	const uint32_t threads = lp_top(&s->x)->g.threads.count;
	enum lp_conclusion how;

	if (s->room < threads) {
		s->room = 2 * threads;
		s->spinning = lp_realloc(s->spinning, sizeof *s->spinning * s->room);
		s->choices = lp_realloc(s->choices, sizeof *s->choices * s->room);
	}
	for (lp_tid t = 0; t < threads; t++) {
		s->spinning[t] = is_asleep(s, t);
		s->choices[t] = (uint32_t)lp_rng_word(&s->rng);
	}
	if (lp_act_settle(&s->x, s->spinning, s->choices, &how))
		return how == LP_CONCLUDES_COMPLETE ? COMPLETE : BLOCKED;
	for (lp_tid t = 0; t < threads; t++) {
		const struct lp_op *op;
		if (!s->spinning[t] || !lp_catch_up(&s->x))
			continue;
		if (lp_stop_of(&s->x, t, &op) != LP_STOP_SPINS)
			sleeper_of(s, t)->asleep = false;
		else if (!fall_asleep(s, t))
			return BLOCKED;
	}
	return GOES_ON;
}

/* Has the thread that acted last completed an iteration?  This is asked at once, before others read what it wrote. */
static bool goes_round(struct sampler *s)
{
	struct lp_explorer *x = &s->x;
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op;

	return s->last < g->threads.count && g->threads.at[s->last].exists &&
	       lp_stop_of(x, s->last, &op) == LP_STOP_NONE &&
	       lp_reduce_before(x, s->last, &op, lp_explorer_live_state(x, s->last, op)).kind == LP_TURN_OMITS;
}

static enum result step(struct sampler *s)
{
	struct lp_explorer *x = &s->x;

	if (!lp_catch_up(x))
		return BLOCKED;
	if (goes_round(s))
		return fall_asleep(s, s->last) ? GOES_ON : BLOCKED;
	find_able(s);
	if (x->stopped)
		return BLOCKED;
	if (!s->able.count)
		return settle(s);

	const lp_tid t = pick_thread(s);
	const struct lp_op *op;
	lp_stop_of(x, t, &op);
	if (op->kind == LP_OP_ERROR) {
		lp_explorer_fail(x, t, op->error);
		return BLOCKED;
	}
	if (!lp_endless_check_steps(x, t, op))
		return BLOCKED;
	const struct lp_move move = lp_move_of(x, t, op);
	s->last = t;
	sleeper_of(s, t)->asleep = false;
	return act(s, &move) ? GOES_ON : BLOCKED;
}

static enum result grow_sample(struct sampler *s)
{
	struct lp_explorer *x = &s->x;
	enum result result;

	lp_top(x)->seq.count = 0;
	lp_graph_clear(&lp_top(x)->g);
	x->agree = LP_UNKNOWN;
	s->last = 0;
	for (uint32_t t = 0; t < s->sleepers.count; t++)
		s->sleepers.at[t].asleep = false;
	do {
		result = step(s);
	} while (result == GOES_ON && !x->stopped && lp_within_limits(x, planned));
	return result;
}

static void count(struct sampler *s, enum result result)
{
	struct lp_explorer *x = &s->x;

	if (result == BLOCKED) {
		lp_explorer_count_blocked(x);
		return;
	}
	LP_HOLDS(result == COMPLETE);
	lp_seen_put(&s->seen, lp_graph_fingerprint(&lp_top(x)->g), 0);
	lp_explorer_count_execution(x);
	x->out->distinct = s->seen.count;
}

/* Takes one sample after the other. */
static void sample(struct sampler *s)
{
	struct lp_explorer *x = &s->x;
	const struct lp_explore_options *options = x->options;

	while (!x->stopped && s->number < options->sampling.executions) {
		s->seed = s->number ? lp_mix(options->sampling.seed + s->number * UINT64_C(0x9e3779b97f4a7c15))
				    : options->sampling.seed;
		s->rng.state = s->seed;
		s->number++;
		if (options->sampling.pct)
			lp_pct_begin(&s->pct, options->sampling.pct, s->length, &s->rng);
		const enum result result = grow_sample(s);
		if (!x->stopped)
			count(s, result);
	}
}

/* Measures the length of an execution in which threads run in turn. */
static void measure(struct sampler *s)
{
	s->measuring = true;
	s->seed = s->rng.state = 0;
	grow_sample(s);
	s->length = lp_top(&s->x)->seq.count;
	s->measuring = false;
}

/* Adds to the result how to reproduce it. */
static void sign(struct sampler *s)
{
	struct lp_exploration *out = s->x.out;
	char text[512], pct[32] = "";

	if (s->x.options->sampling.pct)
		snprintf(pct, sizeof pct, " --pct %" PRIu32, s->x.options->sampling.pct);
	if (out->kind) {
		snprintf(text, sizeof text,
			 "%s (sample %" PRIu64 "; again: --random 1%s --seed %" PRIu64 ")", out->text,
			 s->number, pct, s->number ? s->seed : s->x.options->sampling.seed);
		out->text = lp_arena_strdup(s->x.arena, text);
		if (out->verdict == LP_INCONCLUSIVE)
			out->reason = out->text;
		return;
	}
	snprintf(text, sizeof text, "%s%ssampled %" PRIu64 " executions at random (seed %" PRIu64 ")",
		 out->reason ? out->reason : "", out->reason ? ": " : "",
		 out->executions + out->blocked, s->x.options->sampling.seed);
	out->verdict = LP_INCONCLUSIVE;
	out->reason = lp_arena_strdup(s->x.arena, text);
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const struct lp_explore_options *options = &a->options;
	struct sampler s = { .seed = options->sampling.seed };

	lp_explorer_open(&s.x, a->program, options, a->arena, a->out);
	s.x.forward = true;
	if (options->sampling.pct)
		measure(&s);
	sample(&s);
	sign(&s);
	for (uint32_t t = 0; t < s.sleepers.count; t++) {
		lp_free(s.sleepers.at[t].loc.at);
		lp_free(s.sleepers.at[t].changes.at);
	}
	lp_free(s.sleepers.at);
	lp_free(s.able.at);
	lp_free(s.ways.at);
	lp_free(s.spinning);
	lp_free(s.choices);
	lp_seen_close(&s.seen);
	lp_pct_close(&s.pct);
	lp_explorer_close(&s.x);
	return LP_PASS_STOPPED;
}

void lp_explore_random(struct lp_program *program, const struct lp_explore_options *options,
		       struct lp_arena *arena, struct lp_exploration *out)
{
	lp_restarts_explore(&(struct lp_pass){ .program = program, .options = *options, .arena = arena, .out = out,
						  .explore = explore, .situation = LP_FORWARD });
}
