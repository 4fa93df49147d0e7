/* convert_fold.c -- steps of an execution that a report need not show. */
#include "verify/view/convert_fold.h"

#include <string.h>

#include "base/alloc.h"
#include "verify/view/convert_plain.h"
#include "explore/explore.h"

enum { PERIOD = 16 }; /* operations of an iteration that is folded, at most */

struct folding {
	const struct lp_exploration *e;
	struct lp_fold out;
	uint32_t *kept; /* by thread: events that the error depends on */
	uint32_t threads;
	bool *seen;     /* by step: another thread reads from it */
	uint32_t *plains; /* by step: plain accesses of its thread before it */
};

/* ---- what the error depends on ---- */

static bool depends_on_past(const struct lp_exploration *e)
{
	return e->where && e->error.pc && (e->kind == LP_ERROR_RACE || e->kind == LP_ERROR_ASSERTION);
}

static uint32_t last_event(const struct folding *f, lp_tid thread)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < f->e->step_count; i++)
		if (f->e->steps[i].thread == thread && f->e->steps[i].event + 2 > last)
			last = f->e->steps[i].event + 2; /* an RMW is two events */
	return last;
}

static bool need(struct folding *f, lp_tid thread, uint32_t events)
{
	if (thread >= f->threads || f->kept[thread] >= events)
		return false;
	f->kept[thread] = events;
	return true;
}

static bool is_kept(const struct folding *f, const struct lp_step *s)
{
	return s->op.kind != LP_OP_END && s->event < f->kept[s->thread];
}

/* What a step that is kept needs: the write that it reads from, the end of the thread that it joins. */
static bool need_sources(struct folding *f, const struct lp_step *s)
{
	bool more = false;

	if (s->reads_from < f->e->step_count) {
		const struct lp_step *w = &f->e->steps[s->reads_from];
		more |= need(f, w->thread, w->event + 1);
	}
	if (s->op.kind == LP_OP_JOIN)
		more |= need(f, s->op.target, last_event(f, s->op.target));
	return more;
}

/* A thread of which anything is kept has been started. */
static bool need_starts(struct folding *f, bool *begun)
{
	bool more = false;

	for (uint32_t i = 0; i < f->e->step_count; i++) {
		const struct lp_step *s = &f->e->steps[i];
		if (s->op.kind == LP_OP_SPAWN && s->op.target < f->threads && begun[s->op.target])
			more |= need(f, s->thread, s->event + 1);
	}
	return more;
}

static void find_past(struct folding *f, struct lp_arena *arena)
{
	const struct lp_exploration *e = f->e;
	bool *begun = lp_arena_alloc(arena, sizeof *begun * (f->threads + 1));
	struct lp_party first, second;
	bool more = true;

	need(f, e->thread, last_event(f, e->thread));
	begun[e->thread] = true;
	if (lp_convert_race_parties(e, &first, &second)) {
		begun[e->error.other_thread] = true;
		if (first.step != LP_STEP_NONE)
			need(f, e->error.other_thread, e->steps[first.step].event + 1);
		else if (first.plain != LP_STEP_NONE)
			need(f, e->error.other_thread, e->plains[first.plain].index);
	}
	while (more) {
		more = false;
		for (uint32_t i = 0; i < e->step_count; i++) {
			if (is_kept(f, &e->steps[i])) {
				begun[e->steps[i].thread] = true;
				more |= need_sources(f, &e->steps[i]);
			}
		}
		more |= need_starts(f, begun);
	}
	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_op *op = &e->steps[i].op;
		const bool idle = op->kind == LP_OP_SPAWN && op->target < f->threads && !begun[op->target];
		f->out.hidden[i] = (!is_kept(f, &e->steps[i]) || idle) && op->kind != LP_OP_ERROR;
	}
	for (uint32_t i = 0; i < e->plain_count; i++)
		f->out.plain_hidden[i] = !begun[e->plains[i].thread] || e->plains[i].index > f->kept[e->plains[i].thread];
}

/* ---- iterations ---- */

static void find_seen(struct folding *f)
{
	const struct lp_exploration *e = f->e;

	for (uint32_t i = 0; i < e->step_count; i++) {
		const uint32_t from = e->steps[i].reads_from;
		if (from < e->step_count && e->steps[from].thread != e->steps[i].thread)
			f->seen[from] = true;
	}
}

/* Is the step without lasting effect if it is repeated?  The release of a lock counts as such. */
static bool may_repeat(const struct lp_step *s)
{
	return !s->blocked && !s->racing &&
	       (s->op.kind == LP_OP_LOAD || s->op.kind == LP_OP_YIELD || s->op.kind == LP_OP_FENCE || s->op.internal ||
		(s->op.kind == LP_OP_RMW && s->answer.failed));
}

