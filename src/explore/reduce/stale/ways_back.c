/* ways_back.c -- finds out whether a thread comes back to the beginning of its iteration if its reads
 * get other answers. */
#include "explore/reduce/stale/ways_back.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/graph/revisit.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/reduce/stale/twins.h"
#include "explore/reduce/undone/shifts.h"

/* The past of writes that were added after one of their readers, as a clock. */
static void find_witnesses(const struct lp_graph *g, uint32_t *clock)
{
	for (lp_eid e = 0; e < g->ev.count; e++) {
		const struct lp_event *r = lp_graph_event(g, e);
		if (r->kind == LP_EV_READ && r->rf != LP_INIT && r->rf != LP_NO_EVENT && r->rf > e)
			lp_clock_join(clock, lp_graph_clock(g, r->rf, LP_CLOCK_PORF), g->width);
	}
}

/* Is this the `witnessed` of the frame?  Computes it again, for debug builds. */
static bool are_witnessed(const struct lp_frame *f, const uint32_t *clock)
{
	uint32_t *again = lp_alloc_zero(f->g.width + 1, sizeof *again);

	find_witnesses(&f->g, again);
	const bool same = !memcmp(again, clock, sizeof *again * f->g.width);
	lp_free(again);
	return same;
}

/* Only a revisit makes an event read from a later one.  So `witnessed` does not change while a frame grows, and the first search
 * computes it for all.  Threads that start later have no events in it. */
static void copy_witnessed(struct lp_frame *f, uint32_t *clock)
{
	const uint32_t width = f->g.width;

	if (!f->witnessed.known) {
		f->witnessed.count = 0;
		LP_RESERVE(&f->witnessed, width);
		f->witnessed.count = width;
		memset(f->witnessed.at, 0, sizeof *f->witnessed.at * width);
		find_witnesses(&f->g, f->witnessed.at);
		f->witnessed.known = true;
	}
	const uint32_t least = f->witnessed.count < width ? f->witnessed.count : width;
	memcpy(clock, f->witnessed.at, sizeof *clock * least);
	memset(clock + least, 0, sizeof *clock * (width - least));
	LP_AGREES(are_witnessed(f, clock));
}

void lp_back_open(struct lp_back *s, struct lp_explorer *x, lp_tid thread)
{
	struct lp_frame *f = lp_top(x);
	const uint32_t width = f->g.width;

	LP_HOLDS(thread < f->g.threads.count);
	memset(s, 0, offsetof(struct lp_back, path)); /* the rest is large, or set before it is used */
	s->visited_count = 0;
	s->x = x;
	s->g = &f->g;
	s->thread = thread;
	s->homes = 1;
	s->room = x->local.back;
	x->local.back = (struct lp_back_room){ 0 };
	s->room.accesses.count = s->room.clocks.count = 0;
	LP_RESERVE(&s->room.fixed, (LP_BACK_DEPTH + 2) * width);
	s->witnessed = s->room.fixed.at;
	for (uint32_t i = 0; i <= LP_BACK_DEPTH; i++)
		s->known[i] = s->witnessed + (i + 1) * width;
	copy_witnessed(f, s->witnessed);
}

void lp_back_close(struct lp_back *s)
{
	lp_back_room_close(&s->x->local.back); /* the memory of a nested search */
	s->x->local.back = s->room;
}

bool lp_back_in_f(const struct lp_back *s, lp_eid e)
{
	if (e == LP_INIT || lp_clock_has(s->witnessed, lp_graph_event(s->g, e)))
		return true;
	if (s->frozen == LP_NO_EVENT)
		return false;
	LP_HOLDS(e < s->g->ev.count && s->frozen < s->g->ev.count);
	return s->followed ? lp_graph_porf(s->g, e, s->frozen) : e <= s->frozen;
}

bool lp_back_is_quiet(const struct lp_event *e)
{
	return e->kind == LP_EV_FENCE || (e->kind == LP_EV_READ && !e->rmw);
}

uint32_t lp_back_only_reads_from(const struct lp_back *s, uint32_t end)
{
	uint32_t from = end;

	while (from > 0 && end - from + 1 < LP_BACK_HOMES && lp_back_is_quiet(lp_back_event(s, from - 1)) &&
	       !lp_plains_wrote_between(&s->x->machine.plains, s->thread, from, end))
		from--;
	LP_HOLDS(from <= end && end - from < LP_BACK_HOMES); /* lp_back::came has a bit for each of these places */
	return from;
}

