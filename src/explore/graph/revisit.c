/* revisit.c -- inside the graph explorer: backward revisits. */
#include "explore/graph/revisit.h"

#include <assert.h>

#include "base/error.h"
#include "explore/bound/bound.h"
#include "explore/exercised.h"
#include "explore/graph/grow.h"
#include "explore/graph/mixed_sizes.h"
#include "explore/reduce/unordered/arrivals.h"
#include "explore/reduce/driver.h"
#include "explore/reduce/symmetry.h"

/* Is there a write above position `pos` of co that was added before e, or is in w's past?  For a
 * read that is not half of an RMW, only writes that overlap with the read count. */
static bool is_topped(const struct lp_graph *g, uint32_t pos, lp_eid e, lp_eid w)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	const struct lp_loc *loc = &g->locs.at[ev->loc];
	const bool part = ev->bytes && ev->kind == LP_EV_READ && !ev->rmw;

	LP_HOLDS(pos <= loc->co.count);
	for (uint32_t p = pos + 1; p <= loc->co.count; p++) {
		const lp_eid above = loc->co.at[p - 1];
		if (part && !lp_overlap(ev, lp_graph_event(g, above)))
			continue;
		if (above != w && (above < e || (w != LP_NO_EVENT && lp_graph_porf(g, above, w))))
			return true;
	}
	return false;
}

bool lp_revisit_is_maximal(const struct lp_graph *g, lp_eid e, lp_eid w)
{
	const struct lp_event *ev = lp_graph_event(g, e);

	switch ((enum lp_event_kind)ev->kind) {
	case LP_EV_READ:
		return !ev->spurious && !is_topped(g, lp_graph_pos(g, ev->rf), e, w);
	case LP_EV_WRITE: {
		const struct lp_loc *loc = &g->locs.at[ev->loc];
		for (uint32_t i = 0; i < loc->reads.count && loc->reads.at[i] < e; i++)
			if (g->ev.at[loc->reads.at[i]].rf == e)
				return false; /* it has revisited that read */
		LP_HOLDS(loc->co.at[ev->pos - 1] == e);
		return !is_topped(g, ev->pos, e, w);
	}
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
		return ev->value.lo == 0;
	case LP_EV_FENCE:
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return true;
	}
	return true;
}

bool lp_revisit_accepts(const struct lp_explorer *x, const struct lp_graph *g, lp_eid e)
{
	return x->model->accepts(g, e) && (!x->options->reduce.symmetry || lp_symmetry_accepts(g, e));
}

void lp_revisit_accepted(struct lp_explorer *x, lp_eid e)
{
	lp_bound_note(x, e);
	lp_reduce_note(x, e);
	if (lp_graph_event(&lp_top(x)->g, e)->bytes)
		lp_mixed_note(x, e);
	if (x->options->callbacks.exercised)
		lp_exercised_note(x, e);
}

/* Opens a frame for the revisit of r by w, the last event of the frame below. The new graph has
 * neither w nor the events that were added after r and are not in w's past. Later w is put at each
 * place of co, and r reads from it. */
static void open_revisit(struct lp_explorer *x, lp_eid r, lp_eid w)
{
	struct lp_frame *from = lp_top(x);
	const uint32_t n = from->g.ev.count;
	struct lp_choice c = { .kind = LP_CHOICE_REVISIT, .proto = from->g.ev.at[w], .note = *lp_graph_note(&from->g, w) };

	assert(w == n - 1);
	LP_HOLDS(from->g.ev.at[r].kind == LP_EV_READ && !lp_graph_porf(&from->g, r, w));
	lp_explorer_need_scratch(x, n);
	for (lp_eid e = 0; e < n; e++)
		x->scratch.keep[e] = e != w && (e <= r || lp_graph_porf(&from->g, e, w));
	struct lp_frame *f = lp_explorer_push_frame(x);
	lp_graph_restrict(&f->g, &from->g, x->scratch.keep, x->scratch.renamed);
	for (uint32_t i = 0; i < from->seq.count; i++) {
		const lp_eid e = from->seq.at[i];
		if (x->scratch.keep[e] && e != r && !(c.proto.rmw && e == from->g.threads.at[c.proto.thread].at[c.proto.index - 1]))
			LP_PUSH(&f->seq, x->scratch.renamed[e]);
	}
	lp_park_marks_revisit(f, from, r, x->scratch.renamed);
	f->read = x->scratch.renamed[r];
	struct lp_event *read = lp_graph_event(&f->g, f->read);
	LP_HOLDS(LP_LAST(&f->g.threads.at[read->thread]) == f->read && f->g.threads.at[c.proto.thread].count == c.proto.index);
	read->rf = LP_NO_EVENT;

	c.event = f->g.ev.count;
	c.seq = f->seq.count;
	c.marks = f->marks.count;
	if (c.proto.rmw) {
		const lp_eid own = lp_graph_last(&f->g, c.proto.thread);
		c.next = lp_graph_pos(&f->g, f->g.ev.at[own].rf) + 1;
		c.floor = c.next - 1;
	} else {
		c.next = f->g.locs.at[c.proto.loc].co.count + 1;
		c.floor = x->model->floor(&f->g, &c.proto);
	}
	LP_HOLDS(c.floor < c.next);
	c.total = c.next - c.floor;
	/* If the read is that of a weak CAS, each place is tried twice: with and without a spurious
	 * failure. */
	c.next = 2 * c.next + (x->ops.op.at[read->op].op.weak && x->options->weak_fails);
	LP_PUSH(&f->choices, c);
	x->agree = LP_UNKNOWN;
}

