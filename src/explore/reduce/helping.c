/* helping.c -- compare-and-swaps that do what another thread is about to do anyway. */
#include "explore/reduce/helping.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/exercised.h"
#include "explore/graph/grow.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/redundant_stores.h"

enum {
	NEIGHBOURS = 16,
	LARGE = 4096, /* the size in bytes beyond which a block is not recorded by granules */
};

/* ---- facts about all executions ---- */

static bool get(const atomic_bool *fact)
{
	return atomic_load_explicit(fact, memory_order_relaxed);
}

/* The accesses are sequentially consistent, unless the fact is known already. So if one process
 * relies on a fact and another one has seen it to be false, at least one of them notices this. */
static void set(atomic_bool *fact)
{
	if (!get(fact))
		atomic_store(fact, true);
}

uint32_t lp_helping_place(struct lp_helping_facts *f, uintptr_t address)
{
	LP_HOLDS(address); /* 0 marks a free place */
	const uint32_t home = (uint32_t)lp_mix(address);

	for (uint32_t i = 0; i < NEIGHBOURS; i++) {
		const uint32_t place = (home + i) & (LP_HELPING_LOCATIONS - 1);
		_Atomic uintptr_t *owner = &f->address[place];
		uintptr_t there = atomic_load_explicit(owner, memory_order_relaxed);
		if (there == address ||
		    (!there && (atomic_compare_exchange_strong(owner, &there, address) || there == address)))
			return place;
	}
	set(&f->crowded);
	return home & (LP_HELPING_LOCATIONS - 1);
}

static uint32_t place_of(const struct lp_explorer *x, uint32_t loc)
{
	return lp_helping_place(x->facts, x->ops.loc.at[loc].address);
}

/* Does condition 7 hold? For stores: is no event seq_cst? */
static bool orders_allow(const struct lp_explorer *x, enum lp_helping by)
{
	if (x->model == &lp_model_sc || x->model == &lp_model_tso)
		return by == LP_BY_SWAPS;
	return !atomic_load(&x->facts->sc) ||
	       (by == LP_BY_SWAPS && !atomic_load(&x->facts->weak));
}

static bool occurs_elsewhere(const struct lp_graph *g, lp_eid w)
{
	const struct lp_event *e = lp_graph_event(g, w);
	const struct lp_loc *loc = &g->locs.at[e->loc];

	LP_HOLDS(e->kind == LP_EV_WRITE);
	if (lp_value_equal(loc->initial, e->value))
		return true;
	for (uint32_t i = 0; i < loc->co.count; i++)
		if (loc->co.at[i] != w && lp_value_equal(g->ev.at[loc->co.at[i]].value, e->value))
			return true;
	return false;
}

/* Such an event is on no cycle of psc, independently of its memory order. */
bool lp_helping_is_alone(const struct lp_graph *g, lp_eid id)
{
	const uint32_t *past = lp_graph_clock(g, id, LP_CLOCK_HB);

	LP_HOLDS(LP_LAST(&g->threads.at[g->ev.at[id].thread]) == id);
	for (uint32_t t = 0; t < g->threads.count; t++) {
		const struct lp_thread *other = &g->threads.at[t];
		if (t == g->ev.at[id].thread || !other->exists)
			continue;
		if (!other->count || g->ev.at[LP_LAST(other)].kind != LP_EV_END ||
		    past[t] < other->count)
			return false;
	}
	return true;
}

/* Does the memory order of the event matter? It does not if the event is alone, or is a write to
 * memory that no other thread knows yet. */
static bool order_matters(struct lp_explorer *x, const struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);

	return e->order != LP_PLAIN && !lp_helping_is_alone(g, id) && (e->rmw || !lp_overwritten_is_own_write(x, e));
}

/* Does the event show that 4, 5 or 8 is false at its location? */
static bool spoils(struct lp_explorer *x, const struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);

	if (e->order == LP_PLAIN)
		return true;
	return e->kind == LP_EV_WRITE &&
	       (occurs_elsewhere(g, id) || (!lp_order_releases(e->order) && order_matters(x, g, id)));
}

