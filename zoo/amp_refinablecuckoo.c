/* amp_refinablecuckoo.c -- a cuckoo hash set whose locks become more with its table.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 13.4.4: amp_stripedcuckoo.c with the owner of amp_refinablehashset.c.
 *
 * The code is that of the book, which has the defects of both.  The new arrays are published before
 * they are filled, so that a call that looked for an owner before there was one finds no lock; and
 * relocate() reads the table and the first key of a set without locks.
 *
 * -DFILL_FIRST: new arrays are filled before they are published, which leaves the other.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "parts/hash.h"
#include "parts/heldlock.h"
#include "parts/probeset.h"

enum { LIMIT = 8 };

struct locks {
	unsigned length;
	_Atomic(struct heldlock *) at[]; /* two rows */
};

struct set {
	_Atomic(const void *) owner; /* a call; NULL: no call enlarges the table */
	_Atomic(struct locks *) locks;
	atomic_uint capacity;
	_Atomic(struct probetable *) table;
};

struct held {
	struct heldlock *row[2];
};

static struct locks *new_locks(unsigned length)
{
	struct locks *locks = malloc(sizeof *locks + 2 * length * sizeof locks->at[0]);
	locks->length = length;
	for (unsigned i = 0; i < 2 * length; i++)
		atomic_init(&locks->at[i], NULL);
	return locks;
}

static void fill(struct locks *locks)
{
	for (unsigned i = 0; i < 2 * locks->length; i++) {
		struct heldlock *lock = malloc(sizeof *lock);
		atomic_init(&lock->holder, NULL);
		locks->at[i] = lock;
	}
}

static void release(struct held held)
{
	heldlock_unlock(held.row[0]);
	heldlock_unlock(held.row[1]);
}

static bool is_owned_by_another(struct set *s, const void *me)
{
	const void *owner = s->owner;
	return owner && owner != me;
}

static struct held acquire(struct set *s, long key, const void *me)
{
	for (;;) {
		while (is_owned_by_another(s, me))
			;
		struct locks *locks = s->locks;
		struct held held;
		for (unsigned row = 0; row < 2; row++)
			held.row[row] = locks->at[row * locks->length +
						  hash_of((int)row, key) % locks->length];
		heldlock_lock(held.row[0], me);
		heldlock_lock(held.row[1], me);
		if (!is_owned_by_another(s, me) && s->locks == locks)
			return held;
		release(held);
	}
}

static struct probeset *place_of(struct set *s, int row, long key)
{
	return *probetable_at(s->table, row, hash_of(row, key) % s->capacity);
}

static bool set_add(struct set *s, long key, const void *me);

/* Only the first row: who holds a lock of the second holds one of the first. */
static void quiesce(struct set *s)
{
	struct locks *locks = s->locks;

	for (unsigned i = 0; i < locks->length; i++)
		while (heldlock_is_held(locks->at[i]))
			;
}

static void replace_arrays(struct set *s, unsigned capacity)
{
	struct probetable *table = probetable_new(capacity);
	struct locks *locks = new_locks(capacity);

#ifdef FILL_FIRST
	fill(locks);
	probetable_fill(table);
#endif
	s->capacity = capacity;
	s->table = table;
	s->locks = locks;
#ifndef FILL_FIRST
	fill(locks);
	probetable_fill(table);
#endif
}

static void resize(struct set *s, const void *me)
{
	const unsigned capacity = s->capacity;
	const void *nobody = NULL;

	if (!atomic_compare_exchange_strong(&s->owner, &nobody, me))
		return;
	if (s->capacity == capacity) {
		quiesce(s);
		struct probetable *old = s->table;
		replace_arrays(s, 2 * capacity);
		for (int row = 0; row < 2; row++)
			for (unsigned i = 0; i < capacity; i++)
				for (unsigned k = 0; k < (*probetable_at(old, row, i))->size; k++)
					set_add(s, (*probetable_at(old, row, i))->key[k], me);
	}
	s->owner = NULL;
}

/* Moves keys until no set has too many; false if that does not come to an end. */
static bool relocate(struct set *s, int row, unsigned at, const void *me)
{
	for (int round = 0; round < LIMIT; round++) {
		struct probeset *from = *probetable_at(s->table, row, at);
		const long key = probeset_first(from);
		const unsigned other = hash_of(1 - row, key) % s->capacity;
		bool done = false, result = true;

		const struct held held = acquire(s, key, me);
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
		release(held);
		if (done)
			return result;
	}
	return false;
}

static bool set_add(struct set *s, long key, const void *me)
{
	int row = 0;
	bool is_full = false;
	const struct held held = acquire(s, key, me);
	struct probeset *set[2] = { place_of(s, 0, key), place_of(s, 1, key) };

	if (probeset_has(set[0], key) || probeset_has(set[1], key)) {
		release(held);
		return false;
	}
	if (set[0]->size < THRESHOLD || set[1]->size < THRESHOLD) {
		probeset_add(set[0]->size < THRESHOLD ? set[0] : set[1], key);
		release(held);
		return true;
	}
	if (set[0]->size < PROBE_SIZE || set[1]->size < PROBE_SIZE) {
		row = set[0]->size < PROBE_SIZE ? 0 : 1;
		probeset_add(set[row], key);
	} else {
		is_full = true;
	}
	const unsigned at = hash_of(row, key) % s->capacity;
	release(held);
	if (is_full) {
		resize(s, me);
		set_add(s, key, me);
	} else if (!relocate(s, row, at, me)) {
		resize(s, me);
	}
	return true;
}

static bool set_remove(struct set *s, long key)
{
	char me;
	const struct held held = acquire(s, key, &me);
	const bool was_there = probeset_remove(place_of(s, 0, key), key) ||
			       probeset_remove(place_of(s, 1, key), key);
	release(held);
	return was_there;
}

static bool set_contains(struct set *s, long key)
{
	char me;
	const struct held held = acquire(s, key, &me);
	const bool is_there = probeset_has(place_of(s, 0, key), key) ||
			      probeset_has(place_of(s, 1, key), key);
	release(held);
	return is_there;
}

static struct set set;

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
LP_SETUP
{
	hash_choose(2);
	set.capacity = 1;
	set.table = probetable_new(1);
	probetable_fill(set.table);
	set.locks = new_locks(1);
	fill(set.locks);
}
LP_METHOD(add, k)
{
	char me;
	return set_add(&set, k, &me);
}
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
