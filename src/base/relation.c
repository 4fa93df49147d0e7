/* relation.c -- relations as bit matrices, a word of 64 elements at a time. */
#include "base/relation.h"

#include <string.h>

#include "base/alloc.h"

static uint32_t words_for(uint32_t count)
{
	return count / 64 + (count % 64 != 0);
}

static size_t all_words(const struct lp_relation *r)
{
	return (size_t)r->count * r->words;
}

struct lp_set *lp_set_new(struct lp_arena *arena, uint32_t count)
{
	const uint32_t words = words_for(count);
	struct lp_set *s = lp_arena_alloc(arena, sizeof *s + words * sizeof *s->bits);

	s->count = count;
	s->words = words;
	return s;
}

struct lp_relation *lp_relation_new(struct lp_arena *arena, uint32_t count)
{
	const uint32_t words = words_for(count);
	struct lp_relation *r = lp_arena_alloc(arena, sizeof *r +
					       (size_t)count * words * sizeof *r->bits);

	r->count = count;
	r->words = words;
	return r;
}

void lp_relation_copy(struct lp_relation *into, const struct lp_relation *from)
{
	assert(into->count == from->count);
	memmove(into->bits, from->bits, all_words(from) * sizeof *from->bits);
}

bool lp_relation_equal(const struct lp_relation *r, const struct lp_relation *s)
{
	return r->count == s->count &&
	       !memcmp(r->bits, s->bits, all_words(r) * sizeof *r->bits);
}

void lp_relation_union(struct lp_relation *r, const struct lp_relation *s)
{
	assert(r->count == s->count);
	for (size_t i = 0; i < all_words(r); i++)
		r->bits[i] |= s->bits[i];
}

void lp_relation_intersect(struct lp_relation *r, const struct lp_relation *s)
{
	assert(r->count == s->count);
	for (size_t i = 0; i < all_words(r); i++)
		r->bits[i] &= s->bits[i];
}

void lp_relation_minus(struct lp_relation *r, const struct lp_relation *s)
{
	assert(r->count == s->count);
	for (size_t i = 0; i < all_words(r); i++)
		r->bits[i] &= ~s->bits[i];
}

void lp_relation_add_identity(struct lp_relation *r)
{
	for (uint32_t a = 0; a < r->count; a++)
		lp_relation_add(r, a, a);
}

void lp_relation_drop_identity(struct lp_relation *r)
{
	for (uint32_t a = 0; a < r->count; a++)
		lp_relation_row(r, a)[a / 64] &= ~(UINT64_C(1) << a % 64);
}

static void join_row(uint64_t *row, const uint64_t *with, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		row[w] |= with[w];
}

/* The smallest element of the row, not below `from`, that is in `among` (NULL:
 * in any); `none` if there is none. */
static uint32_t next_element(const uint64_t *row, const uint64_t *among, uint32_t words,
			     uint32_t from, uint32_t none)
{
	uint64_t mask = UINT64_MAX << from % 64;

	for (uint32_t w = from / 64; w < words; w++, mask = UINT64_MAX) {
		const uint64_t bits = row[w] & (among ? among[w] : UINT64_MAX) & mask;
		if (bits)
			return w * 64 + (uint32_t)__builtin_ctzll(bits);
	}
	return none;
}

void lp_relation_compose(struct lp_relation *into, const struct lp_relation *r,
			 const struct lp_relation *s)
{
	const uint32_t n = r->count;

	assert(into->count == n && s->count == n && into != r && into != s);
	memset(into->bits, 0, all_words(into) * sizeof *into->bits);
	for (uint32_t a = 0; a < n; a++) {
		const uint64_t *row = lp_relation_row_of(r, a);
		uint32_t b = next_element(row, NULL, r->words, 0, n);

		for (; b < n; b = next_element(row, NULL, r->words, b + 1, n))
			join_row(lp_relation_row(into, a), lp_relation_row_of(s, b), s->words);
	}
}

void lp_relation_inverse(struct lp_relation *into, const struct lp_relation *r)
{
	const uint32_t n = r->count;

	assert(into->count == n && into != r);
	memset(into->bits, 0, all_words(into) * sizeof *into->bits);
	for (uint32_t a = 0; a < n; a++) {
		const uint64_t *row = lp_relation_row_of(r, a);
		uint32_t b = next_element(row, NULL, r->words, 0, n);

		for (; b < n; b = next_element(row, NULL, r->words, b + 1, n))
			lp_relation_add(into, b, a);
	}
}

void lp_relation_restrict(struct lp_relation *r, const struct lp_set *domain,
			  const struct lp_set *range)
{
	assert((!domain || domain->count == r->count) && (!range || range->count == r->count));
	for (uint32_t a = 0; a < r->count; a++) {
		uint64_t *row = lp_relation_row(r, a);
		const bool kept = !domain || lp_set_has(domain, a);

		for (uint32_t w = 0; w < r->words; w++)
			row[w] &= !kept ? 0 : range ? range->bits[w] : UINT64_MAX;
	}
}

