/* grow.c -- inside the explorers: how an execution graph grows. */
#include "explore/graph/grow.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "explore/bound/bound.h"
#include "explore/clock.h"
#include "explore/graph/mixed_sizes.h"
#include "explore/reduce/redundant_attempts.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/reduce/stale/twins.h"
#include "explore/restarts.h"

enum { DEFAULT_STEPS = 20000 };

/* ---- beginning and end ---- */

void lp_explorer_open(struct lp_explorer *x, struct lp_program *program,
		      const struct lp_explore_options *options, struct lp_arena *arena,
		      struct lp_exploration *out)
{
	*x = (struct lp_explorer){ .options = options, .model = lp_model_class_of(options->model),
				   .arena = arena, .out = out, .walk.share = 1 };
	LP_HOLDS(options->watch);
	*out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	x->limits.steps = options->limits.steps ? options->limits.steps : DEFAULT_STEPS;
	x->limits.reported = lp_clock_seconds();
	x->silent_rmw = options->reduce.silent_rmw;
	lp_ops_open(&x->ops);
	lp_mixed_begin(x);
	lp_machine_open(&x->machine, program, &x->ops, options->races_ignored,
			options->reduce.spin);
	lp_watch_attach(x);
	/* A callback that observes executions must see each to its end. */
	x->machine.final_joins.on &= options->reduce.final_joins && !options->callbacks.complete;
	x->walk.bound = lp_bound_open(x);
	lp_graph_clear(&lp_explorer_push_frame(x)->g);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct lp_outcome *)a)->text, ((const struct lp_outcome *)b)->text);
}

/* Is the list sorted, with each outcome once? */
static bool outcomes_are_sorted(const struct lp_outcome *at, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (strcmp(at[i - 1].text, at[i].text) >= 0)
			return false;
	return true;
}
void lp_explorer_close(struct lp_explorer *x)
{
	struct lp_outcome *outcomes =
		lp_arena_alloc(x->arena, sizeof *outcomes * x->outcomes.count);

	if (x->outcomes.count) {
		memcpy(outcomes, x->outcomes.at, sizeof *outcomes * x->outcomes.count);
		/* Sorted, because the order in which outcomes were met depends on how the work was
		 * divided. */
		qsort(outcomes, x->outcomes.count, sizeof *outcomes, by_text);
	}
	LP_VALID(outcomes_are_sorted(outcomes, x->outcomes.count));
	x->out->outcomes = outcomes;
	x->out->outcome_count = x->outcomes.count;
	lp_reread_close(&x->rereads);
	lp_undone_close(&x->local.undone);
	lp_local_steps_close(&x->local);
	lp_bound_close(x->walk.bound);
	lp_seen_close(&x->fails);

	for (uint32_t i = 0; i < x->frames.count; i++) {
		struct lp_frame *f = x->frames.at[i];
		lp_graph_close(&f->g);
		lp_free(f->seq.at);
		lp_free(f->choices.at);
		lp_free(f->marks.at);
		lp_free(f->last_mark.at);
		lp_free(f->witnessed.at);
		lp_free(f);
	}
	lp_free(x->frames.at);
	lp_free(x->scratch.keep);
	lp_free(x->scratch.renamed);
	lp_free(x->scratch.recent.at);
	lp_free(x->scratch.same.at);
	lp_machine_close(&x->machine);
	lp_ops_close(&x->ops);
	lp_free(x->outcomes.at);
}

struct lp_frame *lp_explorer_push_frame(struct lp_explorer *x)
{
	if (x->depth == x->frames.count) {
		struct lp_frame *f = lp_alloc_zero(1, sizeof *f);
		lp_graph_open(&f->g);
		LP_PUSH(&x->frames, f);
	}
	LP_HOLDS(x->depth < x->frames.count);
	struct lp_frame *f = x->frames.at[x->depth++];
	f->choices.count = 0;
	f->seq.count = 0;
	f->marks.count = 0;
	f->last_mark.count = 0;
	f->half = LP_NO_EVENT;
	f->low = 0;
	f->useless = false;
	f->witnessed.known = false;
	return f;
}

static bool has_silent_rmw(const struct lp_explorer *x, const struct lp_graph *g)
{
	for (lp_eid e = 0; e < g->ev.count; e++)
		if (lp_is_silent_rmw(&g->ev.at[e], &x->ops.op.at[g->ev.at[e].op].op))
			return true;
	return false;
}

