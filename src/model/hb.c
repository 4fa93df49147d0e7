/* hb.c -- happens-before, as C11 has it.
 *
 *     rs = [W] ; (po & loc)? ; [W & atomic] ; (rf ; rmw)*         C11
 *     rs = [W & atomic] ; (rf ; rmw)*                             C++20
 *     sw = [rel] ; ([F] ; po)? ; rs ; rf ; [R & atomic] ; (po ; [F])? ; [acq]
 *     hb = (po | sw | spawn | join)+
 *
 * Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing Sequential Consistency in
 * C/C++11", PLDI 2017, with rs as in C11.  C++20 (P0982) took "(po & loc)?" out of rs; the model
 * says which of the two definitions holds.  They differ only for stores that are not releases.
 *
 * Each write carries in its msg clock the join of hb over the release events whose
 * release sequence it is in.  Since hb clocks grow along po, only the last such event of the writing
 * thread matters.  An RMW adds the msg clock of the write that it reads from to its own (rf ; rmw).
 *
 * If a location is accessed in parts, a read synchronises with each of its sources, and an RMW adds
 * the msg clocks of all sources of its read. "po & loc" relates a release write to a later write
 * all of whose bytes the release write has written.
 */
#include "base/error.h"
#include "graph/parts.h"
#include "model/model.h"

#include <assert.h>
#include <string.h>

/* The last release write before e in its thread to the location of e; in parts, to all bytes of e. */
static lp_eid last_release(const struct lp_graph *g, const struct lp_event *e)
{
	const struct lp_loc *loc = &g->locs.at[e->loc];

	LP_HOLDS(lp_graph_event(g, loc->co.at[e->pos - 1]) == e);
	for (uint32_t pos = e->pos; pos-- > 1;) { /* co agrees with po */
		const struct lp_event *d = lp_graph_event(g, loc->co.at[pos - 1]);
		LP_HOLDS(d->thread != e->thread || d->index < e->index);
		if (d->thread == e->thread && !(e->bytes & ~d->bytes) && lp_order_releases(d->order))
			return loc->co.at[pos - 1];
	}
	return LP_NO_EVENT;
}

/* Adds the events that an acquiring read learns of to the clock. */
static void learn(const struct lp_graph *g, const struct lp_event *read, uint32_t *clock)
{
	struct lp_sources s = lp_sources(g, read);

	LP_HOLDS(read->kind == LP_EV_READ && read->rf != LP_NO_EVENT && !read->keeps);
	for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT;) {
		LP_HOLDS(lp_graph_event(g, w)->kind == LP_EV_WRITE && lp_graph_event(g, w)->loc == read->loc);
		lp_clock_join(clock, lp_graph_clock(g, w, LP_CLOCK_MSG), g->width);
	}
}

/* The same for a faint read (enum lp_faint in graph.h). */
static void learn_early(const struct lp_graph *g, const struct lp_event *read, uint32_t *clock)
{
	if (read->faint != LP_FAINT_EARLY || read->rf >= LP_INIT)
		return;
	const struct lp_thread *t = &g->threads.at[lp_graph_event(g, read->rf)->thread];
	const uint32_t *msg = lp_graph_clock(g, read->rf, LP_CLOCK_MSG);
	uint32_t i = 0;

	while (i < t->count && !lp_graph_event(g, t->at[i])->late)
		i++;
	const lp_eid before = i ? t->at[i - 1] : t->spawn;
	if (before == LP_NO_EVENT)
		return;
	const uint32_t writer = lp_graph_event(g, read->rf)->thread;
	const uint32_t *early = lp_graph_clock(g, before, LP_CLOCK_HB);
	const bool loose = i < t->count && lp_graph_event(g, t->at[i])->loose;
	for (uint32_t n = 0; n < g->width; n++) {
		/* A loose read orders only the plain accesses of the writing thread. */
		const uint32_t knew = n == writer && loose ? i + 1 : early[n], both = knew < msg[n] ? knew : msg[n];
		clock[n] = both > clock[n] ? both : clock[n];
	}
}

