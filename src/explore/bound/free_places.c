/* free_places.c -- where threads can be left freely: H and U of bound.h. */
#include "explore/bound/free_places.h"

#include "base/error.h"
#include "explore/bound/bound.h"
#include "explore/graph/grow.h"

static bool has_place(const struct lp_places *all, uintptr_t pc)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i] == pc)
			return true;
	return false;
}

static void learn_place(struct lp_bound_facts *f, struct lp_places *all, uintptr_t pc)
{
	if (has_place(all, pc))
		return;
	LP_HOLDS(all == &f->heads || all == &f->helped);
	LP_PUSH(all, pc);
	f->outdated |= f->cut;
}

static bool is_head(const struct lp_bound_facts *f, const struct lp_op *op)
{
	return op->loop && op->pc && has_place(&f->heads, op->pc);
}

static bool is_unused_rmw(const struct lp_op *op)
{
	return op->kind == LP_OP_RMW && op->unused;
}

/* May the operation be left to another thread? */
static bool may_be_left(const struct lp_explorer *x, const struct lp_op *op)
{
	return is_unused_rmw(op) && has_place(&x->options->limits.bound->helped, op->pc);
}

static enum lp_leave leave_at(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;

	if (e->kind == LP_EV_JOIN)
		return LP_LEAVE_FREE;
	if (e->kind != LP_EV_READ)
		return LP_LEAVE_COSTS;
	if (is_head(x->options->limits.bound, op) || (!e->rmw && may_be_left(x, op)) || (x->options->helping && op->arrives != LP_NO_ARRIVAL))
		return LP_LEAVE_FREE;
	return op->otherwise == LP_ELSE_WAIT ? LP_LEAVE_IF_WAITS : LP_LEAVE_COSTS;
}

void lp_bound_find_places(const struct lp_explorer *x, struct lp_schedule *s)
{
	const struct lp_graph *g = s->g;

	for (lp_eid e = 0; e < g->ev.count; e++) {
		const struct lp_event *ev = lp_graph_event(g, e);
		LP_HOLDS(e < s->events);
		s->leave[e] = (uint8_t)leave_at(x, ev);
		const struct lp_event *before = ev->index ? lp_graph_event(g, lp_graph_before(g, ev->thread, ev->index)) : NULL;
		if (before && before->kind == LP_EV_WRITE && before->rmw && may_be_left(x, &x->ops.op.at[before->op].op))
			s->leave[e] = LP_LEAVE_FREE;
	}
}

/* An iteration in which no location was seen to change may be one that waits.  So may one in which the thread can be left. */
static bool may_spin(const struct lp_explorer *x, const struct lp_graph *g, const struct lp_thread *t, uint32_t from)
{
	bool changed = false;

	for (uint32_t i = from; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (i > from && leave_at(x, e) != LP_LEAVE_COSTS)
			return true;
		for (uint32_t j = from; e->kind == LP_EV_READ && j < i; j++) {
			const struct lp_event *before = lp_graph_event(g, t->at[j]);
			changed |= before->kind == LP_EV_READ && before->loc == e->loc && before->bytes == e->bytes &&
				   !lp_value_equal(before->value, e->value);
		}
	}
	return !changed;
}

void lp_bound_note_iteration(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	if (!x->options->limits.bound || !t->count)
		return;
	const uint32_t from = lp_graph_note(g, LP_LAST(t))->since;
	struct lp_bound_facts *f = x->options->limits.bound;
	LP_HOLDS(from < t->count);
	const struct lp_op *head = &x->ops.op.at[lp_graph_event(g, t->at[from])->op].op;
	if (head->pc && !has_place(&f->heads, head->pc) && may_spin(x, g, t, from))
		learn_place(f, &f->heads, head->pc);
}

void lp_bound_note_help(struct lp_explorer *x, lp_eid read)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const uint32_t loc = lp_graph_event(g, read)->loc;

	if (!x->options->limits.bound)
		return;
	struct lp_bound_facts *f = x->options->limits.bound;
	const uintptr_t address = x->ops.op.at[lp_graph_event(g, read)->op].op.loc;
	for (uint32_t i = 0; i < g->locs.at[loc].reads.count; i++) {
		const struct lp_op *op = &x->ops.op.at[lp_graph_event(g, g->locs.at[loc].reads.at[i])->op].op;
		if (is_unused_rmw(op))
			learn_place(f, &f->helped, op->pc);
	}
	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op = g->threads.at[t].exists ? lp_machine_pending(&x->machine, t) : NULL;
		if (op && is_unused_rmw(op) && op->loc == address)
			learn_place(f, &f->helped, op->pc);
	}
}