static void note_unfit(struct lp_helping_facts *f, uint32_t place, enum lp_helping by)
{
	set(&f->by[by].unfit[place]);
	if (atomic_load(&f->by[by].used[place]))
		set(&f->broken);
}

void lp_helping_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	struct lp_helping_facts *f = x->facts;

	if (e->kind != LP_EV_READ && e->kind != LP_EV_WRITE && e->kind != LP_EV_FENCE)
		return;
	if (e->partial)
		set(&f->broken);
	atomic_bool *order = e->order == LP_SC ? &f->sc : &f->weak;
	if (!get(order) && order_matters(x, g, id)) {
		set(order);
		for (enum lp_helping by = LP_BY_SWAPS; by <= LP_BY_STORES; by++)
			if (atomic_load(&f->by[by].relied) && !orders_allow(x, by))
				set(&f->broken);
	}
	if (e->kind == LP_EV_FENCE)
		return;
	const uint32_t place = place_of(x, e->loc);
	if (!get(&f->by[LP_BY_SWAPS].unfit[place]) && spoils(x, g, id))
		note_unfit(f, place, LP_BY_SWAPS);
	if (!get(&f->by[LP_BY_STORES].unfit[place]) && lp_store_rewrites(x, id))
		note_unfit(f, place, LP_BY_STORES);
}

/* ---- memory that is freed ---- */

static bool has_bit(const _Atomic uint64_t *bits, uint64_t i)
{
	return atomic_load(&bits[i / 64]) >> i % 64 & 1;
}

static void add_bit(_Atomic uint64_t *bits, uint64_t i)
{
	if (!has_bit(bits, i))
		atomic_fetch_or(&bits[i / 64], UINT64_C(1) << i % 64);
}

static uint64_t granule_of(uintptr_t address)
{
	return lp_mix(address >> 4) & (LP_HELPING_GRANULES - 1);
}

void lp_helping_freed(struct lp_helping_facts *f, uintptr_t loc, size_t size)
{
	bool used = false;

	if (size > LARGE) {
		set(&f->much_freed);
		used = atomic_load(&f->by[LP_BY_SWAPS].relied) || atomic_load(&f->by[LP_BY_STORES].relied);
	}
	for (uintptr_t p = loc & ~(uintptr_t)15; size <= LARGE && p < loc + size; p += 16) {
		add_bit(f->freed, granule_of(p));
		used |= has_bit(f->used, granule_of(p));
	}
	if (used)
		set(&f->broken);
}

/* Is condition 9 false for the location? If not, the exploration relies on it from now on. */
static bool is_freed(struct lp_helping_facts *f, uintptr_t address)
{
	add_bit(f->used, granule_of(address)); /* this must come first, because another process
	                                        * first frees and then checks */
	return atomic_load(&f->much_freed) || has_bit(f->freed, granule_of(address));
}

/* ---- what else the helped thread does ---- */

void lp_helping_stack_shared(struct lp_helping_facts *f, uint32_t thread)
{
	add_bit(f->shared_stacks, thread % LP_HELPING_STACKS);
	if (has_bit(f->own_stacks, thread % LP_HELPING_STACKS))
		set(&f->broken);
}

bool lp_helping_is_apart(struct lp_explorer *x, uint32_t thread, uint32_t index)
{
	const struct lp_activity *does = lp_machine_activity(&x->machine, thread, index);

	if (!does)
		return true;
	if (!does->only_reads || !lp_omitted_helped(x, thread, index))
		return false;
	if (!does->stack)
		return true;
	add_bit(x->facts->own_stacks, thread % LP_HELPING_STACKS);
	return !has_bit(x->facts->shared_stacks, thread % LP_HELPING_STACKS);
}

bool lp_helping_rely(struct lp_explorer *x, uint32_t loc, enum lp_helping by)
{
	struct lp_helping_facts *f = x->facts;
	const uint32_t place = place_of(x, loc);

	if (get(&f->by[by].unfit[place]) || !orders_allow(x, by))
		return false;
	set(&f->by[by].relied);
	if (is_freed(f, x->ops.loc.at[loc].address)) {
		set(&f->by[by].unfit[place]);
		return false;
	}
	set(&f->by[by].used[place]);
	/* Other processes may have seen facts meanwhile. */
	if (atomic_load(&f->by[by].unfit[place]) || !orders_allow(x, by))
		set(&f->broken);
	return true;
}

