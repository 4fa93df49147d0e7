/* calls.c -- relations between the calls of an execution. */
#include "model/calls.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "graph/parts.h"

void lp_calls_close(struct lp_calls *c)
{
	lp_free(c->rank);
	c->rank = NULL;
	c->rank_room = 0;
}

static lp_eid first_of(const struct lp_graph *g, const struct lp_call_span *s)
{
	return g->threads.at[s->thread].at[s->first];
}

static lp_eid last_of(const struct lp_graph *g, const struct lp_call_span *s)
{
	return g->threads.at[s->thread].at[s->end - 1];
}

/* The rank of the event in co: a read ranks directly above the write that it reads from.  Of two
 * events on a location the one with the higher rank is later in eco; events with equal ranks are
 * reads of the same write. */
static uint32_t co_rank(const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->kind == LP_EV_WRITE || (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT));
	return e->kind == LP_EV_WRITE ? 2 * e->pos : 2 * lp_graph_pos(g, e->rf) + 1;
}

static bool is_access(const struct lp_event *e)
{
	/* A read that waits has no rf: it has not taken place. */
	return e->kind == LP_EV_WRITE || (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT);
}

static uint32_t *need_scratch(struct lp_calls *c, uint32_t n)
{
	if (n > c->rank_room) {
		c->rank_room = 2 * n;
		c->rank = lp_realloc(c->rank, sizeof *c->rank * c->rank_room);
	}
	return c->rank;
}

static void find_happens(struct lp_calls *c, const struct lp_graph *g)
{
	for (uint32_t b = 0; b < c->count; b++) {
		const uint32_t *clock = lp_graph_clock(g, last_of(g, &c->at[b]), LP_CLOCK_HB);
		for (uint32_t a = 0; a < c->count; a++)
			if (clock[c->at[a].thread] > c->at[a].first)
				c->happens[a] |= UINT32_C(1) << b;
	}
}

/* Per location and call: the highest rank in the past of its last event, plus one, and the
 * lowest rank in the future of its first event. */
static void find_clashes(struct lp_calls *c, const struct lp_graph *g)
{
	const uint32_t n = c->count, locs = g->used.count, need = 2 * n * locs + g->locs.count;

	uint32_t *highest = need_scratch(c, need), *lowest = highest + n * locs, *row = lowest + n * locs;
	memset(highest, 0, sizeof *highest * n * locs);
	memset(lowest, 0xff, sizeof *lowest * n * locs);
	for (uint32_t i = 0; i < locs; i++)
		row[g->used.at[i]] = i * n;

	const uint32_t *past[LP_CALLS];
	for (uint32_t b = 0; b < n; b++)
		past[b] = lp_graph_clock(g, last_of(g, &c->at[b]), LP_CLOCK_HB);
	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		if (!is_access(e) || e->bytes)
			continue;
		const uint32_t rank = co_rank(g, e);
		const uint32_t *hb = lp_graph_clock(g, id, LP_CLOCK_HB);
		uint32_t *high = highest + row[e->loc], *low = lowest + row[e->loc];
		for (uint32_t a = 0; a < n; a++) {
			if (lp_clock_has(past[a], e) && high[a] <= rank)
				high[a] = rank + 1;
			if (hb[c->at[a].thread] > c->at[a].first && low[a] > rank)
				low[a] = rank;
		}
	}
	for (uint32_t i = 0; i < locs; i++) {
		const uint32_t *high = highest + i * n, *low = lowest + i * n;
		for (uint32_t b = 0; b < n; b++)
			for (uint32_t a = 0; a < n; a++)
				if (high[b] && high[b] - 1 > low[a])
					c->clashes[b] |= UINT32_C(1) << a;
	}
}

/* ---- reaching ---- */

