/* texts.c -- gives each text its number, and caches the concatenations of two texts. */
#include "history/texts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "linchpin/spec.h"

struct text {
	const char *bytes;
	size_t length;
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
	struct lp_hash_index by_text, by_parts;
};

struct lp_texts *lp_texts_open(void)
{
	return lp_alloc_zero(1, sizeof(struct lp_texts));
}

void lp_texts_close(struct lp_texts *t)
{
	if (!t)
		return;
	lp_arena_close(&t->arena);
	lp_free(t->texts.at);
	lp_free(t->joins.at);
	lp_hash_close(&t->by_text);
	lp_hash_close(&t->by_parts);
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

int64_t lp_texts_value(struct lp_texts *t, const char *text, size_t length)
{
	const uint64_t hash = hash_of(text, length);
	struct lp_hash_probe probe = lp_hash_probe(&t->by_text, hash);
	uint32_t id;

	while ((id = lp_hash_next(&t->by_text, &probe)) != LP_HASH_NONE)
		if (t->texts.at[id].length == length && !memcmp(t->texts.at[id].bytes, text, length))
			return LP_TEXT_FIRST + id;
	char *bytes = lp_arena_alloc(&t->arena, length + 1);
	memcpy(bytes, text, length);
	lp_hash_add(&t->by_text, hash, t->texts.count);
	LP_PUSH(&t->texts, (struct text){ bytes, length });
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
	size_t a_length = 0, b_length = 0;
	const char *a = lp_texts_text(t, left, &a_length);
	const char *b = lp_texts_text(t, right, &b_length);
	const uint64_t hash = join_hash(left, right);
	struct lp_hash_probe probe = lp_hash_probe(&t->by_parts, hash);
	uint32_t id;

	if ((!a && left != LP_NIL) || (!b && right != LP_NIL))
		return LP_VOID;
	while ((id = lp_hash_next(&t->by_parts, &probe)) != LP_HASH_NONE)
		if (t->joins.at[id].left == left && t->joins.at[id].right == right)
			return t->joins.at[id].value;

	char *both = lp_alloc(a_length + b_length);
	if (a)
		memcpy(both, a, a_length);
	if (b)
		memcpy(both + a_length, b, b_length);
	const int64_t value = lp_texts_value(t, both, a_length + b_length);
	lp_free(both);

	lp_hash_add(&t->by_parts, hash, t->joins.count);
	LP_PUSH(&t->joins, (struct join){ left, right, value });
	return value;
}
