/* state_trace.c -- finds the steps that lead to a violation.
 *
 * For each visited state, only its parent and the transition are stored.  From these the path is
 * found and followed again, and this time every operation is recorded.  Processes change their
 * numbers on the way (symmetry); the steps have their original numbers.
 */
#include "explore/state/state_search.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

void lp_search_stop(struct lp_state_search *s, const char *reason)
{
	if (s->stopped || s->step.ahead)
		return;
	s->stopped = true;
	s->out->verdict = LP_INCONCLUSIVE;
	s->out->reason = reason;
}

/* Ends the search.  Returns false if the path is being followed again. */
static bool end_here(struct lp_state_search *s, enum lp_verdict verdict, enum lp_error_kind kind,
		     uint32_t process)
{
	if (s->step.ahead)
		return false;
	if (s->way.wanted) {
		if (s->step.branch == s->way.wanted_branch)
			lp_search_found(s, NULL, NULL);
		return false;
	}
	if (s->stopped)
		return false;
	LP_HOLDS(process < s->options->processes && s->step.branch < UINT32_C(1) << 24); /* a record has both in one word */
	s->stopped = s->wrong = true;
	s->way.last = (struct lp_record){ s->step.record, process << 24 | s->step.branch };
	s->out->verdict = verdict;
	s->out->kind = kind;
	s->out->thread = process;
	return true;
}

const char *lp_search_place(struct lp_state_search *s, uintptr_t pc)
{
	char text[256] = "";

	if (pc)
		s->a.processes->class->describe_pc(s->a.processes, pc, text, sizeof text);
	return text[0] ? lp_arena_strdup(s->arena, text) : NULL;
}

void lp_search_error(struct lp_state_search *s, const struct lp_program_error *error, uint32_t process)
{
	const bool unknown = lp_error_is_limit(error->kind);

	if (!end_here(s, unknown ? LP_INCONCLUSIVE : LP_VIOLATION, error->kind, process))
		return;
	s->out->text = lp_arena_strdup(s->arena, error->text);
	s->out->where = lp_search_place(s, error->pc);
	if (unknown) {
		s->out->reason = s->out->text;
		s->out->kind = LP_ERROR_NONE;
	}
}

void lp_search_wrong(struct lp_state_search *s, const struct lp_op *returns, uint32_t process)
{
	if (!end_here(s, LP_VIOLATION, LP_ERROR_NOT_LINEARIZABLE, process))
		return;
	s->out->text = !s->monitor->point ?
		"no order of the calls explains what the last one returns" :
		returns->kind == LP_OP_POINT ? "the call cannot take effect here with that result" :
		"the call returns something else than at its linearization point, or has not passed one";
	s->out->where = lp_search_place(s, returns->pc);
}

void lp_search_race(struct lp_state_search *s, uint32_t process, uint32_t other, const struct lp_op *op,
		    const struct lp_op *others)
{
	if (end_here(s, LP_VIOLATION, LP_ERROR_RACE, process))
		lp_search_describe_race(s, process, other, op, others, NULL);
}

void lp_search_describe_race(struct lp_state_search *s, uint32_t process, uint32_t other, const struct lp_op *op,
			     const struct lp_op *others, const char *location)
{
	char text[256], where[128] = "";

	if (location)
		snprintf(where, sizeof where, "%s", location);
	else
		s->a.processes->class->describe_loc(s->a.processes, op->loc, op->pc, where, sizeof where);
	snprintf(text, sizeof text, "threads %u and %u access %s at the same time, %s", process + 1,
		 other + 1, where, op->order == LP_PLAIN && others->order == LP_PLAIN ?
		 "neither of them atomically" : "one of them not atomically");
	s->out->text = lp_arena_strdup(s->arena, text);
	s->out->where = lp_search_place(s, op->pc);
	s->out->other_where = lp_search_place(s, others->pc);
}

void lp_search_stuck(struct lp_state_search *s, uint32_t process)
{
	const struct lp_record here = { s->step.record, UINT32_MAX };

	if (!end_here(s, LP_VIOLATION, LP_ERROR_DEADLOCK, process))
		return;
	s->way.last = here;
	s->out->text = "no thread can go on, and the specification does not say that their calls wait";
}

