/* texts.c -- an interner, and concatenations remembered by their parts. */
#include "history/texts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"

struct text {
	const char *bytes;
	size_t length;
	uint64_t hash;
};

struct join {
	int64_t left, right, value;
};

struct lp_texts {
	struct lp_arena arena;
	struct {
		LP_VEC(struct text);
	} texts;
	struct {
		LP_VEC(struct join);
	} joins;
	/* Open addressing; an entry is an index + 1. */
	uint32_t *text_slots, *join_slots;
	uint32_t text_mask, join_mask;
};

struct lp_texts *lp_texts_open(void)
{
	struct lp_texts *t = lp_alloc_zero(1, sizeof *t);

	t->text_mask = t->join_mask = 63;
	t->text_slots = lp_alloc_zero(64, sizeof *t->text_slots);
	t->join_slots = lp_alloc_zero(64, sizeof *t->join_slots);
	return t;
}

void lp_texts_close(struct lp_texts *t)
{
	if (!t)
		return;
	lp_arena_close(&t->arena);
	lp_free(t->texts.at);
	lp_free(t->joins.at);
	lp_free(t->text_slots);
	lp_free(t->join_slots);
	lp_free(t);
}

static uint64_t hash_of(const char *text, size_t length)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, text, length);
	return f.a ^ f.b;
}

static uint64_t join_hash(int64_t left, int64_t right)
{
	return lp_mix((uint64_t)left * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)right);
}

static void put_slot(uint32_t *slots, uint32_t mask, uint64_t hash, uint32_t index)
{
	uint32_t at = (uint32_t)hash & mask;

	while (slots[at])
		at = (at + 1) & mask;
	slots[at] = index + 1;
}

static void grow_texts(struct lp_texts *t)
{
	t->text_mask = t->text_mask * 2 + 1;
	lp_free(t->text_slots);
	t->text_slots = lp_alloc_zero((size_t)t->text_mask + 1, sizeof *t->text_slots);
	for (uint32_t i = 0; i < t->texts.count; i++)
		put_slot(t->text_slots, t->text_mask, t->texts.at[i].hash, i);
}

static void grow_joins(struct lp_texts *t)
{
	t->join_mask = t->join_mask * 2 + 1;
	lp_free(t->join_slots);
	t->join_slots = lp_alloc_zero((size_t)t->join_mask + 1, sizeof *t->join_slots);
	for (uint32_t i = 0; i < t->joins.count; i++)
		put_slot(t->join_slots, t->join_mask,
			 join_hash(t->joins.at[i].left, t->joins.at[i].right), i);
}

int64_t lp_texts_value(struct lp_texts *t, const char *text, size_t length)
{
	const uint64_t hash = hash_of(text, length);

	for (uint32_t at = (uint32_t)hash & t->text_mask; t->text_slots[at];
	     at = (at + 1) & t->text_mask) {
		const struct text *known = &t->texts.at[t->text_slots[at] - 1];
		if (known->hash == hash && known->length == length &&
		    !memcmp(known->bytes, text, length))
			return LP_TEXT_FIRST + (t->text_slots[at] - 1);
	}
	if (t->texts.count * 2 > t->text_mask)
		grow_texts(t);
	char *bytes = lp_arena_alloc(&t->arena, length + 1);
	memcpy(bytes, text, length);
	put_slot(t->text_slots, t->text_mask, hash, t->texts.count);
	LP_PUSH(&t->texts, (struct text){ bytes, length, hash });
	return LP_TEXT_FIRST + (t->texts.count - 1);
}

const char *lp_texts_text(const struct lp_texts *t, int64_t value, size_t *length)
{
	if (!t || value < LP_TEXT_FIRST || value >= LP_TEXT_FIRST + (int64_t)t->texts.count)
		return NULL;
	const struct text *text = &t->texts.at[value - LP_TEXT_FIRST];
	*length = text->length;
	return text->bytes;
}

int64_t lp_texts_join(void *texts, int64_t left, int64_t right)
{
	struct lp_texts *t = texts;
	const uint64_t hash = join_hash(left, right);

	for (uint32_t at = (uint32_t)hash & t->join_mask; t->join_slots[at];
	     at = (at + 1) & t->join_mask) {
		const struct join *known = &t->joins.at[t->join_slots[at] - 1];
		if (known->left == left && known->right == right)
			return known->value;
	}

	size_t a_length = 0, b_length = 0;
	const char *a = lp_texts_text(t, left, &a_length);
	const char *b = lp_texts_text(t, right, &b_length);
	char *both = lp_alloc(a_length + b_length);
	if (a)
		memcpy(both, a, a_length);
	if (b)
		memcpy(both + a_length, b, b_length);
	const int64_t value = lp_texts_value(t, both, a_length + b_length);
	lp_free(both);

	if (t->joins.count * 2 > t->join_mask)
		grow_joins(t);
	put_slot(t->join_slots, t->join_mask, hash, t->joins.count);
	LP_PUSH(&t->joins, (struct join){ left, right, value });
	return value;
}
