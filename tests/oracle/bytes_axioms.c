/* bytes_axioms.c -- ra and rc11 on units of bytes; see bytes.h. */
#include "bytes.h"

#include "base/error.h"
#include "relation.h"
#include "visited.h"

#include <string.h>

#define MAX_THREADS 5
#define MAX_LOCS 4
#define WIDTH 8
#define MAX_UNITS 4
#define MAX_STATES 20000
#define MAX_CHECKS 100000
#define NONE UINT32_MAX

struct event {
	struct lp_op op;
	struct lp_response answer;
	lp_tid thread;
	uint32_t number;         /* in its thread */
	uint32_t source[MAX_UNITS];  /* of each unit that it reads: an event; locations are the first ones */
};

struct growth {
	struct lp_observer observer;
	const struct lp_script *script;
	enum lp_model model;
	bool early;
	struct bytes_result *result;
	struct lp_program *program;
	struct event event[MAX_EVENTS]; /* initial writes, then ours */
	uint32_t count, inits;
	struct visited visited;
	uint32_t checks;

	/* Of a complete candidate. */
	set R, W, U, F, all;
	struct rel po, sync, rf, loc, hb, unit_rf[MAX_UNITS], co[MAX_UNITS];
	uint32_t order[MAX_LOCS][MAX_EVENTS], writes[MAX_LOCS]; /* a permutation */
};

/* Bytes of a unit, 2 or 4: no access of the script is to less. */
static unsigned unit;

static uint32_t loc_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) / 64);
}

static bool is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

static bool reads(const struct event *e)
{
	return e->op.kind == LP_OP_LOAD || e->op.kind == LP_OP_RMW;
}

static bool writes(const struct event *e)
{
	return e->op.kind == LP_OP_STORE || (e->op.kind == LP_OP_RMW && !e->answer.failed);
}

/* Its units, as bits. */
static unsigned units(const struct event *e)
{
	if (!is_access(&e->op))
		return 0;
	const unsigned from = (unsigned)(e->op.loc - lp_script_address(0)) % 64 / unit;
	return ((1u << e->op.size / unit) - 1) << from;
}

static bool overlap(const struct event *a, const struct event *b)
{
	return units(a) & units(b) && loc_of(&a->op) == loc_of(&b->op);
}

/* ---- hb ---- */

static enum lp_order order_of(const struct growth *g, const struct event *e)
{
	const enum lp_order o = (enum lp_order)(e->op.kind == LP_OP_RMW && e->answer.failed ? e->op.fail_order
										     : e->op.order);
	if (g->model == LP_MODEL_RA && is_access(&e->op) && o != LP_PLAIN)
		return LP_ACQREL;
	return o;
}

static void derive_hb(struct growth *g)
{
	set atomic = 0, release = 0, acquire = 0;
	struct rel head = { { 0 } };
	const bool c20 = g->model == LP_MODEL_RC11_C20;

	for (unsigned i = g->inits; i < g->count; i++) {
		const struct event *e = &g->event[i];
		const enum lp_order o = order_of(g, e);
		const bool matters = is_access(&e->op) || e->op.kind == LP_OP_FENCE;
		atomic |= is_access(&e->op) && o != LP_PLAIN ? set_of(i) : 0;
		release |= matters && (o == LP_REL || o == LP_ACQREL || o == LP_SC) && !in(g->R & ~g->U, i) ? set_of(i) : 0;
		acquire |= matters && (o == LP_ACQ || o == LP_ACQREL || o == LP_SC) && !in(g->W & ~g->U, i) ? set_of(i) : 0;
		for (unsigned k = i; k < g->count; k++)
			if (in(g->W, i) && in(g->W, k) && (i == k || (!c20 && in(g->po.row[i], k) && overlap(e, &g->event[k]) &&
								       !(units(&g->event[k]) & ~units(e)))))
				rel_add(&head, i, k);
	}
	head = rel_within(g->W, &head, g->W & atomic);
	const struct rel rf_rmw = rel_within(g->all, &g->rf, g->U);
	const struct rel rf_rmw_plus = rel_plus(&rf_rmw);
	const struct rel rf_rmw_star = rel_maybe(&rf_rmw_plus, g->all);
	const struct rel rs = rel_then(&head, &rf_rmw_star);
	const struct rel f_po = rel_within(g->F, &g->po, g->all);
	const struct rel f_po_opt = rel_maybe(&f_po, g->all);
	const struct rel po_f = rel_within(g->all, &g->po, g->F);
	const struct rel po_f_opt = rel_maybe(&po_f, g->all);
	const struct rel rf_at = rel_within(g->all, &g->rf, g->R & atomic);
	const struct rel begin = rel_within(release, &f_po_opt, g->all);
	const struct rel end = rel_within(g->all, &po_f_opt, acquire);
	struct rel sw = rel_then(&begin, &rs);

	sw = rel_then(&sw, &rf_at);
	sw = rel_then(&sw, &end);
	g->hb = rel_union(&g->po, &g->sync);
	g->hb = rel_union(&g->hb, &sw);
	g->hb = rel_plus(&g->hb);
}

