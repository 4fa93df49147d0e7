/* hash_index.h -- finds records by their hashes.
 *
 * The caller stores the records, which are numbered 0, 1, 2, ...  The index only has their numbers and hashes.  A search returns
 * the few records with a given hash, and the caller compares these with its key:
 *
 *     uint32_t id;
 *     struct lp_hash_probe probe = lp_hash_probe(&index, hash);
 *     while ((id = lp_hash_next(&index, &probe)) != LP_HASH_NONE)
 *             if (is_equal(&records[id], key))
 *                     return id;
 *     lp_hash_add(&index, hash, count);      // not found: it becomes the next record
 *
 * Open addressing with linear probing, at most half full.  The low bits of a hash determine its slot, so they must be well mixed
 * (hash.h).  The index keeps 32 bits of each hash.  So a search hardly ever returns a record with another hash, and no record is
 * hashed again when the index grows.  A zeroed index is empty, and closing an index frees it.
 */
#ifndef LP_BASE_HASH_INDEX_H
#define LP_BASE_HASH_INDEX_H

#include <stdint.h>

#define LP_HASH_NONE UINT32_MAX

struct lp_hash_slot {
	uint32_t id; /* 1 + the number of the record; 0 if the slot is free */
	uint32_t hash;
};

struct lp_hash_index {
	struct lp_hash_slot *at;
	uint32_t room, count; /* room is 0 or a power of two */
};

/* The position of a search for a hash.  It is valid until the index changes. */
struct lp_hash_probe {
	uint32_t at, hash;
};

static inline struct lp_hash_probe lp_hash_probe(const struct lp_hash_index *t, uint64_t hash)
{
	return (struct lp_hash_probe){ (uint32_t)hash & (t->room - 1), (uint32_t)hash };
}

/* The next record with that hash, or LP_HASH_NONE. */
static inline uint32_t lp_hash_next(const struct lp_hash_index *t, struct lp_hash_probe *p)
{
	while (t->room && t->at[p->at].id) {
		const struct lp_hash_slot *slot = &t->at[p->at];
		p->at = (p->at + 1) & (t->room - 1);
		if (slot->hash == p->hash)
			return slot->id - 1;
	}
	return LP_HASH_NONE;
}

/* Makes room for `count` records in all, so that the index need not grow. */
void lp_hash_reserve(struct lp_hash_index *, uint32_t count);

/* Adds record number `id`, which is not LP_HASH_NONE.  A record that is added twice is found twice. */
void lp_hash_add(struct lp_hash_index *, uint64_t hash, uint32_t id);

/* Empties the index, and keeps its memory for reuse. */
void lp_hash_clear(struct lp_hash_index *);
void lp_hash_close(struct lp_hash_index *);

#endif
