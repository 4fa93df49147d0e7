/* probeset.h -- the table of the cuckoo hash sets: two rows of small sets.
 *
 * Callers read sets without their locks, as Java lets them: so all is atomic.  A new table has no
 * sets in it until it is filled.  To ask an empty set for its first key is an error, as it is of an
 * ArrayList.
 */
#ifndef ZOO_PARTS_PROBESET_H
#define ZOO_PARTS_PROBESET_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PROBE_SIZE = 2, THRESHOLD = 1 };

struct probeset {
	atomic_uint size;
	_Atomic(long) key[PROBE_SIZE];
};

struct probetable {
	unsigned capacity;
	_Atomic(struct probeset *) at[];
};

static inline struct probetable *probetable_new(unsigned capacity)
{
	struct probetable *t = malloc(sizeof *t + 2 * capacity * sizeof t->at[0]);
	t->capacity = capacity;
	for (unsigned i = 0; i < 2 * capacity; i++)
		atomic_init(&t->at[i], NULL);
	return t;
}

static inline void probetable_fill(struct probetable *t)
{
	for (unsigned i = 0; i < 2 * t->capacity; i++) {
		struct probeset *set = malloc(sizeof *set);
		atomic_init(&set->size, 0);
		for (int k = 0; k < PROBE_SIZE; k++)
			atomic_init(&set->key[k], 0);
		t->at[i] = set;
	}
}

static inline _Atomic(struct probeset *) *probetable_at(struct probetable *t, int row, unsigned at)
{
	assert(at < t->capacity);
	return &t->at[(unsigned)row * t->capacity + at];
}

static inline long probeset_first(struct probeset *s)
{
	assert(s->size > 0);
	return s->key[0];
}

/* The place of the key, or the size. */
static inline unsigned probeset_find(struct probeset *s, long key)
{
	const unsigned size = s->size;
	unsigned at = 0;

	while (at < size && s->key[at] != key)
		at++;
	return at;
}

static inline bool probeset_has(struct probeset *s, long key)
{
	return probeset_find(s, key) < s->size;
}

static inline void probeset_add(struct probeset *s, long key)
{
	const unsigned size = s->size;

	assert(size < PROBE_SIZE);
	s->key[size] = key;
	s->size = size + 1;
}

static inline bool probeset_remove(struct probeset *s, long key)
{
	const unsigned size = s->size, at = probeset_find(s, key);

	if (at == size)
		return false;
	for (unsigned i = at + 1; i < size; i++)
		s->key[i - 1] = s->key[i];
	s->size = size - 1;
	return true;
}

#endif
