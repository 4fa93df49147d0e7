/* park.c -- takes the reads of waiting threads out of the graph. */
#include "explore/reduce/park.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/reduce/omitted_races.h"
#include "explore/reduce/silent_rmw.h"

void lp_park_add_mark(struct lp_frame *f, const struct lp_mark *m)
{
	LP_PUSH(&f->marks, *m);
	while (f->last_mark.count <= m->thread)
		LP_PUSH(&f->last_mark, 0);
	f->last_mark.at[m->thread] = f->marks.count;
}

/* The last mark of the thread among the first `end`, from 1; or 0. */
static uint32_t search_mark(const struct lp_frame *f, lp_tid thread, uint32_t end)
{
	while (end && f->marks.at[end - 1].thread != thread)
		end--;
	return end;
}

/* The same among all marks.  `last_mark` is used as a hint: if the mark that it names is still there, no later mark of the
 * thread exists, because later ones would have been added since. */
static uint32_t last_mark(const struct lp_frame *f, lp_tid thread)
{
	const uint32_t last = thread < f->last_mark.count ? f->last_mark.at[thread] : 0;

	if (last > f->marks.count)
		return search_mark(f, thread, f->marks.count);
	return last ? search_mark(f, thread, last) : 0;
}

/* The last mark of the thread at its operation after `index` events, from 1; or 0.  The events of the thread since an earlier
 * mark are still in the graph, so a later mark has no smaller index. */
static uint32_t mark_at(const struct lp_frame *f, lp_tid thread, uint32_t index)
{
	if (!f->marks.count)
		return 0;
	uint32_t i = last_mark(f, thread);

	LP_AGREES(i == search_mark(f, thread, f->marks.count));
	while (i && f->marks.at[i - 1].index > index)
		i = search_mark(f, thread, i - 1);
	return i && f->marks.at[i - 1].index == index ? i : 0;
}

uint32_t lp_park_mark_of(const struct lp_frame *f, lp_tid thread)
{
	LP_HOLDS(f->g.threads.at[thread].exists);
	return mark_at(f, thread, f->g.threads.at[thread].count);
}

bool lp_park_mark_has_news(const struct lp_frame *f, const struct lp_mark *m)
{
	const struct lp_loc *loc = &f->g.locs.at[m->loc];

	LP_HOLDS(m->at <= m->seen);
	for (uint32_t i = loc->co.count; i-- > 0;)
		if (loc->co.at[i] >= m->seen)
			return true;
	return false;
}

/* The last write in co among those before the mark and those in the past of the write: the thread must read from it so that
 * the write may revisit the read. */
static lp_eid read_before(const struct lp_frame *f, const struct lp_mark *m, lp_eid write)
{
	const struct lp_loc *loc = &f->g.locs.at[m->loc];

	for (uint32_t i = loc->co.count; i-- > 0;) {
		const lp_eid e = loc->co.at[i];
		if (e != write && (e < m->at || lp_graph_porf(&f->g, e, write)))
			return e;
	}
	return LP_INIT;
}

/* Is the write the one because of which the thread was parked, or one with that write in its past? */
static bool follows(const struct lp_frame *f, const struct lp_mark *m, lp_eid write)
{
	LP_HOLDS(m->because == LP_NO_EVENT || f->g.ev.at[m->because].loc == m->loc);
	return m->because == LP_NO_EVENT || write == m->because ||
	       (write < LP_INIT && lp_graph_porf(&f->g, m->because, write));
}

/* Rules 2 and 3, without what the thread has seen: can the write revisit the read for which the mark stands, perhaps after other
 * writes? */
static bool may_revisit(const struct lp_frame *f, const struct lp_mark *m, lp_eid write)
{
	while (m->because != LP_NO_EVENT && write != m->because) {
		if (!follows(f, m, write))
			return false;
		LP_HOLDS(read_before(f, m, write) != write);
		write = read_before(f, m, write);
	}
	return true;
}

bool lp_park_mark_offers(const struct lp_frame *f, uint32_t mark, lp_eid write)
{
	if (!mark)
		return true;
	LP_HOLDS(mark <= f->marks.count);
	const struct lp_mark *m = &f->marks.at[mark - 1];
	return write < LP_INIT && write >= m->seen && write != m->because && may_revisit(f, m, write);
}

bool lp_park_mark_lets_revisit(const struct lp_frame *f, const struct lp_event *read, lp_eid write)
{
	const uint32_t mark = f->marks.count ? mark_at(f, read->thread, read->index) : 0;

	return !mark || follows(f, &f->marks.at[mark - 1], write);
}