/* ---- the answers that a read may get ---- */

static void add_answer(struct lp_back_answers *a, struct lp_value value, lp_eid write)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (lp_value_equal(a->at[i].value, value)) {
			a->at[i].write = a->at[i].write == write ? write : LP_NO_EVENT;
			return;
		}
	a->more |= a->count == LP_BACK_ANSWERS;
	if (!a->more) {
		a->at[a->count].value = value;
		a->at[a->count++].write = write;
	}
}

/* The first position in co from which the thread may read, as far as F determines it. */
static uint32_t floor_of(const struct lp_back *s, uint32_t l, const uint32_t *known)
{
	const struct lp_loc *loc = &s->g->locs.at[l];
	uint32_t floor = 0;

	for (uint32_t pos = loc->co.count; pos > 0 && !floor; pos--) {
		const lp_eid w = loc->co.at[pos - 1];
		if (lp_back_in_f(s, w) && lp_clock_has(known, lp_graph_event(s->g, w)))
			floor = pos;
	}
	for (uint32_t i = 0; i < s->u; i++) {
		const struct lp_event *e = lp_graph_event(s->g, s->g->threads.at[s->thread].at[i]);
		if (e->kind == LP_EV_READ && e->loc == l && lp_back_in_f(s, e->rf) && lp_graph_pos(s->g, e->rf) > floor)
			floor = lp_graph_pos(s->g, e->rf);
	}
	LP_HOLDS(floor <= loc->co.count);
	return floor;
}

static struct lp_value value_at(const struct lp_back *s, uint32_t loc, uint32_t pos)
{
	return lp_graph_value(s->g, loc, pos, 0);
}

/* Is it certain that no event which does not depend on this one removes or revisits it? */
static bool stays(const struct lp_back *s, lp_eid e)
{
	return lp_clock_has(s->witnessed, lp_graph_event(s->g, e)) ||
	       (!s->followed && e <= s->frozen && !lp_revisit_is_maximal(s->g, e, LP_NO_EVENT));
}

/* Is there an RMW that reads from the write in all later graphs?  Another RMW would be added only to make its revisits.
 * It would revisit the first one, and remove the events that depend on the first one, unless some of these stay. */
static bool is_swapped(const struct lp_back *s, uint32_t loc, lp_eid write)
{
	const lp_eid r = lp_explorer_rmw_reader(s->g, loc, write, LP_NO_EVENT);

	if (s->followed == LP_BACK_TAKEN && loc == lp_graph_event(s->g, s->frozen)->loc && write == lp_graph_event(s->g, s->frozen)->rf)
		return true;
	for (lp_eid e = r; r != LP_NO_EVENT && e < s->g->ev.count; e++)
		if (lp_graph_porf(s->g, r, e) && stays(s, e))
			return true;
	return false;
}

/* Are all further writes to the location RMWs? */
static bool is_stored(const struct lp_back *s, uint32_t l)
{
	const struct lp_loc *loc = &s->g->locs.at[l];

	for (uint32_t i = 0; i < loc->co.count; i++)
		if (!lp_graph_event(s->g, loc->co.at[i])->rmw && lp_back_in_f(s, loc->co.at[i]))
			return lp_answers_rely(s->x, l, LP_ANSWERS_STORED_TWICE);
	return false;
}

bool lp_back_is_taken_first(const struct lp_back *s)
{
	const struct lp_event *r = lp_graph_event(s->g, s->frozen);
	const struct lp_loc *loc = &s->g->locs.at[r->loc];
	bool stored = false;

	if (loc->owner == r->thread + 1 || s->x->ops.loc.at[r->loc].parts)
		return false;
	for (uint32_t pos = 1; pos <= loc->co.count; pos++) {
		const lp_eid w = lp_graph_at(loc, pos);
		if (lp_graph_event(s->g, w)->rmw || !lp_back_in_f(s, w))
			continue;
		if (pos > lp_graph_pos(s->g, r->rf))
			return false;
		stored = true;
	}
	return (stored && lp_answers_rely(s->x, r->loc, LP_ANSWERS_STORED_TWICE)) ||
	       lp_answers_rely(s->x, r->loc, LP_ANSWERS_STORED);
}

