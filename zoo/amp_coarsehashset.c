/* amp_coarsehashset.c -- a hash set under one lock.
 *
 * Herlihy, Shavit, Luchangco and Spear, "The Art of Multiprocessor Programming" (2020),
 * section 13.2.1.  Whether the table is too small is looked up without the lock; who then has it
 * looks whether the table is still the one that was.
 *
 * -DLOAD=N: it is too small for more than N keys a bucket.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "parts/buckets.h"

#ifndef LOAD
#define LOAD 4
#endif

struct set {
	pthread_mutex_t lock;
	struct buckets *table;
	atomic_uint size, length; /* written under the lock; length: of the table */
};

static bool is_too_small(struct set *s)
{
	return s->size / s->length > LOAD;
}

static void resize(struct set *s)
{
	const unsigned length = s->length;

	pthread_mutex_lock(&s->lock);
	if (s->length == length) {
		struct buckets *table = buckets_new(2 * length);
		buckets_copy(table, s->table);
		s->table = table;
		s->length = 2 * length;
	}
	pthread_mutex_unlock(&s->lock);
}

static bool set_add(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	const bool is_new = buckets_add(s->table, key);
	if (is_new)
		s->size = s->size + 1;
	pthread_mutex_unlock(&s->lock);
	if (is_too_small(s))
		resize(s);
	return is_new;
}

static bool set_remove(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	const bool was_there = buckets_remove(s->table, key);
	if (was_there)
		s->size = s->size - 1;
	pthread_mutex_unlock(&s->lock);
	return was_there;
}

static bool set_contains(struct set *s, long key)
{
	pthread_mutex_lock(&s->lock);
	const bool is_there = buckets_has(s->table, key);
	pthread_mutex_unlock(&s->lock);
	return is_there;
}

static struct set set = { PTHREAD_MUTEX_INITIALIZER, NULL, 0, 1 };

LP_SPEC("set")
LP_ARGS(HASH_ARGS)
LP_SETUP { hash_choose_alike(); set.table = buckets_new(1); }
LP_METHOD(add, k) { return set_add(&set, k); }
LP_METHOD(remove, k) { return set_remove(&set, k); }
LP_METHOD(contains, k) { return set_contains(&set, k); }
