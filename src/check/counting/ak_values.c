/* ak_values.c -- a hash table with open addressing and linear probing.  A deletion moves later entries back.  (hash_index.h
 * is not used, because it cannot delete.) */
#include "check/counting/ak_values.h"

#include "base/alloc.h"
#include "base/hash.h"

#define LEAST UINT64_C(64)

static uint64_t home(const struct lp_ak_values *t, int64_t value)
{
	return lp_mix((uint64_t)value) & (t->size - 1);
}

void lp_ak_values_close(struct lp_ak_values *t)
{
	lp_free(t->at);
	*t = (struct lp_ak_values){ 0 };
}

struct lp_ak_value *lp_ak_values_find(const struct lp_ak_values *t, int64_t value)
{
	if (!t->count)
		return NULL;
	for (uint64_t i = home(t, value);; i = (i + 1) & (t->size - 1)) {
		if (!t->at[i].used)
			return NULL;
		if (t->at[i].value == value)
			return &t->at[i];
	}
}

static struct lp_ak_value *free_place(struct lp_ak_values *t, int64_t value)
{
	uint64_t i = home(t, value);

	while (t->at[i].used)
		i = (i + 1) & (t->size - 1);
	return &t->at[i];
}

static void resize(struct lp_ak_values *t, uint64_t size)
{
	struct lp_ak_values old = *t;

	t->size = size;
	t->at = lp_alloc_zero(size, sizeof *t->at);
	for (uint64_t i = 0; i < old.size; i++)
		if (old.at[i].used)
			*free_place(t, old.at[i].value) = old.at[i];
	lp_free(old.at);
}

struct lp_ak_value *lp_ak_values_put(struct lp_ak_values *t, int64_t value)
{
	if (2 * (t->count + 1) > t->size)
		resize(t, t->size ? 2 * t->size : LEAST);
	struct lp_ak_value *v = free_place(t, value);
	*v = (struct lp_ak_value){ .value = value, .used = 1 };
	t->count++;
	return v;
}

void lp_ak_values_drop(struct lp_ak_values *t, struct lp_ak_value *v)
{
	const uint64_t mask = t->size - 1;
	uint64_t hole = (uint64_t)(v - t->at);

	/* Moves up the entries that could not be at their own place because this one was taken. */
	for (uint64_t i = (hole + 1) & mask; t->at[i].used; i = (i + 1) & mask) {
		const uint64_t from_home = (i - home(t, t->at[i].value)) & mask;
		if (from_home < ((i - hole) & mask))
			continue;
		t->at[hole] = t->at[i];
		hole = i;
	}
	t->at[hole].used = 0;
	t->count--;
	if (t->size > LEAST && 16 * t->count < t->size)
		resize(t, t->size / 4 < LEAST ? LEAST : t->size / 4);
}
