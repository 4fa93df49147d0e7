/* free_places.c -- where threads can be left freely: H, U and P of bound.h. */
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

static bool is_free_after(const struct lp_bound_facts *f, uintptr_t pc)
{
	return has_place(&f->helped, pc) || has_place(&f->after, pc);
}

static bool is_free_before(const struct lp_bound_facts *f, uintptr_t pc)
{
	return has_place(&f->heads, pc) || has_place(&f->helped, pc) || has_place(&f->before, pc);
}

/* Applies the rules until no further place is found. */
static void conclude(struct lp_bound_facts *f)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < f->rules.count; i++) {
			const struct lp_place_rule *r = &f->rules.at[i];
			struct lp_places *to = r->to_after ? &f->after : &f->before;
			if (has_place(to, r->to) || !(r->from_after ? is_free_after(f, r->from) : is_free_before(f, r->from)))
				continue;
			LP_PUSH(to, r->to);
			f->outdated |= f->cut;
			more = true;
		}
	}
}

static void learn_place(struct lp_bound_facts *f, struct lp_places *all, uintptr_t pc)
{
	if (has_place(all, pc))
		return;
	LP_PUSH(all, pc);
	f->outdated |= f->cut;
	conclude(f);
}

static void learn_rule(struct lp_bound_facts *f, struct lp_place_rule rule)
{
	if (rule.from == rule.to && rule.from_after == rule.to_after)
		return;
	for (uint32_t i = 0; i < f->rules.count; i++) {
		const struct lp_place_rule *r = &f->rules.at[i];
		if (r->from == rule.from && r->to == rule.to && r->from_after == rule.from_after && r->to_after == rule.to_after)
			return;
	}
	LP_PUSH(&f->rules, rule);
	conclude(f);
}

void lp_bound_forget(struct lp_bound_facts *f)
{
	lp_free(f->heads.at);
	lp_free(f->helped.at);
	lp_free(f->before.at);
	lp_free(f->after.at);
	lp_free(f->rules.at);
}

static const struct lp_op *op_of(const struct lp_explorer *x, const struct lp_event *e)
{
	return &x->ops.op.at[e->op].op;
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
	return is_unused_rmw(op) && has_place(&x->options->bounds.facts->helped, op->pc);
}

static bool arrives(const struct lp_explorer *x, const struct lp_op *op)
{
	return x->options->reduce.helping && op->kind == LP_OP_RMW && op->arrives != LP_NO_ARRIVAL;
}

/* Is the operation lent (schedule.h)? */
static bool is_lent(const struct lp_explorer *x, const struct lp_op *op)
{
	return !x->options->bounds.preemptions && (may_be_left(x, op) || arrives(x, op));
}

static enum lp_leave leave_at(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_bound_facts *f = x->options->bounds.facts;
	const struct lp_op *op = op_of(x, e);
	const bool access = lp_event_is_access(e);

	if (access && is_lent(x, op))
		return LP_LEAVE_LENT;
	if (e->kind == LP_EV_JOIN)
		return LP_LEAVE_FREE;
	if (e->kind == LP_EV_WRITE && e->rmw)
		return LP_LEAVE_COSTS;
	if (is_head(f, op) || has_place(&f->before, op->pc))
		return LP_LEAVE_FREE;
	if (e->kind != LP_EV_READ)
		return LP_LEAVE_COSTS;
	if ((!e->rmw && may_be_left(x, op)) || arrives(x, op))
		return LP_LEAVE_FREE;
	return op->otherwise == LP_ELSE_WAIT ? LP_LEAVE_IF_WAITS : LP_LEAVE_COSTS;
}

/* Can the thread be left freely after the event, independently of its next event? */
static bool is_left_after(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = op_of(x, e);
	const bool access = lp_event_is_access(e);

	if (e->kind == LP_EV_READ && e->rmw)
		return false; /* the write of the RMW follows */
	if (access && (is_lent(x, op) || has_place(&x->options->bounds.facts->after, op->pc)))
		return true;
	return e->kind == LP_EV_WRITE && e->rmw && may_be_left(x, op);
}

