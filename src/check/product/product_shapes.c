/* product_shapes.c -- stores each shape once.  (A shape is a set without the numbers of processes.)
 *
 * A step leads to ways over the seats of the previous shape.  Some of these seats are known to be alike.  The ways become a shape in
 * three stages: compute the look of each seat; join classes that are alike, trying only classes with the same look; sort classes by
 * their looks. */
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "check/product/product_parts.h"

/* A test reduces looks to a few bits, so that many classes have the same look; otherwise this hardly ever happens. */
#ifndef LP_LOOK_MASK
#define LP_LOOK_MASK UINT64_MAX
#endif

void lp_product_find(struct lp_product *p, const uint64_t *way)
{
	for (uint32_t i = 0; i < p->words; i++)
		LP_PUSH(&p->draft.ways, way[i]);
}

static uint64_t *found_way(const struct lp_product *p, uint32_t i)
{
	return p->draft.ways.at + (size_t)i * p->words;
}

static uint32_t found_count(const struct lp_product *p) { return p->draft.ways.count / p->words; }

/* ---- in order ---- */

static int compare(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Sorts by insertion if there are few ways or they are nearly in order, and otherwise by merging halves. */
static void sort_ways(uint64_t *at, uint32_t count, uint32_t words, uint64_t *scratch)
{
	if (count > 16) {
		const uint32_t half = count / 2;
		uint64_t *a = at, *b = at + (size_t)half * words, *to = scratch;
		uint64_t *const end_a = b, *const end_b = at + (size_t)count * words;
		sort_ways(a, half, words, scratch);
		sort_ways(b, count - half, words, scratch);
		while (a < end_a || b < end_b) {
			const bool first = b == end_b || (a < end_a && compare(a, b, words) <= 0);
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
		for (; j > 0 && compare(way, at + (size_t)(j - 1) * words, words) < 0; j--)
			memcpy(at + (size_t)j * words, at + (size_t)(j - 1) * words, sizeof *at * words);
		memcpy(at + (size_t)j * words, way, sizeof *way * words);
	}
}

static void sort_found(struct lp_product *p)
{
	LP_RESERVE(&p->draft.ways, p->draft.ways.count);
	sort_ways(p->draft.ways.at, found_count(p), p->words, p->draft.ways.at + p->draft.ways.count);
}

static bool has_way(const struct lp_product *p, const uint64_t *way)
{
	uint32_t from = 0, to = found_count(p);

	while (from < to) {
		const uint32_t middle = (from + to) / 2;
		const int order = compare(found_way(p, middle), way, p->words);
		if (!order)
			return true;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* ---- looks ---- */

/* The seats of the shape under construction. */
struct shape_seats {
	struct lp_alike alike;
	uint8_t class_of[LP_PRODUCT_THREADS]; /* its first seat */
	uint8_t size[LP_PRODUCT_THREADS];     /* by that */
	uint64_t looks[LP_PRODUCT_THREADS];   /* by that */
	uint64_t ways;
};

/* For each seat of a way in normal form: how many seats of its class, up to this one, have the same code; 0 if more follow. */
struct code_runs {
	uint8_t length[LP_PRODUCT_THREADS];
	uint64_t ways; /* how many its permutations are */
};

static struct code_runs find_runs(const struct lp_product *p, const struct shape_seats *s, const uint64_t *way)
{
	struct code_runs runs = { .ways = 1 };
	uint8_t nth[LP_PRODUCT_THREADS];

	for (uint32_t i = 0; i < p->threads; i++) {
		const uint32_t before = s->alike.before[i];
		uint8_t length = 1;
		nth[i] = before == LP_NOT_ALIKE ? 1 : (uint8_t)(nth[before] + 1);
		if (before != LP_NOT_ALIKE && lp_way_code(p, way, before) == lp_way_code(p, way, i)) {
			length = (uint8_t)(runs.length[before] + 1);
			runs.length[before] = 0;
		}
		runs.length[i] = length;
		runs.ways = runs.ways * nth[i] / length; /* a multinomial coefficient, of the seats so far */
	}
	return runs;
}

/* A look is a sum over all ways, with their permutations. */
static void look_at_way(const struct lp_product *p, struct shape_seats *s, const uint64_t *way)
{
	const struct code_runs runs = find_runs(p, s, way);
	const uint64_t state = p->effect.states.hashes.at[lp_way_state(way)] * 31;
	uint64_t all = 0;

	for (uint32_t i = 0; i < p->threads; i++)
		all += lp_mix(lp_way_code(p, way, i) + 1u);
	for (uint32_t i = 0; i < p->threads; i++) {
		const uint32_t class = s->class_of[i];
		if (runs.length[i])
			s->looks[class] += lp_mix(all ^ lp_mix(state + lp_way_code(p, way, i))) *
					   (runs.ways * runs.length[i] / s->size[class]);
	}
	s->ways += runs.ways;
}

static void look_at_all(const struct lp_product *p, struct shape_seats *s)
{
	for (uint32_t i = 0; i < p->threads; i++)
		s->size[s->class_of[i]]++;
	for (uint32_t i = 0; i < found_count(p); i++)
		look_at_way(p, s, found_way(p, i));
	for (uint32_t i = 0; i < p->threads; i++)
		s->looks[i] &= LP_LOOK_MASK;
}

/* ---- classes ---- */

/* The codes of the seats are exchanged, in the way. */
static bool may_exchange(const struct lp_product *p, const struct shape_seats *s, const uint64_t *from, uint32_t a, uint32_t b)
{
	const uint32_t code_a = lp_way_code(p, from, a), code_b = lp_way_code(p, from, b);
	uint64_t way[LP_WAY_WORDS];

	if (code_a == code_b)
		return true;
	memcpy(way, from, sizeof *way * p->words);
	lp_way_set_code(p, way, a, code_b);
	lp_way_set_code(p, way, b, code_a);
	lp_alike_sort(p, &s->alike, way);
	return has_way(p, way);
}

/* A permutation within the classes brings any two codes to two seats: so every code of one class is exchanged with every code of the
 * other, once. */
static bool are_alike(const struct lp_product *p, const struct shape_seats *s, uint32_t a, uint32_t b)
{
	for (uint32_t w = 0; w < found_count(p); w++) {
		const uint64_t *way = found_way(p, w);
		const struct code_runs runs = find_runs(p, s, way);
		for (uint32_t i = a; i < p->threads; i++)
			for (uint32_t k = b; s->class_of[i] == a && runs.length[i] && k < p->threads; k++)
				if (s->class_of[k] == b && runs.length[k] && !may_exchange(p, s, way, i, k))
					return false;
	}
	return true;
}

/* By seat, the first of its class when those that are alike are joined. */
static void join_classes(const struct lp_product *p, const struct shape_seats *s, uint8_t *joined)
{
	memcpy(joined, s->class_of, p->threads);
	for (uint32_t b = 1; b < p->threads; b++) {
		uint32_t a = 0;
		if (s->class_of[b] != b)
			continue;
		while (a < b && (joined[a] != a || s->looks[a] != s->looks[b] || !are_alike(p, s, a, b)))
			a++;
		for (uint32_t i = b; a < b && i < p->threads; i++)
			if (joined[i] == b)
				joined[i] = (uint8_t)a;
	}
}

/* ---- shapes ---- */

/* Seats in the order of the looks of their classes: which seat becomes which, and how each looks then. */
static lp_seats order_seats(const struct lp_product *p, const struct shape_seats *s, const uint8_t *class_of, uint64_t *looks,
			    uint32_t *starts)
{
	uint8_t order[LP_PRODUCT_THREADS];
	uint32_t count = 0, seat = 0;
	lp_seats to = 0;

	for (uint32_t i = 0; i < p->threads; i++) {
		uint32_t k = count;
		if (class_of[i] != i)
			continue;
		for (count++; k && s->looks[order[k - 1]] > s->looks[i]; k--)
			order[k] = order[k - 1];
		order[k] = (uint8_t)i;
	}
	*starts = 0;
	for (uint32_t n = 0; n < count; n++) {
		*starts |= 1u << seat;
		for (uint32_t i = order[n]; i < p->threads; i++) {
			if (class_of[i] != order[n])
				continue;
			looks[seat] = s->looks[order[n]];
			to |= lp_seat_is(i, seat++);
		}
	}
	return to;
}

static void move_seats(const struct lp_product *p, uint64_t *way, lp_seats to)
{
	uint64_t moved[LP_WAY_WORDS] = { lp_way_state(way) };

	for (uint32_t i = 0; i < p->threads; i++)
		lp_way_set_code(p, moved, lp_seat(to, i), lp_way_code(p, way, i));
	memcpy(way, moved, sizeof *way * p->words);
}

static void drop_duplicates(struct lp_product *p)
{
	uint32_t kept = 1;

	for (uint32_t i = 1; i < found_count(p); i++)
		if (compare(found_way(p, i), found_way(p, kept - 1), p->words))
			memmove(found_way(p, kept++), found_way(p, i), sizeof *p->draft.ways.at * p->words);
	p->draft.ways.count = kept * p->words;
}

static bool are_tied(const struct lp_product *p, uint32_t starts, const uint64_t *looks)
{
	for (uint32_t i = 1; i < p->threads; i++)
		if (starts >> i & 1 && looks[i] == looks[i - 1])
			return true;
	return false;
}

/* The shape of those found, whose seats get their places: classes are not apart afterwards. */
static uint32_t intern_found(struct lp_product *p, lp_seats to, uint32_t starts, const uint64_t *looks, uint64_t ways)
{
	struct lp_set_shape shape = { .starts = starts, .tied = are_tied(p, starts, looks), .ways = ways };
	struct lp_alike alike;
	uint32_t id;

	lp_alike_of(p, &shape, LP_NOT_ALIKE, &alike);
	for (uint32_t i = 0; i < found_count(p); i++) {
		move_seats(p, found_way(p, i), to);
		lp_alike_sort(p, &alike, found_way(p, i));
	}
	sort_found(p);
	drop_duplicates(p);
	const uint32_t words = p->draft.ways.count;
	const uint64_t hash = lp_product_hash(p->draft.ways.at, words) ^ lp_mix(starts);
	struct lp_hash_probe probe = lp_hash_probe(&p->known.by_shape, hash);
	p->draft.ways.count = 0;
	while ((id = lp_hash_next(&p->known.by_shape, &probe)) != LP_HASH_NONE)
		if (p->known.shapes.at[id].starts == starts && p->known.shapes.at[id].count * p->words == words &&
		    !memcmp(lp_shape_way(p, id, 0), p->draft.ways.at, sizeof *p->draft.ways.at * words))
			return id;
	lp_hash_add(&p->known.by_shape, hash, p->known.shapes.count);
	shape.first = p->known.members.count;
	shape.count = words / p->words;
	LP_PUSH(&p->known.shapes, shape);
	for (uint32_t i = 0; i < words; i++)
		LP_PUSH(&p->known.members, p->draft.ways.at[i]);
	for (uint32_t i = 0; i < p->threads; i++)
		LP_PUSH(&p->known.looks, looks[i]);
	return p->known.shapes.count - 1;
}

uint32_t lp_product_found(struct lp_product *p, const struct lp_alike *alike)
{
	struct lp_product_move move = { .shape = LP_PRODUCT_WRONG };
	uint8_t joined[LP_PRODUCT_THREADS];
	uint64_t looks[LP_PRODUCT_THREADS];
	uint32_t starts;

	if (p->draft.ways.count) {
		struct shape_seats s = { .alike = *alike };
		lp_alike_classes(p, alike, s.class_of);
		sort_found(p);
		look_at_all(p, &s);
		join_classes(p, &s, joined);
		move.to = order_seats(p, &s, joined, looks, &starts);
		move.shape = intern_found(p, move.to, starts, looks, s.ways);
	}
	LP_PUSH(&p->taken.moves, move);
	return p->taken.moves.count - 1;
}

uint32_t lp_shape_order(struct lp_product *p, uint32_t shape, lp_seats to)
{
	const struct lp_product_step *known = lp_product_known(p, shape, LP_STEP_ORDER, to);
	const struct lp_set_shape from = p->known.shapes.at[shape];
	uint64_t looks[LP_PRODUCT_THREADS];
	uint32_t starts = 0;

	if (known)
		return known->next;
	for (uint32_t i = 0; i < p->threads; i++) {
		starts |= (from.starts >> i & 1) << lp_seat(to, i);
		looks[lp_seat(to, i)] = p->known.looks.at[shape * p->threads + i];
	}
	for (uint32_t i = 0; i < from.count; i++)
		lp_product_find(p, lp_shape_way(p, shape, i));
	return lp_product_remember(p, shape, LP_STEP_ORDER, to, intern_found(p, to, starts, looks, from.ways));
}

void lp_product_forget_shapes(struct lp_product *p)
{
	p->known.shapes.count = p->known.members.count = p->known.looks.count = p->draft.ways.count = 0;
	lp_hash_clear(&p->known.by_shape);
}