/* Appends the transitions of these edges; the first one begins in `state`. */
static void append_edges(struct lp_state_search *s, uint32_t state, const struct lp_way_edges *edges)
{
	const struct lp_state_graph *g = s->graph;

	for (uint32_t i = 0; i < edges->count; i++) {
		const uint32_t edge = (uint32_t)edges->at[i], process = g->edges.at[edge].process;
		uint32_t branch = 0;
		LP_HOLDS(edge - g->nodes.at[state].first < g->nodes.at[state].count); /* it begins where the one before it ends */
		for (uint32_t e = g->nodes.at[state].first; e < edge; e++)
			branch += g->edges.at[e].process == process;
		if (!(g->edges.at[edge].flags & LP_EDGE_STAYS))
			LP_PUSH(&s->way.path, process << 24 | branch);
		state = g->edges.at[edge].to;
	}
}

/* Puts the path to the cycle, and the cycle, into `path`.  If the run stays in its last state, there is no cycle. */
static void find_lasso(struct lp_state_search *s, const struct lp_lasso *l)
{
	append_edges(s, 0, &l->stem);
	const uint32_t stem = s->way.path.count;
	append_edges(s, l->state, &l->edges);
	s->way.loop = s->way.path.count - stem;
	s->way.given = l->given;
	for (uint32_t i = 0, j = s->way.path.count; i + 1 < j; i++) {
		const uint32_t other = s->way.path.at[--j];
		s->way.path.at[j] = s->way.path.at[i];
		s->way.path.at[i] = other;
	}
	for (uint32_t state = l->state; !l->given && lp_search_record(s, state).from != UINT32_MAX;
	     state = lp_search_record(s, state).from)
		LP_PUSH(&s->way.path, lp_search_record(s, state).way);
}

void lp_search_goes_on(struct lp_state_search *s, const struct lp_lasso *l)
{
	static const enum lp_error_kind kind[] = {
		[LP_OBSTRUCTION_FREE] = LP_ERROR_NOT_OBSTRUCTION_FREE, [LP_LOCK_FREE] = LP_ERROR_NOT_LOCK_FREE,
		[LP_WAIT_FREE] = LP_ERROR_NOT_WAIT_FREE, [LP_DEADLOCK_FREE] = LP_ERROR_NOT_DEADLOCK_FREE,
		[LP_STARVATION_FREE] = LP_ERROR_NOT_STARVATION_FREE,
	};
	static const char *const text[] = {
		[LP_OBSTRUCTION_FREE] = "a thread runs alone forever, and its call does not return",
		[LP_LOCK_FREE] = "the cycle repeats forever, and no call returns",
		[LP_WAIT_FREE] = "a thread takes steps forever, and its call does not return",
		[LP_DEADLOCK_FREE] = "no call returns, although no thread is passed over forever",
		[LP_STARVATION_FREE] = "a call does not return, although no thread is passed over forever",
	};

	LP_HOLDS(s->graph && !s->way.path.count && (s->options->runs || s->options->freedom != LP_ANY));
	s->stopped = s->wrong = true;
	s->out->verdict = LP_VIOLATION;
	s->out->reason = NULL;
	s->out->kind = s->options->runs ? LP_ERROR_FORMULA : kind[s->options->freedom];
	s->out->text = text[s->options->freedom];
	s->out->thread = l->process;
	find_lasso(s, l);
	if (s->options->runs)
		s->out->text = s->way.loop ? "the cycle repeats forever, and the formula does not hold" :
					     "no further step is possible, and the formula does not hold";
}

/* ---- the way there ---- */

void lp_search_found(struct lp_state_search *s, const struct lp_snapshot *n, const uint8_t *to)
{
	if (s->way.found->set != UINT32_MAX)
		return;
	s->way.found->set = 0;
	if (n) {
		s->way.found->set = n->set;
		s->way.found->words = n->words;
		memcpy(s->way.found->w, n->w, sizeof *n->w * (LP_STATE_PROCESSES + n->words));
		memcpy(s->way.moved, to, sizeof s->way.moved);
	}
	LP_HOLDS(s->way.steps.count == s->way.locals.count);
	for (uint32_t i = 0; i < s->way.log.count; i++) {
		const struct lp_log *l = &s->way.log.at[i];
		LP_PUSH(&s->way.locals, l->local);
		LP_PUSH(&s->way.steps, ((struct lp_step){ .thread = s->way.names[l->process] + 1u,
						      .op = l->op, .answer = l->answer,
						      .blocked = l->waits,
						      .reads_from = LP_STEP_NONE,
						      .co_after = LP_STEP_NONE }));
	}
}

static void find_path(struct lp_state_search *s)
{
	struct lp_record r = s->way.last;

	LP_PUSH(&s->way.path, r.way);
	while (r.from != UINT32_MAX) {
		r = lp_search_record(s, r.from);
		if (r.from != UINT32_MAX)
			LP_PUSH(&s->way.path, r.way);
	}
}

