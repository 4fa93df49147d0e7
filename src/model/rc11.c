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
 * Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017; hb is in hb.c.  The floor (model.h) ensures
 * coherence.  The explorer ensures atomicity: an RMW's write directly follows its rf.  po | rf is
 * acyclic because a graph only ever grows at its ends.  The axiom `sc` is checked in psc.c.
 *
 * If a location is accessed in parts, eco is taken for each byte, and loc relates two accesses with a
 * common byte.
 *
 * ra is rc11 in which every atomic access, even a seq_cst one, is acquire and release; fences keep
 * their meaning.
 */
#include "graph/parts.h"
#include "model/model.h"
#include "model/psc.h"

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

/* A read of several bytes has a source for each byte.  Synchronising with the source of one byte, it
 * may learn that another byte was overwritten after its source. */
static bool knows_its_bytes(const struct lp_graph *g, lp_eid e)
{
	const struct lp_event *event = lp_graph_event(g, e);

	return event->kind != LP_EV_READ || event->keeps ||
	       lp_model_floor_of(g, event, lp_graph_clock(g, e, LP_CLOCK_HB)) <= lp_graph_pos(g, event->rf);
}

static bool rc11_accepts(const struct lp_graph *g, lp_eid e)
{
	return (!lp_graph_event(g, e)->bytes || knows_its_bytes(g, e)) && !lp_psc_closes(g, e);
}

const struct lp_model_class lp_model_rc11 = {
	.name = "rc11", .order = rc11_order, .floor = hb_floor, .accepts = rc11_accepts, .stores_continue = true, .by_hb = true,
	.coherence_suffices = true,
};
const struct lp_model_class lp_model_rc11_c20 = {
	.name = "rc11-c20", .order = rc11_order, .floor = hb_floor, .accepts = rc11_accepts, .by_hb = true,
	.coherence_suffices = true,
};
const struct lp_model_class lp_model_ra = {
	.name = "ra", .order = ra_order, .floor = hb_floor, .accepts = rc11_accepts, .by_hb = true,
	.coherence_suffices = true,
};
