/* answers.c -- facts about the writes to a location, in all executions. */
#include "explore/reduce/facts/answers.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/frame.h"
#include "explore/reduce/facts/undone_pairs.h"
#include "explore/reduce/overwritten_iterations.h"
#include "graph/parts.h"
#include "ranks/bytes.h"

enum {
	PLACES = 4096, /* a power of two */
	NEIGHBOURS = 16,
	VALUES = 24,   /* the most values of a location that are recorded */
	RESTARTS = 64, /* the most restarts; then the exploration no longer relies on facts */
	PATIENCE = 1 << 20,
};

/* A slot is empty, is being filled in, or holds a value. */
enum { EMPTY, BUSY, FULL };

#define MANY UINT64_MAX /* ways */

/* Bits: the facts that have been seen, and those that the exploration relies on not being seen. */
struct seen {
	_Atomic uint32_t seen, relied;
};

struct place {
	struct seen facts;   /* enum lp_answers_fact */
	struct seen writers; /* the kinds of threads that write to it */
	atomic_bool crowded; /* there are more values than slots */
	struct {
		_Atomic unsigned state;
		atomic_bool swapped; /* an RMW has written the value */
		atomic_bool way_relied;
		_Atomic uint64_t way; /* a hash of the answers that led a thread to the RMW that replaced the value; 0: no RMW
		                       * has; MANY: different ones */
		struct lp_value value;
	} slot[VALUES];
};

/* A table in which a location is found near the hash of its address. The facts are stored one after the
 * other, so they take few pages. */
struct lp_answers {
	atomic_bool broken;
	atomic_bool full;         /* some location has no place */
	uint32_t restarts;
	_Atomic uint32_t threads; /* the most threads of an execution */
	atomic_bool threads_relied;
	struct lp_undone_pairs undone, shifts;
	_Atomic uint32_t count;
	struct {
		_Atomic uintptr_t address; /* 0: the place is free */
		_Atomic uint32_t number;   /* 1 + the number of its place; 0: not known yet */
	} index[PLACES];
	struct place place[PLACES];
};

struct lp_answers *lp_answers_open(bool shared)
{
	return lp_try_alloc_pages(sizeof(struct lp_answers), shared);
}

void lp_answers_close(struct lp_answers *a)
{
	lp_free_pages(a, sizeof *a);
}

bool lp_answers_is_broken(const struct lp_answers *a)
{
	return a && (atomic_load_explicit(&a->broken, memory_order_relaxed) ||
		     atomic_load_explicit(&a->undone.broken, memory_order_relaxed) ||
		     atomic_load_explicit(&a->shifts.broken, memory_order_relaxed));
}

/* Do different values have different slots? */
static bool slots_differ(const struct place *p)
{
	for (uint32_t i = 0; i < VALUES; i++)
		for (uint32_t k = 0; k < i && atomic_load(&p->slot[i].state) == FULL; k++)
			if (atomic_load(&p->slot[k].state) == FULL && lp_value_equal(p->slot[i].value, p->slot[k].value))
				return false;
	return true;
}

/* Was a fact seen at the location although the exploration relies on it not being seen? The bit for new values does not count,
 * because lp_answers_values() relies on it only if it returns values. */
static bool is_refuted(const struct place *p)
{
	bool refuted = (p->facts.seen & p->facts.relied & ~(uint32_t)LP_ANSWERS_NEW_VALUE) || (p->writers.seen & p->writers.relied);

	for (uint32_t i = 0; i < VALUES; i++)
		refuted |= p->slot[i].way_relied && p->slot[i].way == MANY;
	return refuted;
}

/* Is the table consistent? To be called while no process records facts. */
static bool are_whole(const struct lp_answers *a)
{
	uint32_t numbered = 0;

	for (uint32_t i = 0; i < PLACES; i++) {
		numbered += a->index[i].number != 0;
		if (a->index[i].number > a->count || (a->index[i].number && !a->index[i].address))
			return false;
	}
	for (uint32_t i = 0; i < a->count; i++)
		if (!slots_differ(&a->place[i]) || (is_refuted(&a->place[i]) && !a->broken))
			return false;
	return numbered <= a->count && a->count <= PLACES;
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
		for (uint32_t n = 0; n < VALUES; n++)
			atomic_store(&a->place[i].slot[n].way_relied, false);
	}
}