/* ---- one graph ---- */

static bool is_unused_cas(const struct lp_op *op)
{
	return op->kind == LP_OP_RMW && op->rmw == LP_XCHG && op->when == LP_IF_EQUAL &&
	       op->otherwise == LP_ELSE_FAIL && op->unused && !op->internal;
}

static bool is_same_cas(const struct lp_op *c, const struct lp_op *d)
{
	return is_unused_cas(d) && d->loc == c->loc && d->size == c->size &&
	       lp_value_equal(d->value, c->value) && lp_value_equal(d->operand, c->operand) &&
	       lp_value_equal(d->mask, c->mask);
}

/* The n-th operation of the thread, which it has performed, or will perform next. */
static const struct lp_op *operation(struct lp_explorer *x, lp_tid t, uint32_t n)
{
	const struct lp_graph *g = &lp_top(x)->g;

	if (n < g->threads.at[t].count)
		return &x->ops.op.at[lp_graph_event(g, g->threads.at[t].at[n])->op].op;
	LP_HOLDS(n == g->threads.at[t].count && x->agree == lp_top(x)->seq.count);
	return lp_machine_pending(&x->machine, t);
}

bool lp_helping_is_cut(struct lp_explorer *x, uint32_t thread)
{
	const struct lp_op *op;

	return lp_stop_of_unparked(x, thread, &op) == LP_STOP_BOUND;
}

/* Consider the next operation of thread t after its events that happen before p, the event before
 * `r` in its thread. Is it the same as the operation of `r`? */
static bool is_helped(struct lp_explorer *x, lp_eid r, lp_eid p, lp_tid t)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *read = lp_graph_event(g, r);
	const uint32_t known = lp_graph_clock(g, p, LP_CLOCK_HB)[t];

	if (!known)
		return false;
	const lp_eid b = g->threads.at[t].at[known - 1];
	LP_HOLDS(lp_graph_hb(g, b, p));
	const struct lp_op *d = operation(x, t, known);
	const uintptr_t pc = d->pc;
	if (g->ev.at[b].kind != LP_EV_WRITE || !is_same_cas(&x->ops.op.at[read->op].op, d) ||
	    (d->weak && x->options->weak_fails))
		return false;
	const uint32_t *past = lp_graph_clock(g, b, LP_CLOCK_HB);
	if (read->rf != LP_INIT &&
	    (!lp_clock_has(past, lp_graph_event(g, read->rf)) ||
	     !lp_clock_within(lp_graph_clock(g, read->rf, LP_CLOCK_MSG), past, g->width)))
		return false;
	if (!lp_helping_is_apart(x, t, known) || (known == g->threads.at[t].count && lp_helping_is_cut(x, t)))
		return false;
	lp_exercised_helped(x, pc);
	return true;
}

/* Condition 6. */
static bool may_be_before(const struct lp_op *op)
{
	return op->kind != LP_OP_STORE && !op->keeps && !is_unused_cas(op);
}

bool lp_helping_applies(struct lp_explorer *x, lp_eid r)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *read = lp_graph_event(g, r);
	const lp_eid p = lp_graph_before(g, read->thread, read->index);

	const struct lp_op *op = &x->ops.op.at[read->op].op;

	LP_HOLDS(read->rmw && LP_LAST(&g->threads.at[read->thread]) == r);
	/* Checks condition 4 for c itself here, because c is not explored. */
	if (!is_unused_cas(op) || read->bytes || !lp_order_releases(x->model->order(LP_EV_WRITE, op->order)) ||
	    p == LP_NO_EVENT || !may_be_before(&x->ops.op.at[g->ev.at[p].op].op) ||
	    get(&x->facts->by[LP_BY_SWAPS].unfit[place_of(x, read->loc)]))
		return false;
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (t != read->thread && g->threads.at[t].exists && is_helped(x, r, p, t))
			return lp_helping_rely(x, read->loc, LP_BY_SWAPS);
	return false;
}