/* Do the writes of F use the location as the top of a stack, and have they popped the value?  Then it does not come back. */
static bool is_popped(const struct lp_back *s, uint32_t l, struct lp_value value)
{
	const struct lp_loc *loc = &s->g->locs.at[l];
	uint32_t pos = 0;

	if (!lp_answers_rely(s->x, l, LP_ANSWERS_STORED | LP_ANSWERS_UNSTACKED))
		return false;
	while (pos < loc->co.count && lp_back_in_f(s, loc->co.at[pos]))
		pos++;
	LP_HOLDS(pos == loc->co.count || !lp_back_in_f(s, LP_LAST(&loc->co))); /* each RMW depends on those below it */
	return !lp_answers_is_stacked(s->g, l, pos, value);
}

/* Is the value written in F, and never again? */
static bool is_used_up(const struct lp_back *s, uint32_t l, struct lp_value value)
{
	const struct lp_loc *loc = &s->g->locs.at[l];

	for (uint32_t pos = 0; pos <= loc->co.count; pos++)
		if (lp_back_in_f(s, lp_graph_at(loc, pos)) && lp_value_equal(value_at(s, l, pos), value))
			return lp_answers_rely(s->x, l, LP_ANSWERS_TWICE) || is_popped(s, l, value);
	return false;
}

/* Would the operation write if it got this answer?  Silent RMWs count as reads. */
static bool swaps_at(const struct lp_back *s, const struct lp_op *op, struct lp_value value)
{
	return op->kind == LP_OP_RMW && lp_op_holds(op, value) && !(s->x->silent_rmw && lp_op_is_silent(op, value));
}

bool lp_back_answers(const struct lp_back *s, const struct lp_op *op, uint32_t l, bool first,
			 const uint32_t *known, struct lp_back_answers *a)
{
	struct lp_value value[LP_BACK_ANSWERS];

	a->count = 0;
	a->more = false;
	if (lp_shifts_any(&s->x->local.undone.shifts) && lp_shifts_watch(s->x, l))
		return false; /* a read of the location also gets values that are in no explored graph */
	if (l >= s->g->locs.count || (!s->g->locs.at[l].used && s->asked.met != l + 1) || s->x->ops.loc.at[l].parts)
		return false;
	const struct lp_loc *loc = &s->g->locs.at[l];
	for (uint32_t pos = first ? loc->co.count + 1 : floor_of(s, l, known); pos <= loc->co.count; pos++) {
		const lp_eid w = lp_graph_at(loc, pos);
		if (w == LP_INIT && loc->uninitialised)
			return false;
		const bool swaps = swaps_at(s, op, value_at(s, l, pos));
		if (lp_back_in_f(s, w) && !(swaps && !op->weak && is_swapped(s, l, w)))
			add_answer(a, value_at(s, l, pos), w);
	}
	const uint32_t count = lp_answers_values(s->x, l, is_stored(s, l), value, LP_BACK_ANSWERS);
	if (count == UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!is_used_up(s, l, value[i]))
			add_answer(a, value[i], LP_NO_EVENT);
	return !a->more;
}

/* ---- trying ---- */

/* Keeps an access, to be recorded if the iteration turns out to be stale.  Returns false if the access might race with accesses that are not
 * recorded, or is to freed memory. (The step may have been tried in another graph, in which the memory was alive.) */
static bool keep_access(struct lp_back *s, uint32_t op, uint32_t read, const uint32_t *known)
{
	const struct lp_explorer *x = s->x;
	struct lp_program *p = x->machine.program;
	const uintptr_t loc = op != UINT32_MAX ? x->ops.op.at[op].op.loc : x->local.reads.at[read].loc;
	const size_t size = op != UINT32_MAX ? x->ops.op.at[op].op.size : x->local.reads.at[read].size;

	LP_HOLDS(op == UINT32_MAX ? read < s->x->local.reads.count : op < s->x->ops.op.count);
	if (lp_own_is_untold(&x->machine.own, s->thread, loc, size, known) || !p->class->lives(p, loc, size))
		return false;
	LP_PUSH(&s->room.accesses, ((struct lp_back_access){ op, read, s->room.clocks.count }));
	for (uint32_t t = 0; t < s->g->width; t++)
		LP_PUSH(&s->room.clocks, known[t]);
	return true;
}

