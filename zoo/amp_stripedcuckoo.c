/* amp_stripedcuckoo.c -- a cuckoo hash set with a fixed number of locks.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * sections 13.4.2 and 13.4.3; cuckoo hashing is from R. Pagh and F. Rodler (J. Algorithms 2004).  A
 * key is in one of two small sets, one of each row; where a set has more than THRESHOLD keys, the
 * first one is moved to its other place, and so on.
 *
 * The code is that of the book, which is wrong in two ways.  relocate() reads the table and the first
 * key of a set before it has their locks: while another call makes the table larger there may be no
 * set there yet, or no key in it.  And if all places of three keys coincide (-DSAME_HASH), a
 * larger table does not help, but is made, again and again.
 *
 * -DREPAIRED: ours for the first; a round of relocate() looks under all locks of the first row,
 * and ends if the table has become another one meanwhile.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "parts/hash.h"
#include "parts/probeset.h"
#include "parts/relock.h"

enum { LOCKS = 1, LIMIT = 8 };

struct set {
	struct relock lock[2][LOCKS];
	atomic_uint capacity;
	_Atomic(struct probetable *) table;
};

static void acquire(struct set *s, long key)
{
	for (int row = 0; row < 2; row++)
		relock_lock(&s->lock[row][hash_of(row, key) % LOCKS]);
}

static void release(struct set *s, long key)
{
	for (int row = 0; row < 2; row++)
		relock_unlock(&s->lock[row][hash_of(row, key) % LOCKS]);
}

/* Where the key is, or would be, in that row. */
static struct probeset *place_of(struct set *s, int row, long key)
{
	return *probetable_at(s->table, row, hash_of(row, key) % s->capacity);
}

static bool set_add(struct set *s, long key);

static void lock_all(struct set *s)
{
	for (int i = 0; i < LOCKS; i++)
		relock_lock(&s->lock[0][i]);
}

static void unlock_all(struct set *s)
{
	for (int i = 0; i < LOCKS; i++)
		relock_unlock(&s->lock[0][i]);
}

static void resize(struct set *s)
{
	const unsigned capacity = s->capacity;

	lock_all(s);
	if (s->capacity == capacity) {
		struct probetable *old = s->table;

		s->capacity = 2 * capacity;
		s->table = probetable_new(2 * capacity);
		probetable_fill(s->table);
		for (int row = 0; row < 2; row++)
			for (unsigned i = 0; i < capacity; i++)
				for (unsigned k = 0; k < (*probetable_at(old, row, i))->size; k++)
					set_add(s, (*probetable_at(old, row, i))->key[k]);
	}
	unlock_all(s);
}

/* Moves keys until no set has too many; false if that does not come to an end. */
static bool relocate(struct set *s, int row, unsigned at)
{
#ifdef REPAIRED
	struct probetable *table = s->table;
#endif

	for (int round = 0; round < LIMIT; round++) {
#ifdef REPAIRED
		lock_all(s);
		if (s->table != table || (*probetable_at(table, row, at))->size < THRESHOLD) {
			unlock_all(s);
			return true;
		}
#endif
		struct probeset *from = *probetable_at(s->table, row, at);
		const long key = probeset_first(from);
		const unsigned other = hash_of(1 - row, key) % s->capacity;
		bool done = false, result = true;

		acquire(s, key);
		struct probeset *to = *probetable_at(s->table, 1 - row, other);
		if (probeset_remove(from, key)) {
			if (to->size < THRESHOLD) {
				probeset_add(to, key);
				done = true;
			} else if (to->size < PROBE_SIZE) {
				probeset_add(to, key);
				row = 1 - row;
				at = other;
			} else {
				probeset_add(from, key);
				done = true;
				result = false;
			}
		} else if (from->size < THRESHOLD) {
			done = true;
		}
		release(s, key);
#ifdef REPAIRED
		unlock_all(s);
#endif
		if (done)
			return result;
	}
	return false;
}

static bool set_add(struct set *s, long key)
{
	int row = 0;
	bool is_full = false;

	acquire(s, key);
	struct probeset *set[2] = { place_of(s, 0, key), place_of(s, 1, key) };
	if (probeset_has(set[0], key) || probeset_has(set[1], key)) {
		release(s, key);
		return false;
	}
	if (set[0]->size < THRESHOLD || set[1]->size < THRESHOLD) {
		probeset_add(set[0]->size < THRESHOLD ? set[0] : set[1], key);
		release(s, key);
		return true;
	}
	if (set[0]->size < PROBE_SIZE || set[1]->size < PROBE_SIZE) {
		row = set[0]->size < PROBE_SIZE ? 0 : 1;
		probeset_add(set[row], key);
	} else {
		is_full = true;
	}
	const unsigned at = hash_of(row, key) % s->capacity;
	release(s, key);
	if (is_full) {
		resize(s);
		set_add(s, key);
	} else if (!relocate(s, row, at)) {
		resize(s);
	}
	return true;
}

static bool set_remove(struct set *s, long key)
{
	acquire(s, key);
	const bool was_there = probeset_remove(place_of(s, 0, key), key) ||
			       probeset_remove(place_of(s, 1, key), key);
	release(s, key);
	return was_there;
}

static bool set_contains(struct set *s, long key)
{
	acquire(s, key);
	const bool is_there = probeset_has(place_of(s, 0, key), key) ||
			      probeset_has(place_of(s, 1, key), key);
	release(s, key);
	return is_there;
}

static struct set set;

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
LP_SETUP
{
	hash_choose(2);
	for (int row = 0; row < 2; row++)
		for (int i = 0; i < LOCKS; i++)
			relock_init(&set.lock[row][i]);
	set.capacity = 1;
	set.table = probetable_new(1);
	probetable_fill(set.table);
}
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