void lp_explorer_need_scratch(struct lp_explorer *x, uint32_t events)
{
	if (events <= x->scratch.room)
		return;
	x->scratch.room = 2 * events;
	x->scratch.keep = lp_realloc(x->scratch.keep, sizeof *x->scratch.keep * x->scratch.room);
	x->scratch.renamed = lp_realloc(x->scratch.renamed, sizeof *x->scratch.renamed * x->scratch.room);
}

/* "read of counter by thread 2 races with ..."; "read of 8 bytes ...: node#1.next" */
static const char *say_location(struct lp_explorer *x, const struct lp_exploration *e)
{
	const char *by = e->kind != LP_ERROR_RACE ? NULL : strstr(e->text, " by thread "), *remark = strstr(e->location, " (");
	const int before = by ? (int)(by - e->text) : (int)strlen(e->text);
	const int name = remark ? (int)(remark - e->location) : (int)strlen(e->location);
	char text[512];

	if (!by && !strchr(e->location, '#'))
		return e->text;
	snprintf(text, sizeof text, "%.*s%s%.*s%s", before, e->text, by ? " of " : ": ", name, e->location, by ? by : "");
	return lp_arena_strdup(x->arena, text);
}

void lp_explorer_fail(struct lp_explorer *x, lp_tid thread,
		      const struct lp_program_error *error)
{
	struct lp_exploration *out = x->out;
	struct lp_program *p = x->machine.program;
	char text[256];

	LP_HOLDS(error->kind != LP_ERROR_NONE && !x->stopped);
	out->verdict = lp_error_is_limit(error->kind) ? LP_INCONCLUSIVE : LP_VIOLATION;
	out->kind = error->kind;
	out->text = lp_arena_strdup(x->arena, error->text);
	if (out->verdict == LP_INCONCLUSIVE)
		out->reason = out->text;
	out->thread = thread;
	if (error->pc) { /* the error has a place */
		p->class->describe_pc(p, error->pc, text, sizeof text);
		out->where = lp_arena_strdup(x->arena, text);
	}
	if (error->other_pc) {
		p->class->describe_pc(p, error->other_pc, text, sizeof text);
		out->other_where = lp_arena_strdup(x->arena, text);
	}
	out->error = *error;
	if (x->machine.trail && error->has_wrote)
		lp_trail_wrong(x->machine.trail, &error->wrote);
	lp_bound_order(x, thread, error);
	out->steps = lp_step_list_make(x, &out->step_count);
	lp_steps_name(x);
	if (out->location)
		out->text = say_location(x, out);
	out->doubtful = (x->silent_rmw && has_silent_rmw(x, &lp_top(x)->g)) || (x->options->reduce.undone && lp_undone_is_doubtful(x));
	out->doubtful |= lp_shifts_are_awaited(x);
	x->stopped = true;
}

void lp_explorer_stop(struct lp_explorer *x, const char *reason)
{
	LP_HOLDS(reason[0] && x->out->verdict != LP_VIOLATION);
	x->out->verdict = LP_INCONCLUSIVE;
	x->out->reason = lp_arena_strdup(x->arena, reason);
	x->stopped = true;
}

/* How often the thread, in its present call, has performed an operation with the place of its last one in a loop. */
static uint32_t rounds_of(const struct lp_explorer *x, const struct lp_graph *g, const struct lp_thread *t)
{
	uintptr_t pc = 0;
	uint32_t count = 0;

	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const struct lp_op *op = &x->ops.op.at[e->op].op;
		if (op->kind == LP_OP_CALL)
			break;
		pc = pc || !op->loop ? pc : op->pc;
		count += pc && op->pc == pc && !(e->kind == LP_EV_WRITE && e->rmw);
	}
	return count;
}

enum { MANY_ROUNDS = 200 }; /* loops in real calls that end by themselves usually have fewer
                             * iterations */

/* Stops the exploration if a thread of the top frame has gone round a loop many times.  Such executions can be too long to
 * explore, whatever the limit is that was reached. */
static bool stop_if_long(struct lp_explorer *x, const char *limit)
{
	char reason[300];

	LP_HOLDS(x->depth);
	const struct lp_graph *g = &lp_top(x)->g;
	for (lp_tid t = 0; !x->options->limits.unroll && t < g->threads.count; t++) {
		const uint32_t rounds = rounds_of(x, g, &g->threads.at[t]);
		if (rounds < MANY_ROUNDS)
			continue;
		snprintf(reason, sizeof reason, "%s; thread %u went round a loop %u times in one execution (see --unroll)", limit, t, rounds);
		lp_explorer_stop(x, reason);
		x->out->kind = LP_ERROR_TOO_LONG;
		return true;
	}
	return false;
}