/* Warshall: after round k, row a contains what can be reached from a through elements up to
 * k.  Row k does not change in round k, so no copy is needed. */
void lp_relation_close(struct lp_relation *r)
{
	for (uint32_t k = 0; k < r->count; k++)
		for (uint32_t a = 0; a < r->count; a++)
			if (a != k && lp_relation_has(r, a, k))
				join_row(lp_relation_row(r, a), lp_relation_row(r, k), r->words);
}

bool lp_relation_irreflexive(const struct lp_relation *r)
{
	for (uint32_t a = 0; a < r->count; a++)
		if (lp_relation_has(r, a, a))
			return false;
	return true;
}

static void flip(uint64_t *set, uint32_t a)
{
	set[a / 64] ^= UINT64_C(1) << a % 64;
}

static bool meets(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

/* Depth first: a cycle exists iff some element has an edge to an element of the path that
 * led to it.  One check, when the element joins the path, is enough: an edge to an element
 * that joins the path later closes no cycle. */
static bool has_cycle(const struct lp_relation *r)
{
	const uint32_t n = r->count, words = r->words;
	uint64_t *unseen = lp_alloc_zero(2 * (size_t)words, sizeof *unseen);
	uint64_t *on_path = unseen + words;
	uint32_t *path = lp_alloc(n * sizeof *path);
	bool found = false;

	for (uint32_t a = 0; a < n; a++)
		flip(unseen, a);
	for (uint32_t root = 0; root < n && !found; root++) {
		uint32_t depth = 0, next = root;

		if (!(unseen[root / 64] >> root % 64 & 1))
			continue;
		do {
			if (next < n) {
				flip(unseen, next);
				flip(on_path, next);
				path[depth++] = next;
				found = meets(lp_relation_row_of(r, next), on_path, words);
			} else {
				flip(on_path, path[--depth]);
			}
			if (depth)
				next = next_element(lp_relation_row_of(r, path[depth - 1]),
						    unseen, words, 0, n);
		} while (depth && !found);
	}
	lp_free(path);
	lp_free(unseen);
	return found;
}

/* A breadth-first search: its queue, with room for all elements, and the predecessor of
 * each. */
struct walk {
	uint64_t *unseen;
	uint32_t *queue, *from;
	uint32_t last;
};

/* Searches breadth first for a shortest cycle through `start`.  Returns its length, or
 * `limit` if no cycle is shorter.  Then w->from leads back from the last element of the
 * cycle to `start`. */
static uint32_t shortest_through(const struct lp_relation *r, uint32_t start, uint32_t limit, struct walk *w)
{
	const uint32_t n = r->count;
	uint32_t head = 0, tail = 0, length = 0;

	memset(w->unseen, 0, r->words * sizeof *w->unseen);
	for (uint32_t a = 0; a < n; a++)
		if (a != start)
			flip(w->unseen, a);
	w->queue[tail++] = start;
	while (head < tail && ++length < limit) {
		for (const uint32_t level = tail; head < level; head++) {
			const uint32_t a = w->queue[head];
			const uint64_t *row = lp_relation_row_of(r, a);
			uint32_t b;

			if (lp_relation_has(r, a, start)) {
				w->last = a;
				return length;
			}
			while ((b = next_element(row, w->unseen, r->words, 0, n)) < n) {
				flip(w->unseen, b);
				w->from[b] = a;
				w->queue[tail++] = b;
			}
		}
	}
	return limit;
}

static void find_shortest(const struct lp_relation *r, struct lp_arena *out,
			  struct lp_cycle *why)
{
	const uint32_t n = r->count;
	struct walk w = { .unseen = lp_alloc(r->words * sizeof *w.unseen), .queue = lp_alloc(n * sizeof *w.queue),
			  .from = lp_alloc(n * sizeof *w.from) };
	uint32_t *cycle = lp_arena_alloc(out, n * sizeof *cycle);
	uint32_t best = n + 1;

	for (uint32_t start = 0; start < n; start++) {
		const uint32_t length = shortest_through(r, start, best, &w);
		if (length == best)
			continue;
		best = length;
		for (uint32_t i = length; i-- > 1; w.last = w.from[w.last])
			cycle[i] = w.last;
		cycle[0] = start;
	}
	assert(best <= n);
	*why = (struct lp_cycle){ cycle, best };
	lp_free(w.from);
	lp_free(w.queue);
	lp_free(w.unseen);
}

bool lp_relation_acyclic(const struct lp_relation *r, struct lp_arena *out,
			 struct lp_cycle *why)
{
	if (!has_cycle(r))
		return true;
	if (why)
		find_shortest(r, out, why);
	return false;
}