void lp_back_record(const struct lp_back *s)
{
	struct lp_explorer *x = s->x;
	uint32_t from = s->from;

	while (s->came >> (from - s->from) > 1) /* the shortest of several iterations, because its facts match the
	                                         * most accesses */
		from++;
	LP_HOLDS(from - s->from < s->homes);
	for (uint32_t i = 0; i < s->room.accesses.count; i++) {
		const struct lp_back_access *a = &s->room.accesses.at[i];
		LP_HOLDS(a->clock + s->g->width <= s->room.clocks.count);
		const uint32_t *clock = &s->room.clocks.at[a->clock];
		if (a->op != UINT32_MAX) {
			lp_omitted_might_perform(x, s->thread, from, &x->ops.op.at[a->op].op, clock);
		} else {
			const struct lp_local_read *r = &x->local.reads.at[a->read];
			lp_omitted_might_read(x, s->thread, from, r->loc, r->size, clock);
		}
	}
}

void lp_back_record_iterations(const struct lp_back *s)
{
	for (uint32_t i = 0; i < s->homes; i++)
		if (s->came >> i & 1 && !lp_omitted_applies(s->x, s->thread, s->from + i, s->to))
			LP_BUG("an iteration of thread %u was to be left out", s->thread);
}

/* Has the iteration read these bytes plainly? */
static bool has_read(const struct lp_back *s, const struct lp_local_read *r)
{
	const struct lp_plains *plains = &s->x->machine.plains;

	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *a = &plains->at[i];
		if (a->thread != s->thread)
			continue;
		if (a->index <= s->from)
			break;
		if (!a->write && a->size != SIZE_MAX && r->loc - a->loc < a->size &&
		    r->size <= a->size - (r->loc - a->loc))
			return true;
	}
	return false;
}

/* Does memory still have the bytes that were read when the step was tried? */
static bool holds(const struct lp_back *s, const struct lp_local_read *r)
{
	struct lp_program *p = s->x->machine.program;
	struct lp_value now;

	return has_read(s, r) && p->class->initial(p, r->loc, (unsigned)r->size, &now) && lp_value_equal(now, r->value);
}

/* Stores the plain accesses of the thread in the step.  Returns false if these are not only reads, or only one
 * write to its own memory. */
static bool keep_accesses(struct lp_back *s, struct lp_local_step *step, const struct lp_tried *trial)
{
	struct lp_machine *m = &s->x->machine;
	struct lp_local_steps *steps = &s->x->local;
	uint64_t writes = 0;

	if (trial->observed != m->plains.count - trial->plains)
		return false;
	step->read = steps->reads.count;
	for (uint32_t i = trial->plains; i < m->plains.count; i++) {
		const struct lp_plain_access *a = &m->plains.at[i];
		struct lp_local_read r = { a->loc, a->size, lp_value(0) };
		writes += a->write;
		if (a->apart && a->write)
			return false; /* live states contain such a write, but other threads may race
			               * with it */
		if (!a->write && step->writes && a->loc >= step->written && a->loc - step->written < step->size &&
		    a->size <= step->size - (a->loc - step->written))
			continue; /* the thread reads what it has just written */
		if (a->size == SIZE_MAX || (a->write && (!a->own || step->writes)))
			return false;
		if (a->write) {
			step->writes = true;
			step->written = a->loc;
			step->size = a->size;
		} else if (a->size > sizeof r.value ||
			   !m->program->class->initial(m->program, a->loc, (unsigned)a->size, &r.value)) {
			return false;
		} else {
			LP_PUSH(&steps->reads, r);
		}
	}
	LP_HOLDS(step->read <= steps->reads.count);
	step->read_count = steps->reads.count - step->read;
	return trial->noise == writes;
}

static bool is_own_store(const struct lp_back *s, const struct lp_op *op)
{
	return op->kind == LP_OP_STORE && !op->internal && lp_own_has(&s->x->machine.own, s->thread, op->loc, op->size);
}

/* Tries the step, which is the last of a path of `length` steps. */
static void try(struct lp_back *s, struct lp_local_step *step, uint32_t length)
{
	struct lp_explorer *x = s->x;
	const struct lp_frame *f = lp_top(x);
	const struct lp_to_try to = { .at = s->at, .thread = s->thread, .answers = s->path, .count = length };
	struct lp_tried trial;

	LP_HOLDS(length && length <= LP_BACK_DEPTH && s->at <= f->seq.count);
	const struct lp_op *op = lp_machine_try(&x->machine, &f->g, &f->seq, &to, &trial);
	if (op && is_own_store(s, op) && keep_accesses(s, step, &trial)) {
		step->stores = step->known = !step->writes;
		step->written = op->loc;
		step->size = op->size;
	} else if (op && (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) && op->otherwise == LP_ELSE_FAIL && !op->internal &&
		   op->order != LP_PLAIN && keep_accesses(s, step, &trial)) {
		step->next = lp_explorer_live_state(x, s->thread, op);
		step->next_op = lp_ops_intern(&x->ops, op);
		step->known = step->next != 0;
		step->fenced = trial.fences != 0;
	}
	x->agree = s->at;
	if (!lp_catch_up(x))
		LP_BUG("an operation of thread %u went another way", s->thread);
}

