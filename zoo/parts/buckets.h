/* buckets.h -- the table of a closed-addressed hash set: lists of keys, and a number of them.
 *
 * Nothing here is synchronised.  A table is not freed when a larger one takes its place, as under
 * garbage collection.
 */
#ifndef ZOO_PARTS_BUCKETS_H
#define ZOO_PARTS_BUCKETS_H

#include <stdbool.h>
#include <stdlib.h>

#include "hash.h"

struct entry {
	long key;
	struct entry *next;
};

struct buckets {
	unsigned length;
	struct entry *at[];
};

static inline struct buckets *buckets_new(unsigned length)
{
	struct buckets *b = malloc(sizeof *b + length * sizeof b->at[0]);
	b->length = length;
	for (unsigned i = 0; i < length; i++)
		b->at[i] = NULL;
	return b;
}

/* Where the entry of `key` is linked, or the end of its list. */
static inline struct entry **buckets_find(struct buckets *b, long key)
{
	struct entry **link = &b->at[hash(key) % b->length];

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	return link;
}

static inline bool buckets_has(struct buckets *b, long key)
{
	return *buckets_find(b, key);
}

static inline bool buckets_add(struct buckets *b, long key)
{
	struct entry **link = buckets_find(b, key);

	if (*link)
		return false;
	struct entry *entry = malloc(sizeof *entry);
	entry->key = key;
	entry->next = NULL;
	*link = entry;
	return true;
}

static inline bool buckets_remove(struct buckets *b, long key)
{
	struct entry **link = buckets_find(b, key);

	if (!*link)
		return false;
	*link = (*link)->next;
	return true;
}

/* Adds everything in `from` to `to`. */
static inline void buckets_copy(struct buckets *to, const struct buckets *from)
{
	for (unsigned i = 0; i < from->length; i++)
		for (const struct entry *entry = from->at[i]; entry; entry = entry->next)
			buckets_add(to, entry->key);
}

#endif
