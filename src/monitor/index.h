/* index.h -- numbered items found by a 64-bit value, up to a limit.
 *
 * Checkers use this to keep data about each value.  Items are numbered from 0 on and keep their number; freed numbers are reused.
 * Memory grows by doubling.  Adding an item fails at the limit, or if there is no memory; the caller then has to drop some items.
 * base/hash_index.h is no substitute: it cannot remove records, and it ends the process if there is no memory.
 */
#ifndef LP_MONITOR_INDEX_H
#define LP_MONITOR_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LP_NO_ITEM UINT32_MAX

struct lp_table {
	char *items;      /* items of `size` bytes each; an item begins with its value */
	size_t size;
	uint32_t *slots;  /* the number of an item + 1, or 0 for a free slot; open addressing, at most half full */
	uint32_t mask;
	uint32_t room;    /* the number of items for which there is memory */
	uint32_t used;    /* the number of items that were ever in use */
	uint32_t count;   /* the number of items in use */
	uint32_t most;    /* the limit on `count` */
	uint32_t free;    /* the number of the first free item; a free item begins with the number of the next free item, or with
			   * LP_NO_ITEM at the end of the list */
};

bool lp_table_open(struct lp_table *t, size_t size, uint32_t most);
void lp_table_close(struct lp_table *t);
void lp_table_clear(struct lp_table *t);
uint64_t lp_table_bytes(const struct lp_table *t);

uint32_t lp_table_find(const struct lp_table *t, int64_t value);

/* Returns the number of the value's item.  If the value has none, the function adds an item whose other bytes are zero; if there is
 * no room for it, it returns LP_NO_ITEM.  Pointers to items are valid until the next call of this function. */
uint32_t lp_table_need(struct lp_table *t, int64_t value);
void lp_table_remove(struct lp_table *t, uint32_t item);

/* These two functions together do what lp_table_remove() does.  After lp_table_hide() a search no longer finds the item, but the item
 * exists until lp_table_free(). */
void lp_table_hide(struct lp_table *t, uint32_t item);
void lp_table_free(struct lp_table *t, uint32_t item);

/* Multiplicative hashing (Knuth): takes the upper bits of a product.  This spreads consecutive values, such as those of counters,
 * evenly.  The function must be fast, since it runs for every call that is checked. */
static inline uint32_t lp_table_hash(int64_t value)
{
	const uint64_t x = (uint64_t)value ^ (uint64_t)value >> 32;
	return (uint32_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* May the table have a value with this hash?  If the function returns false, the table has no such value. */
static inline bool lp_table_may_have(const struct lp_table *t, uint32_t hash)
{
	return t->slots[hash & t->mask];
}

static inline void *lp_table_at(const struct lp_table *t, uint32_t item)
{
	return t->items + t->size * item;
}

#endif
