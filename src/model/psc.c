/* psc.c -- the order of seq_cst events.
 *
 * No event comes after the new event in po or hb, so a path leaves it only by co or fr (or by eco,
 * on the way to a fence).  Let a new cycle go through it.  Either the event is seq_cst, or the cycle
 * leads from a seq_cst fence that happens before the event, through the event, back to that fence.
 * Most events are last in co: no path leaves them, so there is nothing to search. (When a write
 * revisits a read, the write may happen before the read.  The model is also asked about the read,
 * and finds a cycle through both there.)
 *
 * Otherwise we search forward from the events above it in co.  po is part of psc, so of each thread
 * all seq_cst events from some index on are reached (`nodes`), and all events from some index on
 * happen after a fence that is reached (`after`).  Both indices only decrease, so the search looks
 * at each event at most once in either role, and at each position of co at most once.  In another
 * thread, the events that happen after an event begin at an index that is found by bisection in the
 * clocks.
 */
#include "model/psc.h"

#include "base/alloc.h"
#include "base/error.h"
#include "graph/parts.h"
#include "model/axioms.h"

static bool is_access(const struct lp_event *e)
{
	return (e->kind == LP_EV_READ && !e->keeps) || e->kind == LP_EV_WRITE;
}

static bool same_loc(const struct lp_event *a, const struct lp_event *b)
{
	return is_access(a) && is_access(b) && a->loc == b->loc && lp_overlap(a, b);
}

/* The rank of the event in co: a read ranks directly above the write that it reads from. */
static uint32_t co_rank(const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->kind == LP_EV_WRITE || (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT));
	return e->kind == LP_EV_WRITE ? 2 * e->pos : 2 * lp_graph_pos(g, e->rf) + 1;
}

/* a (co | fr) b */
static bool co_or_fr(const struct lp_graph *g, lp_eid a, lp_eid b)
{
	const struct lp_event *x = lp_graph_event(g, a), *y = lp_graph_event(g, b);

	return same_loc(x, y) && y->kind == LP_EV_WRITE && co_rank(g, x) < co_rank(g, y);
}

/* a eco b: b is a write later in co, or a read from a or from a later write. */
static bool eco(const struct lp_graph *g, lp_eid a, lp_eid b)
{
	const struct lp_event *x = lp_graph_event(g, a), *y = lp_graph_event(g, b);

	if (!same_loc(x, y))
		return false;
	/* Two reads of the same write are not related. */
	if (!x->bytes || y->kind == LP_EV_WRITE)
		return co_rank(g, x) < co_rank(g, y);
	for (uint16_t left = x->bytes & y->bytes; left; left &= (uint16_t)(left - 1)) {
		const uint16_t byte = left & (uint16_t)-left;
		const uint32_t pos = lp_source_pos(g, x->loc, lp_graph_pos(g, y->rf), byte);
		const uint32_t from = x->kind == LP_EV_WRITE
			? x->pos - 1 : lp_source_pos(g, x->loc, lp_graph_pos(g, x->rf), byte);
		if (from < pos)
			return true;
	}
	return false;
}

/* Is b, in po with a, an event of the model (not a choice, or the start of a call) that is not at a's location?  Starting
 * and joining a thread count as release stores and acquire loads of locations that no other event accesses. */
static bool is_elsewhere(const struct lp_event *a, const struct lp_event *b)
{
	return b->kind != LP_EV_CHOOSE && b->kind != LP_EV_CALL && !(b->kind == LP_EV_READ && b->keeps) && !same_loc(a, b);
}

/* The first event after, or last one before, `e` in po at another location.  The start of a thread, which is not in the
 * graph, comes directly after its SPAWN, and stands before all its events. */
static lp_eid next_elsewhere(const struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_thread *t = &g->threads.at[e->thread];

	for (uint32_t i = e->index + 1; i < t->count; i++)
		if (is_elsewhere(e, lp_graph_event(g, t->at[i])))
			return t->at[i];
	return LP_NO_EVENT;
}