static bool races(const struct growth *g)
{
	for (unsigned a = g->inits; a < g->count; a++)
		for (unsigned b = g->inits; b < a; b++) {
			const struct event *x = &g->event[a], *y = &g->event[b];
			if (overlap(x, y) && (writes(x) || writes(y)) &&
			    (x->op.order == LP_PLAIN || y->op.order == LP_PLAIN) &&
			    !in(g->hb.row[a], b) && !in(g->hb.row[b], a))
				return true;
		}
	return false;
}

/* ---- the axioms that need co ---- */

static bool is_atomic(const struct growth *g, unsigned u)
{
	for (unsigned w = 0; w < g->count; w++)
		for (set rest = g->unit_rf[u].row[w] & g->U; set_any(rest); rest = set_rest(rest)) {
			const unsigned rmw = set_first(rest);
			if (!in(g->co[u].row[w], rmw))
				return false;
			for (set between = g->co[u].row[w]; set_any(between); between = set_rest(between))
				if (in(g->co[u].row[set_first(between)], rmw))
					return false;
		}
	return true;
}

static bool psc_holds(const struct growth *g, const struct rel *co, const struct rel *fr, const struct rel *eco)
{
	set e_sc = 0;

	for (unsigned i = g->inits; i < g->count; i++)
		e_sc |= (is_access(&g->event[i].op) || g->event[i].op.kind == LP_OP_FENCE) &&
			order_of(g, &g->event[i]) == LP_SC ? set_of(i) : 0;
	const set f_sc = e_sc & g->F;
	set events = g->R | g->W | g->F; /* SPAWN and JOIN stand for the start and the end of a thread */
	for (unsigned i = g->inits; i < g->count; i++)
		events |= g->event[i].op.kind == LP_OP_SPAWN || g->event[i].op.kind == LP_OP_JOIN ? set_of(i) : 0;
	struct rel around = rel_union(&g->po, &g->sync);
	around = rel_minus(&around, &g->loc);
	around = rel_within(events, &around, events);
	const struct rel hb_loc = rel_meet(&g->hb, &g->loc);
	const struct rel hb_opt = rel_maybe(&g->hb, g->all);
	struct rel scb = rel_then(&around, &hb_opt);

	scb = rel_then(&scb, &around);
	scb = rel_union(&scb, &g->po);
	scb = rel_union(&scb, &hb_loc);
	scb = rel_union(&scb, co);
	scb = rel_union(&scb, fr);
	const struct rel id_sc = rel_id(e_sc);
	const struct rel fence_hb = rel_within(f_sc, &hb_opt, g->all);
	const struct rel hb_fence = rel_within(g->all, &hb_opt, f_sc);
	const struct rel left = rel_union(&id_sc, &fence_hb), right = rel_union(&id_sc, &hb_fence);
	struct rel psc = rel_then(&left, &scb);
	psc = rel_then(&psc, &right);
	struct rel across = rel_then(&g->hb, eco);
	across = rel_then(&across, &g->hb);
	across = rel_union(&across, &g->hb);
	across = rel_within(f_sc, &across, f_sc);
	psc = rel_union(&psc, &across);
	return rel_acyclic(&psc);
}

static bool is_consistent(const struct growth *g)
{
	const struct rel id = rel_id(g->all);
	struct rel together = { { 0 } }, all_co = together, all_fr = together, all_eco = together;

	for (unsigned u = 0; u < WIDTH / unit; u++) {
		const struct rel inverse = rel_inverse(&g->unit_rf[u]);
		struct rel fr = rel_then(&inverse, &g->co[u]);
		fr = rel_minus(&fr, &id);
		struct rel eco = rel_union(&g->unit_rf[u], &g->co[u]);
		eco = rel_union(&eco, &fr);
		eco = rel_plus(&eco);
		const struct rel hb_eco = rel_then(&g->hb, &eco);
		if (!is_atomic(g, u) || !rel_irreflexive(&eco) || !rel_irreflexive(&hb_eco))
			return false;
		all_co = rel_union(&all_co, &g->co[u]);
		all_fr = rel_union(&all_fr, &fr);
		all_eco = rel_union(&all_eco, &eco);
	}
	together = g->early ? rel_minus(&g->rf, &g->po) : g->rf;
	together = rel_union(&together, &all_co);
	together = rel_union(&together, &all_fr);
	return rel_acyclic(&together) && psc_holds(g, &all_co, &all_fr, &all_eco);
}

