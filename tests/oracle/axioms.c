/* axioms.c -- sc, tso, ra and rc11, written as in a .cat file.
 *
 *     fr  = (rf^-1 ; co) \ id
 *     eco = (rf | co | fr)+
 *     atomicity, in all models: no write lies between an RMW and what it reads
 *
 * sc    Lamport 1979; Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014
 * tso   Owens, Sarkar, Sewell 2009, in the form of "Herding Cats"
 * rc11  Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
 */
#include "axioms.h"

#include "base/error.h"

const char *const axiom_model_names[] = {
	[LP_MODEL_SC] = "sc", [LP_MODEL_TSO] = "tso", [LP_MODEL_RA] = "ra", [LP_MODEL_RC11] = "rc11",
	[LP_MODEL_RC11_C20] = "rc11-c20",
};

static bool is_rc11(enum lp_model model)
{
	return model == LP_MODEL_RC11 || model == LP_MODEL_RC11_C20;
}

static bool releases(const struct axiom_event *e)
{
	return e->order == LP_REL || e->order == LP_ACQREL || e->order == LP_SC;
}

static bool acquires(const struct axiom_event *e)
{
	return e->order == LP_ACQ || e->order == LP_ACQREL || e->order == LP_SC;
}

/* ra: every atomic access is acquire, release or both; fences stay. */
static void strengthen(struct candidate *c)
{
	for (unsigned i = 0; i < c->count; i++) {
		struct axiom_event *e = &c->event[i];
		if (!(e->reads || e->writes) || e->order == LP_PLAIN)
			continue;
		e->order = e->reads && e->writes ? LP_ACQREL : e->reads ? LP_ACQ : LP_REL;
	}
}

/* Pairs of accesses to the same location. */
static void relate_locations(struct candidate *c)
{
	set rest = c->R | c->W;

	c->loc = REL_NONE;
	while (set_any(rest)) {
		const uintptr_t loc = c->event[set_first(rest)].loc;
		set there = SET_NONE;
		for (set all = rest; set_any(all); all = set_rest(all))
			there |= c->event[set_first(all)].loc == loc ? set_of(set_first(all)) : SET_NONE;
		for (set all = there; set_any(all); all = set_rest(all))
			c->loc.row[set_first(all)] = there;
		rest &= ~there;
	}
}

static void fill_sets(struct candidate *c)
{
	c->all = c->R = c->W = c->U = c->F = SET_NONE;
	for (unsigned i = 0; i < c->count; i++) {
		const struct axiom_event *e = &c->event[i];

		c->all |= set_of(i);
		c->R |= e->reads ? set_of(i) : SET_NONE;
		c->W |= e->writes ? set_of(i) : SET_NONE;
		c->U |= e->reads && e->writes ? set_of(i) : SET_NONE;
		c->F |= e->fence ? set_of(i) : SET_NONE;
	}
	relate_locations(c);
}

/* rs = [W] ; (po & loc)? ; [W>=rlx] ; (rf ; rmw)*       C++20: without (po & loc)?
 * sw = [E>=rel] ; ([F] ; po)? ; rs ; rf ; [R>=rlx] ; (po ; [F])? ; [E>=acq]
 * hb = (po | sw | sync)+
 * `strong`: every atomic access counts as acquire and release.             */
static void derive_hb(struct candidate *c, bool strong, bool c20)
{
	set atomic = SET_NONE, release = SET_NONE, acquire = SET_NONE;

	for (unsigned i = 0; i < c->count; i++) {
		const struct axiom_event *e = &c->event[i];
		const bool access = e->order >= LP_RLX && (e->reads || e->writes);
		atomic |= access ? set_of(i) : SET_NONE;
		release |= ((strong && access) || releases(e)) && (e->writes || e->fence) ? set_of(i) : SET_NONE;
		acquire |= ((strong && access) || acquires(e)) && (e->reads || e->fence) ? set_of(i) : SET_NONE;
	}

	const struct rel po_loc = c20 ? REL_NONE : rel_meet(&c->po, &c->loc);
	const struct rel po_loc_opt = rel_maybe(&po_loc, c->all);
	const struct rel head = rel_within(c->W, &po_loc_opt, c->W & atomic);
	const struct rel rf_rmw = rel_within(c->all, &c->rf, c->U);
	const struct rel rf_rmw_plus = rel_plus(&rf_rmw);
	const struct rel rf_rmw_star = rel_maybe(&rf_rmw_plus, c->all);
	const struct rel rs = rel_then(&head, &rf_rmw_star);

	const struct rel f_po = rel_within(c->F, &c->po, c->all);
	const struct rel f_po_opt = rel_maybe(&f_po, c->all);
	const struct rel po_f = rel_within(c->all, &c->po, c->F);
	const struct rel po_f_opt = rel_maybe(&po_f, c->all);
	const struct rel rf_at = rel_within(c->all, &c->rf, c->R & atomic);
	const struct rel begin = rel_within(release, &f_po_opt, c->all);
	const struct rel end = rel_within(c->all, &po_f_opt, acquire);
	struct rel sw = rel_then(&begin, &rs);

	sw = rel_then(&sw, &rf_at);
	sw = rel_then(&sw, &end);

	struct rel hb = rel_union(&c->po, &c->sync);
	hb = rel_union(&hb, &sw);
	c->hb = rel_plus(&hb);
}