static lp_eid prev_elsewhere(const struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_thread *t = &g->threads.at[e->thread];

	for (uint32_t i = e->index; i-- > 0;)
		if (is_elsewhere(e, lp_graph_event(g, t->at[i])))
			return t->at[i];
	return t->spawn;
}

static bool scb(const struct lp_graph *g, lp_eid a, lp_eid b)
{
	const struct lp_event *x = lp_graph_event(g, a), *y = lp_graph_event(g, b);

	if (a == b)
		return false;
	if (x->thread == y->thread && x->index < y->index)
		return true;
	if (co_or_fr(g, a, b))
		return true;
	if (!lp_graph_hb(g, a, b))
		return false; /* (po \ loc) ; hb ; (po \ loc) is within hb too */
	if (same_loc(x, y))
		return true;
	/* It is enough to try the earliest event after a, and the latest event before b. */
	const lp_eid out = next_elsewhere(g, a), in = prev_elsewhere(g, b);
	return out != LP_NO_EVENT && in != LP_NO_EVENT && lp_graph_hb(g, out, in);
}

/* ---- the search ---- */

struct search {
	const struct lp_graph *g;
	lp_eid event;             /* the new event */
	bool itself;              /* is a path back to the event a cycle?  A path back to a seq_cst fence before it
	                           * always is */
	bool closed;
	uint32_t *nodes, *after;  /* by thread: the first index that was reached */
	uint32_t *nodes_done, *after_done; /* by thread: events from this index on have been followed */
	uint32_t *above;          /* by location: positions of co from this one on have been reached */
	uint32_t *read;           /* by location: reads above this rank have been reached by eco */
};

static bool is_fence(const struct lp_event *e)
{
	return e->kind == LP_EV_FENCE && e->order == LP_SC;
}

static void sink(uint32_t *mark, uint32_t index)
{
	if (index < *mark)
		*mark = index;
}

/* Does e happen before the events of thread t from that index on, and before no earlier ones?  This property makes the bisection
 * correct. */
static bool happens_before_from(const struct lp_graph *g, const struct lp_event *e, uint32_t t, uint32_t index)
{
	const struct lp_thread *thread = &g->threads.at[t];

	for (uint32_t i = 0; i < thread->count; i++)
		if (lp_clock_has(lp_graph_clock(g, thread->at[i], LP_CLOCK_HB), e) != (i >= index))
			return false;
	return true;
}
/* The index of the first event of thread t, other than e, that happens after e; the number of its
 * events if there is none. */
static uint32_t first_after(const struct lp_graph *g, const struct lp_event *e, uint32_t t)
{
	const struct lp_thread *thread = &g->threads.at[t];
	uint32_t low = 0, high = thread->count;

	if (t == e->thread)
		return e->index + 1;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (lp_clock_has(lp_graph_clock(g, thread->at[middle], LP_CLOCK_HB), e))
			high = middle;
		else
			low = middle + 1;
	}
	LP_AGREES(happens_before_from(g, e, t, low));
	return low;
}

/* Reaches the fences that happen after the event. */
static void reach_fences(struct search *s, const struct lp_event *from)
{
	const struct lp_graph *g = s->g;

	for (uint32_t t = 0; g->sc_fences && t < g->threads.count; t++) {
		uint32_t i = first_after(g, from, t);
		while (i < s->nodes[t] && !is_fence(lp_graph_event(g, g->threads.at[t].at[i])))
			i++;
		sink(&s->nodes[t], i);
	}
}

/* Follows co and fr to seq_cst events, and from other events on to fences. */
static void leave_upwards(struct search *s, const struct lp_event *from)
{
	const struct lp_graph *g = s->g;
	const struct lp_loc *loc = &g->locs.at[from->loc];
	LP_HOLDS(is_access(from));
	const uint32_t first = co_rank(g, from) / 2 + 1;
	const uint32_t end = from->bytes ? loc->co.count + 1 : s->above[from->loc];

	for (uint32_t pos = first; pos < end; pos++) {
		const struct lp_event *write = lp_graph_event(g, loc->co.at[pos - 1]);
		if (!lp_overlap(from, write))
			continue;
		if (write->order == LP_SC)
			sink(&s->nodes[write->thread], write->index);
		reach_fences(s, write);
	}
	if (!from->bytes)
		sink(&s->above[from->loc], first);
}

