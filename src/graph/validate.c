/* validate.c -- checks the invariants of a graph, and derives again everything that is derived. */
#include "graph/parts.h"

/* Do `elder` and `eldest` of the thread agree with the SPAWN events? */
static bool likes_are_fine(const struct lp_graph *g, uint32_t t)
{
	const struct lp_thread *th = &g->threads.at[t];
	uint32_t eldest = t;

	for (;;) {
		const lp_eid spawn = g->threads.at[eldest].spawn;
		if (spawn == LP_NO_EVENT || !g->ev.at[spawn].elder)
			break;
		if (eldest == t && th->elder != g->ev.at[spawn].elder - 1)
			return false;
		eldest = g->ev.at[spawn].elder - 1;
	}
	return th->eldest == eldest && (th->elder == LP_NO_THREAD) == (eldest == t);
}

/* G1: threads list their events, and ids increase along po. */
static bool threads_are_fine(const struct lp_graph *g)
{
	uint32_t seen = 0;

	for (uint32_t t = 0; t < g->threads.count; t++) {
		const struct lp_thread *th = &g->threads.at[t];
		for (uint32_t i = 0; i < th->count; i++, seen++) {
			const struct lp_event *e = lp_graph_event(g, th->at[i]);
			if (e->thread != t || e->index != i || (i && th->at[i] <= th->at[i - 1]))
				return false;
		}
		if ((th->count && !th->exists) || !likes_are_fine(g, t))
			return false;
	}
	return seen == g->ev.count;
}

/* G2: a read reads from a write to its location, and has the value of that write. */
static bool reads_are_fine(const struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		if (e->kind != LP_EV_READ)
			continue;
		if (e->rf != LP_INIT && e->rf >= g->ev.count)
			return false;
		if (e->rf != LP_INIT) {
			const struct lp_event *w = lp_graph_event(g, e->rf);
			if (w->kind != LP_EV_WRITE || w->loc != e->loc ||
			    (!e->rmw && !lp_overlap(w, e)))
				return false;
		}
		if (!e->keeps && !lp_value_equal(e->value, lp_graph_value(g, e->loc, lp_graph_pos(g, e->rf),
									   e->bytes)))
			return false;
	}
	return true;
}

/* G3: co lists the writes of each location, each RMW directly above what it read. */
static bool co_is_fine(const struct lp_graph *g)
{
	uint32_t listed = 0, writes = 0;

	for (uint32_t l = 0; l < g->locs.count; l++) {
		const struct lp_loc *loc = &g->locs.at[l];
		for (uint32_t p = 1; p <= loc->co.count; p++, listed++) {
			const struct lp_event *w = lp_graph_event(g, loc->co.at[p - 1]);
			if (w->kind != LP_EV_WRITE || w->loc != l || w->pos != p)
				return false;
			if (w->rmw && lp_graph_event(g, lp_graph_before(g, w->thread, w->index))->rf !=
					      lp_graph_at(loc, p - 1))
				return false;
		}
	}
	for (lp_eid id = 0; id < g->ev.count; id++)
		writes += g->ev.at[id].kind == LP_EV_WRITE;
	return listed == writes;
}

/* Does b's clock contain a, and everything that a's clock contains, as an edge a -> b requires? */
static bool covers(const struct lp_graph *g, lp_eid b, lp_eid a, unsigned which)
{
	return lp_clock_within(lp_graph_clock(g, a, which), lp_graph_clock(g, b, which), g->width);
}

/* G4: the clocks of an event count the event, and contain the clocks of all its predecessors. */
static bool clocks_are_fine(const struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		const lp_eid before = lp_graph_before(g, e->thread, e->index);

		for (unsigned which = LP_CLOCK_PORF; which <= LP_CLOCK_HB; which++) {
			if (lp_graph_clock(g, id, which)[e->thread] != e->index + 1)
				return false;
			if (before != LP_NO_EVENT && !covers(g, id, before, which))
				return false;
			if (e->kind == LP_EV_JOIN &&
			    !covers(g, id, LP_LAST(&g->threads.at[e->target]), which))
				return false;
		}
		if (e->kind == LP_EV_READ && e->rf < LP_INIT && !covers(g, id, e->rf, LP_CLOCK_PORF))
			return false;
		/* Happens-before is within po | rf. */
		if (!lp_clock_within(lp_graph_clock(g, id, LP_CLOCK_HB), lp_graph_clock(g, id, LP_CLOCK_PORF), g->width))
			return false;
	}
	return true;
}

bool lp_graph_validate(const struct lp_graph *g)
{
	return threads_are_fine(g) && reads_are_fine(g) && co_is_fine(g) && clocks_are_fine(g);
}