/* Are the two steps the same?  They may each read from a step of their own iteration, or of the one before. */
static bool is_same(const struct lp_exploration *e, uint32_t a, uint32_t b)
{
	const struct lp_step *s = &e->steps[a], *t = &e->steps[b];
	const bool own = s->reads_from < e->step_count && t->reads_from < e->step_count &&
			 e->steps[s->reads_from].op.pc == e->steps[t->reads_from].op.pc && e->steps[t->reads_from].thread == t->thread;

	return s->op.kind == t->op.kind && s->op.pc == t->op.pc && s->op.loc == t->op.loc &&
	       (s->reads_from == t->reads_from || own) && lp_value_equal(s->answer.value, t->answer.value) &&
	       lp_value_equal(s->op.operand, t->op.operand);
}

/* How often the `period` steps at `at` come again right after. */
static uint32_t repetitions(const struct folding *f, const uint32_t *own, uint32_t count, uint32_t at, uint32_t period)
{
	const struct lp_exploration *e = f->e;
	uint32_t n = 0;

	for (uint32_t i = at; i + period < count; i++) {
		if (f->plains[own[i + period]] != f->plains[own[at]]) /* what is shown in between is not a mere repetition */
			return n / period;
		if (!may_repeat(&e->steps[own[i]]) || !is_same(e, own[i], own[i + period]) || f->seen[own[i + period]])
			return n / period;
		n++;
	}
	return n / period;
}

/* Counts plain accesses.  Both lists are in the order in which their thread went on. */
static void find_plains(struct folding *f, const uint32_t *own, uint32_t count, lp_tid thread)
{
	const struct lp_exploration *e = f->e;
	uint32_t p = 0, n = 0;

	for (uint32_t i = 0; i < count; i++) {
		for (; p < e->plain_count && (e->plains[p].thread != thread || e->plains[p].index <= e->steps[own[i]].event); p++)
			n += e->plains[p].thread == thread;
		f->plains[own[i]] = n;
	}
}

static void fold_thread(struct folding *f, const uint32_t *own, uint32_t count)
{
	for (uint32_t at = 0; at < count; at++)
		for (uint32_t period = 1; period <= PERIOD; period++) {
			const uint32_t n = repetitions(f, own, count, at, period), end = at + period + n * period;
			if (n < 2)
				continue;
			f->out.again[own[at + period - 1]] = n;
			for (uint32_t i = at + period; i < end; i++)
				f->out.hidden[own[i]] = true;
			at = end - 1;
			break;
		}
}

static void fold_iterations(struct folding *f, struct lp_arena *arena)
{
	const struct lp_exploration *e = f->e;
	uint32_t *own = lp_arena_alloc(arena, sizeof *own * (e->step_count + 1));

	f->seen = lp_arena_alloc(arena, sizeof *f->seen * (e->step_count + 1)); /* zeroed */
	f->plains = lp_arena_alloc(arena, sizeof *f->plains * (e->step_count + 1));
	find_seen(f);
	for (uint32_t t = 0; t < f->threads; t++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < e->step_count; i++)
			if (e->steps[i].thread == t && !f->out.hidden[i])
				own[count++] = i;
		find_plains(f, own, count, t);
		fold_thread(f, own, count);
	}
}

struct lp_fold lp_fold_steps(const struct lp_exploration *e, struct lp_arena *arena)
{
	struct folding f = { .e = e, .threads = 1 + e->thread };

	f.out.hidden = lp_arena_alloc(arena, sizeof *f.out.hidden * (e->step_count + 1)); /* zeroed */
	f.out.again = lp_arena_alloc(arena, sizeof *f.out.again * (e->step_count + 1));
	f.out.plain_hidden = lp_arena_alloc(arena, sizeof *f.out.plain_hidden * (e->plain_count + 1));
	for (uint32_t i = 0; i < e->step_count; i++)
		f.threads = e->steps[i].thread >= f.threads ? e->steps[i].thread + 1 : f.threads;
	for (uint32_t i = 0; i < e->plain_count; i++)
		f.threads = e->plains[i].thread >= f.threads ? e->plains[i].thread + 1 : f.threads;
	f.kept = lp_arena_alloc(arena, sizeof *f.kept * (f.threads + 1));
	if (depends_on_past(e))
		find_past(&f, arena);
	if (!e->loop)
		fold_iterations(&f, arena);
	return f.out;
}
