/* tso.c -- x86: total store order.
 *
 *     ppo   = po & (M*M) \ (W*R)
 *     fence = po ; [MFENCE | locked] ; po
 *     acyclic (po & loc | rf | co | fr)                 as uniproc
 *     acyclic (ppo | fence | rfe | co | fr)             as ghb
 *
 * After Owens, Sarkar and Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009,
 * in the axiomatic form of "Herding Cats".  The C11 program is mapped to x86 as compilers map it:
 * relaxed, acquire and release accesses are plain ones, a seq_cst store is followed by a fence,
 * RMWs are locked, a seq_cst fence is a fence, and other fences are no instructions.
 *
 * The set of ancestors by ghb is not closed under po: a write need not be an ancestor of a read
 * after it in its thread.  But of each thread the set contains the reads up to one index and the
 * writes up to another, so two clocks represent it.
 *
 * If a location is accessed in parts, uniproc holds for each byte separately.  ghb contains the co
 * of the whole location, because that is the order in which stores leave the buffers.
 */
#include "base/error.h"
#include "graph/parts.h"
#include "model/model.h"

#include <assert.h>

static enum lp_order order(enum lp_event_kind kind, enum lp_order o)
{
	if (kind == LP_EV_FENCE || o == LP_PLAIN || o == LP_SC)
		return o;
	return LP_ACQREL;
}

struct past {
	uint32_t *reads, *writes; /* by thread: its reads (writes) with an index below this one are
	                           * ancestors */
	uint32_t *done_reads, *done_writes;
};

/* Adds all events of the thread before its `end`-th to the past. */
static void reach_all(struct past *p, uint32_t thread, uint32_t end)
{
	if (p->reads[thread] < end)
		p->reads[thread] = end;
	if (p->writes[thread] < end)
		p->writes[thread] = end;
}

static void reach(const struct lp_graph *g, struct past *p, lp_eid e)
{
	const struct lp_event *ev = lp_graph_event(g, e);
	uint32_t *which = ev->kind == LP_EV_WRITE ? p->writes : p->reads;

	if (ev->kind != LP_EV_READ && ev->kind != LP_EV_WRITE)
		reach_all(p, ev->thread, ev->index + 1);
	else if (which[ev->thread] <= ev->index)
		which[ev->thread] = ev->index + 1;
}

/* Does the event order everything before it in its thread before everything after it? */
static bool is_barrier(const struct lp_event *e)
{
	return e->locked || (e->kind == LP_EV_FENCE && e->order == LP_SC) ||
	       (e->kind == LP_EV_WRITE && e->order == LP_SC) || /* a fence follows it */
	       e->kind == LP_EV_SPAWN || e->kind == LP_EV_JOIN;
}

/* Creating a thread is a barrier in its parent, and the thread starts after it. */
static void reach_spawn(const struct lp_graph *g, struct past *p, uint32_t thread)
{
	const lp_eid spawn = g->threads.at[thread].spawn;

	if (spawn != LP_NO_EVENT)
		reach_all(p, g->ev.at[spawn].thread, g->ev.at[spawn].index + 1);
}

/* Adds the events of `thread` that are ordered before an access at `index` of the thread. */
static void reach_po(const struct lp_graph *g, struct past *p, uint32_t thread,
		     uint32_t index, bool write, bool locked)
{
	const struct lp_thread *t = &g->threads.at[thread];

	LP_HOLDS(index <= t->count);
	if (write || locked) {
		reach_all(p, thread, index);
	} else {
		if (p->reads[thread] < index)
			p->reads[thread] = index;
		for (uint32_t i = index; i-- > 0;) {
			if (is_barrier(lp_graph_event(g, t->at[i]))) {
				reach_all(p, thread, i + 1);
				break;
			}
		}
	}
	reach_spawn(g, p, thread);
}

static void follow(const struct lp_graph *g, struct past *p, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);

	if (lp_event_is_access(e))
		reach_po(g, p, e->thread, e->index, e->kind == LP_EV_WRITE, e->locked);
	else
		reach_spawn(g, p, e->thread);
	if (e->kind == LP_EV_READ && !e->keeps) {
		struct lp_sources s = lp_sources(g, e);
		for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT;)
			if (g->ev.at[w].thread != e->thread)
				reach(g, p, w);
	}
	if (e->kind == LP_EV_JOIN)
		reach_all(p, e->target, g->threads.at[e->target].count);
	LP_HOLDS(e->kind != LP_EV_JOIN || lp_graph_event(g, LP_LAST(&g->threads.at[e->target]))->kind == LP_EV_END);
	if (e->kind == LP_EV_WRITE) {
		const struct lp_loc *loc = &g->locs.at[e->loc];
		const lp_eid before = lp_graph_at(loc, e->pos - 1);
		if (before != LP_INIT)
			reach(g, p, before);
		for (uint32_t i = 0; i < loc->reads.count; i++)
			if (lp_reads_below(g, loc->reads.at[i], e, before))
				reach(g, p, loc->reads.at[i]);
	}
}

