/* answers.c -- facts about the writes to a location, in all executions. */
#include "explore/reduce/facts/answers.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/frame.h"
#include "explore/reduce/facts/answers_table.h"
#include "explore/reduce/overwritten_iterations.h"
#include "graph/parts.h"

enum {
	NEIGHBOURS = 16,
	PATIENCE = 1 << 20,
	FEW = 64, /* places that are cleared, so that their memory can be used again */
};

struct lp_answers *lp_answers_open(bool shared)
{
	struct lp_answers *a = lp_try_alloc_pages(sizeof *a, shared);

	if (a)
		a->shared = shared;
	return a;
}

void lp_answers_close(struct lp_answers *a)
{
	if (!a || a->shared || a->count > FEW) {
		lp_free_pages(a, sizeof *a);
		return;
	}
	memset(a, 0, offsetof(struct lp_answers, place) + sizeof *a->place * a->count);
	lp_keep_pages(a, sizeof *a);
}

bool lp_answers_is_undone_broken(const struct lp_answers *a)
{
	return a && (atomic_load_explicit(&a->undone.broken, memory_order_relaxed) ||
		     atomic_load_explicit(&a->shifts.broken, memory_order_relaxed));
}

bool lp_answers_is_broken(const struct lp_answers *a)
{
	return a && (atomic_load_explicit(&a->broken, memory_order_relaxed) || lp_answers_is_undone_broken(a));
}

/* Do different values have different slots? */
static bool slots_differ(const struct lp_answers_place *p)
{
	for (uint32_t i = 0; i < LP_ANSWERS_SLOTS; i++)
		for (uint32_t k = 0; k < i && atomic_load(&p->slot[i].state) == LP_SLOT_FULL; k++)
			if (atomic_load(&p->slot[k].state) == LP_SLOT_FULL && lp_value_equal(p->slot[i].value, p->slot[k].value))
				return false;
	return true;
}

/* Was a fact seen at the location although the exploration relies on it not being seen? The bit for new values does not count,
 * because lp_answers_values() relies on it only if it returns values. */
static bool is_refuted(const struct lp_answers_place *p)
{
	bool refuted = (p->facts.seen & p->facts.relied & ~(uint32_t)LP_ANSWERS_NEW_VALUE) || (p->writers.seen & p->writers.relied);

	for (uint32_t i = 0; i < LP_ANSWERS_SLOTS; i++)
		refuted |= p->slot[i].way_relied && p->slot[i].way == LP_ANSWERS_MANY;
	return refuted;
}

/* Is the table consistent? To be called while no process records facts. */
static bool are_whole(const struct lp_answers *a)
{
	uint32_t numbered = 0;

	for (uint32_t i = 0; i < LP_ANSWERS_PLACES; i++) {
		numbered += a->index[i].number != 0;
		if (a->index[i].number > a->count || (a->index[i].number && !a->index[i].address))
			return false;
	}
	for (uint32_t i = 0; i < a->count; i++)
		if (!slots_differ(&a->place[i]) || (is_refuted(&a->place[i]) && !a->broken))
			return false;
	return numbered <= a->count && a->count <= LP_ANSWERS_PLACES;
}

void lp_answers_restart(struct lp_answers *a)
{
	LP_VALID(are_whole(a));
	a->restarts++;
	atomic_store(&a->broken, false);
	atomic_store(&a->threads_relied, false);
	lp_undone_pairs_restart(&a->undone);
	lp_undone_pairs_restart(&a->shifts);
	for (uint32_t i = 0; i < a->count; i++) {
		atomic_store(&a->place[i].facts.relied, 0);
		atomic_store(&a->place[i].writers.relied, 0);
		for (uint32_t n = 0; n < LP_ANSWERS_SLOTS; n++)
			atomic_store(&a->place[i].slot[n].way_relied, false);
	}
}