/* ---- coherence orders ---- */

static void build_co(struct growth *g)
{
	memset(g->co, 0, sizeof g->co);
	for (uint32_t l = 0; l < g->inits; l++)
		for (uint32_t i = 0; i < g->writes[l]; i++)
			for (uint32_t k = i + 1; k < g->writes[l]; k++) {
				const unsigned both = units(&g->event[g->order[l][i]]) & units(&g->event[g->order[l][k]]);
				for (unsigned u = 0; u < WIDTH / unit; u++)
					if (both >> u & 1)
						rel_add(&g->co[u], g->order[l][i], g->order[l][k]);
			}
}

/* Is there a consistent one, the first `fixed` of location `l` being settled? */
static bool some_co(struct growth *g, uint32_t l, uint32_t fixed)
{
	if (l == g->inits) {
		if (++g->checks > MAX_CHECKS)
			g->result->too_large = true;
		build_co(g);
		return is_consistent(g);
	}
	if (fixed == g->writes[l])
		return some_co(g, l + 1, 1);
	bool found = false;
	uint32_t *order = g->order[l];
	for (uint32_t i = fixed; i < g->writes[l] && !found && !g->result->too_large; i++) {
		const uint32_t e = order[i];
		order[i] = order[fixed];
		order[fixed] = e;
		found = some_co(g, l, fixed + 1);
		order[fixed] = order[i];
		order[i] = e;
	}
	return found;
}

/* ---- candidates ---- */

static void relate(struct growth *g, unsigned a, unsigned b)
{
	const struct event *x = &g->event[a], *y = &g->event[b];

	if (a < g->inits ? b >= g->inits : x->op.kind == LP_OP_SPAWN && x->op.target == y->thread)
		rel_add(&g->sync, a, b);
	if (b >= g->inits && y->op.kind == LP_OP_JOIN && a >= g->inits && y->op.target == x->thread)
		rel_add(&g->sync, a, b);
	if (a >= g->inits && b >= g->inits && x->thread == y->thread && x->number < y->number)
		rel_add(&g->po, a, b);
	if (overlap(x, y))
		rel_add(&g->loc, a, b);
}

static void judge(struct growth *g)
{
	g->R = g->W = g->U = g->F = g->all = 0;
	g->po = g->sync = g->rf = g->loc = (struct rel){ { 0 } };
	memset(g->unit_rf, 0, sizeof g->unit_rf);
	memset(g->writes, 0, sizeof g->writes);
	for (unsigned i = 0; i < g->count; i++) {
		const struct event *e = &g->event[i];
		g->all |= set_of(i);
		g->R |= reads(e) ? set_of(i) : 0;
		g->W |= writes(e) ? set_of(i) : 0;
		g->F |= e->op.kind == LP_OP_FENCE ? set_of(i) : 0;
		if (writes(e))
			g->order[loc_of(&e->op)][g->writes[loc_of(&e->op)]++] = i;
		for (unsigned k = 0; k < g->count; k++)
			relate(g, i, k);
		for (unsigned u = 0; u < WIDTH / unit; u++)
			if (e->source[u] != NONE) {
				rel_add(&g->rf, e->source[u], i);
				rel_add(&g->unit_rf[u], e->source[u], i);
			}
	}
	g->U = g->R & g->W;
	struct rel po_rf = rel_union(&g->po, &g->sync);
	po_rf = rel_union(&po_rf, &g->rf);
	if (!rel_acyclic(&po_rf))
		return;
	derive_hb(g);
	if (!rel_irreflexive(&g->hb) || !some_co(g, 0, 1))
		return;
	g->result->race |= races(g);
	const char *text = g->program->class->outcome(g->program);
	LP_PUSH(&g->result->outcomes, strdup(text ? text : ""));
}

static bool seen_before(struct growth *g)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		lp_fingerprint_word(&f, 77);
		for (uint32_t i = g->inits; i < g->count; i++) {
			const struct event *e = &g->event[i];
			for (unsigned u = 0; e->thread == t && u < WIDTH / unit; u++) {
				const struct event *s = e->source[u] == NONE ? NULL : &g->event[e->source[u]];
				lp_fingerprint_word(&f, !s ? 0 : s->thread * UINT64_C(1000) + s->number + 1);
			}
		}
	}
	return !visited_add(&g->visited, f);
}

static void grow(struct growth *g);