void lp_bound_find_places(const struct lp_explorer *x, struct lp_schedule *s)
{
	const struct lp_graph *g = s->g;

	for (lp_eid e = 0; e < g->ev.count; e++) {
		const struct lp_event *ev = lp_graph_event(g, e);
		LP_HOLDS(e < s->events);
		s->leave[e] = (uint8_t)leave_at(x, ev);
		const struct lp_event *before = ev->index ? lp_graph_event(g, lp_graph_before(g, ev->thread, ev->index)) : NULL;
		if (before && s->leave[e] != LP_LEAVE_LENT && is_left_after(x, before))
			s->leave[e] = LP_LEAVE_FREE;
	}
}

/* Adds rules: if a thread can be left freely before one of its events `from` to `to`, then also before the
 * operation at `to_pc`. */
static void learn_from_events(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to, uintptr_t pc)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_bound_facts *f = x->options->bounds.facts;

	for (uint32_t i = from; i < to; i++) {
		const struct lp_event *e = lp_graph_event(g, g->threads.at[thread].at[i]);
		if (leave_at(x, e) != LP_LEAVE_COSTS)
			learn_place(f, &f->before, pc);
		learn_rule(f, (struct lp_place_rule){ op_of(x, e)->pc, pc, false, false });
		learn_rule(f, (struct lp_place_rule){ op_of(x, lp_graph_event(g, g->threads.at[thread].at[i - 1]))->pc, pc, true, false });
	}
}

void lp_bound_note_reread(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	struct lp_bound_facts *f = x->options->bounds.facts;

	if (!f)
		return;
	LP_HOLDS(t->count >= 2);
	const uintptr_t a = op_of(x, lp_graph_event(g, t->at[t->count - 2]))->pc, b = op_of(x, lp_graph_event(g, LP_LAST(t)))->pc;
	learn_from_events(x, thread, t->count - 1, t->count, a);
	learn_rule(f, (struct lp_place_rule){ b, a, true, true });
}

void lp_bound_note_twin(struct lp_explorer *x, const struct lp_event *read, uint32_t twin)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[read->thread];
	struct lp_bound_facts *f = x->options->bounds.facts;

	if (!f)
		return;
	LP_HOLDS(twin && twin <= read->index && read->index <= t->count && t->count - read->index <= 1);
	const uintptr_t a = op_of(x, lp_graph_event(g, t->at[twin - 1]))->pc;
	learn_from_events(x, read->thread, twin, read->index, a);
	if (leave_at(x, read) != LP_LEAVE_COSTS)
		learn_place(f, &f->before, a);
	learn_rule(f, (struct lp_place_rule){ op_of(x, read)->pc, a, false, false });
	learn_rule(f, (struct lp_place_rule){ op_of(x, lp_graph_event(g, t->at[read->index - 1]))->pc, a, true, false });
}

/* May the iteration be one that waits?  Yes if it saw no location change, or if the thread can be left in the middle. */
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

	if (!x->options->bounds.facts || !t->count)
		return;
	const uint32_t from = lp_graph_note(g, LP_LAST(t))->since;
	struct lp_bound_facts *f = x->options->bounds.facts;
	LP_HOLDS(from < t->count);
	const struct lp_op *head = op_of(x, lp_graph_event(g, t->at[from]));
	if (!head->pc || has_place(&f->heads, head->pc))
		return;
	if (may_spin(x, g, t, from))
		learn_place(f, &f->heads, head->pc);
	else
		learn_from_events(x, thread, from + 1, t->count, head->pc);
}

void lp_bound_note_help(struct lp_explorer *x, lp_eid read)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const uint32_t loc = lp_graph_event(g, read)->loc;

	if (!x->options->bounds.facts)
		return;
	struct lp_bound_facts *f = x->options->bounds.facts;
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
