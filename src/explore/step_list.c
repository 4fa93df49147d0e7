/* step_list.c -- an execution as a list of steps, for reports and tests. */
#include "base/error.h"
#include "explore/graph/frame.h"
#include "explore/reduce/redundant_stores.h"
#include "explore/stops.h"

#include <string.h>

/* Index of the step that began with, or contains, each event. */
static uint32_t step_of(const struct lp_graph *g, const uint32_t *step, lp_eid e)
{
	if (e == LP_INIT)
		return LP_STEP_INITIAL;
	if (e == LP_NO_EVENT)
		return LP_STEP_NONE;
	const struct lp_event *ev = lp_graph_event(g, e);
	if (ev->kind == LP_EV_WRITE && ev->rmw)
		e = lp_graph_before(g, ev->thread, ev->index);
	LP_HOLDS(e < g->ev.count);
	return step[e];
}

static const char *keep_text(struct lp_explorer *x, const char *text)
{
	return text[0] ? lp_arena_strdup(x->arena, text) : NULL;
}

/* Steps outlive their frame, so the clock is copied. */
static void keep_hb(struct lp_explorer *x, struct lp_step *s, const struct lp_graph *g, lp_eid e)
{
	uint32_t *hb;

	if (x->options->callbacks.complete)
		return; /* called for every execution */
	hb = lp_arena_alloc(x->arena, sizeof *hb * g->width);
	memcpy(hb, lp_graph_clock(g, e, LP_CLOCK_HB), sizeof *hb * g->width);
	s->hb = hb;
	s->hb_width = g->width;
}

static void describe(struct lp_explorer *x, struct lp_step *s)
{
	struct lp_program *p = x->machine.program;
	char text[256] = "";

	if (x->options->callbacks.complete)
		return; /* called for every execution: no names */
	if (s->op.pc)
		p->class->describe_pc(p, s->op.pc, text, sizeof text);
	s->where = keep_text(x, text);
	text[0] = '\0';
	if (lp_op_is_access(&s->op))
		p->class->describe_loc(p, s->op.loc, s->op.pc, text, sizeof text);
	s->location = keep_text(x, text);
}

/* The step whose write is the predecessor in co of `write`.  Skipped stores (redundant_stores.h) are put back directly below
 * `write`, in the order of the steps.  With `end`: the predecessor of the skipped store at that step. */
static uint32_t below(const struct lp_explorer *x, const struct lp_graph *g, const uint32_t *step,
		      lp_eid write, uint32_t end)
{
	const struct lp_event *w = lp_graph_event(g, write);
	const struct lp_loc *loc = &g->locs.at[w->loc];
	uint32_t last = LP_STEP_NONE;
	LP_HOLDS(w->kind == LP_EV_WRITE && loc->co.at[w->pos - 1] == write);

	for (uint32_t i = 0; lp_helping_relied(x->facts, LP_BY_STORES) && i < loc->reads.count; i++) {
		const lp_eid r = loc->reads.at[i];
		const struct lp_event *read = lp_graph_event(g, r);
		if (read->rf == write && step[r] < end && (last == LP_STEP_NONE || step[r] > last) &&
		    lp_is_redundant_store(read, &x->ops.op.at[read->op].op))
			last = step[r];
	}
	return last != LP_STEP_NONE ? last : step_of(g, step, lp_graph_at(loc, w->pos - 1));
}

static void fill(struct lp_explorer *x, struct lp_step *s, lp_eid e, const uint32_t *step)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *ev = lp_graph_event(g, e);
	const struct lp_thread *t = &g->threads.at[ev->thread];

	s->thread = ev->thread;
	s->event = ev->index;
	s->op = x->ops.op.at[ev->op].op;
	s->reads_from = s->co_after = LP_STEP_NONE;
	lp_eid write = ev->kind == LP_EV_WRITE ? e : LP_NO_EVENT;
	if (lp_is_redundant_store(ev, &s->op)) {
		s->answer.wrote = ev->value;
		s->co_after = below(x, g, step, ev->rf, step[e]);
	} else if (ev->keeps) { /* a store to a part appears as the program knows it */
		s->op.kind = LP_OP_STORE;
		s->op.keeps = false;
		write = ev->index + 1 < t->count ? t->at[ev->index + 1] : LP_NO_EVENT;
	} else if (ev->kind == LP_EV_READ) {
		s->answer.value = ev->value;
		s->answer.failed = !ev->rmw;
		const uint8_t stop = lp_graph_note(g, e)->stop;
		s->blocked = lp_stop_pends(stop) || stop == LP_STOP_SPINS;
		s->reads_from = step_of(g, step, ev->rf);
		if (ev->rmw && ev->index + 1 < t->count)
			write = t->at[ev->index + 1];
	} else if (lp_event_chooses(ev)) {
		s->answer.value = ev->value;
	}
	if (write != LP_NO_EVENT) {
		const struct lp_event *w = lp_graph_event(g, write);
		s->answer.wrote = w->value;
		s->co_after = below(x, g, step, write, UINT32_MAX);
	}
	describe(x, s);
	keep_hb(x, s, g, e);
}

const struct lp_step *lp_step_list_make(struct lp_explorer *x, uint32_t *count)
{
	const struct lp_frame *f = lp_top(x);
	const struct lp_graph *g = &f->g;
	const uint32_t n = g->ev.count;
	uint32_t *step = lp_arena_alloc(x->arena, sizeof *step * (n + 1));
	lp_eid *order = lp_arena_alloc(x->arena, sizeof *order * (n + 1));
	uint32_t k = 0;

	memset(step, 0xff, sizeof *step * (n + 1));
	for (uint32_t i = 0; i < f->seq.count; i++) {
		LP_HOLDS(step[f->seq.at[i]] == UINT32_MAX); /* an operation is completed once */
		step[f->seq.at[i]] = k;
		order[k++] = f->seq.at[i];
	}
	/* Then the operations that are not complete: reads that wait, and the ends of threads.  An
	 * operation that a reduction leaves out does not wait in the program, so it is not a step. */
	for (lp_eid e = 0; e < n; e++) {
		const struct lp_event *ev = lp_graph_event(g, e);
		if (lp_stop_leaves(lp_graph_note(g, e)->stop))
			continue;
		if (step[e] == UINT32_MAX && !(ev->kind == LP_EV_WRITE && ev->rmw)) {
			step[e] = k;
			order[k++] = e;
		}
	}
	LP_HOLDS(k <= n);
	struct lp_step *steps = lp_arena_alloc(x->arena, sizeof *steps * (k + 1));
	for (uint32_t i = 0; i < k; i++) {
		fill(x, &steps[i], order[i], step);
		LP_HOLDS(steps[i].reads_from >= LP_STEP_INITIAL || steps[i].reads_from < k);
		LP_HOLDS(steps[i].co_after >= LP_STEP_INITIAL || steps[i].co_after < k);
	}
	*count = k;
	return steps;
}
