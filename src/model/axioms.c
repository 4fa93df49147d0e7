/* axioms.c -- the axioms of the models as in the papers. The heads of hb.c, sc.c, tso.c and rc11.c
 * list them. */
#include "model/axioms.h"

#include "base/alloc.h"
#include "base/relation.h"

struct axioms {
	const struct lp_graph *g;
	struct lp_arena arena;
	uint32_t n;
	struct lp_relation *po, *between; /* `between`: from a SPAWN to the thread's first event, and from its
	                                   * last event to a JOIN */
	struct lp_relation *rf, *co, *fr, *loc, *rmw;
	struct lp_relation *hb, *eco;
};

typedef bool property(const struct lp_event *);

static bool is_write(const struct lp_event *e) { return e->kind == LP_EV_WRITE; }
static bool is_fence(const struct lp_event *e) { return e->kind == LP_EV_FENCE; }
static bool is_access(const struct lp_event *e) { return e->kind == LP_EV_READ || e->kind == LP_EV_WRITE; }
static bool is_atomic_write(const struct lp_event *e) { return is_write(e) && e->order != LP_PLAIN; }
static bool is_atomic_read(const struct lp_event *e) { return e->kind == LP_EV_READ && e->order != LP_PLAIN; }
static bool is_release(const struct lp_event *e) { return (is_write(e) || is_fence(e)) && lp_order_releases(e->order); }
static bool is_acquire(const struct lp_event *e) { return !is_write(e) && lp_order_acquires(e->order); }
static bool is_sc(const struct lp_event *e) { return e->order == LP_SC; }
static bool is_sc_fence(const struct lp_event *e) { return is_fence(e) && is_sc(e); }

/* Is the event one that po \ loc relates? Choices of the explorer and starts of calls are not. */
static bool is_of_model(const struct lp_event *e) { return e->kind != LP_EV_CHOOSE && e->kind != LP_EV_CALL; }

/* ---- relations ---- */

static struct lp_relation *empty(struct axioms *a)
{
	return lp_relation_new(&a->arena, a->n);
}

static struct lp_relation *then(struct axioms *a, const struct lp_relation *r, const struct lp_relation *s)
{
	struct lp_relation *both = empty(a);

	lp_relation_compose(both, r, s);
	return both;
}

static struct lp_relation *either(struct axioms *a, const struct lp_relation *r, const struct lp_relation *s)
{
	struct lp_relation *both = empty(a);

	lp_relation_copy(both, r);
	lp_relation_union(both, s);
	return both;
}

static struct lp_relation *maybe(struct axioms *a, const struct lp_relation *r)
{
	struct lp_relation *reflexive = either(a, r, r);

	lp_relation_add_identity(reflexive);
	return reflexive;
}

/* [from] ; r ; [to].  NULL: any event. */
static struct lp_relation *within(struct axioms *a, property *from, const struct lp_relation *r, property *to)
{
	struct lp_relation *some = empty(a);

	for (lp_eid x = 0; x < a->n; x++)
		for (lp_eid y = 0; y < a->n; y++)
			if (lp_relation_has(r, x, y) && (!from || from(&a->g->ev.at[x])) && (!to || to(&a->g->ev.at[y])))
				lp_relation_add(some, x, y);
	return some;
}

static void relate_threads(struct axioms *a, lp_eid y)
{
	const struct lp_event *e = lp_graph_event(a->g, y);
	const struct lp_thread *t = &a->g->threads.at[e->thread];

	for (uint32_t i = 0; i < e->index; i++)
		lp_relation_add(a->po, t->at[i], y);
	if (!e->index && t->spawn != LP_NO_EVENT)
		lp_relation_add(a->between, t->spawn, y);
	if (e->kind == LP_EV_JOIN)
		lp_relation_add(a->between, LP_LAST(&a->g->threads.at[e->target]), y);
	if (is_write(e) && e->rmw)
		lp_relation_add(a->rmw, t->at[e->index - 1], y);
}