void axioms_prepare(struct candidate *c, enum lp_model model)
{
	if (model == LP_MODEL_RA)
		strengthen(c);
	fill_sets(c);
	derive_hb(c, !is_rc11(model), model == LP_MODEL_RC11_C20);
}

/* All models but tso. */
static bool po_rf_acyclic(const struct candidate *c)
{
	struct rel po_rf = rel_union(&c->po, &c->sync);

	po_rf = rel_union(&po_rf, &c->rf);
	return rel_acyclic(&po_rf);
}

bool axioms_possible(struct candidate *c, enum lp_model model)
{
	const bool needs_hb = model != LP_MODEL_SC && model != LP_MODEL_TSO;

	/* Of most of those that are not, this is the reason. */
	if (model != LP_MODEL_TSO && !po_rf_acyclic(c))
		return false;
	if (needs_hb)
		axioms_prepare(c, model);
	else
		fill_sets(c);
	return axioms_consistent(c, model);
}

static bool atomic_rmws(const struct candidate *c)
{
	for (unsigned w = 0; w < c->count; w++)
		for (set rest = c->rf.row[w] & c->U; set_any(rest); rest = set_rest(rest)) {
			const unsigned u = set_first(rest);
			if (!in(c->co.row[w], u))
				return false;
			for (set between = c->co.row[w]; set_any(between); between = set_rest(between))
				if (in(c->co.row[set_first(between)], u))
					return false;
		}
	return true;
}

/* acyclic (po | sync | rf | co | fr) */
static bool sc_consistent(const struct candidate *c, const struct rel *fr)
{
	struct rel all = rel_union(&c->po, &c->sync);

	all = rel_union(&all, &c->rf);
	all = rel_union(&all, &c->co);
	all = rel_union(&all, fr);
	return rel_acyclic(&all);
}

/* What drains the store buffer: of what is between a store and a load in po, or the store itself,
 * since a seq_cst one has its fence behind it. */
static set drains(const struct candidate *c)
{
	set all = SET_NONE;

	for (unsigned i = 0; i < c->count; i++) {
		const struct axiom_event *e = &c->event[i];
		if (e->locked || e->barrier || (e->fence && e->order == LP_SC) ||
		    (e->writes && !e->reads && e->order == LP_SC))
			all |= set_of(i);
	}
	return all;
}

/* Weaker fences and operations that touch no memory are nothing on x86: an edge to
 * or from them would order what is around them. */
static bool is_instruction(const struct axiom_event *e)
{
	return e->reads || e->writes || e->barrier || (e->fence && e->order == LP_SC);
}

/* uniproc: acyclic ((po & loc) | rf | co | fr)
 * ghb:     acyclic (ppo | fences | sync | rfe | co | fr)
 * where ppo = po without pairs of a store and a later load; locked instructions,
 * fences and barriers are ordered with everything. */
static bool tso_consistent(const struct candidate *c, const struct rel *fr)
{
	struct rel comm = rel_union(&c->co, fr);
	const struct rel po_loc = rel_meet(&c->po, &c->loc);
	struct rel uniproc = rel_union(&comm, &c->rf);
	struct rel ghb = rel_union(&comm, &c->sync);
	const set drain = drains(c);
	set instructions = SET_NONE, stores = SET_NONE, loads = SET_NONE;

	uniproc = rel_union(&uniproc, &po_loc);
	if (!rel_acyclic(&uniproc))
		return false;
	for (unsigned i = 0; i < c->count; i++) {
		const struct axiom_event *e = &c->event[i];
		instructions |= is_instruction(e) ? set_of(i) : SET_NONE;
		stores |= e->writes && !e->locked ? set_of(i) : SET_NONE;
		loads |= e->reads && !e->locked ? set_of(i) : SET_NONE;
	}
	for (set rest = instructions; set_any(rest); rest = set_rest(rest)) {
		const unsigned a = set_first(rest);
		const set fences = (c->po.row[a] | set_of(a)) & drain;
		set delayed = in(stores, a) ? loads : SET_NONE;
		for (set f = set_any(delayed) ? fences : SET_NONE; set_any(f); f = set_rest(f))
			delayed &= ~c->po.row[set_first(f)];
		ghb.row[a] |= c->po.row[a] & instructions & ~delayed;
		if (!(c->early && in(stores & ~drain, a)))
			ghb.row[a] |= c->rf.row[a] & instructions & ~c->po.row[a];
	}
	return rel_acyclic(&ghb);
}