static void perform(struct growth *g, const struct event *proto)
{
	if (g->count == MAX_EVENTS) {
		g->result->too_large = true;
		return;
	}
	struct event *e = &g->event[g->count];
	*e = *proto;
	e->number = 0;
	for (uint32_t i = g->inits; i < g->count; i++)
		e->number += g->event[i].thread == e->thread;
	g->count++;
	const uint32_t mark = g->program->class->save(g->program);
	lp_program_resume(g->program, proto->thread, &proto->answer);
	grow(g);
	g->program->class->restore(g->program, mark);
	g->program->class->forget(g->program, mark);
	g->count--;
}

/* Chooses the sources of the units from u on. */
static void read_units(struct growth *g, struct event *e, unsigned u)
{
	if (u < WIDTH / unit && !(units(e) >> u & 1)) {
		read_units(g, e, u + 1);
		return;
	}
	for (uint32_t i = 0; u < WIDTH / unit && i < g->count; i++) {
		const struct event *w = &g->event[i];
		if (!writes(w) || loc_of(&w->op) != loc_of(&e->op) || !(units(w) >> u & 1))
			continue;
		e->source[u] = i;
		read_units(g, e, u + 1);
		e->source[u] = NONE;
	}
	if (u < WIDTH / unit)
		return;
	uint64_t value = 0;
	for (unsigned n = WIDTH / unit; n-- > 0;) {
		if (!(units(e) >> n & 1))
			continue;
		const struct event *w = &g->event[e->source[n]];
		const unsigned shift = 8 * unit * (n - (unsigned)__builtin_ctz(units(w)));
		value = value << 8 * unit | (w->answer.wrote.lo >> shift & ((UINT64_C(1) << 8 * unit) - 1));
	}
	struct event done = *e;
	done.answer.value = lp_value(value);
	if (e->op.otherwise != LP_ELSE_FAIL && !lp_op_holds(&e->op, done.answer.value))
		return;
	if (e->op.kind == LP_OP_RMW) {
		done.answer.failed = !lp_op_holds(&e->op, done.answer.value);
		done.answer.wrote = lp_op_result(&e->op, done.answer.value);
	}
	perform(g, &done);
}

static void grow(struct growth *g)
{
	bool ended = true;

	if (g->result->too_large || seen_before(g))
		return;
	if (g->visited.count > MAX_STATES) {
		g->result->too_large = true;
		return;
	}
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(g->program, t);
		if (!op || op->kind == LP_OP_END) {
			ended &= op != NULL;
			continue;
		}
		ended = false;
		struct event e = { .op = *op, .thread = t };
		memset(e.source, 0xff, sizeof e.source);
		if (op->kind == LP_OP_JOIN && lp_program_pending(g->program, op->target)->kind != LP_OP_END)
			continue;
		e.answer.wrote = op->operand;
		if (reads(&e))
			read_units(g, &e, 0);
		else
			perform(g, &e);
	}
	if (ended)
		judge(g);
}

static enum lp_plain all_are_events(struct lp_observer *o, const struct lp_plain_range *range, struct lp_plain_piece *piece,
				    struct lp_program_error *error)
{
	(void)o, (void)error;
	*piece = (struct lp_plain_piece){ range->size, true };
	return LP_PLAIN_EVENT;
}

static unsigned smallest(const struct lp_script *s)
{
	unsigned least = WIDTH;

	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++)
			if (s->blocks.at[b].at[i].size && s->blocks.at[b].at[i].size < least)
				least = s->blocks.at[b].at[i].size;
	return least;
}

void bytes_enumerate(const struct lp_script *script, enum lp_model model, bool early, struct bytes_result *out)
{
	struct growth *g = lp_alloc_zero(1, sizeof *g);

	unit = smallest(script) <= WIDTH / MAX_UNITS ? WIDTH / MAX_UNITS : WIDTH / 2;
	*out = (struct bytes_result){ .too_large = script->blocks.count > MAX_THREADS || smallest(script) < unit ||
						   script->locs.count > MAX_LOCS };
	if (!out->too_large) {
		g->observer.access = all_are_events;
		g->script = script;
		g->model = model;
		g->early = early;
		g->result = out;
		g->program = lp_script_open(script);
		g->program->observer = &g->observer;
		lp_program_reset(g->program);
		for (; g->count < script->locs.count; g->count++) {
			struct event *init = &g->event[g->count];
			init->op = (struct lp_op){ .kind = LP_OP_STORE, .size = WIDTH, .order = LP_PLAIN,
						   .loc = lp_script_address(g->count) };
			init->answer.wrote = lp_value(script->locs.at[g->count].initial);
			init->thread = 500;
			init->number = g->count;
			memset(init->source, 0xff, sizeof init->source);
		}
		g->inits = g->count;
		grow(g);
		lp_script_close(g->program);
	}
	graph_set_sort(&out->outcomes);
	lp_free(g->visited.at);
	lp_free(g);
}