bool lp_park_wakes(const struct lp_frame *f, const struct lp_op *op, uint32_t loc)
{
	for (uint32_t i = op->kind == LP_OP_STORE || op->kind == LP_OP_RMW ? f->marks.count : 0; i-- > 0;)
		if (f->marks.at[i].loc == loc)
			return true;
	return false;
}

bool lp_park_is_because(const struct lp_frame *f, lp_eid write)
{
	for (uint32_t i = 0; i < f->marks.count; i++)
		if (f->marks.at[i].because == write)
			return true;
	return false;
}

bool lp_park_mark_is_for_good(const struct lp_frame *f, const struct lp_mark *m)
{
	const struct lp_loc *loc = &f->g.locs.at[m->loc];

	return may_revisit(f, m, lp_graph_at(loc, loc->co.count));
}

/* Has the thread waited through so many writes that it may wait forever?  Then its reads stay in the graph. */
static bool waits_long(const struct lp_frame *f, lp_tid thread, uint32_t index)
{
	enum { MANY = 64 };
	uint32_t count = 0;

	for (uint32_t i = f->marks.count >= MANY ? f->marks.count : 0; i-- > 0;)
		count += f->marks.at[i].thread == thread && f->marks.at[i].index == index;
	return count >= MANY;
}

bool lp_parks(const struct lp_explorer *x, lp_tid thread)
{
	const struct lp_frame *f = x->frames.at[x->depth - 1];
	const struct lp_graph *g = &f->g;
	const lp_eid last = LP_LAST(&g->threads.at[thread]);
	const struct lp_event *e = lp_graph_event(g, last);
	const struct lp_note *note = lp_graph_note(g, last);

	if (!x->options->reduce.park || x->options->races_ignored || e->kind != LP_EV_READ || e->rmw || e->spurious || e->bytes ||
	    waits_long(f, thread, e->index))
		return false;
	return note->stop == LP_STOP_AWAITS || (note->stop == LP_STOP_SPINS && note->since == e->index);
}

/* A fingerprint of a live state and an answer.  For up to eight bytes a cheaper one is enough. */
static struct lp_fingerprint print_answer(const struct lp_event *e, uint32_t live)
{
	const uint64_t place = (uint64_t)live << 32 | e->op;
	struct lp_fingerprint f = { lp_mix(e->value.lo ^ lp_mix(place)), place };

	if (e->value.hi)
		lp_fingerprint_word(&f, e->value.hi);
	return f;
}

void lp_park_note_failure(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	const struct lp_event *last = lp_graph_event(g, LP_LAST(t));
	/* For a silent RMW, the read is the event before the write. */
	const struct lp_event *e = last->kind == LP_EV_WRITE ? lp_graph_event(g, t->at[t->count - 2]) : last;

	const struct lp_note *end = lp_note_of(g, last);
	const uint32_t live = lp_note_of(g, e)->live;

	LP_HOLDS(last->kind != LP_EV_WRITE || last->rmw || end->stop != LP_STOP_SPINS || end->since < last->index);

	if (x->options->reduce.park && e->kind == LP_EV_READ && live && !e->spurious && !e->bytes && end->since == e->index &&
	    end->stop == LP_STOP_SPINS && lp_machine_is_quiet(&x->machine, thread, t->count, t->count))
		lp_seen_put(&x->fails, print_answer(e, live), 0);
}

bool lp_park_is_known_to_fail(const struct lp_explorer *x, const struct lp_event *read, uint32_t live)
{
	return live && x->fails.count && !read->spurious && x->options->reduce.careful == LP_CARELESS &&
	       lp_seen_number(&x->fails, print_answer(read, live)) != UINT32_MAX;
}

/* May the read race with accesses of a thread to its own memory?  These are not recorded, so the race is found
 * only if the read is performed. */
static bool is_untold(const struct lp_explorer *x, const struct lp_event *read)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_op *op = &x->ops.op.at[read->op].op;
	const uint32_t *past = lp_model_past(g, read->thread, read->index);

	return past && lp_own_is_untold(&x->machine.own, read->thread, op->loc, op->size, past);
}

bool lp_park_fails(struct lp_explorer *x, const struct lp_event *proto, uint32_t live, struct lp_park_noted *noted)
{
	if (proto->rmw || !lp_park_is_known_to_fail(x, proto, live) || lp_reads_unwritten(&lp_top(x)->g, proto) ||
	    waits_long(lp_top(x), proto->thread, proto->index) || is_untold(x, proto))
		return false;
	const bool writes = lp_is_silent_rmw(proto, &x->ops.op.at[proto->op].op);
	if (!noted->await[writes])
		lp_omitted_await(x, proto->thread, proto->op, writes);
	noted->await[writes] = true;
	return true;
}