/* scb      = po | (po \ loc) ; hb ; (po \ loc) | (hb & loc) | co | fr
 * psc_base = ([Esc] | [Fsc] ; hb?) ; scb ; ([Esc] | hb? ; [Fsc])
 * psc_F    = [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]
 * acyclic (psc_base | psc_F)                                              */
static bool psc_consistent(const struct candidate *c, const struct rel *fr, const struct rel *eco)
{
	set e_sc = SET_NONE;

	for (unsigned i = 0; i < c->count; i++)
		e_sc |= c->event[i].order == LP_SC ? set_of(i) : SET_NONE;
	if (!set_any(e_sc))
		return true;

	const set f_sc = e_sc & c->F;
	/* Choices are not events of the model.  The start and the end of a thread are, but SPAWN and JOIN stand for them here. */
	set events = c->R | c->W | c->F;
	for (unsigned i = 0; i < c->count; i++)
		events |= c->event[i].barrier ? set_of(i) : SET_NONE;
	struct rel around = rel_union(&c->po, &c->sync);
	around = rel_minus(&around, &c->loc);
	around = rel_within(events, &around, events);
	const struct rel hb_loc = rel_meet(&c->hb, &c->loc);
	const struct rel hb_opt = rel_maybe(&c->hb, c->all);
	struct rel scb = rel_then(&around, &hb_opt);

	scb = rel_then(&scb, &around);
	scb = rel_union(&scb, &c->po);
	scb = rel_union(&scb, &hb_loc);
	scb = rel_union(&scb, &c->co);
	scb = rel_union(&scb, fr);

	const struct rel id_sc = rel_id(e_sc);
	const struct rel fence_hb = rel_within(f_sc, &hb_opt, c->all);
	const struct rel hb_fence = rel_within(c->all, &hb_opt, f_sc);
	const struct rel left = rel_union(&id_sc, &fence_hb);
	const struct rel right = rel_union(&id_sc, &hb_fence);
	struct rel psc = rel_then(&left, &scb);

	psc = rel_then(&psc, &right);

	struct rel across = rel_then(&c->hb, eco);
	across = rel_then(&across, &c->hb);
	across = rel_union(&across, &c->hb);

	const struct rel psc_f = rel_within(f_sc, &across, f_sc);
	psc = rel_union(&psc, &psc_f);
	return rel_acyclic(&psc);
}

/* irreflexive (hb ; eco?), psc, acyclic (po | rf) */
static bool rc11_consistent(const struct candidate *c, const struct rel *fr)
{
	struct rel eco = rel_union(&c->rf, &c->co);

	eco = rel_union(&eco, fr);
	eco = rel_plus(&eco);

	const struct rel hb_eco = rel_then(&c->hb, &eco);

	return rel_irreflexive(&c->hb) && rel_irreflexive(&hb_eco) && rel_irreflexive(&eco) &&
	       po_rf_acyclic(c) && psc_consistent(c, fr, &eco);
}

bool axioms_consistent(const struct candidate *c, enum lp_model model)
{
	const struct rel id = rel_id(c->all);
	const struct rel inverse = rel_inverse(&c->rf);
	struct rel fr = rel_then(&inverse, &c->co);

	fr = rel_minus(&fr, &id);
	if (!atomic_rmws(c))
		return false;
	switch (model) {
	case LP_MODEL_SC:
		return sc_consistent(c, &fr);
	case LP_MODEL_TSO:
		return tso_consistent(c, &fr);
	case LP_MODEL_RA:
	case LP_MODEL_RC11:
	case LP_MODEL_RC11_C20:
		return rc11_consistent(c, &fr);
	}
	LP_BUG("no such model: %d", (int)model);
}

static bool touches(const struct axiom_event *e)
{
	return e->reads || e->writes || e->looks;
}

bool axioms_race(const struct candidate *c)
{
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < a; b++) {
			const struct axiom_event *ea = &c->event[a], *eb = &c->event[b];

			if (touches(ea) && touches(eb) && ea->loc == eb->loc &&
			    (ea->writes || eb->writes) &&
			    (ea->order == LP_PLAIN || eb->order == LP_PLAIN) &&
			    !in(c->hb.row[a], b) && !in(c->hb.row[b], a))
				return true;
		}
	return false;
}

bool axioms_use_after_free(const struct candidate *c)
{
	for (unsigned f = 0; f < c->count; f++)
		for (unsigned a = 0; c->event[f].frees && a < c->count; a++) {
			const struct axiom_event *e = &c->event[a];

			if (a != f && (touches(e) || e->frees) &&
			    e->loc == c->event[f].loc && !in(c->hb.row[a], f))
				return true;
		}
	return false;
}