/* The place with that number, which another process may be about to fill in. */
static struct lp_answers_place *place_at(struct lp_answers *a, const _Atomic uint32_t *number)
{
	for (uint32_t i = 0; i < PATIENCE; i++) {
		const uint32_t n = atomic_load_explicit(number, memory_order_acquire);
		LP_HOLDS(n <= LP_ANSWERS_PLACES);
		if (n)
			return &a->place[n - 1];
	}
	atomic_store(&a->broken, true); /* the other process may have died */
	return NULL;
}

struct lp_answers_place *lp_answers_place(struct lp_answers *a, uintptr_t address)
{
	LP_HOLDS(address); /* 0 marks a free place */
	const uint32_t home = (uint32_t)lp_mix(address);

	for (uint32_t i = 0; i < NEIGHBOURS; i++) {
		const uint32_t slot = (home + i) & (LP_ANSWERS_PLACES - 1);
		uintptr_t there = atomic_load_explicit(&a->index[slot].address, memory_order_relaxed);
		if (!there && atomic_compare_exchange_strong(&a->index[slot].address, &there, address)) {
			const uint32_t n = atomic_fetch_add(&a->count, 1);
			LP_HOLDS(n < LP_ANSWERS_PLACES);
			atomic_store(&a->index[slot].number, n + 1);
			return &a->place[n];
		}
		if (there == address)
			return place_at(a, &a->index[slot].number);
	}
	if (!atomic_load_explicit(&a->full, memory_order_relaxed))
		atomic_store(&a->full, true);
	return NULL;
}

static struct lp_answers_place *place_of(const struct lp_explorer *x, uint32_t loc)
{
	struct lp_known_loc *l = &x->ops.loc.at[loc];

	if (!l->place) {
		const struct lp_answers_place *p = lp_answers_place(x->answers, l->address);
		if (!p)
			return NULL;
		l->place = 1 + (uint32_t)(p - x->answers->place);
	}
	LP_AGREES(lp_answers_place(x->answers, l->address) == &x->answers->place[l->place - 1]);
	return &x->answers->place[l->place - 1];
}

/* The accesses are sequentially consistent, unless the fact is known already. So if one process relies on a
 * fact and another one has seen it to be false, at least one of them notices this. */
void lp_answers_see(struct lp_answers *a, struct lp_answers_seen *s, uint32_t bits)
{
	if ((atomic_load_explicit(&s->seen, memory_order_relaxed) & bits) != bits)
		atomic_fetch_or(&s->seen, bits);
	if (atomic_load(&s->relied) & bits)
		atomic_store(&a->broken, true);
}

/* Has none of these facts been seen? If so, the exploration relies on it from now on. */
static bool rely(struct lp_answers *a, struct lp_answers_seen *s, uint32_t bits)
{
	LP_HOLDS(bits);
	if (atomic_load_explicit(&s->seen, memory_order_relaxed) & bits)
		return false;
	if ((atomic_load_explicit(&s->relied, memory_order_relaxed) & bits) != bits)
		atomic_fetch_or(&s->relied, bits);
	if (atomic_load(&s->seen) & bits) /* meanwhile */
		atomic_store(&a->broken, true);
	return true;
}

static uint32_t threads_of(const struct lp_graph *g)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < g->threads.count; t++)
		count += g->threads.at[t].exists;
	return count;
}

static void see_threads(struct lp_answers *a, const struct lp_graph *g)
{
	const uint32_t count = threads_of(g);
	uint32_t most = atomic_load(&a->threads);

	while (count > most)
		if (atomic_compare_exchange_weak(&a->threads, &most, count) && atomic_load(&a->threads_relied))
			atomic_store(&a->broken, true);
}

/* Waits for a process that fills in the slot; false if that takes too long. */
static bool is_filled(const _Atomic unsigned *state)
{
	for (uint32_t i = 0; i < PATIENCE; i++)
		if (atomic_load_explicit(state, memory_order_acquire) == LP_SLOT_FULL)
			return true;
	return false;
}

