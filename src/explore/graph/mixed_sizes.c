/* mixed_sizes.c -- accesses of different sizes to the same memory. */
#include "explore/graph/mixed_sizes.h"

#include "explore/graph/grow.h"

enum { WIDEST = 16 };

void lp_mixed_begin(struct lp_explorer *x)
{
	for (uint32_t i = 0; i < x->options->parts.count; i++)
		lp_ops_add_parts(&x->ops, x->options->parts.at[i]);
}

const struct lp_op *lp_mixed_store(struct lp_machine *m, lp_tid thread, const struct lp_op *op)
{
	const uint32_t l = lp_ops_loc(m->ops, op->loc, op->size);

	if (!m->ops->loc.at[l].parts || m->ops->loc.at[l].size == op->size)
		return op;
	while (m->stores.count <= thread)
		LP_PUSH(&m->stores, NULL);
	if (!m->stores.at[thread])
		m->stores.at[thread] = lp_alloc(sizeof *op);
	struct lp_op *store = m->stores.at[thread];
	*store = *op;
	store->kind = LP_OP_RMW;
	store->rmw = LP_XCHG;
	store->when = LP_ALWAYS;
	store->fail_order = LP_RLX;
	store->keeps = true;
	return store;
}

/* The smallest range that can be a location and contains both ranges. */
static struct lp_range hull(struct lp_range a, struct lp_range b)
{
	const uintptr_t end_a = a.address + a.size, end_b = b.address + b.size;
	const uintptr_t low = a.address < b.address ? a.address : b.address;
	const uintptr_t last = (end_a > end_b ? end_a : end_b) - 1;
	uint32_t size = 1;

	while (low / size != last / size)
		size *= 2;
	LP_HOLDS(size && low / size * size <= low && last < low / size * size + size);
	return (struct lp_range){ low / size * size, size };
}

static bool overlap(struct lp_range a, struct lp_range b)
{
	return a.address < b.address + b.size && b.address < a.address + a.size;
}

static struct lp_range range_of(const struct lp_known_loc *l)
{
	return (struct lp_range){ l->address, l->size };
}

bool lp_mixed_found(struct lp_explorer *x, const struct lp_known_loc *a, const struct lp_known_loc *b)
{
	struct lp_range r = hull(range_of(a), range_of(b));

	for (uint32_t i = 0; i < x->options->parts.count; i++)
		if (overlap(r, x->options->parts.at[i]))
			r = hull(r, x->options->parts.at[i]);
	LP_HOLDS(overlap(range_of(a), range_of(b)) && a != b);
	if (r.size > WIDEST || a->internal || b->internal)
		return false;
	if (!atomic_exchange(&x->parts->met, true)) {
		x->parts->range = r;
		atomic_store(&x->parts->told, true);
	}
	lp_explorer_stop(x, "explored once more");
	return true;
}

uint16_t lp_mixed_unwritten(struct lp_program *p, const struct lp_known_loc *l)
{
	uint16_t unwritten = 0;
	struct lp_value byte;

	for (uint32_t i = 0; i < l->size; i++)
		if (!p->class->initial(p, l->address + i, 1, &byte))
			unwritten |= (uint16_t)(1u << i);
	return unwritten;
}

/* ---- doubts ---- */

/* Under tso: does the event empty the store buffer, so that all stores before it are in memory when
 * the thread goes on? */
static bool drains(const struct lp_event *e)
{
	return e->locked || e->kind == LP_EV_SPAWN || e->kind == LP_EV_JOIN ||
	       ((e->kind == LP_EV_FENCE || e->kind == LP_EV_WRITE) && e->order == LP_SC);
}

/* The last store before the read that its thread may see before other threads do, if the store is
 * to some bytes of the read; LP_NO_EVENT if it is to all of them, or if there is no such store. */
static lp_eid forwarded_store(const struct lp_explorer *x, const struct lp_graph *g,
			      const struct lp_event *read)
{
	const struct lp_thread *t = &g->threads.at[read->thread];

	LP_HOLDS(read->kind == LP_EV_READ && read->bytes);
	if (read->rmw || read->keeps || (x->model == &lp_model_tso && read->locked))
		return LP_NO_EVENT;
	for (uint32_t i = read->index; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (x->model == &lp_model_tso && drains(e))
			break;
		if (e->kind == LP_EV_WRITE && e->loc == read->loc && lp_overlap(e, read))
			return read->bytes & ~e->bytes ? t->at[i] : LP_NO_EVENT;
	}
	return LP_NO_EVENT;
}

/* The event before the operation of which `e` is an event. */
static lp_eid predecessor(const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->index || !e->rmw || e->kind == LP_EV_READ);
	return lp_graph_before(g, e->thread, e->index - (e->rmw && e->kind == LP_EV_WRITE));
}

/* Does `a` happen before the operation of `b` for every rf that this operation may have? */
static bool is_before(const struct lp_graph *g, const struct lp_event *a, const struct lp_event *b)
{
	const lp_eid before = predecessor(g, b);
	return before != LP_NO_EVENT && lp_clock_has(lp_graph_clock(g, before, LP_CLOCK_HB), a);
}

/* Does the operation of `b` depend on `a`? */
static bool depends(const struct lp_graph *g, const struct lp_event *b, const struct lp_event *a)
{
	const lp_eid before = predecessor(g, b);
	return before != LP_NO_EVENT && lp_clock_has(lp_graph_clock(g, before, LP_CLOCK_PORF), a);
}