/* The step by which the thread goes on; NULL if it is not known, or makes other requests or
 * accesses. */
static const struct lp_local_step *step_of(struct lp_back *s, struct lp_local_step key, uint32_t length)
{
	struct lp_local_steps *steps = &s->x->local;

	const struct lp_local_step *step = lp_local_step_find(steps, &key);
	if (!step) {
		try(s, &key, length);
		step = lp_local_step_put(steps, key);
	} else if (!step->known && s->frozen == LP_NO_EVENT) { /* the memory that it writes may no longer be its
	                                                        * own */
		try(s, &key, length);
		s->step = key;
		step = &s->step;
	}
	LP_HOLDS(!step->known || step->read + step->read_count <= steps->reads.count);
	for (uint32_t i = 0; i < step->read_count && step->known; i++)
		if (s->gone || !holds(s, &steps->reads.at[step->read + i]))
			return NULL;
	return step->known ? step : NULL;
}

/* ---- all ways back ---- */

/* The number of the state among those visited; LP_BACK_STATES if there is no room. */
static uint32_t visit(struct lp_back *s, uint32_t live, const uint32_t *known)
{
	const uint32_t width = s->g->width;
	uint32_t i = 0;

	while (i < s->visited_count &&
	       (s->visited[i].live != live || memcmp(s->room.visited.at + i * width, known, width * sizeof *known)))
		i++;
	if (i == s->visited_count && i < LP_BACK_STATES) {
		s->room.visited.count = i * width;
		LP_RESERVE(&s->room.visited, width);
		lp_clock_copy(s->room.visited.at + i * width, known, width);
		s->visited[i].live = live;
		s->visited[i].open = true;
		s->visited_count++;
	}
	return i;
}

/* The last event of the homes before which the thread was in that live state; `homes` if there is
 * none. */
static uint32_t home_of(const struct lp_back *s, uint32_t live)
{
	if (s->home)
		return s->home == live ? 0 : s->homes;
	for (uint32_t i = s->homes; i-- > 0;)
		if (lp_back_note(s, s->from + i)->live == live)
			return i;
	return s->homes;
}

static bool is_home(const struct lp_back *s, uint32_t live)
{
	return home_of(s, live) < s->homes;
}

/* Has the thread come back, in that live state? */
static bool is_back(struct lp_back *s, uint32_t live)
{
	const uint32_t home = home_of(s, live);

	if (home == s->homes || s->left_size)
		return false;
	LP_HOLDS(home < LP_BACK_HOMES);
	s->came |= UINT64_C(1) << home;
	return true;
}

static bool comes_back(struct lp_back *s, uint32_t live, uint32_t op, uint32_t depth);

/* Does the step overwrite, in the same manner, the memory that the iteration has written? */
static bool overwrites_left(const struct lp_back *s, const struct lp_local_step *step)
{
	return (s->left_stored ? step->stores : step->writes) && !step->read_count && step->written == s->left &&
	       step->size == s->left_size;
}

/* Does a read with that order learn everything that its write releases?  Not if the read may be weakened (undone.h). */
static bool learns(const struct lp_back *s, enum lp_order order)
{
	return lp_order_acquires(order) && !lp_undone_is_doubtful(s->x);
}