/* Adds the pair, two accesses to one location, to the relations. */
static void relate_accesses(struct axioms *a, lp_eid x, lp_eid y)
{
	const struct lp_event *d = lp_graph_event(a->g, x), *e = lp_graph_event(a->g, y);

	lp_relation_add(a->loc, x, y);
	if (!is_write(e)) {
		if (e->rf == x)
			lp_relation_add(a->rf, x, y);
	} else if (is_write(d)) {
		if (d->pos < e->pos)
			lp_relation_add(a->co, x, y);
	} else if (lp_graph_pos(a->g, d->rf) < e->pos) {
		lp_relation_add(a->fr, x, y);
	}
}

static void open(struct axioms *a)
{
	struct lp_relation **all[] = { &a->po, &a->between, &a->rf, &a->co, &a->fr, &a->loc, &a->rmw };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		*all[i] = empty(a);
	for (lp_eid y = 0; y < a->n; y++) {
		relate_threads(a, y);
		for (lp_eid x = 0; x < a->n; x++)
			if (is_access(&a->g->ev.at[x]) && is_access(&a->g->ev.at[y]) && a->g->ev.at[x].loc == a->g->ev.at[y].loc)
				relate_accesses(a, x, y);
	}
	a->eco = either(a, either(a, a->rf, a->co), a->fr);
	lp_relation_close(a->eco);
}

/* ---- axioms ---- */

static void derive_hb(struct axioms *a, bool stores_continue)
{
	struct lp_relation *po_loc = empty(a), *repeated = then(a, a->rf, a->rmw);

	if (stores_continue) {
		lp_relation_copy(po_loc, a->po);
		lp_relation_intersect(po_loc, a->loc);
	}
	lp_relation_close(repeated);
	const struct lp_relation *head = within(a, is_write, maybe(a, po_loc), is_atomic_write);
	const struct lp_relation *rs = then(a, head, maybe(a, repeated));
	const struct lp_relation *begin = within(a, is_release, maybe(a, within(a, is_fence, a->po, NULL)), NULL);
	const struct lp_relation *end = within(a, NULL, maybe(a, within(a, NULL, a->po, is_fence)), is_acquire);
	const struct lp_relation *sw = then(a, then(a, then(a, begin, rs), within(a, NULL, a->rf, is_atomic_read)), end);

	a->hb = either(a, either(a, a->po, a->between), sw);
	lp_relation_close(a->hb);
}

static bool clocks_agree(const struct axioms *a)
{
	for (lp_eid x = 0; x < a->n; x++)
		for (lp_eid y = 0; y < a->n; y++)
			if (lp_graph_hb(a->g, x, y) != (x == y || lp_relation_has(a->hb, x, y)))
				return false;
	return true;
}

static bool sc_holds(struct axioms *a)
{
	return lp_relation_acyclic(either(a, either(a, a->po, a->between), a->eco), NULL, NULL);
}

static bool is_barrier(const struct lp_event *e)
{
	return e->locked || is_sc_fence(e) || (is_write(e) && is_sc(e)) || e->kind == LP_EV_SPAWN || e->kind == LP_EV_JOIN;
}

/* x comes before y in po. Is this order preserved in memory? */
static bool is_preserved(const struct axioms *a, lp_eid x, lp_eid y)
{
	const struct lp_event *d = lp_graph_event(a->g, x), *e = lp_graph_event(a->g, y);
	bool fenced = !is_write(d) || e->kind != LP_EV_READ || e->locked;

	for (uint32_t i = d->index; i < e->index; i++)
		fenced |= is_barrier(lp_graph_event(a->g, a->g->threads.at[d->thread].at[i]));
	return (is_access(d) || is_barrier(d)) && (is_access(e) || is_barrier(e)) && fenced;
}

/* Is x the SPAWN of y's thread, or y a JOIN of x's thread? Then x comes first, because a thread begins, and
 * is joined, with an empty store buffer. */
