/* sc.c -- sequential consistency.
 *
 *     fr = rf^-1 ; co
 *     acyclic (po | rf | co | fr)            as sc
 *
 * After Alglave, Maranget and Tautschnig, "Herding Cats", TOPLAS 2014.
 *
 * The past of an event consists of its ancestors by these four relations.  The set is closed under po,
 * so a clock represents it.  A worklist computes this clock: it has the events that were added to the
 * clock and not followed yet.  Only immediate edges are followed, because po and co are transitive,
 * and an fr is an immediate fr followed by co.  If a location is accessed in parts, this is not so: there
 * an fr skips the writes to other bytes.
 */
#include "base/error.h"
#include "graph/parts.h"
#include "model/model.h"

#include <assert.h>

static enum lp_order order(enum lp_event_kind kind, enum lp_order o)
{
	/* Every read synchronises with the write that it reads from, as in an interleaving. */
	(void)kind;
	return o == LP_PLAIN ? LP_PLAIN : LP_ACQREL;
}

/* The ancestors found so far, as a clock, and for each thread how many of them have been followed. */
struct past {
	uint32_t *has, *done;
};

static void reach(const struct lp_graph *g, struct past *p, lp_eid e)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	LP_HOLDS(p->done[ev->thread] <= p->has[ev->thread]);
	if (p->has[ev->thread] <= ev->index)
		p->has[ev->thread] = ev->index + 1;
}

static void follow(const struct lp_graph *g, struct past *p, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);

	switch ((enum lp_event_kind)e->kind) {
	case LP_EV_READ:
		if (e->rf < LP_INIT)
			reach(g, p, e->rf);
		break;
	case LP_EV_WRITE: {
		const struct lp_loc *loc = &g->locs.at[e->loc];
		LP_HOLDS(loc->co.at[e->pos - 1] == id);
		const lp_eid before = lp_graph_at(loc, e->pos - 1);
		if (before != LP_INIT)
			reach(g, p, before);
		for (uint32_t i = 0; i < loc->reads.count; i++)
			if (lp_reads_below(g, loc->reads.at[i], e, before))
				reach(g, p, loc->reads.at[i]);
		break;
	}
	case LP_EV_JOIN:
		LP_HOLDS(lp_graph_event(g, LP_LAST(&g->threads.at[e->target]))->kind == LP_EV_END);
		reach(g, p, LP_LAST(&g->threads.at[e->target]));
		break;
	case LP_EV_FENCE:
	case LP_EV_SPAWN:
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
	case LP_EV_END:
		break;
	}
	if (!e->index && g->threads.at[e->thread].spawn != LP_NO_EVENT)
		reach(g, p, g->threads.at[e->thread].spawn);
}

/* The floor that the ancestors of `last`, the event before `proto`, give. */
static uint32_t searched_floor(const struct lp_graph *g, const struct lp_event *proto, lp_eid last)
{
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	const uint32_t width = g->threads.count;
	uint32_t has[width], done[width];
	for (uint32_t t = 0; t < width; t++)
		has[t] = done[t] = 0;
	struct past p = { has, done };

	reach(g, &p, last);
	for (bool more = true; more;) {
		more = false;
		for (uint32_t t = 0; t < width; t++) {
			while (done[t] < has[t]) {
				follow(g, &p, g->threads.at[t].at[done[t]++]);
				more = true;
			}
		}
	}
	/* The rf of a read in the past is in the past, too, so only writes matter. */
	uint32_t floor = loc->co.count;
	while (floor && !lp_clock_has(has, lp_graph_event(g, loc->co.at[floor - 1])))
		floor--;
	return lp_source_pos(g, proto->loc, floor, proto->kind == LP_EV_READ ? proto->bytes : 0);
}

static uint32_t sc_floor(const struct lp_graph *g, const struct lp_event *proto)
{
	const lp_eid last = lp_graph_before(g, proto->thread, proto->index);
	if (last == LP_NO_EVENT || !g->locs.at[proto->loc].used)
		return 0;

	/* Usually the clocks already show that the newest write is in the past. */
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	if (!loc->co.count || !lp_graph_porf(g, LP_LAST(&loc->co), last))
		return searched_floor(g, proto, last);
	const uint32_t floor = lp_source_pos(g, proto->loc, loc->co.count, proto->kind == LP_EV_READ ? proto->bytes : 0);
	LP_AGREES(floor == searched_floor(g, proto, last));
	return floor;
}

static bool accepts(const struct lp_graph *g, lp_eid e)
{
	(void)g, (void)e;
	return true;
}

const struct lp_model_class lp_model_sc = {
	.name = "sc", .order = order, .floor = sc_floor, .accepts = accepts, .one_memory = true,
};