/* A hash of the answers that a thread got before event number `end`; neither 0 nor LP_ANSWERS_MANY. These determine what the thread does
 * in its own memory, and the addresses of this memory. */
static uint64_t way_to(const struct lp_graph *g, uint32_t thread, uint32_t end)
{
	uint64_t h = 1;

	for (uint32_t i = 0; i < end; i++) {
		const struct lp_event *e = lp_graph_event(g, g->threads.at[thread].at[i]);
		h = lp_mix(h + e->kind);
		if (e->kind == LP_EV_CHOOSE || (e->kind == LP_EV_READ && g->locs.at[e->loc].owner != thread + 1))
			h = lp_mix(h ^ lp_mix(e->value.lo) ^ e->value.hi);
	}
	return h && h != LP_ANSWERS_MANY ? h : 1;
}

uint32_t lp_answers_slot(const struct lp_answers_place *p, struct lp_value value)
{
	uint32_t i = 0;

	while (i < LP_ANSWERS_SLOTS && (!is_filled(&p->slot[i].state) || !lp_value_equal(p->slot[i].value, value)))
		i++;
	return i;
}

/* Records the answers that led the thread to the RMW that has written e. */
static void see_way(struct lp_answers *a, struct lp_answers_place *p, const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->rmw && e->index);
	const struct lp_event *read = lp_graph_event(g, g->threads.at[e->thread].at[e->index - 1]);
	const uint32_t i = lp_answers_slot(p, read->value);
	uint64_t before = 0;

	LP_HOLDS(read->kind == LP_EV_READ && read->loc == e->loc);
	if (i == LP_ANSWERS_SLOTS || atomic_load_explicit(&p->slot[i].way, memory_order_relaxed) == LP_ANSWERS_MANY)
		return;
	const uint64_t way = way_to(g, e->thread, e->index - 1);
	LP_HOLDS(way && way != LP_ANSWERS_MANY); /* these two values are reserved */
	if (atomic_compare_exchange_strong(&p->slot[i].way, &before, way) || before == way)
		return;
	atomic_store(&p->slot[i].way, LP_ANSWERS_MANY);
	if (atomic_load(&p->slot[i].way_relied))
		atomic_store(&a->broken, true);
}

void lp_answers_see_value(struct lp_answers *a, struct lp_answers_place *p, struct lp_value value, bool swapped)
{
	uint32_t i = 0;

	for (; i < LP_ANSWERS_SLOTS; i++) {
		unsigned state = atomic_load_explicit(&p->slot[i].state, memory_order_acquire);
		if (state == LP_SLOT_EMPTY && atomic_compare_exchange_strong(&p->slot[i].state, &state, LP_SLOT_BUSY)) {
			p->slot[i].value = value;
			atomic_store(&p->slot[i].swapped, swapped);
			atomic_store(&p->slot[i].state, LP_SLOT_FULL);
			break;
		}
		if (!is_filled(&p->slot[i].state))
			i = LP_ANSWERS_SLOTS - 1;
		else if (lp_value_equal(p->slot[i].value, value)) {
			if (!swapped || atomic_load_explicit(&p->slot[i].swapped, memory_order_relaxed))
				return;
			atomic_store(&p->slot[i].swapped, true);
			break;
		}
	}
	if (i == LP_ANSWERS_SLOTS)
		atomic_store(&p->crowded, true);
	if (atomic_load(&p->facts.relied) & LP_ANSWERS_NEW_VALUE)
		atomic_store(&a->broken, true);
}

/* The position of the value that the value at position `pos` replaced when it was first written; UINT32_MAX if it is
 * the initial value. */
static uint32_t below(const struct lp_graph *g, uint32_t loc, uint32_t pos)
{
	const struct lp_value value = lp_graph_value(g, loc, pos, 0);
	uint32_t first = 0;

	LP_HOLDS(pos <= g->locs.at[loc].co.count);
	while (!lp_value_equal(lp_graph_value(g, loc, first, 0), value))
		first++;
	return first ? first - 1 : UINT32_MAX;
}