/* Removes the last event of a thread in a new frame, because other events were added after it. */
static void push_without(struct lp_explorer *x, lp_eid gone)
{
	struct lp_frame *from = lp_top(x);
	const uint32_t n = from->g.ev.count;

	LP_HOLDS(LP_LAST(&from->g.threads.at[from->g.ev.at[gone].thread]) == gone);
	lp_explorer_need_scratch(x, n);
	for (lp_eid e = 0; e < n; e++)
		x->scratch.keep[e] = e != gone;
	struct lp_frame *f = lp_explorer_push_frame(x);
	lp_graph_restrict(&f->g, &from->g, x->scratch.keep, x->scratch.renamed);
	for (uint32_t i = 0; i < from->seq.count; i++)
		if (from->seq.at[i] != gone)
			LP_PUSH(&f->seq, x->scratch.renamed[from->seq.at[i]]);
	for (uint32_t i = 0; i < from->marks.count; i++) {
		struct lp_mark m = from->marks.at[i];
		m.at -= m.at > gone;
		m.seen -= m.seen > gone;
		if (m.because != LP_NO_EVENT)
			m.because = x->scratch.renamed[m.because];
		lp_park_add_mark(f, &m);
	}
	f->read = LP_NO_EVENT;
	x->agree = LP_UNKNOWN;
}

void lp_park(struct lp_explorer *x, lp_tid thread)
{
	struct lp_frame *f = lp_top(x);
	const lp_eid q = LP_LAST(&f->g.threads.at[thread]);
	const struct lp_event e = f->g.ev.at[q];
	LP_HOLDS(e.kind == LP_EV_READ && !e.rmw && lp_parks(x, thread));
	const bool revisited = e.rf < LP_INIT && e.rf > q;
	const uint32_t before = revisited ? 0 : mark_at(f, thread, e.index);
	struct lp_mark mark = { .thread = thread, .index = e.index, .loc = e.loc, .op = e.op, .at = q,
				.because = revisited ? e.rf : LP_NO_EVENT, .live = lp_graph_note(&f->g, q)->live };

	if (before) {
		mark.at = f->marks.at[before - 1].at;
		mark.because = f->marks.at[before - 1].because;
	}
	if (q + 1 == f->g.ev.count) {
		const lp_tid low = f->low;
		lp_shrink(x, q, f->seq.count - (f->seq.count && LP_LAST(&f->seq) == q), f->marks.count);
		f->low = low; /* nothing has changed for the threads below it */
	} else {
		push_without(x, q);
		f = lp_top(x);
		if (mark.because != LP_NO_EVENT)
			mark.because = x->scratch.renamed[mark.because];
	}
	mark.seen = f->g.ev.count;
	LP_HOLDS(mark.at <= mark.seen && mark.index == f->g.threads.at[thread].count);
	lp_park_add_mark(f, &mark);
}

bool lp_may_park(struct lp_explorer *x, const struct lp_event *proto, const struct lp_note *note, uint32_t mark)
{
	const struct lp_frame *f = lp_top(x);
	const uint32_t last = f->g.locs.at[proto->loc].co.count;
	LP_HOLDS(!mark || (f->marks.at[mark - 1].thread == proto->thread && f->marks.at[mark - 1].loc == proto->loc));
	struct lp_event shape = *proto;
	struct lp_note noted = *note;

	if (mark && !lp_park_mark_offers(f, mark, lp_graph_at(&f->g.locs.at[proto->loc], last)))
		return true;
	return lp_explorer_shape_read(x, &shape, &noted, 2 * last) &&
	       lp_park_fails(x, &shape, note->live, &(struct lp_park_noted){ { false } });
}

void lp_park_without(struct lp_explorer *x, const struct lp_event *proto, uint32_t live, uint32_t mark)
{
	struct lp_frame *f = lp_top(x);
	const lp_eid end = f->g.ev.count;

	LP_HOLDS(proto->index == f->g.threads.at[proto->thread].count);
	struct lp_mark m = { .thread = proto->thread, .index = proto->index, .loc = proto->loc, .op = proto->op,
			     .at = end, .because = LP_NO_EVENT, .live = live };

	if (mark)
		m = f->marks.at[mark - 1];
	LP_HOLDS(m.thread == proto->thread && m.index == proto->index && m.seen <= end);
	m.seen = end;
	lp_park_add_mark(f, &m);
}