static void rename_processes(struct lp_state_search *s)
{
	uint8_t names[LP_STATE_PROCESSES];

	LP_HOLDS(lp_is_permutation(s->way.moved, s->options->processes));
	for (uint32_t i = 0; i < s->options->processes; i++)
		names[s->way.moved[i]] = s->way.names[i];
	memcpy(s->way.names, names, s->options->processes);
	LP_HOLDS(lp_is_permutation(s->way.names, s->options->processes));
}

/* The situation of each process at the beginning of the cycle. */
struct round {
	uint8_t names[LP_STATE_PROCESSES];
	uint64_t w[LP_STATE_PROCESSES];
	uint32_t count;
};

static void begin_loop(struct lp_state_search *s, const struct lp_snapshot *n, struct round *r)
{
	memcpy(r->names, s->way.names, sizeof r->names);
	memcpy(r->w, n->w, sizeof r->w);
	s->way.loop_step = s->way.steps.count;
	s->out->thread = s->way.names[s->out->thread];
}

/* Has every process returned to its own earlier state, not only up to renaming?  This is the case
 * after enough rounds, but showing that many is not always useful. */
static bool is_closed(const struct lp_state_search *s, const struct lp_snapshot *n, struct round *r)
{
	uint64_t at[LP_STATE_PROCESSES], was[LP_STATE_PROCESSES];

	for (uint32_t i = 0; i < s->options->processes; i++) {
		at[s->way.names[i]] = n->w[i];
		was[r->names[i]] = r->w[i];
	}
	return !memcmp(at, was, sizeof *at * s->options->processes) || ++r->count == 16;
}

/* The state to which the wanted transition led. */
static void take_found(const struct lp_state_search *s, struct lp_snapshot *n)
{
	const struct lp_snapshot *found = s->way.found;

	LP_HOLDS(found->set != UINT32_MAX && found->words <= LP_STATE_WORDS); /* the transition was made again */
	n->set = found->set;
	n->words = found->words;
	memcpy(n->w, found->w, sizeof *n->w * (LP_STATE_PROCESSES + n->words));
}

static void go_again(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_snapshot *found = lp_alloc(sizeof *found);
	struct round round = { .count = 0 };

	s->way.found = found;
	s->way.wanted = true;
	for (uint32_t i = 0; i < LP_STATE_PROCESSES; i++)
		s->way.names[i] = (uint8_t)i;
	lp_search_begin(s, n);
	for (uint32_t i = s->way.path.count; i-- > 0 && s->way.path.at[i] != UINT32_MAX;) {
		if (i + 1 == s->way.loop && !round.count)
			begin_loop(s, n, &round);
		found->set = UINT32_MAX;
		s->way.wanted_branch = s->way.path.at[i] & 0xffffff;
		s->way.log.count = 0;
		lp_search_look(s, n);
		lp_search_process(s, n, s->way.path.at[i] >> 24);
		if (!i && !s->way.loop)
			break;
		rename_processes(s);
		take_found(s, n);
		if (!i && !is_closed(s, n, &round))
			i = s->way.loop;
	}
	s->way.wanted = false;
	lp_free(found);
}

void lp_search_go_to(struct lp_state_search *s, struct lp_snapshot *n)
{
	struct lp_snapshot *found = lp_alloc(sizeof *found);

	s->way.found = found;
	s->way.wanted = true;
	lp_search_begin(s, n);
	for (uint32_t i = s->way.path.count; i-- > 1;) {
		found->set = UINT32_MAX;
		s->way.wanted_branch = s->way.path.at[i] & 0xffffff;
		s->way.log.count = 0;
		lp_search_look(s, n);
		lp_search_process(s, n, s->way.path.at[i] >> 24);
		take_found(s, n);
	}
	s->way.wanted = false;
	s->way.steps.count = s->way.locals.count = 0;
	lp_free(found);
}

static bool writes(const struct lp_step *w)
{
	return w->op.kind == LP_OP_STORE || (w->op.kind == LP_OP_RMW && !w->answer.failed);
}

/* The last step that wrote the memory which step `i` accesses, since the last allocation of its
 * block. */