bool lp_answers_is_stacked(const struct lp_graph *g, uint32_t loc, uint32_t pos, struct lp_value value)
{
	while (pos != UINT32_MAX && !lp_value_equal(lp_graph_value(g, loc, pos, 0), value))
		pos = below(g, loc, pos);
	return pos != UINT32_MAX;
}

/* The facts that follow from this write together with the other writes in co. */
static unsigned others_of(const struct lp_graph *g, lp_eid w)
{
	const struct lp_event *e = lp_graph_event(g, w);
	const struct lp_loc *loc = &g->locs.at[e->loc];
	unsigned facts = !loc->uninitialised && lp_value_equal(loc->initial, e->value) ? LP_ANSWERS_TWICE : 0;

	for (uint32_t i = 0; i < loc->co.count; i++) {
		const struct lp_event *other = lp_graph_event(g, loc->co.at[i]);
		if (other == e)
			continue;
		if (lp_value_equal(other->value, e->value))
			facts |= LP_ANSWERS_TWICE;
		if (other->rmw)
			facts |= e->rmw ? LP_ANSWERS_SWAPPED_TWICE : LP_ANSWERS_STORED;
		else if (!e->rmw)
			facts |= LP_ANSWERS_STORED_TWICE;
	}
	if (facts & LP_ANSWERS_TWICE && !lp_answers_is_stacked(g, e->loc, e->pos - 1, e->value))
		facts |= LP_ANSWERS_UNSTACKED;
	return facts;
}

void lp_answers_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const bool initial = e->kind == LP_EV_READ && e->rf == LP_INIT;

	if (e->kind == LP_EV_SPAWN)
		see_threads(x->answers, g);
	if (e->kind != LP_EV_WRITE && !initial)
		return;
	struct lp_answers_place *p = place_of(x, e->loc);
	if (!p)
		return;
	if (e->bytes) { /* nothing is recorded about parts: `crowded` tells processes that the values are not known */
		atomic_store(&p->crowded, true);
		lp_answers_see(x->answers, &p->facts, ~0U);
		lp_answers_see(x->answers, &p->writers, ~0U);
		return;
	}
	lp_answers_see_value(x->answers, p, initial ? g->locs.at[e->loc].initial : e->value, e->rmw && !initial);
	if (initial)
		return;
	LP_HOLDS(lp_graph_at(&g->locs.at[e->loc], e->pos) == id);
	const bool alone = lp_helping_is_alone(g, id);
	unsigned facts = others_of(g, id) | (e->rmw ? LP_ANSWERS_SWAPPED : 0);
	if (!e->rmw && !(facts & LP_ANSWERS_STORED) && !alone && !lp_overwritten_is_own_write(x, e))
		facts |= LP_ANSWERS_STORED;
	lp_answers_see(x->answers, &p->facts, facts);
	if (e->rmw)
		see_way(x->answers, p, g, e);
	if (!alone)
		lp_answers_see(x->answers, &p->writers, lp_answers_kind(g, e->thread));
}

bool lp_answers_has(const struct lp_explorer *x, uint32_t loc, enum lp_answers_fact fact)
{
	const struct lp_answers_place *p = place_of(x, loc);

	return p && (atomic_load_explicit(&p->facts.seen, memory_order_relaxed) & fact);
}

/* The place of the location, for relying on its facts; NULL: nothing can be relied on. */
static struct lp_answers_place *place_to_rely_on(const struct lp_explorer *x, uint32_t loc)
{
	return x->answers->restarts < LP_ANSWERS_RESTARTS ? place_of(x, loc) : NULL;
}

bool lp_answers_rely(struct lp_explorer *x, uint32_t loc, unsigned facts)
{
	struct lp_answers_place *p = place_to_rely_on(x, loc);

	return p && rely(x->answers, &p->facts, facts);
}

