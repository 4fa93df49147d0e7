/* undone_pairs.c -- values that threads have written and taken back, in all executions. */
#include "explore/reduce/facts/undone_pairs.h"

#include <string.h>

#include "base/error.h"
#include "ranks/bytes.h"

enum { EMPTY, BUSY, FULL };
enum { PATIENCE = 1 << 20 };

struct lp_undone_pair *lp_undone_pair_at(struct lp_undone_pairs *pairs, uint32_t i)
{
	struct lp_undone_pair *p = &pairs->at[i];

	if (i >= LP_UNDONE_PAIRS || atomic_load_explicit(&p->state, memory_order_acquire) == EMPTY)
		return NULL;
	for (uint32_t n = 0; n < PATIENCE; n++)
		if (atomic_load_explicit(&p->state, memory_order_acquire) == FULL)
			return p;
	atomic_store(&pairs->broken, true); /* the process that was filling it in may have died */
	return NULL;
}

static bool is_same(const struct lp_undone_key *a, const struct lp_undone_key *b)
{
	return a->address == b->address && a->size == b->size && a->thread == b->thread && lp_value_equal(a->old, b->old) &&
	       lp_value_equal(a->put, b->put);
}

static bool is_full(const struct lp_undone_pairs *pairs, const struct lp_undone_pair *p)
{
	return p >= pairs->at && p < pairs->at + LP_UNDONE_PAIRS && atomic_load(&p->state) == FULL;
}

/* Is the list consistent?  No pair comes after an empty slot, and `broken` is set if a pair was relied
 * on and spoilt. */
static bool are_whole(const struct lp_undone_pairs *pairs)
{
	bool empty = false;

	for (uint32_t i = 0; i < LP_UNDONE_PAIRS; i++) {
		const struct lp_undone_pair *p = &pairs->at[i];
		if (empty && atomic_load(&p->state) == FULL)
			return false;
		empty |= atomic_load(&p->state) != FULL;
		if (atomic_load(&p->relied) && atomic_load(&p->spoilt) && !atomic_load(&pairs->broken))
			return false;
	}
	return true;
}

bool lp_undone_pairs_are_alike(const struct lp_undone_key *a, const struct lp_undone_key *b)
{
	return a->address == b->address && a->kind == b->kind && a->place == b->place && lp_value_equal(a->old, b->old);
}

struct lp_undone_pair *lp_undone_pair_put(struct lp_undone_pairs *pairs, const struct lp_undone_key *key)
{
	LP_HOLDS(!lp_value_equal(key->old, key->put));
	for (uint32_t i = 0; i < LP_UNDONE_PAIRS; i++) {
		unsigned empty = EMPTY;
		struct lp_undone_pair *p = &pairs->at[i];
		if (atomic_compare_exchange_strong(&p->state, &empty, BUSY)) {
			p->key = *key;
			atomic_store(&p->state, FULL);
			atomic_store(&pairs->broken, true);
			return p;
		}
		p = lp_undone_pair_at(pairs, i);
		if (!p || is_same(&p->key, key))
			return p;
	}
	return NULL;
}

bool lp_undone_pair_rely(struct lp_undone_pairs *pairs, struct lp_undone_pair *p)
{
	LP_HOLDS(is_full(pairs, p));
	if (p->dead || atomic_load_explicit(&p->spoilt, memory_order_relaxed) || atomic_load_explicit(&pairs->given_up, memory_order_relaxed))
		return false;
	if (!atomic_load_explicit(&p->relied, memory_order_relaxed))
		atomic_store(&p->relied, true);
	if (atomic_load(&p->spoilt) || atomic_load(&pairs->given_up)) /* meanwhile */
		atomic_store(&pairs->broken, true);
	return true;
}

void lp_undone_pair_spoil(struct lp_undone_pairs *pairs, const struct lp_undone_pair *seen)
{
	struct lp_undone_pair *p;

	LP_HOLDS(is_full(pairs, seen) && lp_undone_pairs_are_alike(&seen->key, &seen->key));
	for (uint32_t i = 0; (p = lp_undone_pair_at(pairs, i)); i++) {
		if (!lp_undone_pairs_are_alike(&p->key, &seen->key))
			continue;
		atomic_store(&p->spoilt, true);
		atomic_store(&pairs->broken, true);
	}
}