/* Follows eco to reads, and from there on to fences. */
static void leave_to_reads(struct search *s, lp_eid from)
{
	const struct lp_graph *g = s->g;
	const struct lp_event *e = lp_graph_event(g, from);
	const struct lp_loc *loc = &g->locs.at[e->loc];
	const uint32_t rank = co_rank(g, e);

	if (!e->bytes && rank >= s->read[e->loc])
		return;
	for (uint32_t i = 0; i < loc->reads.count; i++)
		if (eco(g, from, loc->reads.at[i]))
			reach_fences(s, lp_graph_event(g, loc->reads.at[i]));
	if (!e->bytes)
		s->read[e->loc] = rank;
}

/* Is there an access x with fence hb x hb `to`, at the same location? */
static bool is_met_between(const struct lp_graph *g, lp_eid fence, lp_eid to)
{
	const struct lp_loc *loc = &g->locs.at[lp_graph_event(g, to)->loc];

	for (uint32_t i = 0; i < loc->co.count + loc->reads.count; i++) {
		const lp_eid x = i < loc->co.count ? loc->co.at[i] : loc->reads.at[i - loc->co.count];
		if (x != to && lp_graph_hb(g, fence, x) && lp_graph_hb(g, x, to) &&
		    same_loc(lp_graph_event(g, x), lp_graph_event(g, to)))
			return true;
	}
	return false;
}

/* Follows the fence to all events that happen after it, in every thread.  The first of them in another
 * thread is reached by po if the start of that thread lies between; an access is also reached if an access
 * to its location lies between. */
static void leave_fence(struct search *s, lp_eid fence)
{
	const struct lp_graph *g = s->g;
	const struct lp_event *e = lp_graph_event(g, fence);

	LP_HOLDS(is_fence(e));
	sink(&s->after[e->thread], e->index);
	for (uint32_t t = 0; t < g->threads.count; t++) {
		const uint32_t i = first_after(g, e, t);
		if (t == e->thread || i == g->threads.at[t].count)
			continue;
		const lp_eid first = g->threads.at[t].at[i];
		const struct lp_event *other = lp_graph_event(g, first);
		sink(&s->after[t], i);
		const lp_eid spawn = i ? LP_NO_EVENT : g->threads.at[t].spawn;
		if (i < s->nodes[t] && other->order == LP_SC && is_access(other) &&
		    ((spawn != LP_NO_EVENT && lp_graph_hb(g, fence, spawn)) || is_met_between(g, fence, first)))
			sink(&s->nodes[t], i);
	}
}

/* a psc f, given that a happens before f. */
static bool leads_to_fence(const struct lp_graph *g, lp_eid a, lp_eid f)
{
	LP_HOLDS(lp_graph_hb(g, a, f) && is_fence(lp_graph_event(g, f)));
	if (!lp_graph_event(g, a)->bytes)
		return true; /* by po, or through the access to the same location with which a
		              * synchronises */
	for (lp_eid y = 0; y < g->ev.count; y++)
		if (lp_graph_hb(g, y, f) && scb(g, a, y))
			return true;
	return false;
}

static void leave_access(struct search *s, lp_eid a)
{
	const struct lp_graph *g = s->g;
	const struct lp_event *e = lp_graph_event(g, a);

	LP_HOLDS(is_access(e) && e->order == LP_SC);
	leave_upwards(s, e);
	for (uint32_t t = 0; t < g->threads.count; t++) {
		if (t == e->thread)
			continue;
		for (uint32_t i = first_after(g, e, t); i < s->nodes[t]; i++) {
			const lp_eid to = g->threads.at[t].at[i];
			const struct lp_event *other = lp_graph_event(g, to);
			if (other->order == LP_SC &&
			    (is_fence(other) ? leads_to_fence(g, a, to) : scb(g, a, to)))
				sink(&s->nodes[t], i);
		}
	}
}