/* The calls from whose first event an immediate edge leads to e. */
static uint32_t from_before(const struct lp_graph *g, const uint32_t *from,
			    const struct lp_event *e, bool sc)
{
	const lp_eid before = lp_graph_before(g, e->thread, e->index);
	uint32_t calls = 0;

	if (before != LP_NO_EVENT)
		calls |= from[before];
	if (e->kind == LP_EV_READ && !e->keeps) {
		struct lp_sources s = lp_sources(g, e);
		for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT;)
			calls |= from[w];
	}
	if (e->kind == LP_EV_JOIN && g->threads.at[e->target].count)
		calls |= from[LP_LAST(&g->threads.at[e->target])];
	if (sc && e->kind == LP_EV_WRITE) {
		const struct lp_loc *loc = &g->locs.at[e->loc];
		LP_HOLDS(lp_graph_event(g, loc->co.at[e->pos - 1]) == e);
		const lp_eid overwritten = lp_graph_at(loc, e->pos - 1);
		if (overwritten != LP_INIT)
			calls |= from[overwritten];
		for (uint32_t i = 0; i < loc->reads.count; i++)
			if (lp_reads_below(g, loc->reads.at[i], e, overwritten))
				calls |= from[loc->reads.at[i]];
	}
	return calls;
}

/* Computes `reaches`, by (po | rf)*, and under sc by (po | rf | co | fr)*. The porf clocks cannot
 * be used, because with like threads they contain more than po and rf. */
static void find_reaches(struct lp_calls *c, const struct lp_graph *g, bool sc)
{
	const uint32_t n = g->ev.count;
	uint32_t *from = need_scratch(c, n);

	memset(from, 0, sizeof *from * n);
	for (uint32_t a = 0; a < c->count; a++)
		from[first_of(g, &c->at[a])] |= UINT32_C(1) << a;
	for (bool more = true; more;) {
		more = false;
		for (lp_eid id = 0; id < n; id++) {
			const uint32_t calls =
				from[id] | from_before(g, from, lp_graph_event(g, id), sc);
			more |= calls != from[id];
			from[id] = calls;
		}
	}
	for (uint32_t b = 0; b < c->count; b++) {
		const uint32_t calls = from[last_of(g, &c->at[b])];
		for (uint32_t a = 0; a < c->count; a++)
			c->reaches[a] |= (calls >> a & 1) << b;
		if (sc)
			c->clashes[b] = calls;
	}
}

static bool has_parts(const struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++)
		if (lp_graph_event(g, id)->bytes)
			return true;
	return false;
}

static bool has_partial_locks(const struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++)
		if (lp_graph_event(g, id)->partial)
			return true;
	return false;
}

static bool calls_are_apart(const struct lp_calls *c)
{
	for (uint32_t a = 0; a < c->count; a++)
		for (uint32_t b = 0; b < a; b++)
			if (c->at[a].thread == c->at[b].thread && c->at[a].first < c->at[b].end && c->at[b].first < c->at[a].end)
				return false;
	return true;
}

/* Every call reaches itself, by po.  Under sc, clashes is the inverse of reaches. */
static bool reaches_is_fine(const struct lp_calls *c, bool sc)
{
	for (uint32_t a = 0; a < c->count; a++) {
		if (!(c->reaches[a] >> a & 1))
			return false;
		for (uint32_t b = 0; sc && b < c->count; b++)
			if ((c->reaches[a] >> b & 1) != (c->clashes[b] >> a & 1))
				return false;
	}
	return true;
}
static bool happens_is_within_reaches(const struct lp_calls *c)
{
	for (uint32_t a = 0; a < c->count; a++)
		if (c->happens[a] & ~c->reaches[a])
			return false;
	return true;
}

void lp_calls_relate(struct lp_calls *c, const struct lp_graph *g,
		     const struct lp_model_class *model)
{
	const bool sc = model == &lp_model_sc;

	for (uint32_t a = 0; a < c->count; a++)
		LP_HOLDS(c->at[a].first < c->at[a].end && c->at[a].end <= g->threads.at[c->at[a].thread].count);
	LP_HOLDS(c->count <= LP_CALLS);
	LP_VALID(calls_are_apart(c));
	memset(c->reaches, 0, sizeof c->reaches);
	memset(c->happens, 0, sizeof c->happens);
	memset(c->clashes, 0, sizeof c->clashes);
	find_reaches(c, g, sc);
	if (sc) {
		memcpy(c->happens, c->reaches, sizeof c->happens);
	} else {
		find_happens(c, g);
		find_clashes(c, g);
	}
	LP_VALID(happens_is_within_reaches(c));
	LP_VALID(reaches_is_fine(c, sc));
	memcpy(c->given, c->happens, sizeof c->given);
	if (model->by_hb && has_partial_locks(g))
		lp_calls_discount(c, g, model);
	c->exact = sc || (model->coherence_suffices && g->sc_events < 2 && !has_parts(g));
}
