/* product_sets.c -- ways and sets of them, each set once.
 *
 * Sets are hash-consed, ways are not: of a set only those ways are kept that no other can
 * still become, which are few; what they can become is gathered when it is needed. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "check/product/product_parts.h"

/* ---- ways ---- */

void lp_product_lay_out(struct lp_product *p)
{
	const uint32_t codes = 1 + 2 * p->call_count + p->results.count;

	p->bits = codes <= 16 ? 4 : codes <= 256 ? 8 : 16;
	p->words = (32 + p->threads * p->bits + 63) / 64;
}

static uint64_t hash_words(const uint64_t *at, size_t words)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < words; i++)
		hash = lp_mix(hash * 31 + at[i]);
	return hash;
}

static bool equal_words(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* ---- gatherings ---- */

static void grow_gathering(const struct lp_product *p, struct lp_gathering *g)
{
	g->room = g->room ? 2 * g->room : 256;
	lp_free(g->table);
	g->table = lp_alloc_zero(g->room, sizeof *g->table);
	for (uint32_t i = 0; i < g->marks.count; i++) {
		uint32_t slot = (uint32_t)hash_words(lp_gathering_way(p, g, i), p->words) &
				(g->room - 1);
		while (g->table[slot])
			slot = (slot + 1) & (g->room - 1);
		g->table[slot] = i + 1;
		g->places.at[i] = slot;
	}
}

uint32_t lp_gathering_add(const struct lp_product *p, struct lp_gathering *g, const uint64_t *way)
{
	if (2 * g->marks.count >= g->room)
		grow_gathering(p, g);
	uint32_t slot = (uint32_t)hash_words(way, p->words) & (g->room - 1);
	for (; g->table[slot]; slot = (slot + 1) & (g->room - 1))
		if (equal_words(lp_gathering_way(p, g, g->table[slot] - 1), way, p->words))
			return g->table[slot] - 1;
	for (uint32_t i = 0; i < p->words; i++)
		LP_PUSH(&g->ways, way[i]);
	LP_PUSH(&g->marks, 0);
	LP_PUSH(&g->places, slot);
	g->table[slot] = g->marks.count;
	return g->marks.count - 1;
}

/* Costs what was gathered, not what there is room for. */
void lp_gathering_clear(struct lp_gathering *g)
{
	for (uint32_t i = 0; i < g->places.count; i++)
		g->table[g->places.at[i]] = 0;
	g->ways.count = g->marks.count = g->places.count = 0;
}

void lp_gathering_close(struct lp_gathering *g)
{
	lp_free(g->ways.at);
	lp_free(g->marks.at);
	lp_free(g->places.at);
	lp_free(g->table);
	*g = (struct lp_gathering){ .room = 0 };
}

/* ---- sets ---- */

void lp_product_find(struct lp_product *p, const uint64_t *way)
{
	for (uint32_t i = 0; i < p->words; i++)
		LP_PUSH(&p->found, way[i]);
}

static int by_words(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Few, or nearly in order: by insertion; or else by halves. */
static void sort_ways(uint64_t *at, uint32_t count, uint32_t words, uint64_t *scratch)
{
	if (count > 16) {
		const uint32_t half = count / 2;
		uint64_t *a = at, *b = at + (size_t)half * words, *to = scratch;
		uint64_t *const end_a = b, *const end_b = at + (size_t)count * words;
		sort_ways(a, half, words, scratch);
		sort_ways(b, count - half, words, scratch);
		while (a < end_a || b < end_b) {
			const bool first = b == end_b || (a < end_a && by_words(a, b, words) <= 0);
			uint64_t **from = first ? &a : &b;
			memcpy(to, *from, sizeof *to * words);
			to += words;
			*from += words;
		}
		memcpy(at, scratch, sizeof *at * count * words);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		uint64_t way[LP_WAY_WORDS];
		uint32_t j = i;
		memcpy(way, at + (size_t)i * words, sizeof *way * words);
		for (; j > 0 && by_words(way, at + (size_t)(j - 1) * words, words) < 0; j--)
			memcpy(at + (size_t)j * words, at + (size_t)(j - 1) * words, sizeof *at * words);
		memcpy(at + (size_t)j * words, way, sizeof *way * words);
	}
}

uint32_t lp_product_found(struct lp_product *p)
{
	const uint32_t words = p->found.count, count = words / p->words;

	p->found.count = 0;
	if (!count)
		return LP_PRODUCT_WRONG;
	LP_RESERVE(&p->found, 2 * words);
	sort_ways(p->found.at, count, p->words, p->found.at + words);
	const uint64_t hash = hash_words(p->found.at, words);
	struct lp_hash_probe probe = lp_hash_probe(&p->by_set, hash);
	uint32_t set;
	while ((set = lp_hash_next(&p->by_set, &probe)) != LP_HASH_NONE)
		if (p->sets.at[set].count == count && equal_words(lp_set_way(p, set, 0), p->found.at, words))
			return set;
	lp_hash_add(&p->by_set, hash, p->sets.count);
	LP_PUSH(&p->sets, ((struct lp_product_set){ p->members.count, count }));
	LP_RESERVE(&p->members, words);
	memcpy(p->members.at + p->members.count, p->found.at, sizeof *p->found.at * words);
	p->members.count += words;
	p->ways_made += count;
	return p->sets.count - 1;
}

/* ---- steps that were taken before ---- */

static struct lp_product_step *step_place(const struct lp_product *p, uint32_t set, uint64_t what)
{
	uint32_t slot = (uint32_t)lp_mix(what * UINT64_C(0x9e3779b97f4a7c15) ^ set) &
			(p->step_room - 1);

	while (p->steps[slot].what && (p->steps[slot].set != set || p->steps[slot].what != what))
		slot = (slot + 1) & (p->step_room - 1);
	return &p->steps[slot];
}

const uint32_t *lp_product_known(const struct lp_product *p, uint32_t set, uint64_t what)
{
	if (!p->step_room)
		return NULL;
	const struct lp_product_step *s = step_place(p, set, what);
	return s->what ? &s->next : NULL;
}

uint32_t lp_product_remember(struct lp_product *p, uint32_t set, uint64_t what, uint32_t next)
{
	if (2 * p->step_count >= p->step_room) {
		struct lp_product_step *old = p->steps;
		const uint32_t room = p->step_room;
		p->step_room = room ? 2 * room : 1024;
		p->steps = lp_alloc_table(p->step_room, sizeof *p->steps);
		for (uint32_t i = 0; i < room; i++)
			if (old[i].what)
				*step_place(p, old[i].set, old[i].what) = old[i];
		lp_free(old);
	}
	*step_place(p, set, what) = (struct lp_product_step){ what, set, next };
	p->step_count++;
	return next;
}

void lp_product_forget_sets(struct lp_product *p)
{
	p->looks.count = p->alikes.count = p->sets.count = p->members.count = p->found.count = 0;
	p->step_count = 0;
	p->ways_made = 0;
	lp_hash_clear(&p->by_set);
	if (p->steps)
		memset(p->steps, 0, sizeof *p->steps * p->step_room);
}