/* The search has reached the event. */
static void visit_node(struct search *s, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(s->g, id);

	if (e->order != LP_SC)
		return;
	LP_HOLDS(s->nodes[e->thread] <= e->index);
	s->closed |= id == s->event ? s->itself : is_fence(e) && lp_graph_hb(s->g, id, s->event);
	if (is_fence(e))
		leave_fence(s, id);
	else
		leave_access(s, id);
}

/* The event is a fence that the search has reached, or happens after one. */
static void visit_after(struct search *s, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(s->g, id);

	LP_HOLDS(s->after[e->thread] <= e->index);
	sink(&s->nodes[e->thread], e->index + !is_fence(e));
	if (is_access(e)) {
		leave_upwards(s, e);
		leave_to_reads(s, id);
	}
}

static bool closes(struct search *s)
{
	const struct lp_graph *g = s->g;

	for (bool more = true; more && !s->closed;) {
		more = false;
		for (uint32_t t = 0; t < g->threads.count; t++) {
			const lp_eid *at = g->threads.at[t].at;
			for (; s->nodes[t] < s->nodes_done[t] && !s->closed; more = true)
				visit_node(s, at[--s->nodes_done[t]]);
			for (; s->after[t] < s->after_done[t] && !s->closed; more = true)
				visit_after(s, at[--s->after_done[t]]);
		}
	}
	return s->closed;
}

static bool is_after_fence(const struct lp_graph *g, lp_eid e)
{
	const uint32_t *past = lp_graph_clock(g, e, LP_CLOCK_HB);

	for (uint32_t t = 0; g->sc_fences && t < g->threads.count; t++)
		for (uint32_t i = past[t]; i-- > 0;)
			if (is_fence(lp_graph_event(g, g->threads.at[t].at[i])))
				return true;
	return false;
}

static void begin(struct search *s, uint32_t *memory)
{
	const uint32_t threads = s->g->threads.count, locs = s->g->locs.count;

	s->nodes = memory;
	s->nodes_done = s->nodes + threads;
	s->after = s->nodes_done + threads;
	s->after_done = s->after + threads;
	s->above = s->after_done + threads;
	s->read = s->above + locs;
	for (uint32_t t = 0; t < threads; t++)
		s->nodes[t] = s->nodes_done[t] = s->after[t] = s->after_done[t] = s->g->threads.at[t].count;
	for (uint32_t l = 0; l < locs; l++) {
		s->above[l] = s->g->locs.at[l].co.count + 1;
		s->read[l] = UINT32_MAX;
	}
}

bool lp_psc_closes(const struct lp_graph *g, lp_eid e)
{
	const struct lp_event *event = lp_graph_event(g, e);

	LP_HOLDS(LP_LAST(&g->threads.at[event->thread]) == e && g->sc_fences <= g->sc_events);
	if (g->sc_events < 2 || !is_access(event) || co_rank(g, event) >= 2 * g->locs.at[event->loc].co.count)
		return false;
	const bool fenced = is_after_fence(g, e);
	if (event->order != LP_SC && !fenced)
		return false;

	uint32_t *memory = lp_alloc(sizeof *memory * (4 * g->threads.count + 2 * g->locs.count));
	struct search s = { .g = g, .event = e, .itself = event->order == LP_SC };
	begin(&s, memory);
	leave_upwards(&s, event);
	if (!closes(&s) && fenced) {
		s.itself = false; /* eco counts only in paths that leave fences, not accesses */
		leave_to_reads(&s, e);
		closes(&s);
	}
	lp_free(memory);
	LP_AGREES(!s.closed || lp_axioms_judge(&lp_model_rc11, g) != LP_AXIOMS_HOLD);
	return s.closed;
}
