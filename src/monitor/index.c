/* index.c -- a hash table with linear probing, and items beside it. */
#include "monitor/index.h"

#include <string.h>

#include "base/alloc.h"

enum { FIRST_ROOM = 512 };

static int64_t value_of(const struct lp_table *t, uint32_t item)
{
	int64_t value;
	memcpy(&value, lp_table_at(t, item), sizeof value);
	return value;
}

static uint32_t home_of(const struct lp_table *t, int64_t value)
{
	return lp_table_hash(value) & t->mask;
}

static void put(struct lp_table *t, uint32_t item)
{
	uint32_t at = home_of(t, value_of(t, item));

	while (t->slots[at])
		at = (at + 1) & t->mask;
	t->slots[at] = item + 1;
}

static bool grow(struct lp_table *t, uint32_t room)
{
	uint32_t *slots = lp_try_alloc_zero((size_t)room * 2, sizeof *slots);
	char *items = slots ? lp_try_realloc(t->items, t->size * room) : NULL;

	if (!items) {
		lp_free(slots);
		return false;
	}
	uint32_t *old = t->slots;
	const uint32_t old_count = old ? t->mask + 1 : 0;
	t->items = items;
	t->slots = slots;
	t->mask = room * 2 - 1;
	t->room = room;
	for (uint32_t i = 0; i < old_count; i++)
		if (old[i])
			put(t, old[i] - 1);
	lp_free(old);
	return true;
}

bool lp_table_open(struct lp_table *t, size_t size, uint32_t most)
{
	*t = (struct lp_table){ .size = size, .most = most, .free = LP_NO_ITEM };
	return grow(t, FIRST_ROOM);
}

void lp_table_close(struct lp_table *t)
{
	lp_free(t->items);
	lp_free(t->slots);
	*t = (struct lp_table){ 0 };
}

void lp_table_clear(struct lp_table *t)
{
	memset(t->slots, 0, sizeof *t->slots * ((size_t)t->mask + 1));
	t->used = t->count = 0;
	t->free = LP_NO_ITEM;
}

uint64_t lp_table_bytes(const struct lp_table *t)
{
	return t->size * t->room + sizeof *t->slots * ((uint64_t)t->mask + 1);
}

uint32_t lp_table_find(const struct lp_table *t, int64_t value)
{
	for (uint32_t at = home_of(t, value); t->slots[at]; at = (at + 1) & t->mask)
		if (value_of(t, t->slots[at] - 1) == value)
			return t->slots[at] - 1;
	return LP_NO_ITEM;
}

/* Takes a free number, or a new one. */
static uint32_t take_item(struct lp_table *t)
{
	const uint32_t item = t->free;

	if (item == LP_NO_ITEM)
		return t->used++;
	memcpy(&t->free, lp_table_at(t, item), sizeof t->free);
	return item;
}

uint32_t lp_table_need(struct lp_table *t, int64_t value)
{
	uint32_t at = home_of(t, value);

	for (; t->slots[at]; at = (at + 1) & t->mask)
		if (value_of(t, t->slots[at] - 1) == value)
			return t->slots[at] - 1;
	if (t->count >= t->most)
		return LP_NO_ITEM;
	if (t->free == LP_NO_ITEM && t->used == t->room) {
		if (!grow(t, t->room * 2))
			return LP_NO_ITEM;
		for (at = home_of(t, value); t->slots[at];)
			at = (at + 1) & t->mask;
	}
	const uint32_t item = take_item(t);
	memset(lp_table_at(t, item), 0, t->size);
	memcpy(lp_table_at(t, item), &value, sizeof value);
	t->count++;
	t->slots[at] = item + 1;
	return item;
}

void lp_table_free(struct lp_table *t, uint32_t item)
{
	memcpy(lp_table_at(t, item), &t->free, sizeof t->free);
	t->free = item;
	t->count--;
}

/* What follows the hole moves into it, unless that is before its home. */
void lp_table_hide(struct lp_table *t, uint32_t item)
{
	uint32_t hole = home_of(t, value_of(t, item));

	while (t->slots[hole] != item + 1)
		hole = (hole + 1) & t->mask;
	for (uint32_t at = (hole + 1) & t->mask; t->slots[at]; at = (at + 1) & t->mask) {
		const uint32_t home = home_of(t, value_of(t, t->slots[at] - 1));
		if (((at - home) & t->mask) < ((at - hole) & t->mask))
			continue;
		t->slots[hole] = t->slots[at];
		hole = at;
	}
	t->slots[hole] = 0;
}

void lp_table_remove(struct lp_table *t, uint32_t item)
{
	lp_table_hide(t, item);
	lp_table_free(t, item);
}