/* Does the thread come back if the operation gets this answer? */
static bool goes_on(struct lp_back *s, struct lp_local_step key, lp_eid write, bool only, uint32_t depth)
{
	const struct lp_op *op = &s->x->ops.op.at[key.op].op; /* valid until a trial adds operations */
	LP_HOLDS(depth < LP_BACK_DEPTH);
	const bool silent = s->x->silent_rmw && lp_op_is_silent(op, key.value);
	const enum lp_order order = op->kind == LP_OP_RMW && !silent ? op->fail_order : op->order;
	const struct lp_graph *g = s->g;
	uint32_t *known = s->known[depth + 1];

	s->path[depth] = (struct lp_response){ .value = key.value, .failed = !silent,
					     .wrote = silent ? key.value : (struct lp_value){ 0 } };
	const struct lp_local_step *step = step_of(s, key, depth + 1);
	if (!step)
		return false;
	if (step->writes || step->stores || (s->left_size && is_home(s, key.live)))
		return overwrites_left(s, step) && is_home(s, key.live);
	memcpy(known, s->known[depth], sizeof *known * g->width);
	if (only && write != LP_NO_EVENT && write != LP_INIT && learns(s, s->x->model->order(LP_EV_READ, order)))
		lp_clock_join(known, lp_graph_clock(g, write, LP_CLOCK_MSG), g->width);
	for (uint32_t i = 0; i < step->read_count; i++)
		if (!keep_access(s, UINT32_MAX, step->read + i, known))
			return false;
	const uint32_t next = step->next, next_op = step->next_op;
	if (step->fenced && !depth)
		s->asked.excused = 0;
	return is_back(s, next) || comes_back(s, next, next_op, depth + 1);
}

/* If u succeeded with this value, would it read from another write than the load before it, and so wait
 * (twins.h)? */
static bool is_twin(const struct lp_back *s, struct lp_value value)
{
	const struct lp_event *u = lp_back_event(s, s->u);
	const uint32_t twin = lp_back_note(s, s->u)->twin;

	return lp_would_be_twin(s->x, u, twin, value) &&
	       (!s->followed || is_swapped(s, u->loc, lp_back_event(s, twin - 1)->rf));
}

static bool is_excused(const struct lp_back *s, uint32_t loc, struct lp_value value, uint32_t depth)
{
	return depth == 1 && s->asked.excused == loc + 1 && lp_value_equal(value, s->asked.answer);
}

/* Does the thread come back with every answer that the operation may get? */
static bool answered(struct lp_back *s, uint32_t live, uint32_t op_id, uint32_t depth, bool first)
{
	const struct lp_op *op = &s->x->ops.op.at[op_id].op;
	const uint32_t loc = s->x->ops.op.at[op_id].loc;
	struct lp_back_answers a;

	if (op->kind == LP_OP_RMW && op->when == LP_ALWAYS && !s->x->silent_rmw)
		return false;
	if (!lp_back_answers(s, op, loc, first, s->known[depth], &a))
		return false;
	if (depth && !keep_access(s, op_id, 0, s->known[depth]))
		return false;
	for (uint32_t i = a.count; i-- > 0;) { /* the last write is tried first, because if the thread can
	                                        * succeed, it succeeds with this one */
		struct lp_local_step key = { .live = live, .op = op_id, .value = a.at[i].value };
		op = &s->x->ops.op.at[op_id].op; /* trials may have moved it */
		const bool swaps = swaps_at(s, op, key.value);
		const bool excluded = a.at[i].write != LP_NO_EVENT && is_swapped(s, loc, a.at[i].write);
		if (swaps && !excluded && !(!depth && is_twin(s, key.value)) && !is_excused(s, loc, key.value, depth))
			return false;
		key.spurious = swaps;
		if (swaps && !(op->weak && s->x->options->weak_fails))
			continue;
		if (!goes_on(s, key, a.at[i].write, a.count == 1, depth))
			return false;
	}
	return true;
}

static bool comes_back(struct lp_back *s, uint32_t live, uint32_t op, uint32_t depth)
{
	const uint32_t before = s->visited_count, n = depth < LP_BACK_DEPTH ? visit(s, live, s->known[depth]) : LP_BACK_STATES;

	if (n == LP_BACK_STATES)
		return false;
	if (n < before) /* otherwise it may stay in another loop forever */
		return !s->visited[n].open;
	if (!answered(s, live, op, depth, false))
		return false;
	LP_HOLDS(n < s->visited_count && s->visited[n].live == live && s->visited[n].open); /* what comes later is only
	                                                                                     * added */
	s->visited[n].open = false;
	return true;
}

/* The iteration has written these bytes.  Are they the only bytes that it has written? */
static bool leave(struct lp_back *s, uintptr_t loc, size_t size, bool stored)
{
	if (s->left_size && (loc != s->left || size != s->left_size || stored != s->left_stored))
		return false;
	s->left = loc;
	s->left_size = size;
	s->left_stored = stored;
	return true;
}

