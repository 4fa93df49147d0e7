/* exercised.c -- what the atomic operations of a program have been seen to do. */
#include "explore/exercised.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/reduce/silent_rmw.h"
#include "graph/parts.h"
#include "model/model.h"

static void tell(struct lp_explorer *x, lp_eid id, enum lp_exercise what)
{
	const struct lp_op *op = &x->ops.op.at[lp_graph_event(&lp_top(x)->g, id)->op].op;

	if (op->pc && !op->internal)
		x->options->callbacks.exercised(x->options->callbacks.exercised_closure, op->pc, what);
}

/* Does the msg clock of the write contain an event that `past` does not contain? */
static bool is_news(const struct lp_graph *g, lp_eid write, const uint32_t *past)
{
	const uint32_t *message = lp_graph_clock(g, write, LP_CLOCK_MSG);

	for (uint32_t t = 0; t < g->width; t++)
		if (message[t] > (past ? past[t] : 0))
			return true;
	return false;
}

/* Reports the releases with which a read of `id` synchronises as exercised. */
static void tell_releases(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *w = lp_graph_event(g, id);

	LP_HOLDS(w->kind == LP_EV_WRITE && (!w->fence || w->fence <= w->index));
	if (lp_order_releases((enum lp_order)w->order)) {
		tell(x, id, LP_EXERCISE_RELEASED);
		return;
	}
	if (w->fence)
		tell(x, g->threads.at[w->thread].at[w->fence - 1], LP_EXERCISE_RELEASED);
	if (x->model->stores_continue) /* an earlier write of the thread may be the release */
		for (uint32_t pos = w->pos; pos-- > 1;) {
			const lp_eid d = g->locs.at[w->loc].co.at[pos - 1];
			const struct lp_event *before = lp_graph_event(g, d);
			if (before->thread == w->thread && lp_order_releases((enum lp_order)before->order))
				tell(x, d, LP_EXERCISE_RELEASED);
		}
	if (!w->rmw)
		return;
	struct lp_sources s = lp_sources(g, lp_graph_event(g, lp_graph_before(g, w->thread, w->index)));
	for (lp_eid from; (from = lp_next_source(g, &s)) != LP_INIT;)
		tell_releases(x, from);
}

/* Reports the acquire at event `acquire` as exercised if the read, which is this event or an event
 * before it, adds an event to what the thread knows. */
static void note_read(struct lp_explorer *x, const struct lp_event *read, lp_eid acquire)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *a = lp_graph_event(g, acquire);
	LP_HOLDS(read->thread == a->thread && read->index <= a->index && read->rf != LP_NO_EVENT);
	const uint32_t *past = lp_model_past(g, a->thread, a->index);
	struct lp_sources s = lp_sources(g, read);

	for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT;)
		if (is_news(g, w, past)) {
			tell(x, acquire, LP_EXERCISE_ACQUIRED);
			tell_releases(x, w);
		}
}

static void note_fence(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_thread *t = &g->threads.at[e->thread];
	LP_HOLDS(e->kind == LP_EV_FENCE);

	for (uint32_t i = e->index; i-- > 0;) {
		const struct lp_event *r = lp_graph_event(g, t->at[i]);
		if (r->kind == LP_EV_READ && r->order != LP_PLAIN && !r->keeps)
			note_read(x, r, id);
	}
}

void lp_exercised_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(&lp_top(x)->g, id);

	if (!x->options->callbacks.exercised)
		return;
	if (e->kind == LP_EV_READ && lp_is_silent_rmw(e, &x->ops.op.at[e->op].op))
		lp_exercised_left_out(x, id);
	if (!lp_order_acquires((enum lp_order)e->order))
		return;
	if (e->kind == LP_EV_READ && !e->keeps && !lp_stop_pends(lp_graph_note(&lp_top(x)->g, id)->stop))
		note_read(x, e, id);
	else if (e->kind == LP_EV_FENCE)
		note_fence(x, id);
}

void lp_exercised_helped(struct lp_explorer *x, uintptr_t pc)
{
	if (!x->options->callbacks.exercised || !pc)
		return;
	x->options->callbacks.exercised(x->options->callbacks.exercised_closure, pc, LP_EXERCISE_FAILED);
	x->options->callbacks.exercised(x->options->callbacks.exercised_closure, pc, LP_EXERCISE_ACQUIRED);
}

void lp_exercised_left_out(struct lp_explorer *x, lp_eid id)
{
	if (!x->options->callbacks.exercised)
		return;
	tell(x, id, LP_EXERCISE_SUCCEEDED);
	tell(x, id, LP_EXERCISE_ACQUIRED);
	tell(x, id, LP_EXERCISE_RELEASED);
}
