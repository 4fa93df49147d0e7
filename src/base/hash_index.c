/* hash_index.c -- how an index grows; lookups are inline in the header. */
#include "base/hash_index.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

enum { LEAST = 64 };

static void put(struct lp_hash_index *t, struct lp_hash_slot slot)
{
	uint32_t at = slot.hash & (t->room - 1);

	while (t->at[at].id)
		at = (at + 1) & (t->room - 1);
	t->at[at] = slot;
}

void lp_hash_reserve(struct lp_hash_index *t, uint32_t count)
{
	const struct lp_hash_index old = *t;

	assert(count <= UINT32_MAX / 4);
	for (t->room = old.room ? old.room : LEAST; t->room / 2 < count;)
		t->room *= 2;
	if (t->room == old.room)
		return;
	t->at = lp_alloc_table(t->room, sizeof *t->at);
	for (uint32_t i = 0; i < old.room; i++)
		if (old.at[i].id)
			put(t, old.at[i]);
	lp_free(old.at);
}

void lp_hash_add(struct lp_hash_index *t, uint64_t hash, uint32_t id)
{
	assert(id != LP_HASH_NONE);
	lp_hash_reserve(t, t->count + 1);
	put(t, (struct lp_hash_slot){ id + 1, (uint32_t)hash });
	t->count++;
}

void lp_hash_clear(struct lp_hash_index *t)
{
	if (t->count)
		memset(t->at, 0, sizeof *t->at * t->room);
	t->count = 0;
}

void lp_hash_close(struct lp_hash_index *t)
{
	lp_free(t->at);
	*t = (struct lp_hash_index){ 0 };
}