static void fill_message(const struct lp_model_class *model, struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_thread *t = &g->threads.at[e->thread];
	uint32_t *msg = lp_graph_clock(g, id, LP_CLOCK_MSG);

	LP_HOLDS(!e->fence || lp_graph_event(g, t->at[e->fence - 1])->kind == LP_EV_FENCE);
	if (lp_order_releases(e->order))
		lp_clock_copy(msg, lp_graph_clock(g, id, LP_CLOCK_HB), g->width);
	else
		memset(msg, 0, sizeof *msg * g->width);
	if (e->order == LP_PLAIN)
		return;
	if (!lp_order_releases(e->order)) {
		const lp_eid head = model->stores_continue ? last_release(g, e) : LP_NO_EVENT;
		if (head != LP_NO_EVENT)
			lp_clock_join(msg, lp_graph_clock(g, head, LP_CLOCK_HB), g->width);
		if (e->fence)
			lp_clock_join(msg, lp_graph_clock(g, t->at[e->fence - 1], LP_CLOCK_HB),
				      g->width);
	}
	if (e->rmw) {
		const struct lp_event *read = lp_graph_event(g, t->at[e->index - 1]);
		assert(read->kind == LP_EV_READ && read->rmw);
		if (!read->keeps)
			learn(g, read, msg);
		LP_HOLDS(read->loc == e->loc && lp_graph_pos(g, read->rf) < e->pos);
	}
}

/* The msg and hb clocks of an event contain only events in its porf clock. */
static bool clocks_are_within_porf(const struct lp_graph *g, lp_eid id)
{
	const uint32_t *porf = lp_graph_clock(g, id, LP_CLOCK_PORF);

	return lp_clock_within(lp_graph_clock(g, id, LP_CLOCK_HB), porf, g->width) &&
	       (lp_graph_event(g, id)->kind != LP_EV_WRITE ||
		lp_clock_within(lp_graph_clock(g, id, LP_CLOCK_MSG), porf, g->width));
}
void lp_model_synchronise(const struct lp_model_class *model, struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	uint32_t *hb = lp_graph_clock(g, id, LP_CLOCK_HB);

	LP_HOLDS(LP_LAST(&g->threads.at[e->thread]) == id && hb[e->thread] == e->index + 1);

	if (e->kind == LP_EV_READ) {
		if (e->faint)
			learn_early(g, e, hb);
		else if (lp_order_acquires(e->order) && !e->keeps)
			learn(g, e, hb);
	} else if (e->kind == LP_EV_WRITE) {
		fill_message(model, g, id);
	} else if (e->kind == LP_EV_FENCE && lp_order_acquires(e->order)) {
		const struct lp_thread *t = &g->threads.at[e->thread];
		for (uint32_t i = e->index; i-- > 0;) {
			const struct lp_event *r = lp_graph_event(g, t->at[i]);
			if (r->kind == LP_EV_FENCE && lp_order_acquires(r->order))
				break; /* it has learned of everything before that */
			if (r->kind == LP_EV_READ && r->order != LP_PLAIN && !r->keeps && !r->faint)
				learn(g, r, hb);
		}
	}
	LP_VALID(clocks_are_within_porf(g, id));
}

uint32_t lp_model_floor_of(const struct lp_graph *g, const struct lp_event *proto,
			   const uint32_t *past)
{
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	LP_HOLDS(lp_event_is_access(proto));
	uint32_t floor = 0;

	if (!past || !loc->used)
		return 0;
	for (uint32_t p = loc->co.count; p > 0; p--) {
		const struct lp_event *w = lp_graph_event(g, loc->co.at[p - 1]);
		if (lp_clock_has(past, w) && lp_overlap(w, proto)) {
			floor = p;
			break;
		}
	}
	for (uint32_t i = loc->reads.count; i-- > 0;) {
		const struct lp_event *r = lp_graph_event(g, loc->reads.at[i]);
		/* A read that is about to get another rf has the rf LP_NO_EVENT. */
		if ((r->loose && r->thread != proto->thread) || r->rf >= LP_INIT || g->ev.at[r->rf].pos <= floor || !lp_clock_has(past, r) ||
		    !lp_overlap(r, proto))
			continue;
		const uint32_t pos = lp_source_pos(g, proto->loc, g->ev.at[r->rf].pos,
						   r->bytes & proto->bytes);
		floor = pos > floor ? pos : floor;
	}
	LP_HOLDS(floor <= loc->co.count);
	return floor;
}