/* May the write come between the thread's store and its read? */
static bool may_interfere(const struct lp_explorer *x, const struct lp_graph *g, lp_eid r, lp_eid w)
{
	const struct lp_event *read = lp_graph_event(g, r), *write = lp_graph_event(g, w);

	if (write->thread == read->thread || !lp_overlap(write, read))
		return false;
	const lp_eid s = forwarded_store(x, g, read);
	return s != LP_NO_EVENT && write->bytes & read->bytes & ~g->ev.at[s].bytes &&
	       !is_before(g, write, read) && !lp_graph_hb(g, r, w);
}

/* Could an execution have w before s in co, because of the access e? */
static bool may_turn_round(const struct lp_graph *g, lp_eid s, lp_eid w, lp_eid e)
{
	const struct lp_event *earlier = lp_graph_event(g, s), *later = lp_graph_event(g, w);
	const struct lp_event *seen = lp_graph_event(g, e);

	return depends(g, later, earlier) && !lp_overlap(earlier, later) && lp_overlap(seen, earlier) &&
	       lp_overlap(seen, later) && !is_before(g, seen, later) && !is_before(g, earlier, seen);
}

/* Could this happen to some two writes because of the access `id`, or to the write `id` because of
 * some access? */
static bool may_be_turned_round(const struct lp_graph *g, const struct lp_loc *loc, lp_eid id)
{
	const bool write = lp_graph_event(g, id)->kind == LP_EV_WRITE;
	bool found = false;

	for (uint32_t i = 0; i < loc->co.count; i++) {
		const lp_eid s = loc->co.at[i];
		for (uint32_t k = 0; k < loc->co.count; k++) {
			found |= may_turn_round(g, s, loc->co.at[k], id);
			found |= write && may_turn_round(g, s, id, loc->co.at[k]);
		}
		for (uint32_t k = 0; write && k < loc->reads.count; k++)
			found |= may_turn_round(g, s, id, loc->reads.at[k]);
	}
	return found;
}

void lp_mixed_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_loc *loc = &g->locs.at[e->loc];
	bool forwarded = false;

	LP_HOLDS(e->bytes && x->ops.loc.at[e->loc].parts);
	if (x->model == &lp_model_sc)
		return;
	if (x->model != &lp_model_tso && !e->keeps && may_be_turned_round(g, loc, id))
		atomic_store(&x->parts->misordered, true);
	for (uint32_t i = 0; e->kind == LP_EV_READ && i < loc->co.count; i++)
		forwarded |= may_interfere(x, g, id, loc->co.at[i]);
	for (uint32_t i = 0; e->kind == LP_EV_WRITE && i < loc->reads.count; i++)
		forwarded |= may_interfere(x, g, loc->reads.at[i], id);
	if (forwarded)
		atomic_store(&x->parts->forwarded, true);
	/* Orders that clients add are decided by adding events after the writes whose bytes are kept
	 * (calls_possible.c). */
	if (x->options->callbacks.judge && e->keeps && x->model != &lp_model_tso && e->rf < LP_INIT &&
	    !lp_graph_hb(g, e->rf, id))
		atomic_store(&x->parts->misordered, true);
}

void lp_mixed_misordered(struct lp_explorer *x, const struct lp_event *proto, lp_eid rival)
{
	const struct lp_event *r = lp_graph_event(&lp_top(x)->g, rival);

	LP_HOLDS(r->kind == LP_EV_READ && r->rmw && r->loc == proto->loc);
	if (r->keeps && r->bytes & proto->bytes)
		atomic_store(&x->parts->misordered, true);
}

void lp_mixed_split(struct lp_explorer *x, const struct lp_event *proto, uint32_t pos)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid before = lp_graph_before(g, proto->thread, proto->index);

	if (!proto->bytes || before == LP_NO_EVENT)
		return;
	const struct lp_event *above = lp_graph_event(g, g->locs.at[proto->loc].co.at[pos - 1]);
	LP_HOLDS(above->rmw && above->kind == LP_EV_WRITE);
	const lp_eid rival = lp_graph_before(g, above->thread, above->index);
	if (lp_graph_porf(g, rival, before))
		lp_mixed_misordered(x, proto, rival);
}

/* ---- the end ---- */

bool lp_mixed_parts_are_new(const struct lp_parts_facts *f)
{
	return atomic_load(&f->told);
}

void lp_mixed_heed(const struct lp_parts_facts *f, struct lp_explore_options *options,
		   struct lp_arena *arena)
{
	if (!lp_mixed_parts_are_new(f))
		return;
	struct lp_range *all = lp_arena_alloc(arena, sizeof *all * (options->parts.count + 1));
	uint32_t count = 0;
	for (uint32_t i = 0; i < options->parts.count; i++)
		if (!overlap(options->parts.at[i], f->range))
			all[count++] = options->parts.at[i];
	all[count++] = f->range;
	LP_HOLDS(f->range.size >= 2 && f->range.size <= WIDEST && f->range.address % f->range.size == 0);
	options->parts.at = all;
	options->parts.count = count;
}

const char *lp_mixed_doubt(const struct lp_parts_facts *f)
{
	if (atomic_load(&f->misordered))
		return "different parts of a location are written in different orders: not all that ra and rc11 "
		       "allow was explored (--model sc or tso does)";
	if (atomic_load(&f->forwarded))
		return "a thread reads its own store to a part of a location together with other parts, which "
		       "others write: not all that the model allows was explored (--model sc does)";
	return NULL;
}
