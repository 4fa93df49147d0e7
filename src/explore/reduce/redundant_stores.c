/* redundant_stores.c -- stores that another thread is about to make anyway. */
#include "explore/reduce/redundant_stores.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/reduce/overwritten_iterations.h"

bool lp_store_rewrites(struct lp_explorer *x, lp_eid id)
{
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	struct lp_note *note = lp_graph_note(g, id);
	const struct lp_loc *loc = &g->locs.at[e->loc];

	if (e->order == LP_PLAIN)
		return true;
	if (e->kind != LP_EV_WRITE)
		return false;
	note->own = !e->rmw && lp_overwritten_is_own_write(x, e);
	for (uint32_t i = 0; !note->own && i < loc->co.count; i++)
		if (loc->co.at[i] != id && !lp_graph_note(g, loc->co.at[i])->own)
			return true;
	return false;
}

static bool is_same_store(const struct lp_op *c, const struct lp_op *d)
{
	return d->kind == LP_OP_STORE && d->order != LP_PLAIN && !d->internal && d->loc == c->loc &&
	       d->size == c->size && lp_value_equal(d->operand, c->operand);
}

/* Conditions 3 and 4. */
static bool is_first(const struct lp_explorer *x, const struct lp_graph *g, uint32_t l, lp_eid b,
		     lp_eid d, lp_eid p)
{
	const struct lp_loc *loc = &g->locs.at[l];
	const uint32_t *before_b = lp_graph_clock(g, b, LP_CLOCK_HB);
	const uint32_t *before_c = lp_graph_clock(g, p, LP_CLOCK_HB);

	LP_HOLDS(d == LP_NO_EVENT || (g->ev.at[d].kind == LP_EV_WRITE && g->ev.at[d].loc == l));
	for (uint32_t i = 0; i < loc->co.count; i++)
		if (loc->co.at[i] != d && !lp_clock_has(before_b, lp_graph_event(g, loc->co.at[i])))
			return false;
	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const struct lp_event *read = lp_graph_event(g, loc->reads.at[i]);
		if (read->rf == d && lp_clock_has(before_c, read) &&
		    !lp_is_redundant_store(read, &x->ops.op.at[read->op].op))
			return false;
	}
	return true;
}

/* Consider the next operation of thread t after its events that happen before p. Is it the store
 * `c`? If t has performed it, `*d` is its write. */
static enum lp_store_need done_by(struct lp_explorer *x, const struct lp_op *c, lp_eid p, lp_tid t,
				  lp_eid *d)
{
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *other = &g->threads.at[t];
	const uint32_t known = lp_graph_clock(g, p, LP_CLOCK_HB)[t];
	enum lp_store_need how = LP_STORE_DUE;

	if (!known || g->ev.at[other->at[known - 1]].kind != LP_EV_WRITE)
		return LP_STORE_NEEDED;
	LP_HOLDS(known <= other->count);
	*d = LP_NO_EVENT;
	if (known < other->count) {
		*d = other->at[known];
		const struct lp_event *e = lp_graph_event(g, *d);
		if (e->kind != LP_EV_WRITE || e->rmw ||
		    !is_same_store(c, &x->ops.op.at[e->op].op))
			return LP_STORE_NEEDED;
		how = LP_STORE_MADE;
	} else if (!is_same_store(c, lp_machine_pending(&x->machine, t)) || lp_helping_is_cut(x, t)) {
		return LP_STORE_NEEDED;
	}
	const uint32_t loc = lp_ops_loc(&x->ops, c->loc, c->size);
	lp_graph_need_loc(g, loc);
	return is_first(x, g, loc, other->at[known - 1], *d, p) && lp_helping_is_apart(x, t, known)
		       ? how : LP_STORE_NEEDED;
}

static bool is_in_parts(struct lp_explorer *x, const struct lp_op *op)
{
	const uint32_t loc = lp_ops_loc(&x->ops, op->loc, op->size);
	return x->ops.loc.at[loc].parts;
}

enum lp_store_need lp_store_need_of(struct lp_explorer *x, lp_tid thread, const struct lp_op *c, lp_eid *d)
{
	struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *a = &g->threads.at[thread];

	if (!x->facts || x->walk.bound || !a->count || c->order == LP_PLAIN || c->internal ||
	    is_in_parts(x, c) ||
	    !lp_order_releases(x->model->order(LP_EV_WRITE, (enum lp_order)c->order)))
		return LP_STORE_NEEDED;
	for (lp_tid t = 0; t < g->threads.count; t++) {
		if (t == thread || !g->threads.at[t].exists)
			continue;
		const enum lp_store_need how = done_by(x, c, LP_LAST(a), t, d);
		if (how != LP_STORE_NEEDED &&
		    lp_helping_rely(x, lp_ops_loc(&x->ops, c->loc, c->size), LP_BY_STORES))
			return how;
	}
	return LP_STORE_NEEDED;
}

struct lp_event lp_redundant_store_event(struct lp_explorer *x, lp_tid thread, uint32_t op, lp_eid d)
{
	struct lp_event e = lp_event_of(x, thread, LP_EV_READ, LP_RLX, op);

	e.order = LP_RLX; /* relaxed, also in models that strengthen orders: this read must not
	                   * synchronise */
	LP_HOLDS(lp_graph_event(&lp_top(x)->g, d)->kind == LP_EV_WRITE && lp_graph_event(&lp_top(x)->g, d)->loc == e.loc);
	e.rf = d;
	e.value = lp_graph_event(&lp_top(x)->g, d)->value;
	return e;
}
