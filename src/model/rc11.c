/* rc11.c -- the repaired C11 model, and release/acquire.
 *
 *     fr  = rf^-1 ; co             eco = (rf | co | fr)+
 *     irreflexive (hb ; eco?)                              as coherence
 *     empty (rmw & (fr ; co))                              as atomicity
 *     scb = po | (po \ loc) ; hb ; (po \ loc) | (hb & loc) | co | fr
 *     psc_base = ([SC] | [F & SC] ; hb?) ; scb ; ([SC] | hb? ; [F & SC])
 *     psc_F    = [F & SC] ; (hb | hb ; eco ; hb) ; [F & SC]
 *     acyclic (psc_base | psc_F)                           as sc
 *     acyclic (po | rf)                                    as no-thin-air
 *
 * Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017; hb is in hb.c.  Coherence is the
 * floor, atomicity is kept by the explorer (an RMW's write directly follows its rf), and
 * po | rf is acyclic because a graph only ever grows at its ends.  Here: sc.
 *
 * Of a location that is accessed in parts, eco is that of each byte, and loc is having one in common.
 *
 * ra is rc11 with every atomic access taken as acquire and release, the seq_cst ones
 * included; fences keep their meaning.
 */
#include "graph/parts.h"
#include "model/model.h"

#include <assert.h>
#include <string.h>

static enum lp_order rc11_order(enum lp_event_kind kind, enum lp_order o)
{
	(void)kind;
	return o;
}

static enum lp_order ra_order(enum lp_event_kind kind, enum lp_order o)
{
	if (kind == LP_EV_FENCE || o == LP_PLAIN)
		return o;
	return LP_ACQREL;
}

static uint32_t hb_floor(const struct lp_graph *g, const struct lp_event *proto)
{
	return lp_model_floor_of(g, proto, lp_model_past(g, proto->thread, proto->index));
}

static bool is_access(const struct lp_event *e)
{
	return (e->kind == LP_EV_READ && !e->keeps) || e->kind == LP_EV_WRITE;
}

static bool same_loc(const struct lp_event *a, const struct lp_event *b)
{
	return is_access(a) && is_access(b) && a->loc == b->loc && lp_overlap(a, b);
}

/* Where the event stands in co: reads directly above what they read from. */
static uint32_t co_rank(const struct lp_graph *g, const struct lp_event *e)
{
	return e->kind == LP_EV_WRITE ? 2 * e->pos : 2 * lp_graph_pos(g, e->rf) + 1;
}

/* a (co | fr) b */
static bool co_or_fr(const struct lp_graph *g, lp_eid a, lp_eid b)
{
	const struct lp_event *x = lp_graph_event(g, a), *y = lp_graph_event(g, b);

	return same_loc(x, y) && y->kind == LP_EV_WRITE && co_rank(g, x) < co_rank(g, y);
}

/* a eco b: later in co, or reading from a, or from what is later. */
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

/* Is b, in po with a, an event of the model (not a choice, or the start of a thread)
 * that is not at a's location? */
static bool is_elsewhere(const struct lp_event *a, const struct lp_event *b)
{
	return (is_access(b) || b->kind == LP_EV_FENCE) && !same_loc(a, b);
}

/* The first event after, or last one before, `e` in po at another location. */
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
	return LP_NO_EVENT;
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
	/* The earliest way out of x's thread and the latest into y's are the best ones. */
	const lp_eid out = next_elsewhere(g, a), in = prev_elsewhere(g, b);
	return out != LP_NO_EVENT && in != LP_NO_EVENT && lp_graph_hb(g, out, in);
}

/* a psc b, for a and b seq_cst. */
static bool psc(const struct lp_graph *g, lp_eid a, lp_eid b)
{
	const bool from_fence = lp_graph_event(g, a)->kind == LP_EV_FENCE;
	const bool to_fence = lp_graph_event(g, b)->kind == LP_EV_FENCE;
	const uint32_t n = g->ev.count;

	if (scb(g, a, b) || (from_fence && to_fence && lp_graph_hb(g, a, b)))
		return true;
	if (!from_fence && !to_fence)
		return false;
	for (lp_eid x = from_fence ? 0 : a; x < (from_fence ? n : a + 1); x++) {
		if (x != a && !lp_graph_hb(g, a, x))
			continue;
		for (lp_eid y = to_fence ? 0 : b; y < (to_fence ? n : b + 1); y++) {
			if (y != b && !lp_graph_hb(g, y, b))
				continue;
			if (scb(g, x, y) || (from_fence && to_fence && x != a && y != b && eco(g, x, y)))
				return true;
		}
	}
	return false;
}

/* Is there a cycle of psc?  Depth-first, from every node, each edge asked once. */
struct search {
	const struct lp_graph *g;
	const lp_eid *node;
	uint32_t count;
	uint8_t *mark; /* 0 not seen, 1 on the path, 2 done */
};

static bool on_cycle(struct search *s, uint32_t at)
{
	s->mark[at] = 1;
	for (uint32_t next = 0; next < s->count; next++) {
		if (next == at || s->mark[next] == 2 || !psc(s->g, s->node[at], s->node[next]))
			continue;
		if (s->mark[next] == 1 || on_cycle(s, next))
			return true;
	}
	s->mark[at] = 2;
	return false;
}

/* Is nothing after the event in co or fr? */
static bool is_last(const struct lp_graph *g, const struct lp_event *e)
{
	return !is_access(e) || co_rank(g, e) >= 2 * g->locs.at[e->loc].co.count;
}

/* A read of several bytes may learn from the source of one that another one was overwritten above
 * what it reads there. */
static bool knows_its_bytes(const struct lp_graph *g, lp_eid e)
{
	const struct lp_event *event = lp_graph_event(g, e);

	return event->kind != LP_EV_READ || event->keeps ||
	       lp_model_floor_of(g, event, lp_graph_clock(g, e, LP_CLOCK_HB)) <= lp_graph_pos(g, event->rf);
}

/* A new cycle goes through the new event, or, between fences, leaves it by the scb of a path that
 * came to it by hb.  Nothing is after it in po or hb, so it leaves by co or fr: where that leads
 * nowhere, there is none.  (A write that revisits a read is before that in hb; the read is last
 * then, too, if the write is.)  Most events are last, and they need no search.
 *
 * Without seq_cst fences, an event that is not seq_cst adds no psc edge: co and fr lead
 * from or to the new event itself, hb never from it. */
static bool rc11_accepts(const struct lp_graph *g, lp_eid e)
{
	const struct lp_event *event = lp_graph_event(g, e);

	if (event->bytes && !knows_its_bytes(g, e))
		return false;
	if (g->sc_events < 2 || (!g->sc_fences && event->order != LP_SC) || is_last(g, event))
		return true;

	lp_eid node[g->sc_events];
	uint8_t mark[g->sc_events];
	uint32_t count = 0;
	for (lp_eid id = 0; id < g->ev.count; id++)
		if (lp_graph_event(g, id)->order == LP_SC)
			node[count++] = id;
	assert(count == g->sc_events);
	memset(mark, 0, sizeof mark);

	struct search s = { g, node, count, mark };
	for (uint32_t i = 0; i < count; i++)
		if (!mark[i] && on_cycle(&s, i))
			return false;
	return true;
}

const struct lp_model_class lp_model_rc11 = { "rc11", rc11_order, hb_floor, rc11_accepts };
const struct lp_model_class lp_model_ra = { "ra", ra_order, hb_floor, rc11_accepts };
