/* answers.c -- facts about the writes to a location, in all executions. */
#include "explore/reduce/facts/answers.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "explore/graph/frame.h"
#include "explore/reduce/overwritten_iterations.h"

enum {
	PLACES = 4096, /* a power of two */
	NEIGHBOURS = 16,
	VALUES = 24,   /* of a location that are told apart */
	RESTARTS = 64, /* then nothing is relied upon any more */
	PATIENCE = 1 << 20,
};

/* A slot is empty, is being filled in, or holds a value. */
enum { EMPTY, BUSY, FULL };

struct place {
	_Atomic unsigned seen, relied; /* enum lp_answers_fact */
	atomic_bool crowded; /* there are more values */
	struct {
		_Atomic unsigned state;
		atomic_bool swapped; /* by an RMW */
		struct lp_value value;
	} slot[VALUES];
};

/* Locations are found near the hash of their address; their facts are one after the other, in few pages. */
struct lp_answers {
	atomic_bool broken;
	uint32_t restarts;
	_Atomic uint32_t count;
	struct {
		_Atomic uintptr_t address; /* 0: no location's */
		_Atomic uint32_t number;   /* 1 + that of its place; 0: not yet known */
	} index[PLACES];
	struct place place[PLACES];
};

struct lp_answers *lp_answers_open(void)
{
	void *p = mmap(NULL, sizeof(struct lp_answers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void lp_answers_close(struct lp_answers *a)
{
	if (a)
		munmap(a, sizeof *a);
}

bool lp_answers_is_broken(const struct lp_answers *a)
{
	return a && atomic_load_explicit(&a->broken, memory_order_relaxed);
}

void lp_answers_restart(struct lp_answers *a)
{
	a->restarts++;
	atomic_store(&a->broken, false);
	for (uint32_t i = 0; i < a->count; i++)
		atomic_store(&a->place[i].relied, 0);
}

/* The place with that number, which another process may be about to fill in. */
static struct place *place_at(struct lp_answers *a, const _Atomic uint32_t *number)
{
	for (uint32_t i = 0; i < PATIENCE; i++) {
		const uint32_t n = atomic_load_explicit(number, memory_order_acquire);
		if (n)
			return &a->place[n - 1];
	}
	atomic_store(&a->broken, true); /* it has died, perhaps */
	return NULL;
}

/* NULL if there is no room for the location: then nothing is ever relied upon there. */
static struct place *place_of(const struct lp_explorer *x, uint32_t loc)
{
	struct lp_answers *a = x->answers;
	const uintptr_t address = x->ops.loc.at[loc].address;
	const uint32_t home = (uint32_t)lp_mix(address);

	for (uint32_t i = 0; i < NEIGHBOURS; i++) {
		const uint32_t slot = (home + i) & (PLACES - 1);
		uintptr_t there = atomic_load_explicit(&a->index[slot].address, memory_order_relaxed);
		if (!there && atomic_compare_exchange_strong(&a->index[slot].address, &there, address)) {
			const uint32_t n = atomic_fetch_add(&a->count, 1);
			atomic_store(&a->index[slot].number, n + 1);
			return &a->place[n];
		}
		if (there == address)
			return place_at(a, &a->index[slot].number);
	}
	return NULL;
}

/* Sequentially consistent, unless known: of two processes, one of which relies on what the other has seen to be
 * false, one notices. */
static void see(struct lp_answers *a, struct place *p, unsigned fact)
{
	if ((atomic_load_explicit(&p->seen, memory_order_relaxed) & fact) != fact)
		atomic_fetch_or(&p->seen, fact);
	if (atomic_load(&p->relied) & fact)
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
	if (atomic_load(&p->relied) & LP_ANSWERS_NEW_VALUE)
		atomic_store(&a->broken, true);
}

/* What other writes in co say of this one. */
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
	return facts;
}

void lp_answers_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const bool initial = e->kind == LP_EV_READ && e->rf == LP_INIT;

	if (e->kind != LP_EV_WRITE && !initial)
		return;
	struct place *p = place_of(x, e->loc);
	if (!p)
		return;
	if (e->bytes) { /* nothing is known of parts */
		see(x->answers, p, ~0U);
		atomic_store(&p->crowded, true);
		return;
	}
	see_value(x->answers, p, initial ? g->locs.at[e->loc].initial : e->value, e->rmw && !initial);
	if (initial)
		return;
	unsigned facts = others_of(g, id) | (e->rmw ? LP_ANSWERS_SWAPPED : 0);
	if (!e->rmw && !(facts & LP_ANSWERS_STORED) && !lp_is_own_write(x, e) && !lp_is_alone(g, id))
		facts |= LP_ANSWERS_STORED;
	see(x->answers, p, facts);
}

bool lp_answers_has(const struct lp_explorer *x, uint32_t loc, enum lp_answers_fact fact)
{
	const struct place *p = place_of(x, loc);

	return p && (atomic_load_explicit(&p->seen, memory_order_relaxed) & fact);
}

bool lp_answers_rely(struct lp_explorer *x, uint32_t loc, unsigned facts)
{
	struct place *p = x->answers->restarts < RESTARTS ? place_of(x, loc) : NULL;

	if (!p || (atomic_load_explicit(&p->seen, memory_order_relaxed) & facts))
		return false;
	if ((atomic_load_explicit(&p->relied, memory_order_relaxed) & facts) != facts)
		atomic_fetch_or(&p->relied, facts);
	if (atomic_load(&p->seen) & facts) /* meanwhile */
		atomic_store(&x->answers->broken, true);
	return true;
}

uint32_t lp_answers_values(struct lp_explorer *x, uint32_t loc, bool swapped, struct lp_value *value, uint32_t room)
{
	struct place *p = x->answers->restarts < RESTARTS ? place_of(x, loc) : NULL;
	uint32_t count = 0;

	if (!p)
		return UINT32_MAX;
	if (!lp_top(x)->g.locs.at[loc].uninitialised)
		see_value(x->answers, p, lp_top(x)->g.locs.at[loc].initial, false);
	if (!(atomic_load_explicit(&p->relied, memory_order_relaxed) & LP_ANSWERS_NEW_VALUE))
		atomic_fetch_or(&p->relied, LP_ANSWERS_NEW_VALUE);
	for (uint32_t i = 0; i < VALUES && atomic_load(&p->slot[i].state) != EMPTY; i++) {
		if (count == room || !is_filled(&p->slot[i].state))
			return UINT32_MAX;
		if (!swapped || atomic_load(&p->slot[i].swapped))
			value[count++] = p->slot[i].value;
	}
	return atomic_load(&p->crowded) ? UINT32_MAX : count;
}