void lp_undone_pairs_give_up(struct lp_undone_pairs *pairs)
{
	struct lp_undone_pair *p;

	if (!pairs || atomic_load_explicit(&pairs->given_up, memory_order_relaxed))
		return;
	atomic_store(&pairs->given_up, true);
	for (uint32_t i = 0; (p = lp_undone_pair_at(pairs, i)); i++)
		if (!p->dead)
			atomic_store(&pairs->broken, true);
}

void lp_undone_pairs_restart(struct lp_undone_pairs *pairs)
{
	LP_VALID(are_whole(pairs));
	atomic_store(&pairs->broken, false);
	for (uint32_t i = 0; i < LP_UNDONE_PAIRS; i++) {
		struct lp_undone_pair *p = &pairs->at[i];
		atomic_store(&p->relied, false);
		p->dead |= atomic_load(&p->spoilt) || atomic_load(&pairs->given_up);
		if (atomic_load(&p->state) == BUSY)
			atomic_store(&p->state, EMPTY);
		LP_HOLDS(p->dead || !atomic_load(&p->spoilt));
	}
}

/* ---- facts of other machines ---- */

struct portable_pair {
	struct lp_value old, put;
	uint64_t address, place;
	uint32_t thread, kind;
	uint8_t size, relied, spoilt, dead;
};

void lp_undone_pairs_write(const struct lp_undone_pairs *pairs, struct lp_bytes *to)
{
	const uint8_t given_up = pairs->given_up;
	uint32_t count = 0;

	lp_bytes_put(to, &given_up, sizeof given_up);
	const uint32_t at = to->count;
	lp_bytes_put(to, &count, sizeof count);
	for (; count < LP_UNDONE_PAIRS && atomic_load(&pairs->at[count].state) == FULL; count++) {
		const struct lp_undone_pair *p = &pairs->at[count];
		struct portable_pair h;
		memset(&h, 0, sizeof h);
		h.old = p->key.old;
		h.put = p->key.put;
		h.address = p->key.address;
		h.size = (uint8_t)p->key.size;
		h.place = p->key.place;
		h.thread = p->key.thread;
		h.kind = p->key.kind;
		h.relied = p->relied;
		h.spoilt = p->spoilt;
		h.dead = p->dead;
		lp_bytes_put(to, &h, sizeof h);
	}
	memcpy(to->at + at, &count, sizeof count);
}

bool lp_undone_pairs_merge(struct lp_undone_pairs *pairs, struct lp_cursor *from)
{
	uint8_t given_up = 0;
	uint32_t count = 0;

	lp_cursor_get(from, &given_up, sizeof given_up);
	lp_cursor_get(from, &count, sizeof count);
	from->bad |= count > LP_UNDONE_PAIRS;
	for (uint32_t i = 0; i < count && !from->bad; i++) {
		struct portable_pair h;
		from->bad |= !lp_cursor_get(from, &h, sizeof h) || lp_value_equal(h.old, h.put);
		if (from->bad)
			break;
		const struct lp_undone_key key = { .address = (uintptr_t)h.address, .size = h.size, .old = h.old, .put = h.put,
						   .place = (uintptr_t)h.place, .thread = h.thread, .kind = h.kind };
		struct lp_undone_pair *p = lp_undone_pair_put(pairs, &key);
		if (!p) { /* it is not known here on which pairs the other machine relies */
			atomic_store(&pairs->broken, true);
			continue;
		}
		if (h.relied)
			atomic_store(&p->relied, true);
		if (h.spoilt)
			atomic_store(&p->spoilt, true);
		p->dead |= h.dead;
		if (atomic_load(&p->relied) && atomic_load(&p->spoilt))
			atomic_store(&pairs->broken, true);
	}
	if (!from->bad && given_up)
		lp_undone_pairs_give_up(pairs);
	return !from->bad;
}
