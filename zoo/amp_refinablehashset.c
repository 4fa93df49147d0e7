/* amp_refinablehashset.c -- a hash set whose locks become more with its buckets.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 13.2.3.  A call that enlarges the table owns it meanwhile: no other call takes a lock, and
 * the owner waits until all locks that are held have been released.
 *
 * -DORIGINAL: as printed, the new array of locks is published first and filled afterwards.  A call
 * that looks for the owner too early, and reads the array too late, finds no lock in it.
 *
 * -DROUNDS: a call that waits for locks to be released counts its iterations, so that no iteration
 * is redundant.  As printed it does not, and threads that are scheduled fairly need not; if
 * they are not, this is how it goes on forever.
 *
 * -DLOAD=N: the table is too small for more than N keys a bucket.
 */
#include <stdatomic.h>

#include "parts/buckets.h"
#include "parts/heldlock.h"

#ifndef LOAD
#define LOAD 2
#endif

struct locks {
	unsigned length;
	_Atomic(struct heldlock *) at[];
};

struct set {
	_Atomic(const void *) owner; /* a call; NULL: no call enlarges the table */
	_Atomic(struct locks *) locks;
	_Atomic(struct buckets *) table;
	atomic_uint size;
	atomic_uint rounds; /* of waiting, with -DROUNDS */
};

static struct locks *new_locks(unsigned length)
{
	struct locks *locks = malloc(sizeof *locks + length * sizeof locks->at[0]);
	locks->length = length;
	for (unsigned i = 0; i < length; i++)
		atomic_init(&locks->at[i], NULL);
	return locks;
}

static void fill(struct locks *locks)
{
	for (unsigned i = 0; i < locks->length; i++) {
		struct heldlock *lock = malloc(sizeof *lock);
		atomic_init(&lock->holder, NULL);
		locks->at[i] = lock;
	}
}

static struct heldlock *acquire(struct set *s, long key, const void *me)
{
	for (;;) {
		while (s->owner)
			;
		struct locks *locks = s->locks;
		struct heldlock *lock = locks->at[hash(key) % locks->length];
		heldlock_lock(lock, me);
		if (!s->owner && s->locks == locks)
			return lock;
		heldlock_unlock(lock);
	}
}

static bool is_too_small(struct set *s)
{
	return s->size / s->table->length > LOAD;
}

static void quiesce(struct set *s)
{
	struct locks *locks = s->locks;

	for (unsigned i = 0; i < locks->length; i++)
		while (heldlock_is_held(locks->at[i]))
#ifdef ROUNDS
			s->rounds++;
#else
			;
#endif
}

static void resize(struct set *s, const void *me)
{
	const unsigned length = s->table->length;
	const void *nobody = NULL;

	if (!atomic_compare_exchange_strong(&s->owner, &nobody, me))
		return;
	if (s->table->length == length) {
		quiesce(s);
		struct buckets *old = s->table, *table = buckets_new(2 * length);
		struct locks *locks = new_locks(2 * length);
#ifdef ORIGINAL
		s->table = table;
		s->locks = locks;
		fill(locks);
		buckets_copy(table, old);
#else
		fill(locks);
		buckets_copy(table, old);
		s->table = table;
		s->locks = locks;
#endif
	}
	s->owner = NULL;
}

static bool set_add(struct set *s, long key)
{
	char me;
	struct heldlock *lock = acquire(s, key, &me);
	const bool is_new = buckets_add(s->table, key);
	if (is_new)
		s->size = s->size + 1;
	heldlock_unlock(lock);
	if (is_too_small(s))
		resize(s, &me);
	return is_new;
}

static bool set_remove(struct set *s, long key)
{
	char me;
	struct heldlock *lock = acquire(s, key, &me);
	const bool was_there = buckets_remove(s->table, key);
	if (was_there)
		s->size = s->size - 1;
	heldlock_unlock(lock);
	return was_there;
}

static bool set_contains(struct set *s, long key)
{
	char me;
	struct heldlock *lock = acquire(s, key, &me);
	const bool is_there = buckets_has(s->table, key);
	heldlock_unlock(lock);
	return is_there;
}

static struct set set;

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
LP_SETUP
{
	hash_choose(1);
	set.table = buckets_new(1);
	set.locks = new_locks(1);
	fill(set.locks);
}
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
