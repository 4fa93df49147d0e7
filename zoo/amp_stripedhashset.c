/* amp_stripedhashset.c -- a hash set with a fixed number of locks.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 13.2.2.  A lock guards every LOCKS-th bucket; their number divides the length of the
 * table forever.  The number of keys is counted under one lock of several, so that counts can be
 * lost: the table is then too small for longer.
 *
 * -DLOCKS=N: so many locks, and buckets at first.  -DLOAD=N: the table is too small for more than
 * N keys a bucket.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "parts/buckets.h"

#ifndef LOCKS
#define LOCKS 1
#endif
#ifndef LOAD
#define LOAD 2
#endif

struct set {
	pthread_mutex_t lock[LOCKS];
	struct buckets *table; /* read under a lock, written under all of them */
	atomic_uint size, length;
};

static pthread_mutex_t *lock_of(struct set *s, long key)
{
	return &s->lock[hash(key) % LOCKS];
}

static bool is_too_small(struct set *s)
{
	return s->size / s->length > LOAD;
}

static void resize(struct set *s)
{
	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_lock(&s->lock[i]);
	if (is_too_small(s)) {
		struct buckets *table = buckets_new(2 * s->length);
		buckets_copy(table, s->table);
		s->table = table;
		s->length = table->length;
	}
	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_unlock(&s->lock[i]);
}

static bool set_add(struct set *s, long key)
{
	pthread_mutex_lock(lock_of(s, key));
	const bool is_new = buckets_add(s->table, key);
	if (is_new)
		s->size = s->size + 1;
	pthread_mutex_unlock(lock_of(s, key));
	if (is_too_small(s))
		resize(s);
	return is_new;
}

static bool set_remove(struct set *s, long key)
{
	pthread_mutex_lock(lock_of(s, key));
	const bool was_there = buckets_remove(s->table, key);
	if (was_there)
		s->size = s->size - 1;
	pthread_mutex_unlock(lock_of(s, key));
	return was_there;
}

static bool set_contains(struct set *s, long key)
{
	pthread_mutex_lock(lock_of(s, key));
	const bool is_there = buckets_has(s->table, key);
	pthread_mutex_unlock(lock_of(s, key));
	return is_there;
}

static struct set set = { .length = LOCKS };

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
LP_SETUP
{
	hash_choose(1);
	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_init(&set.lock[i], NULL);
	set.table = buckets_new(LOCKS);
}
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