/* Makes the read of the top frame, which has no rf, read from the write just added,
 * perhaps to fail spuriously. */
static bool give_rf(struct lp_explorer *x, lp_eid w, uint32_t spurious)
{
	struct lp_frame *f = lp_top(x);
	struct lp_event shape = *lp_graph_event(&f->g, f->read);
	struct lp_note note = *lp_graph_note(&f->g, f->read);
	const uint32_t pos = lp_graph_pos(&f->g, w);

	LP_HOLDS(shape.kind == LP_EV_READ && shape.rf == LP_NO_EVENT && shape.loc == f->g.ev.at[w].loc);
	LP_HOLDS(LP_LAST(&f->g.threads.at[shape.thread]) == f->read);
	if (lp_model_floor(x->model, &f->g, &shape, false) > pos || !lp_explorer_shape_read(x, &shape, &note, 2 * pos + spurious))
		return false;
	note.uid = ++x->uid;
	lp_graph_set_read(&f->g, f->read, &shape);
	*lp_graph_note(&f->g, f->read) = note;
	lp_model_synchronise(x->model, &f->g, f->read);
	if (x->options->reduce.symmetry)
		lp_symmetry_extend(&f->g, f->read);
	if (!lp_revisit_accepts(x, &f->g, w) || !lp_revisit_accepts(x, &f->g, f->read))
		return false;
	if (shape.rmw)
		f->half = f->read;
	else if (!lp_stop_pends(note.stop))
		lp_completed(x, f->read);
	return true;
}

bool lp_revisit_place(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);

	LP_HOLDS(c->kind == LP_CHOICE_REVISIT && f->choices.count == 1 && f->g.ev.count == c->event);
	f->witnessed.known = false; /* the read from which it was computed gets another rf */
	while (c->next > 2 * c->floor + 1) {
		const uint32_t pos = c->next / 2, spurious = c->next % 2;
		c->next--;
		if (!c->proto.rmw && lp_splits_rmw(&f->g, c->proto.loc, pos))
			continue;
		struct lp_event write = c->proto;
		write.pos = pos;
		const lp_eid w = lp_graph_add(&f->g, &write);
		*lp_graph_note(&f->g, w) = c->note;
		lp_model_synchronise(x->model, &f->g, w);
		if (x->options->reduce.symmetry)
			lp_symmetry_extend(&f->g, w);
		LP_HOLDS(w == c->event && f->g.ev.at[w].pos == pos && c->note.uid);
		lp_completed(x, write.rmw ? lp_graph_before(&f->g, write.thread, write.index) : w);
		if (give_rf(x, w, spurious)) {
			lp_revisit_accepted(x, w);
			lp_revisit_accepted(x, f->read);
			c->tried++;
			return true;
		}
		lp_graph_event(&f->g, f->read)->rf = LP_NO_EVENT;
		lp_shrink(x, c->event, c->seq, c->marks);
	}
	return false;
}

bool lp_revisit_finds_read(const struct lp_graph *g, const struct lp_event *write)
{
	const struct lp_loc *loc = &g->locs.at[write->loc];
	const lp_eid before = lp_graph_last(g, write->thread);
	LP_HOLDS(write->kind == LP_EV_WRITE && write->index == g->threads.at[write->thread].count);

	for (uint32_t i = 0; i < loc->reads.count; i++)
		if (before == LP_NO_EVENT || !lp_graph_porf(g, loc->reads.at[i], before))
			return true;
	return false;
}

/* The first read that w could revisit if all events in between were maximal; w if there is none. */
static lp_eid first_read(const struct lp_graph *g, lp_eid w)
{
	const struct lp_loc *loc = &g->locs.at[g->ev.at[w].loc];

	for (uint32_t i = 0; i < loc->reads.count; i++) {
		LP_HOLDS(loc->reads.at[i] <= w && (!i || loc->reads.at[i - 1] < loc->reads.at[i]));
		if (!lp_graph_porf(g, loc->reads.at[i], w))
			return loc->reads.at[i];
	}
	return w;
}

/* An RMW, or a store that keeps other bytes, may also come directly after a write to other bytes. */
static bool may_read(const struct lp_event *read, const struct lp_event *write)
{
	return read->locked || read->keeps || lp_overlap(read, write);
}

bool lp_revisit_next(struct lp_explorer *x, struct lp_choice *c)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid w = c->event;
	const struct lp_event *write = lp_graph_event(g, w);
	lp_eid rival = w;

	if (c->in_conflict) {
		const lp_eid own = lp_graph_before(g, write->thread, write->index);
		rival = lp_explorer_rmw_reader(g, write->loc, g->ev.at[own].rf, own);
	}
	LP_HOLDS(c->revisiting && w == g->ev.count - 1 && c->next <= w);
	const lp_eid first = lp_arrivals_has_arrived(x, write) ? w : first_read(g, w);
	while (c->next > first) {
		const lp_eid e = --c->next;
		if (lp_graph_porf(g, e, w))
			continue;
		if (!lp_revisit_is_maximal(g, e, w) || lp_park_is_because(lp_top(x), e))
			break;
		if (g->ev.at[e].kind == LP_EV_READ && g->ev.at[e].loc == write->loc && e <= rival &&
		    may_read(&g->ev.at[e], write) && lp_park_mark_lets_revisit(lp_top(x), &g->ev.at[e], w)) {
			open_revisit(x, e, w);
			return true;
		}
	}
	c->next = 0;
	return false;
}