static void stop_at_limit(struct lp_explorer *x, const char *limit)
{
	if (!stop_if_long(x, limit))
		lp_explorer_stop(x, limit);
}

enum { LOST_DEPTH = 1000, LOST_EVENTS = 10000000 }; /* about half a gigabyte */

/* Is the search lost among executions that become longer and longer?  If threads can prevent each other from coming to an
 * end, there is always a longer one.  Each is reached by a revisit in the one before, whose graph is kept. */
static bool is_lost(const struct lp_explorer *x)
{
	return x->depth > LOST_DEPTH && !x->options->limits.steps && (uint64_t)x->depth * x->frames.at[x->depth - 1]->g.ev.count > LOST_EVENTS;
}

bool lp_explorer_check_limits(struct lp_explorer *x, double (*estimate)(const struct lp_explorer *))
{
	const double limit = x->options->limits.deadline, t = lp_clock_seconds();

	if (limit > 0 && t > limit) {
		stop_at_limit(x, "time limit reached");
		return false;
	}
	if (is_lost(x) && stop_if_long(x, "longer and longer executions, without end"))
		return false;
	bool goes_on = true;
	if (x->options->callbacks.progress && t - x->limits.reported > 0.1) {
		const struct lp_progress progress = { x->out->executions, x->out->blocked,
						      estimate(x) };
		x->limits.reported = t;
		goes_on = x->options->callbacks.progress(x->options->callbacks.closure, &progress);
	}
	/* The callback may have found that the limit on memory is exceeded. */
	if (lp_memory_is_full())
		stop_at_limit(x, lp_memory_reason());
	else if (!goes_on)
		lp_explorer_stop(x, "interrupted");
	return goes_on && !lp_memory_is_full();
}

static void count_outcome(struct lp_explorer *x)
{
	const char *text = x->machine.program->class->outcome(x->machine.program);

	if (!text)
		return;
	for (uint32_t i = 0; i < x->outcomes.count; i++) {
		if (!strcmp(x->outcomes.at[i].text, text)) {
			x->outcomes.at[i].executions++;
			return;
		}
	}
	LP_PUSH(&x->outcomes, (struct lp_outcome){ lp_arena_strdup(x->arena, text), 1 });
}

void lp_explorer_count_execution(struct lp_explorer *x)
{
	LP_VALID(lp_graph_validate(&lp_top(x)->g));
	LP_HOLDS(lp_top(x)->half == LP_NO_EVENT && !x->stopped);
	x->out->executions++;
	count_outcome(x);
	if (x->options->callbacks.complete) {
		struct lp_arena_mark mark = lp_arena_mark(x->arena);
		uint32_t count;
		const struct lp_step *steps = lp_step_list_make(x, &count);
		x->options->callbacks.complete(x->options->callbacks.closure, steps, count);
		lp_arena_rewind(x->arena, mark);
	}
	if (x->options->limits.executions && x->out->executions >= x->options->limits.executions)
		lp_explorer_stop(x, "limit of executions reached");
}

/* ---- events ---- */

lp_eid lp_explorer_rmw_reader(const struct lp_graph *g, uint32_t l, lp_eid write, lp_eid but)
{
	const struct lp_loc *loc = &g->locs.at[l];

	LP_HOLDS(write == LP_INIT || (g->ev.at[write].kind == LP_EV_WRITE && g->ev.at[write].loc == l));
	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const lp_eid r = loc->reads.at[i];
		if (r != but && g->ev.at[r].rf == write && g->ev.at[r].rmw)
			return r;
	}
	return LP_NO_EVENT;
}