/* Would the thread with that mark fail with each write that it is offered, as is known without its turn?  Then `proto` is such a read. */
static bool fails_again(struct lp_explorer *x, uint32_t mark, struct lp_event *proto)
{
	struct lp_frame *f = lp_top(x);
	const struct lp_mark *m = &f->marks.at[mark - 1];
	const struct lp_op *op = &x->ops.op.at[m->op].op;
	const struct lp_loc *loc = &f->g.locs.at[m->loc];
	struct lp_note note = { .live = m->live };
	struct lp_park_noted noted = { { false } };

	if (!m->live || op->kind != LP_OP_LOAD || x->options->reduce.undone ||
	    (lp_undone_pairs_any(x->shifts) && lp_shifts_watch(x, m->loc)))
		return false;
	*proto = lp_event_of(x, m->thread, LP_EV_READ, op->order, m->op);
	for (uint32_t pos = loc->co.count; pos > 0; pos--) {
		if (!lp_park_mark_offers(f, mark, lp_graph_at(loc, pos)))
			continue;
		if (lp_explorer_shape_read(x, proto, &note, 2 * pos) ? !lp_park_fails(x, proto, m->live, &noted) :
								       pos == loc->co.count)
			return false;
	}
	return true;
}

bool lp_park_remains(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_frame *f = lp_top(x);
	const uint32_t mark = f->marks.count ? lp_park_mark_of(f, thread) : 0;
	struct lp_event proto;

	if (!mark || !lp_park_mark_has_news(f, &f->marks.at[mark - 1]))
		return mark;
	if (!fails_again(x, mark, &proto))
		return false;
	lp_park_without(x, &proto, f->marks.at[mark - 1].live, mark);
	return true;
}

void lp_park_marks_revisit(struct lp_frame *to, const struct lp_frame *from, lp_eid read, const lp_eid *renamed)
{
	for (uint32_t i = 0; i < from->marks.count; i++) {
		struct lp_mark m = from->marks.at[i];
		if (m.seen > read)
			continue;
		if (m.because != LP_NO_EVENT) {
			m.because = renamed[m.because];
			if (m.because == LP_NO_EVENT)
				LP_BUG("a write that thread %u is parked because of was taken out", m.thread);
		}
		lp_park_add_mark(to, &m);
	}
}

/* Makes the thread read the last write to its location, and wait.  Returns false if this is an
 * error. */
static bool wait_for_last(struct lp_explorer *x, lp_tid thread, uint32_t id)
{
	struct lp_frame *f = lp_top(x);

	if (!lp_machine_is_at(&x->machine, thread, id)) {
		lp_explorer_fail(x, thread, &x->machine.error);
		return false;
	}
	const struct lp_op *op = &x->ops.op.at[id].op;
	struct lp_event proto = lp_event_of(x, thread, LP_EV_READ, op->order, id);
	struct lp_note note = { .live = lp_explorer_live_state(x, thread, op) };
	if (!lp_explorer_meet_location(x, thread, op, proto.loc))
		return false;
	/* If the location has no event left, its initial value may have been overwritten plainly since.  Such a write races with
	 * the read that was taken out, and this race is found (omitted_races.h). */
	if (!lp_explorer_shape_read(x, &proto, &note, 2 * f->g.locs.at[proto.loc].co.count) || proto.rmw)
		return false;
	const bool pends = lp_stop_pends(note.stop);
	if (!pends) {
		note.stop = LP_STOP_SPINS;
		note.since = proto.index;
	}
	LP_HOLDS(pends || note.live); /* a loop is parked in a live state that is known to fail */
	const lp_eid e = lp_add_event(x, &proto, &note);
	if (!pends)
		lp_completed(x, e);
	return true;
}

bool lp_park_marks_end(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);

	for (lp_tid t = 0; t < f->g.threads.count && f->marks.count; t++) {
		const uint32_t mark = f->g.threads.at[t].exists ? lp_park_mark_of(f, t) : 0;
		if (mark && !lp_park_mark_is_for_good(f, &f->marks.at[mark - 1]))
			return false;
	}
	for (lp_tid t = 0; t < f->g.threads.count && f->marks.count; t++) {
		const uint32_t mark = f->g.threads.at[t].exists ? lp_park_mark_of(f, t) : 0;
		if (mark && !wait_for_last(x, t, f->marks.at[mark - 1].op))
			return false;
	}
	return lp_catch_up(x);
}