static bool is_across(const struct axioms *a, lp_eid x, lp_eid y)
{
	const struct lp_event *d = lp_graph_event(a->g, x), *e = lp_graph_event(a->g, y);

	return (d->kind == LP_EV_SPAWN && d->target == e->thread) || (e->kind == LP_EV_JOIN && e->target == d->thread);
}

static bool tso_holds(struct axioms *a)
{
	struct lp_relation *uniproc = either(a, a->po, a->po), *ghb = either(a, a->co, a->fr);

	lp_relation_intersect(uniproc, a->loc);
	lp_relation_union(uniproc, a->eco);
	for (lp_eid x = 0; x < a->n; x++) {
		for (lp_eid y = 0; y < a->n; y++) {
			const bool external = a->g->ev.at[x].thread != a->g->ev.at[y].thread;
			if (external ? lp_relation_has(a->rf, x, y) || is_across(a, x, y)
				     : lp_relation_has(a->po, x, y) && is_preserved(a, x, y))
				lp_relation_add(ghb, x, y);
		}
	}
	return lp_relation_acyclic(uniproc, NULL, NULL) && lp_relation_acyclic(ghb, NULL, NULL);
}

static bool psc_holds(struct axioms *a)
{
	const struct lp_relation *hb = maybe(a, a->hb);
	/* The start of a thread is not in the graph, so the SPAWN also stands for it. */
	struct lp_relation *po = either(a, a->po, then(a, a->between, maybe(a, a->po)));
	struct lp_relation *elsewhere = within(a, is_of_model, po, is_of_model), *hb_loc = either(a, a->hb, a->hb);

	lp_relation_minus(elsewhere, a->loc);
	lp_relation_intersect(hb_loc, a->loc);
	const struct lp_relation *far = then(a, then(a, elsewhere, hb), elsewhere);
	const struct lp_relation *scb = either(a, either(a, either(a, a->po, far), hb_loc), either(a, a->co, a->fr));
	struct lp_relation *same = maybe(a, empty(a));
	const struct lp_relation *from = either(a, within(a, is_sc, same, NULL), within(a, is_sc_fence, hb, NULL));
	const struct lp_relation *to = either(a, within(a, is_sc, same, NULL), within(a, NULL, hb, is_sc_fence));
	const struct lp_relation *by_eco = either(a, a->hb, then(a, then(a, a->hb, a->eco), a->hb));

	return lp_relation_acyclic(either(a, then(a, then(a, from, scb), to), within(a, is_sc_fence, by_eco, is_sc_fence)), NULL, NULL);
}

static bool rc11_holds(struct axioms *a)
{
	return lp_relation_irreflexive(then(a, a->hb, maybe(a, a->eco))) && psc_holds(a);
}

typedef bool axioms_hold(struct axioms *);

/* Returns NULL if the axioms of the model are not written down here. */
static axioms_hold *axioms_of(const struct lp_model_class *model)
{
	if (model == &lp_model_sc)
		return sc_holds;
	if (model == &lp_model_tso)
		return tso_holds;
	if (model == &lp_model_ra || model == &lp_model_rc11 || model == &lp_model_rc11_c20)
		return rc11_holds;
	return NULL;
}

enum lp_axioms_answer lp_axioms_judge(const struct lp_model_class *model, const struct lp_graph *g)
{
	axioms_hold *const judge = axioms_of(model);
	struct axioms a = { .g = g, .n = g->ev.count };

	if (!judge || a.n > LP_AXIOMS_MOST)
		return LP_AXIOMS_UNKNOWN;
	for (lp_eid e = 0; e < a.n; e++)
		if (g->ev.at[e].bytes)
			return LP_AXIOMS_UNKNOWN;
	open(&a);
	derive_hb(&a, model->stores_continue);
	const bool hold = clocks_agree(&a) && judge(&a);
	lp_arena_close(&a.arena);
	return hold ? LP_AXIOMS_HOLD : LP_AXIOMS_BROKEN;
}