bool lp_explorer_shape_read(struct lp_explorer *x, struct lp_event *proto, struct lp_note *note, uint32_t alternative)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op = &x->ops.op.at[proto->op].op;
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	const uint32_t pos = alternative / 2;
	const bool spurious = alternative % 2;

	LP_HOLDS(pos <= loc->co.count && proto->kind == LP_EV_READ);
	proto->rf = lp_graph_at(loc, pos);
	proto->value = lp_graph_value(g, proto->loc, pos, proto->bytes);
	note->stop = LP_STOP_NONE;
	proto->rmw = false;
	proto->spurious = spurious;
	proto->faint = LP_FAINT_NOT;

	if (op->kind == LP_OP_STORE) /* skipped: there is only one write to read from (redundant_stores.h) */
		return false;
	if (proto->keeps) {
		proto->value = lp_value(0);
		proto->order = LP_PLAIN;
		proto->rmw = !spurious;
		return proto->rmw;
	}
	const bool holds = lp_op_holds(op, proto->value);
	const uint32_t source = lp_source_pos(g, proto->loc, loc->co.count, proto->bytes);
	if (spurious && !(holds && op->weak && x->options->weak_fails))
		return false;
	if (!holds && op->otherwise != LP_ELSE_FAIL) {
		/* The operation waits.  Only a maximal read can be revisited, so other reads would
		 * wait forever. */
		note->stop = op->otherwise == LP_ELSE_WAIT ? LP_STOP_AWAITS : LP_STOP_ASSUMES;
		proto->order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
		return pos == source;
	}
	if (lp_shifts_any(&x->local.undone.shifts) && lp_shifts_waits(x, proto, note->live)) {
		note->stop = LP_STOP_AWAITS;
		proto->order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
		return pos == source;
	}
	const bool silent = !proto->bytes && lp_op_is_silent(op, proto->value) && (x->silent_rmw || lp_park_is_known_to_fail(x, proto, note->live));
	LP_HOLDS(holds || op->otherwise == LP_ELSE_FAIL);
	proto->rmw = op->kind == LP_OP_RMW && holds && !spurious && !silent;
	if (op->kind == LP_OP_RMW && !proto->rmw && !silent)
		proto->order = (uint8_t)x->model->order(LP_EV_READ, op->fail_order);
	else
		proto->order = (uint8_t)x->model->order(LP_EV_READ, op->order);
	LP_HOLDS(!proto->rmw || lp_op_holds(op, proto->value));
	if (op->kind == LP_OP_LOAD && x->options->reduce.undone)
		lp_undone_weaken(x, proto);
	if (proto->rmw && note->twin && lp_is_twin(x, proto, note->twin)) {
		proto->rmw = false; /* as for every read that waits */
		note->stop = LP_STOP_TWIN;
		lp_bound_note_twin(x, proto, note->twin);
		proto->order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
		return pos == source;
	}
	if (!proto->bytes)
		return true;
	/* For an RMW of a part, its write must be allowed directly after this position; any other read
	 * must overlap with its rf. */
	return proto->rmw ? pos >= lp_model_floor(x->model, g, proto, true)
			  : pos == lp_source_pos(g, proto->loc, pos, proto->bytes);
}

void lp_explorer_find_owner(struct lp_explorer *x, struct lp_loc *loc, uintptr_t address)
{
	struct lp_program *p = x->machine.program;
	lp_tid thread;

	loc->owner = 0;
	if (p->class->owner(p, address, &thread, &loc->place))
		loc->owner = thread + 1;
}

bool lp_explorer_meet_location(struct lp_explorer *x, lp_tid t, const struct lp_op *op, uint32_t l)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_program *p = x->machine.program;

	lp_graph_need_loc(g, l);
	struct lp_loc *loc = &g->locs.at[l];
	const struct lp_known_loc *known = &x->ops.loc.at[l];
	LP_HOLDS(l < x->ops.loc.count && known->size >= op->size);
	if (loc->used && !known->parts)
		return true;
	struct lp_program_error error = { .kind = LP_ERROR_UNSUPPORTED, .pc = op->pc, .loc = op->loc };
	if (op->loc % op->size) {
		snprintf(error.text, sizeof error.text,
			 "an atomic access of %u bytes that is not aligned to its size", op->size);
		lp_explorer_fail(x, t, &error);
		return false;
	}
	if (loc->used)
		return true;
	for (uint32_t i = 0; known->overlaps && i < g->used.count; i++) {
		const struct lp_known_loc *other = &x->ops.loc.at[g->used.at[i]];
		if (other->address >= known->address + known->size ||
		    known->address >= other->address + other->size)
			continue;
		if (lp_mixed_found(x, known, other))
			return false;
		snprintf(error.text, sizeof error.text,
			 "mixed-size accesses: %u bytes here, %u bytes elsewhere, to the same memory",
			 known->size, other->size);
		lp_explorer_fail(x, t, &error);
		return false;
	}
	lp_machine_note(&x->machine, known->address, known->size);
	lp_explorer_find_owner(x, loc, known->address);
	loc->uninitialised = p->class->initial(p, known->address, known->size, &loc->initial) ? 0 : UINT16_MAX;
	if (known->parts)
		loc->uninitialised = lp_mixed_unwritten(p, known);
	return true;
}