bool lp_back_find_left(struct lp_back *s)
{
	const struct lp_plains *plains = &s->x->machine.plains;
	uint32_t end = s->from + 1;

	while (end < s->to && !is_home(s, lp_back_note(s, end)->live))
		end++;
	for (uint32_t i = s->from; i < s->to; i++) {
		const struct lp_event *e = lp_back_event(s, i);
		const struct lp_op *op = &s->x->ops.op.at[e->op].op;
		if (e->kind == LP_EV_WRITE && (e->bytes || !is_own_store(s, op) || (i < end && !leave(s, op->loc, op->size, true))))
			return false;
	}
	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *a = &plains->at[i];
		if (a->thread != s->thread || a->apart || !a->write)
			continue;
		if (a->index <= s->from)
			break;
		if (a->index > end)
			continue;
		if (!a->own || !leave(s, a->loc, a->size, false))
			return false;
	}
	return true;
}

/* Finds the place of the event in the frame's sequence; the end of the sequence if the event waits, or is
 * performed next. */
static void find_place(struct lp_back *s, lp_eid id)
{
	const struct lp_frame *f = lp_top(s->x);

	s->at = f->seq.count;
	while (s->at > 0 && f->seq.at[s->at - 1] != id)
		s->at--;
	s->at = s->at ? s->at - 1 : f->seq.count;
}

bool lp_back_from(struct lp_back *s, uint32_t u, bool first)
{
	const lp_eid id = s->g->threads.at[s->thread].at[u];
	const struct lp_event e = *lp_graph_event(s->g, id);
	const uint32_t live = lp_graph_note(s->g, id)->live;
	const size_t size = sizeof *s->known[0] * s->g->width;
	LP_HOLDS(u); /* the frozen read comes before it */

	if (e.kind != LP_EV_READ || e.keeps || e.bytes || !live)
		return false;
	find_place(s, id);
	s->u = u;
	memcpy(s->known[0], lp_graph_clock(s->g, lp_graph_before(s->g, s->thread, u), LP_CLOCK_HB), size);
	if (first && learns(s, e.order) && lp_back_in_f(s, e.rf) && lp_answers_rely(s->x, e.loc, LP_ANSWERS_STORED)) {
		memcpy(s->known[0], lp_graph_clock(s->g, id, LP_CLOCK_HB), size);
		s->known[0][s->thread] = u;
	}
	return answered(s, live, e.op, 0, first);
}

bool lp_back_after_last(struct lp_back *s)
{
	const struct lp_event e = *lp_graph_event(s->g, LP_LAST(&s->g->threads.at[s->thread]));
	const struct lp_local_step key = { .live = lp_back_note(s, e.index)->live, .op = e.op, .value = e.value, .spurious = e.spurious };
	const uint32_t *past = lp_model_past(s->g, s->thread, e.index);

	LP_HOLDS(e.kind == LP_EV_READ && e.index + 1 == s->to);
	s->at = lp_top(s->x)->seq.count;
	s->u = s->to;
	memset(s->known[0], 0, sizeof *s->known[0] * s->g->width);
	if (past)
		memcpy(s->known[0], past, sizeof *s->known[0] * s->g->width);
	return goes_on(s, key, e.rf, true, 0);
}

bool lp_back_if_answered(struct lp_back *s, uint32_t live, uint32_t id, struct lp_value value, bool excused)
{
	const struct lp_op op = s->x->ops.op.at[id].op;
	const lp_eid before = lp_graph_last(s->g, s->thread);
	const size_t size = sizeof *s->known[0] * s->g->width;
	struct lp_local_step key = { .live = live, .op = id, .value = value };

	s->frozen = LP_NO_EVENT;
	s->followed = LP_BACK_FOLLOWED;
	s->at = lp_top(s->x)->seq.count;
	s->u = s->to;
	s->asked.answer = value;
	s->asked.met = s->x->ops.op.at[id].loc + 1;
	s->asked.excused = op.kind == LP_OP_LOAD && excused ? s->asked.met : 0;
	s->visited_count = 0;
	memset(s->witnessed, 0, size);
	memset(s->known[0], 0, size);
	if (before != LP_NO_EVENT)
		memcpy(s->known[0], lp_graph_clock(s->g, before, LP_CLOCK_HB), size);
	key.spurious = swaps_at(s, &op, value);
	return goes_on(s, key, LP_NO_EVENT, false, 0);
}