/* The highest position in co of which the ancestors, or the thread's own earlier accesses to the
 * location (uniproc), are aware. */
static uint32_t floor_of(const struct lp_graph *g, const struct lp_event *proto,
			 const struct past *p)
{
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	uint32_t floor = 0;

	for (uint32_t pos = loc->co.count; pos > 0; pos--) {
		const struct lp_event *w = lp_graph_event(g, loc->co.at[pos - 1]);
		if (w->index < p->writes[w->thread] || w->thread == proto->thread) {
			floor = pos;
			break;
		}
	}
	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const struct lp_event *r = lp_graph_event(g, loc->reads.at[i]);
		LP_HOLDS(r->rf >= LP_INIT || g->ev.at[r->rf].loc == proto->loc);
		if (r->rf >= LP_INIT || g->ev.at[r->rf].pos <= floor)
			continue;
		/* If an ancestor reads from a write of another thread, that write is an ancestor.
		 * If it reads from its own thread's write, it need not be one: rfi is not in ghb. */
		if (r->thread == proto->thread ||
		    (r->index < p->reads[r->thread] && g->ev.at[r->rf].thread != r->thread))
			floor = g->ev.at[r->rf].pos;
	}
	LP_HOLDS(floor <= loc->co.count && !proto->bytes);
	return floor;
}

/* The same for a location that is accessed in parts.  If an ancestor reads from another thread's
 * write, that write is an ancestor, too. */
static uint32_t floor_of_part(const struct lp_graph *g, const struct lp_event *proto,
			      const struct past *p)
{
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	uint32_t floor = 0, own = 0;

	for (uint32_t pos = loc->co.count; pos > 0; pos--) {
		const struct lp_event *w = lp_graph_event(g, loc->co.at[pos - 1]);
		if (!floor && w->index < p->writes[w->thread])
			floor = pos;
		if (!own && w->thread == proto->thread && lp_overlap(w, proto))
			own = pos;
	}
	if (proto->kind == LP_EV_READ)
		floor = lp_source_pos(g, proto->loc, floor, proto->bytes);
	floor = own > floor ? own : floor;
	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const struct lp_event *r = lp_graph_event(g, loc->reads.at[i]);
		if (r->rf >= LP_INIT || r->thread != proto->thread || !lp_overlap(r, proto))
			continue;
		const uint32_t pos = lp_source_pos(g, proto->loc, g->ev.at[r->rf].pos,
						   r->bytes & proto->bytes);
		floor = pos > floor ? pos : floor;
	}
	LP_HOLDS(floor <= loc->co.count && own <= floor);
	return floor;
}

static uint32_t tso_floor(const struct lp_graph *g, const struct lp_event *proto)
{
	if (!g->locs.at[proto->loc].used)
		return 0;

	/* If the newest write is the thread's own, uniproc alone decides. */
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	if (loc->co.count && !proto->bytes) {
		const struct lp_event *newest = lp_graph_event(g, LP_LAST(&loc->co));
		if (newest->thread == proto->thread && newest->index < proto->index)
			return loc->co.count;
	}

	const uint32_t width = g->threads.count;
	uint32_t clocks[4 * width];
	for (uint32_t i = 0; i < 4 * width; i++)
		clocks[i] = 0;
	struct past p = { clocks, clocks + width, clocks + 2 * width, clocks + 3 * width };

	LP_HOLDS(proto->index <= g->threads.at[proto->thread].count);
	reach_po(g, &p, proto->thread, proto->index,
		 proto->kind == LP_EV_WRITE, proto->locked);
	for (bool more = true; more;) {
		more = false;
		for (uint32_t t = 0; t < width; t++) {
			const struct lp_thread *th = &g->threads.at[t];
			for (; p.done_reads[t] < p.reads[t]; p.done_reads[t]++, more = true)
				if (g->ev.at[th->at[p.done_reads[t]]].kind != LP_EV_WRITE)
					follow(g, &p, th->at[p.done_reads[t]]);
			for (; p.done_writes[t] < p.writes[t]; p.done_writes[t]++, more = true)
				if (g->ev.at[th->at[p.done_writes[t]]].kind == LP_EV_WRITE)
					follow(g, &p, th->at[p.done_writes[t]]);
		}
	}
	return proto->bytes ? floor_of_part(g, proto, &p) : floor_of(g, proto, &p);
}

static bool accepts(const struct lp_graph *g, lp_eid e)
{
	(void)g, (void)e;
	return true;
}

const struct lp_model_class lp_model_tso = {
	.name = "tso", .order = order, .floor = tso_floor, .accepts = accepts,
};