static bool ignores(const struct lp_explorer *x, const struct lp_program_error *error)
{
	return x->options->callbacks.ignores && x->options->callbacks.ignores(error);
}

bool lp_explorer_check_initialised(struct lp_explorer *x, const struct lp_event *e,
			  const struct lp_op *op)
{
	if (!lp_reads_unwritten(&lp_top(x)->g, e))
		return true;
	struct lp_program_error error = { .kind = LP_ERROR_UNINITIALISED, .pc = op->pc, .loc = op->loc };
	snprintf(error.text, sizeof error.text, "an atomic read of memory that was never written");
	if (ignores(x, &error))
		return true;
	lp_explorer_fail(x, e->thread, &error);
	return false;
}

/* ---- threads ---- */

uint32_t lp_explorer_live_state(struct lp_explorer *x, lp_tid thread, const struct lp_op *op)
{
	struct lp_program *p = x->machine.program;
	uint64_t fingerprint[2];

	if (!op->loop || !x->options->reduce.spin || (op->kind != LP_OP_LOAD && op->kind != LP_OP_RMW) ||
	    !p->class->live_state(p, thread, fingerprint))
		return 0;
	return lp_ops_live(&x->ops, fingerprint);
}

bool lp_explorer_changes_nothing(const struct lp_graph *g, const struct lp_thread *t, uint32_t i)
{
	const struct lp_event *e = lp_graph_event(g, t->at[i]);

	switch ((enum lp_event_kind)e->kind) {
	case LP_EV_READ:
	case LP_EV_FENCE:
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
		return true;
	case LP_EV_WRITE:
		LP_HOLDS(!e->rmw || lp_graph_event(g, t->at[i - 1])->rmw);
		return e->rmw && !lp_graph_event(g, t->at[i - 1])->keeps &&
		       lp_value_equal(e->value, lp_graph_event(g, t->at[i - 1])->value);
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return false;
	}
	return false;
}

bool lp_explorer_leaves_out(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_note *last = lp_graph_note(g, LP_LAST(&g->threads.at[thread]));

	LP_HOLDS(from < to && to <= g->threads.at[thread].count);
	LP_HOLDS(x->agree == lp_top(x)->seq.count); /* the machine has performed the iteration */
	if (!lp_omitted_applies(x, thread, from, to))
		return false;
	last->stop = LP_STOP_SPINS;
	last->since = from;
	return true;
}

bool lp_explorer_goes_round(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = live ? t->count : 0; i-- > 0;) {
		if (!lp_explorer_changes_nothing(g, t, i))
			return false;
		if (lp_graph_note(g, t->at[i])->live == live) {
			return !lp_plains_wrote_since(&x->machine.plains, thread, i + 1) &&
			       lp_explorer_leaves_out(x, thread, i, t->count);
		}
	}
	return false;
}

/* The execution is at its end, one way or the other: asks the judge callback. */
static enum lp_conclusion judged(struct lp_explorer *x, bool stuck)
{
	struct lp_program_error error = { .kind = LP_ERROR_NONE };

	switch (x->options->callbacks.judge(x->options->callbacks.judge_closure, &lp_top(x)->g, stuck, &error)) {
	case LP_JUDGED_RIGHT:
		return LP_CONCLUDES_COMPLETE;
	case LP_JUDGED_WRONG:
		lp_explorer_fail(x, 0, &error);
		break;
	case LP_NOT_JUDGED:
		lp_explorer_stop(x, error.text);
		break;
	}
	return LP_CONCLUDES_ERROR;
}

/* Does the event read from a write that its own thread has made by an RMW after its first `since`
 * events? */
static bool reads_own(const struct lp_graph *g, const struct lp_event *e, uint32_t since)
{
	const struct lp_event *w = e->rf < LP_INIT ? lp_graph_event(g, e->rf) : NULL;

	return w && w->rmw && w->thread == e->thread && w->index >= since;
}

bool lp_explorer_waits_for_good(const struct lp_explorer *x, lp_tid t, enum lp_stop stop)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *th = &g->threads.at[t];
	LP_HOLDS(th->count);
	const struct lp_note *last = lp_graph_note(g, LP_LAST(th));

	LP_HOLDS((stop == LP_STOP_AWAITS || stop == LP_STOP_SPINS) && last->stop == stop && last->since < th->count);
	for (uint32_t i = stop == LP_STOP_AWAITS ? th->count - 1 : last->since; i < th->count; i++) {
		const struct lp_event *e = lp_graph_event(g, th->at[i]);
		/* Another number might have ended the loop, or a compare-exchange that does
		 * not fail spuriously: this may still happen. */
		if (lp_event_chooses(e) || e->spurious)
			return false;
		if (e->kind == LP_EV_READ && !e->keeps && !(stop == LP_STOP_SPINS && reads_own(g, e, last->since)) &&
		    !lp_value_equal(e->value, lp_graph_value(g, e->loc, g->locs.at[e->loc].co.count, e->bytes)))
			return false;
	}
	return stop == LP_STOP_AWAITS || lp_attempt_is_settled(x, t);
}

