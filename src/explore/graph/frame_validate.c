/* frame_validate.c -- the invariants of a frame, checked without relying on derived data. */
#include "explore/graph/grow.h"

#include "base/alloc.h"

/* F1: operations were completed in an order that goes with po. */
static bool sequence_is_fine(const struct lp_frame *f)
{
	uint32_t *next = lp_alloc_zero(f->g.threads.count + 1, sizeof *next);
	bool fine = true;

	for (uint32_t i = 0; i < f->seq.count && fine; i++) {
		const lp_eid e = f->seq.at[i];
		fine = e < f->g.ev.count;
		if (!fine)
			break;
		const struct lp_event *ev = lp_graph_event(&f->g, e);
		fine = ev->index == next[ev->thread] && !(ev->kind == LP_EV_WRITE && ev->rmw);
		next[ev->thread] = ev->index + 1 + (ev->kind == LP_EV_READ && ev->rmw);
	}
	for (uint32_t t = 0; t < f->g.threads.count && fine; t++) {
		/* After the completed operations, at most one event is left: a read that waits, half of an RMW, or
		 * the thread's end. */
		const struct lp_thread *th = &f->g.threads.at[t];
		const struct lp_event *last = th->count ? lp_graph_event(&f->g, LP_LAST(th)) : NULL;
		fine = next[t] == th->count ||
		       (next[t] + 1 == th->count && (last->kind == LP_EV_END || lp_stop_pends(lp_note_of(&f->g, last)->stop) || LP_LAST(th) == f->half));
	}
	lp_free(next);
	return fine;
}

/* F2: a thread does nothing after the event that stops it, and a redundant iteration lies before its last event. */
static bool stops_are_fine(const struct lp_explorer *x, const struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		const struct lp_note *note = lp_graph_note(g, id);
		const bool marks = note->stop == LP_STOP_SPINS || note->stop == LP_STOP_KEPT;
		if ((note->stop > LP_STOP_KEPT && LP_LAST(&g->threads.at[e->thread]) != id) || (marks && note->since > e->index))
			return false;
		if (lp_stop_pends(note->stop) && (e->kind != LP_EV_READ || e->rmw))
			return false;
		if (note->stop == LP_STOP_AWAITS && x->ops.op.at[e->op].op.otherwise != LP_ELSE_WAIT && !lp_shifts_waits(x, e, note->live))
			return false;
		if (note->twin > e->index || e->late != (note->live != 0))
			return false;
	}
	return true;
}

/* F3: the thread of a mark exists, the mark's place is at most the number of events, and its write is to the
 * location. A thread's marks are in the order of their operations. */
static bool marks_are_fine(const struct lp_frame *f)
{
	for (uint32_t i = 0; i < f->marks.count; i++) {
		const struct lp_mark *m = &f->marks.at[i];
		if (m->thread >= f->g.threads.count || !f->g.threads.at[m->thread].exists || m->index > f->g.threads.at[m->thread].count ||
		    m->at > f->g.ev.count || m->seen > f->g.ev.count)
			return false;
		for (uint32_t n = i; n-- > 0;)
			if (f->marks.at[n].thread == m->thread && f->marks.at[n].index > m->index)
				return false;
		if (m->because == LP_NO_EVENT)
			continue;
		const struct lp_event *w = m->because < f->g.ev.count ? lp_graph_event(&f->g, m->because) : NULL;
		if (!w || w->kind != LP_EV_WRITE || w->loc != m->loc)
			return false;
	}
	return true;
}

/* F4: choices are in the order in which they were made. */
static bool choices_are_fine(const struct lp_frame *f)
{
	for (uint32_t i = 1; i < f->choices.count; i++) {
		const struct lp_choice *a = &f->choices.at[i - 1], *b = &f->choices.at[i];
		if (a->event > b->event || a->seq > b->seq || a->marks > b->marks)
			return false;
	}
	return !f->choices.count || LP_LAST(&f->choices).event <= f->g.ev.count;
}

/* F5: the half of an RMW that waits for the other one is the last event of its thread. */
static bool half_is_fine(const struct lp_frame *f)
{
	if (f->half == LP_NO_EVENT)
		return true;
	const struct lp_event *e = f->half < f->g.ev.count ? lp_graph_event(&f->g, f->half) : NULL;
	return e && e->kind == LP_EV_READ && e->rmw && LP_LAST(&f->g.threads.at[e->thread]) == f->half;
}

bool lp_machine_validate(const struct lp_machine *m, const struct lp_graph *g, const struct lp_sequence *seq)
{
	uint32_t events = 0, done = 0;

	for (uint32_t i = 0; i < m->performed.count; i++) {
		const struct lp_event *e = i < seq->count ? lp_graph_event(g, seq->at[i]) : NULL;
		if (!e || lp_graph_note(g, seq->at[i])->uid != m->performed.at[i] || e->thread >= m->done.count || m->done.at[e->thread] <= e->index)
			return false;
		events += 1 + (e->kind == LP_EV_READ && e->rmw);
	}
	for (uint32_t t = 0; t < m->done.count; t++)
		done += m->done.at[t];
	return events == done;
}

bool lp_frame_validate(const struct lp_explorer *x)
{
	const struct lp_frame *f = x->frames.at[x->depth - 1];

	return lp_graph_validate(&f->g) && sequence_is_fine(f) && stops_are_fine(x, &f->g) && marks_are_fine(f) &&
	       choices_are_fine(f) && half_is_fine(f);
}