/* The place with that number, which another process may be about to fill in. */
static struct place *place_at(struct lp_answers *a, const _Atomic uint32_t *number)
{
	for (uint32_t i = 0; i < PATIENCE; i++) {
		const uint32_t n = atomic_load_explicit(number, memory_order_acquire);
		LP_HOLDS(n <= PLACES);
		if (n)
			return &a->place[n - 1];
	}
	atomic_store(&a->broken, true); /* the other process may have died */
	return NULL;
}

/* Returns NULL if there is no room for the location: then the exploration never relies on facts
 * about it. */
static struct place *place_near(struct lp_answers *a, uintptr_t address)
{
	LP_HOLDS(address); /* 0 marks a free place */
	const uint32_t home = (uint32_t)lp_mix(address);

	for (uint32_t i = 0; i < NEIGHBOURS; i++) {
		const uint32_t slot = (home + i) & (PLACES - 1);
		uintptr_t there = atomic_load_explicit(&a->index[slot].address, memory_order_relaxed);
		if (!there && atomic_compare_exchange_strong(&a->index[slot].address, &there, address)) {
			const uint32_t n = atomic_fetch_add(&a->count, 1);
			LP_HOLDS(n < PLACES);
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

static struct place *place_of(const struct lp_explorer *x, uint32_t loc)
{
	struct lp_known_loc *l = &x->ops.loc.at[loc];

	if (!l->place) {
		const struct place *p = place_near(x->answers, l->address);
		if (!p)
			return NULL;
		l->place = 1 + (uint32_t)(p - x->answers->place);
	}
	LP_AGREES(place_near(x->answers, l->address) == &x->answers->place[l->place - 1]);
	return &x->answers->place[l->place - 1];
}

/* The accesses are sequentially consistent, unless the fact is known already. So if one process relies on a
 * fact and another one has seen it to be false, at least one of them notices this. */
static void see(struct lp_answers *a, struct seen *s, uint32_t bits)
{
	if ((atomic_load_explicit(&s->seen, memory_order_relaxed) & bits) != bits)
		atomic_fetch_or(&s->seen, bits);
	if (atomic_load(&s->relied) & bits)
		atomic_store(&a->broken, true);
}

/* Has none of these facts been seen? If so, the exploration relies on it from now on. */
static bool rely(struct lp_answers *a, struct seen *s, uint32_t bits)
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
		if (atomic_load_explicit(state, memory_order_acquire) == FULL)
			return true;
	return false;
}

/* A hash of the answers that a thread got before event number `end`; neither 0 nor MANY. These determine what the thread does
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
	return h && h != MANY ? h : 1;
}

/* The slot of a value that was written; VALUES if there is none. */
static uint32_t slot_of(const struct place *p, struct lp_value value)
{
	uint32_t i = 0;

	while (i < VALUES && (!is_filled(&p->slot[i].state) || !lp_value_equal(p->slot[i].value, value)))
		i++;
	return i;
}

/* Records the answers that led the thread to the RMW that has written e. */
static void see_way(struct lp_answers *a, struct place *p, const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->rmw && e->index);
	const struct lp_event *read = lp_graph_event(g, g->threads.at[e->thread].at[e->index - 1]);
	const uint32_t i = slot_of(p, read->value);
	uint64_t before = 0;

	LP_HOLDS(read->kind == LP_EV_READ && read->loc == e->loc);
	if (i == VALUES || atomic_load_explicit(&p->slot[i].way, memory_order_relaxed) == MANY)
		return;
	const uint64_t way = way_to(g, e->thread, e->index - 1);
	LP_HOLDS(way && way != MANY); /* these two values are reserved */
	if (atomic_compare_exchange_strong(&p->slot[i].way, &before, way) || before == way)
		return;
	atomic_store(&p->slot[i].way, MANY);
	if (atomic_load(&p->slot[i].way_relied))
		atomic_store(&a->broken, true);
}

static void see_value(struct lp_answers *a, struct place *p, struct lp_value value, bool swapped)
{
	uint32_t i = 0;

	for (; i < VALUES; i++) {
		unsigned state = atomic_load_explicit(&p->slot[i].state, memory_order_acquire);
		if (state == EMPTY && atomic_compare_exchange_strong(&p->slot[i].state, &state, BUSY)) {
			p->slot[i].value = value;
			atomic_store(&p->slot[i].swapped, swapped);
			atomic_store(&p->slot[i].state, FULL);
			break;
		}
		if (!is_filled(&p->slot[i].state))
			i = VALUES - 1;
		else if (lp_value_equal(p->slot[i].value, value)) {
			if (!swapped || atomic_load_explicit(&p->slot[i].swapped, memory_order_relaxed))
				return;
			atomic_store(&p->slot[i].swapped, true);
			break;
		}
	}
	if (i == VALUES)
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
	struct place *p = place_of(x, e->loc);
	if (!p)
		return;
	if (e->bytes) { /* nothing is recorded about parts: `crowded` tells processes that the values are not known */
		atomic_store(&p->crowded, true);
		see(x->answers, &p->facts, ~0U);
		see(x->answers, &p->writers, ~0U);
		return;
	}
	see_value(x->answers, p, initial ? g->locs.at[e->loc].initial : e->value, e->rmw && !initial);
	if (initial)
		return;
	LP_HOLDS(lp_graph_at(&g->locs.at[e->loc], e->pos) == id);
	const bool alone = lp_helping_is_alone(g, id);
	unsigned facts = others_of(g, id) | (e->rmw ? LP_ANSWERS_SWAPPED : 0);
	if (!e->rmw && !(facts & LP_ANSWERS_STORED) && !alone && !lp_overwritten_is_own_write(x, e))
		facts |= LP_ANSWERS_STORED;
	see(x->answers, &p->facts, facts);
	if (e->rmw)
		see_way(x->answers, p, g, e);
	if (!alone)
		see(x->answers, &p->writers, lp_answers_kind(g, e->thread));
}

bool lp_answers_has(const struct lp_explorer *x, uint32_t loc, enum lp_answers_fact fact)
{
	const struct place *p = place_of(x, loc);

	return p && (atomic_load_explicit(&p->facts.seen, memory_order_relaxed) & fact);
}

/* The place of the location, for relying on its facts; NULL: nothing can be relied on. */
static struct place *place_to_rely_on(const struct lp_explorer *x, uint32_t loc)
{
	return x->answers->restarts < RESTARTS ? place_of(x, loc) : NULL;
}

bool lp_answers_rely(struct lp_explorer *x, uint32_t loc, unsigned facts)
{
	struct place *p = place_to_rely_on(x, loc);

	return p && rely(x->answers, &p->facts, facts);
}

bool lp_answers_rely_on_writers(struct lp_explorer *x, uint32_t loc, uint32_t kinds)
{
	struct place *p = place_to_rely_on(x, loc);

	return p && rely(x->answers, &p->writers, kinds);
}

bool lp_answers_rely_on_way(struct lp_explorer *x, uint32_t loc, struct lp_value value)
{
	struct place *p = place_to_rely_on(x, loc);
	const uint32_t i = p ? slot_of(p, value) : VALUES;

	if (i == VALUES || atomic_load_explicit(&p->slot[i].way, memory_order_relaxed) == MANY)
		return false;
	if (!atomic_load_explicit(&p->slot[i].way_relied, memory_order_relaxed))
		atomic_store(&p->slot[i].way_relied, true);
	if (atomic_load(&p->slot[i].way) == MANY)
		atomic_store(&x->answers->broken, true);
	return true;
}

bool lp_answers_rely_on_threads(struct lp_explorer *x)
{
	struct lp_answers *a = x->answers;
	const uint32_t count = threads_of(&lp_top(x)->g);

	if (a->restarts >= RESTARTS || atomic_load(&a->threads) > count)
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
	struct place *p = place_to_rely_on(x, loc);
	uint32_t count = 0;

	if (!p)
		return UINT32_MAX;
	if (!lp_top(x)->g.locs.at[loc].uninitialised)
		see_value(x->answers, p, lp_top(x)->g.locs.at[loc].initial, false);
	if (!(atomic_load_explicit(&p->facts.relied, memory_order_relaxed) & LP_ANSWERS_NEW_VALUE))
		atomic_fetch_or(&p->facts.relied, LP_ANSWERS_NEW_VALUE);
	for (uint32_t i = 0; i < VALUES && atomic_load(&p->slot[i].state) != EMPTY; i++) {
		if (count == room || !is_filled(&p->slot[i].state))
			return UINT32_MAX;
		if (!swapped || atomic_load(&p->slot[i].swapped))
			value[count++] = p->slot[i].value;
	}
	return atomic_load(&p->crowded) ? UINT32_MAX : count;
}

void lp_answers_see_initial(struct lp_explorer *x, uint32_t loc, struct lp_value value)
{
	struct place *p = place_of(x, loc);

	if (p)
		see_value(x->answers, p, value, false);
}

void lp_answers_see_again(struct lp_explorer *x, uint32_t loc)
{
	struct place *p = place_of(x, loc);

	if (p)
		see(x->answers, &p->facts, LP_ANSWERS_TWICE | LP_ANSWERS_STORED | LP_ANSWERS_STORED_TWICE | LP_ANSWERS_UNSTACKED);
}

/* ---- facts of other machines ---- */

/* A place as bytes, without its slots, which follow. */
struct portable {
	uint64_t address;
	uint32_t facts, facts_relied, writers, writers_relied;
	uint32_t slots;
	uint8_t crowded;
};

struct portable_slot {
	struct lp_value value;
	uint64_t way;
	uint8_t swapped, way_relied; /* 0: no */
};

struct portable_answers {
	uint32_t restarts, threads, places;
	uint8_t broken, full, threads_relied;
};

static void write_place(const struct place *p, uintptr_t address, struct lp_bytes *to)
{
	struct portable h;
	const uint32_t at = to->count;

	memset(&h, 0, sizeof h);
	h.address = address;
	h.facts = p->facts.seen;
	h.facts_relied = p->facts.relied;
	h.writers = p->writers.seen;
	h.writers_relied = p->writers.relied;
	h.crowded = p->crowded;
	lp_bytes_put(to, &h, sizeof h);
	for (uint32_t i = 0; i < VALUES; i++) {
		struct portable_slot s;
		if (atomic_load(&p->slot[i].state) != FULL)
			continue;
		memset(&s, 0, sizeof s);
		s.value = p->slot[i].value;
		s.way = p->slot[i].way;
		s.swapped = p->slot[i].swapped;
		s.way_relied = p->slot[i].way_relied;
		lp_bytes_put(to, &s, sizeof s);
		h.slots++;
	}
	memcpy(to->at + at, &h, sizeof h);
}

void lp_answers_write(const struct lp_answers *a, struct lp_bytes *to)
{
	struct portable_answers h;
	const uint32_t at = to->count;

	memset(&h, 0, sizeof h);
	h.restarts = a->restarts;
	h.threads = a->threads;
	h.broken = lp_answers_is_broken(a); /* that of `undone`, too */
	h.full = a->full;
	h.threads_relied = a->threads_relied;
	lp_bytes_put(to, &h, sizeof h);
	for (uint32_t i = 0; i < PLACES; i++) {
		const uintptr_t address = a->index[i].address;
		const uint32_t number = address ? atomic_load(&a->index[i].number) : 0;
		if (!number)
			continue;
		write_place(&a->place[number - 1], address, to);
		h.places++;
	}
	memcpy(to->at + at, &h, sizeof h);
	lp_undone_pairs_write(&a->undone, to);
	lp_undone_pairs_write(&a->shifts, to);
}

struct lp_undone_pairs *lp_answers_undone(const struct lp_explorer *x)
{
	return x->answers && x->answers->restarts < RESTARTS ? &x->answers->undone : NULL;
}

struct lp_undone_pairs *lp_answers_shifts(const struct lp_explorer *x)
{
	return x->answers && x->answers->restarts < RESTARTS ? &x->answers->shifts : NULL;
}

static const struct portable_slot *find_slot(const struct portable_slot *slots, uint32_t count, struct lp_value value)
{
	for (uint32_t i = 0; i < count; i++)
		if (lp_value_equal(slots[i].value, value))
			return &slots[i];
	return NULL;
}

/* Does this machine know a value, or a way to write it, that the other machine does not know? */
static bool has_news(const struct place *p, const struct portable *h, const struct portable_slot *slots)
{
	bool news = p->crowded && !h->crowded;

	for (uint32_t i = 0; i < VALUES; i++) {
		const struct portable_slot *s;
		if (atomic_load(&p->slot[i].state) != FULL)
			continue;
		s = find_slot(slots, h->slots, p->slot[i].value);
		news |= !s || (p->slot[i].swapped && !s->swapped);
	}
	return news;
}

/* For a value without a slot, ways are not recorded. Is there such a value? Then another machine must not rely
 * on there being only one way. */
static bool misses_ways(const struct place *p, const struct portable *h, const struct portable_slot *slots)
{
	bool missed = false;

	for (uint32_t i = 0; h->crowded && i < VALUES; i++)
		missed |= p->slot[i].state == FULL && p->slot[i].way_relied && !find_slot(slots, h->slots, p->slot[i].value);
	for (uint32_t i = 0; p->crowded && i < h->slots; i++)
		missed |= slots[i].way_relied && slot_of(p, slots[i].value) == VALUES;
	return missed;
}

static void merge_way(struct lp_answers *a, struct place *p, const struct portable_slot *s)
{
	const uint32_t i = slot_of(p, s->value);
	uint64_t before = 0;

	if (i == VALUES)
		return;
	if (s->way_relied)
		atomic_store(&p->slot[i].way_relied, true);
	if (s->way && !atomic_compare_exchange_strong(&p->slot[i].way, &before, s->way) && before != s->way)
		atomic_store(&p->slot[i].way, MANY);
	if (atomic_load(&p->slot[i].way) == MANY && atomic_load(&p->slot[i].way_relied))
		atomic_store(&a->broken, true);
}

static void merge_seen(struct lp_answers *a, struct seen *s, uint32_t seen, uint32_t relied)
{
	see(a, s, seen);
	atomic_fetch_or(&s->relied, relied);
	if (atomic_load(&s->relied) & atomic_load(&s->seen))
		atomic_store(&a->broken, true);
}

static void merge_place(struct lp_answers *a, struct place *p, const struct portable *h, const struct portable_slot *slots)
{
	LP_HOLDS(h->slots <= VALUES);
	if ((h->facts_relied & LP_ANSWERS_NEW_VALUE && has_news(p, h, slots)) || misses_ways(p, h, slots))
		atomic_store(&a->broken, true);
	for (uint32_t i = 0; i < h->slots; i++) {
		see_value(a, p, slots[i].value, slots[i].swapped);
		merge_way(a, p, &slots[i]);
	}
	if (h->crowded && !atomic_exchange(&p->crowded, true) && p->facts.relied & LP_ANSWERS_NEW_VALUE)
		atomic_store(&a->broken, true);
	merge_seen(a, &p->facts, h->facts, h->facts_relied);
	merge_seen(a, &p->writers, h->writers, h->writers_relied);
}

static void merge_threads(struct lp_answers *a, const struct portable_answers *h)
{
	const uint32_t most = a->threads;

	if ((h->threads_relied && most > h->threads) || (a->threads_relied && h->threads > most))
		atomic_store(&a->broken, true);
	if (h->threads > most)
		atomic_store(&a->threads, h->threads);
	if (h->threads_relied)
		atomic_store(&a->threads_relied, true);
}

/* A location has a place on only one machine, so it is not known what the other one has seen: the
 * exploration no longer relies on facts. */
static void stop_relying(struct lp_answers *a)
{
	if (a->restarts >= RESTARTS)
		return;
	a->restarts = RESTARTS;
	atomic_store(&a->broken, true);
}

/* If a fact that was relied on is false on the other machine, its `broken` has been merged. */
void lp_answers_begin(struct lp_answers *a)
{
	atomic_store(&a->undone.broken, false);
}

bool lp_answers_merge(struct lp_answers *a, struct lp_cursor *from)
{
	struct portable_answers h;
	struct portable_slot slots[VALUES];

	lp_cursor_get(from, &h, sizeof h);
	for (uint32_t i = 0; i < h.places && !from->bad; i++) {
		struct portable place;
		lp_cursor_get(from, &place, sizeof place);
		from->bad |= place.slots > VALUES || !place.address;
		if (from->bad || !lp_cursor_get(from, slots, sizeof *slots * place.slots))
			break;
		struct place *p = place_near(a, (uintptr_t)place.address);
		if (p)
			merge_place(a, p, &place, slots);
	}
	if (from->bad || !lp_undone_pairs_merge(&a->undone, from) || !lp_undone_pairs_merge(&a->shifts, from))
		return false;
	merge_threads(a, &h);
	LP_HOLDS(a->threads >= h.threads);
	if (h.restarts > a->restarts)
		a->restarts = h.restarts;
	if (h.full)
		atomic_store(&a->full, true);
	if (a->full)
		stop_relying(a);
	if (h.broken)
		atomic_store(&a->broken, true);
	return true;
}