bool lp_explorer_is_at_bound(struct lp_explorer *x, lp_tid thread, const struct lp_op *op)
{
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t count = 0;

	for (uint32_t i = t->count; i-- > 0 && count < x->options->limits.unroll;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const struct lp_op *done = &x->ops.op.at[e->op].op;
		if (done->kind == LP_OP_CALL)
			break;
		count += done->pc == op->pc && !(e->kind == LP_EV_WRITE && e->rmw);
	}
	LP_HOLDS(count <= x->options->limits.unroll);
	return count == x->options->limits.unroll;
}

/* Has a thread of the top frame reached limits.unroll, or limits.steps with `fair`? */
static bool is_cut(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op;

	for (lp_tid t = 0; (x->options->limits.unroll || x->options->limits.fair) && t < g->threads.count; t++)
		if (g->threads.at[t].exists && lp_stop_of(x, t, &op) == LP_STOP_BOUND)
			return true;
	return false;
}

void lp_explorer_count_blocked(struct lp_explorer *x)
{
	x->out->blocked++;
	x->out->cut += is_cut(x);
}

bool lp_explorer_ends_blocked(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;
	bool blocked = false;

	for (lp_tid t = 1; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists)
			continue;
		const enum lp_stop stop = lp_stop_of(x, t, &op);
		if (stop == LP_STOP_JOINS)
			return false; /* perhaps the thread waits for one that has ended */
		if (stop == LP_STOP_PARKED)
			blocked |= !lp_park_mark_is_for_good(lp_top(x), &lp_top(x)->marks.at[lp_park_mark_of(lp_top(x), t) - 1]);
		LP_HOLDS(stop < LP_STOPS);
		blocked |= lp_stop_drops(stop) ||
			   ((stop == LP_STOP_AWAITS || stop == LP_STOP_SPINS) && !lp_explorer_waits_for_good(x, t, stop));
	}
	return blocked;
}

/* Notes that the program has ended although a thread has not; `pc` is the place of this thread. */
static void note_left(struct lp_exploration *out, uintptr_t pc)
{
	out->left++;
	if (pc && (!out->left_pc || pc < out->left_pc))
		out->left_pc = pc;
}

enum lp_conclusion lp_explorer_conclude(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;
	bool all_ended = true, finished = false;
	enum lp_stop why = LP_STOP_JOINS;
	lp_tid culprit = 0;
	uintptr_t pc = 0;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists)
			continue;
		const enum lp_stop stop = lp_stop_of(x, t, &op);
		if (stop == LP_STOP_ENDED) {
			const lp_eid end = LP_LAST(&g->threads.at[t]);
			finished |= x->ops.op.at[lp_graph_event(g, end)->op].op.final == 1;
			continue;
		}
		all_ended = false;
		if (lp_stop_drops(stop))
			return LP_CONCLUDES_BLOCKED;
		if (stop == LP_STOP_JOINS)
			continue;
		if (!lp_explorer_waits_for_good(x, t, stop))
			return LP_CONCLUDES_BLOCKED;
		if (why == LP_STOP_JOINS) {
			culprit = t;
			pc = x->ops.op.at[lp_graph_event(g, LP_LAST(&g->threads.at[t]))->op].op.pc;
		}
		why = stop > why ? stop : why;
	}
	if (x->options->callbacks.judge)
		return judged(x, !all_ended && !finished);
	if (finished && !all_ended)
		note_left(x->out, pc);
	if (all_ended || finished)
		return LP_CONCLUDES_COMPLETE;
	assert(lp_stops[why].text); /* lp_park_marks_end() has left no thread parked */
	struct lp_program_error error = { .kind = lp_stops[why].kind, .pc = pc };
	snprintf(error.text, sizeof error.text, lp_stops[why].text, culprit);
	if (ignores(x, &error))
		return LP_CONCLUDES_BLOCKED;
	lp_explorer_fail(x, culprit, &error);
	return LP_CONCLUDES_ERROR;
}
