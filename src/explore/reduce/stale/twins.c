/* twins.c -- compare-and-swaps that succeed with another write of the value that was expected. */
#include "explore/reduce/stale/twins.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/undone/undone.h"

static bool is_load(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;

	return op->kind == LP_OP_LOAD && op->when == LP_ALWAYS && op->order != LP_PLAIN && !op->internal;
}

/* Condition 2 for one of these reads: does it read from the last write that there will ever be? */
static bool is_settled(struct lp_explorer *x, const struct lp_event *q)
{
	const struct lp_graph *g = &lp_top(x)->g;

	if (q->bytes || (q->order == LP_SC && x->model != &lp_model_sc) ||
	    lp_graph_pos(g, q->rf) != g->locs.at[q->loc].co.count)
		return false;
	const bool swapped = q->rf != LP_INIT && lp_graph_event(g, q->rf)->rmw;
	return lp_answers_rely(x, q->loc, LP_ANSWERS_STORED | (swapped ? LP_ANSWERS_SWAPPED_TWICE : LP_ANSWERS_SWAPPED));
}

/* Condition 3. Also records the reads. */
static bool only_reads(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_plains *plains = &x->machine.plains;

	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *p = &plains->at[i];
		if (p->thread != thread)
			continue;
		if (p->index <= from)
			break;
		if (p->own || p->apart)
			continue;
		if (p->write || p->size == SIZE_MAX)
			return false;
		LP_HOLDS(p->index <= g->threads.at[thread].count); /* the thread has completed the event before it */
		lp_omitted_might_read(x, thread, from, p->loc, p->size,
				      lp_graph_clock(g, g->threads.at[thread].at[p->index - 1], LP_CLOCK_HB));
	}
	for (uint32_t i = from; i < to; i++) {
		const lp_eid id = g->threads.at[thread].at[i];
		lp_omitted_might_perform(x, thread, from, &x->ops.op.at[g->ev.at[id].op].op,
					 lp_graph_clock(g, id, LP_CLOCK_HB));
	}
	return true;
}

uint32_t lp_twins_prepare(struct lp_explorer *x, const struct lp_event *read)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[read->thread];

	if (read->bytes || x->ops.op.at[read->op].op.internal || !x->machine.omitted.facts || x->options->races_ignored || x->options->reduce.careful != LP_CARELESS ||
	    x->machine.program->unseen || !lp_answers_has(x, read->loc, LP_ANSWERS_TWICE))
		return 0;
	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_READ || e->rmw || lp_stop_pends(lp_graph_note(g, t->at[i])->stop) || e->keeps)
			return 0;
		if (e->loc != read->loc)
			continue;
		return is_load(x, e) && only_reads(x, read->thread, i, t->count) ? i + 1 : 0;
	}
	return 0;
}

/* Condition 4, independently of the write that b reads from. */
static bool is_as_strong(enum lp_order b, enum lp_order a)
{
	return (b == LP_SC || a != LP_SC) && (lp_order_acquires(b) || !lp_order_acquires(a));
}

static bool learns_as_much(const struct lp_explorer *x, const struct lp_event *a, const struct lp_event *b)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;

	if (is_as_strong(b->order, lp_undone_order(x, a)))
		return true;
	if (a->order == LP_SC)
		return false;
	if (b->rf == LP_INIT)
		return true;
	const uint32_t *knows = lp_graph_clock(g, g->threads.at[a->thread].at[a->index], LP_CLOCK_HB);
	const uint32_t *learns = lp_graph_clock(g, b->rf, LP_CLOCK_MSG);
	return lp_clock_within(learns, knows, g->width);
}

/* Condition 2. */
static bool are_settled(struct lp_explorer *x, const struct lp_event *b, uint32_t twin)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (uint32_t i = twin; i < b->index; i++)
		if (!is_settled(x, lp_graph_event(g, g->threads.at[b->thread].at[i])))
			return false;
	return true;
}

static const struct lp_event *load_before(const struct lp_explorer *x, const struct lp_event *b, uint32_t twin)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	LP_HOLDS(twin && twin <= b->index);

	return lp_graph_event(g, g->threads.at[b->thread].at[twin - 1]);
}

bool lp_is_twin(struct lp_explorer *x, const struct lp_event *b, uint32_t twin)
{
	const struct lp_event *a = load_before(x, b, twin);

	LP_HOLDS(a->loc == b->loc && a->kind == LP_EV_READ);
	return a->rf != b->rf && lp_value_equal(a->value, b->value) && learns_as_much(x, a, b) && are_settled(x, b, twin);
}

bool lp_would_be_twin(struct lp_explorer *x, const struct lp_event *b, uint32_t twin, struct lp_value value)
{
	const struct lp_event *a = twin ? load_before(x, b, twin) : NULL;

	return a && lp_value_equal(a->value, value) && are_settled(x, b, twin) &&
	       is_as_strong(x->model->order(LP_EV_READ, x->ops.op.at[b->op].op.order), lp_undone_order(x, a));
}