static uint32_t writer_before(const struct lp_step *steps, uint32_t i)
{
	const struct lp_op *op = &steps[i].op;

	for (uint32_t j = i; j-- > 0;) {
		const uintptr_t block = steps[j].answer.value.lo;
		if (steps[j].op.kind == LP_OP_ALLOC && op->loc >= block &&
		    op->loc < block + steps[j].op.operand.lo)
			return LP_STEP_INITIAL;
		if (writes(&steps[j]) && steps[j].op.loc < op->loc + op->size &&
		    op->loc < steps[j].op.loc + steps[j].op.size)
			return j;
	}
	return LP_STEP_INITIAL;
}

static void name_location(struct lp_state_search *s, struct lp_step *step)
{
	char text[256];

	if (step->location)
		return;
	s->a.processes->class->describe_loc(s->a.processes, step->op.loc, step->op.pc, text, sizeof text);
	step->location = lp_arena_strdup(s->arena, text);
}

static void describe_steps(struct lp_state_search *s)
{
	struct lp_step *steps = lp_arena_alloc(s->arena, sizeof *steps * (s->way.steps.count + 2));
	uint32_t events[LP_STATE_PROCESSES + 1] = { 0 };

	if (s->way.steps.count)
		memcpy(steps, s->way.steps.at, sizeof *steps * s->way.steps.count);
	s->counts->unconfirmed = !lp_search_replay(s, steps, s->way.steps.count);
	for (uint32_t i = 0; i < s->way.steps.count; i++) {
		struct lp_step *step = &steps[i];
		LP_HOLDS(step->thread <= s->options->processes);
		step->event = events[step->thread]++;
		step->where = lp_search_place(s, step->op.pc);
		step->op.error = NULL;
		if (!lp_op_is_access(&step->op))
			continue;
		if (step->op.kind != LP_OP_STORE)
			step->reads_from = writer_before(steps, i);
		if (writes(step))
			step->co_after = writer_before(steps, i);
		name_location(s, step);
	}
	lp_search_clocks(s, steps, s->way.steps.count);
	s->out->steps = steps;
	s->out->step_count = s->way.steps.count;
	for (int i = 0; i < 2 && s->way.racing[i].racing; i++) {
		struct lp_step *step = &steps[s->out->step_count++];
		*step = s->way.racing[i];
		step->event = events[step->thread]++;
		step->where = lp_search_place(s, step->op.pc);
		name_location(s, step);
	}
}

static bool is_same(const struct lp_state_search *s, uint32_t a, uint32_t b)
{
	const struct lp_step *x = &s->way.steps.at[a], *y = &s->way.steps.at[b];

	return s->way.locals.at[a] == s->way.locals.at[b] && x->thread == y->thread &&
	       lp_value_equal(x->answer.value, y->answer.value) &&
	       x->answer.failed == y->answer.failed;
}

/* A transition of many unobservable operations may be many iterations of a short loop. */
static void shorten_loop(struct lp_state_search *s)
{
	const uint32_t end = s->way.steps.count, length = end - s->way.loop_step;

	LP_HOLDS(s->way.loop_step < end && s->way.locals.count == end); /* a cycle has a step */
	for (uint32_t period = 1; period < length; period++) {
		uint32_t i = s->way.loop_step;
		if (length % period)
			continue;
		while (i + period < end && is_same(s, i, i + period))
			i++;
		if (i + period == end) {
			s->way.steps.count = s->way.loop_step + period;
			return;
		}
	}
}

/* Describes the place of the thread that goes on forever. */
static void describe_loop(struct lp_state_search *s)
{
	s->out->loop = s->way.loop_step + 1;
	for (uint32_t i = s->way.loop_step; i < s->out->step_count && !s->out->where; i++)
		if (s->out->steps[i].thread == s->out->thread && lp_op_is_access(&s->out->steps[i].op))
			s->out->where = s->out->steps[i].where;
}

void lp_search_describe(struct lp_state_search *s)
{
	describe_steps(s);
	if (s->way.loop)
		describe_loop(s);
	lp_free(s->way.steps.at);
	lp_free(s->way.locals.at);
}

void lp_search_explain(struct lp_state_search *s, struct lp_snapshot *n)
{
	if (!s->wrong)
		return;
	s->stopped = false;
	if (!s->way.loop && !s->way.given)
		find_path(s);
	go_again(s, n);
	if (s->way.quiet) {
		s->way.wanted = true;
		s->way.wanted_branch = UINT32_MAX; /* the violation is not in a transition */
		lp_search_quiet(s, n);
	}
	s->stopped = true;
	if (s->way.quiet)
		s->out->thread = 0;
	else
		s->out->thread = s->way.loop ? s->out->thread + 1 : s->way.names[s->out->thread] + 1u;
	if (s->way.loop)
		shorten_loop(s);
	lp_search_describe(s);
}