bool lp_answers_rely_on_writers(struct lp_explorer *x, uint32_t loc, uint32_t kinds)
{
	struct lp_answers_place *p = place_to_rely_on(x, loc);

	return p && rely(x->answers, &p->writers, kinds);
}

bool lp_answers_rely_on_way(struct lp_explorer *x, uint32_t loc, struct lp_value value)
{
	struct lp_answers_place *p = place_to_rely_on(x, loc);
	const uint32_t i = p ? lp_answers_slot(p, value) : LP_ANSWERS_SLOTS;

	if (i == LP_ANSWERS_SLOTS || atomic_load_explicit(&p->slot[i].way, memory_order_relaxed) == LP_ANSWERS_MANY)
		return false;
	if (!atomic_load_explicit(&p->slot[i].way_relied, memory_order_relaxed))
		atomic_store(&p->slot[i].way_relied, true);
	if (atomic_load(&p->slot[i].way) == LP_ANSWERS_MANY)
		atomic_store(&x->answers->broken, true);
	return true;
}

bool lp_answers_rely_on_threads(struct lp_explorer *x)
{
	struct lp_answers *a = x->answers;
	const uint32_t count = threads_of(&lp_top(x)->g);

	if (a->restarts >= LP_ANSWERS_RESTARTS || atomic_load(&a->threads) > count)
		return false;
	if (!atomic_load_explicit(&a->threads_relied, memory_order_relaxed))
		atomic_store(&a->threads_relied, true);
	if (atomic_load(&a->threads) > count)
		atomic_store(&a->broken, true);
	return true;
}

uint32_t lp_answers_count_threads(struct lp_explorer *x)
{
	atomic_store(&x->answers->threads_relied, true);
	see_threads(x->answers, &lp_top(x)->g);
	return atomic_load(&x->answers->threads);
}

uint32_t lp_answers_values(struct lp_explorer *x, uint32_t loc, bool swapped, struct lp_value *value, uint32_t room)
{
	struct lp_answers_place *p = place_to_rely_on(x, loc);
	uint32_t count = 0;

	if (!p)
		return UINT32_MAX;
	if (!lp_top(x)->g.locs.at[loc].uninitialised)
		lp_answers_see_value(x->answers, p, lp_top(x)->g.locs.at[loc].initial, false);
	if (!(atomic_load_explicit(&p->facts.relied, memory_order_relaxed) & LP_ANSWERS_NEW_VALUE))
		atomic_fetch_or(&p->facts.relied, LP_ANSWERS_NEW_VALUE);
	for (uint32_t i = 0; i < LP_ANSWERS_SLOTS && atomic_load(&p->slot[i].state) != LP_SLOT_EMPTY; i++) {
		if (count == room || !is_filled(&p->slot[i].state))
			return UINT32_MAX;
		if (!swapped || atomic_load(&p->slot[i].swapped))
			value[count++] = p->slot[i].value;
	}
	return atomic_load(&p->crowded) ? UINT32_MAX : count;
}

void lp_answers_see_initial(struct lp_explorer *x, uint32_t loc, struct lp_value value)
{
	struct lp_answers_place *p = place_of(x, loc);

	if (p)
		lp_answers_see_value(x->answers, p, value, false);
}

void lp_answers_see_again(struct lp_explorer *x, uint32_t loc)
{
	struct lp_answers_place *p = place_of(x, loc);

	if (p)
		lp_answers_see(x->answers, &p->facts, LP_ANSWERS_TWICE | LP_ANSWERS_STORED | LP_ANSWERS_STORED_TWICE | LP_ANSWERS_UNSTACKED);
}

struct lp_undone_pairs *lp_answers_undone(const struct lp_explorer *x)
{
	return x->answers && x->answers->restarts < LP_ANSWERS_RESTARTS ? &x->answers->undone : NULL;
}

struct lp_undone_pairs *lp_answers_shifts(const struct lp_explorer *x)
{
	return x->answers && x->answers->restarts < LP_ANSWERS_RESTARTS ? &x->answers->shifts : NULL;
}
