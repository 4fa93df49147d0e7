/* product_sets.c -- ways, and sets of ways.  A set is stored as a shape with a seat for each process.
 *
 * Sets are hash-consed, but single ways are not.  A set stores only those of its ways that no other of
 * its ways can become.  These are few.  The ways that they can become are gathered when they are needed. */
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

uint64_t lp_product_hash(const uint64_t *at, size_t words)
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
		uint32_t slot = (uint32_t)lp_product_hash(lp_gathering_way(p, g, i), p->words) &
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
	uint32_t slot = (uint32_t)lp_product_hash(way, p->words) & (g->room - 1);
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

/* The cost depends on what was gathered, not on the room there is. */
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

/* By class, in the order of the shape. */
struct class_seats {
	uint32_t begin, size, first; /* the first seat; seats; the first process */
	uint64_t look;
};

static uint32_t list_classes(const struct lp_product *p, uint32_t shape, lp_seats seats, struct class_seats *list)
{
	uint8_t process[LP_PRODUCT_THREADS];
	uint32_t count = 0;

	for (uint32_t t = 0; t < p->threads; t++)
		process[lp_seat(seats, t)] = (uint8_t)t;
	for (uint32_t i = 0; i < p->threads; i++) {
		if (p->known.shapes.at[shape].starts >> i & 1)
			list[count++] = (struct class_seats){ i, 0, process[i], p->known.looks.at[shape * p->threads + i] };
		struct class_seats *last = &list[count - 1];
		last->size++;
		if (process[i] < last->first)
			last->first = process[i];
	}
	return count;
}

/* Orders classes with the same look by their first processes; returns the new seat of each seat. */
static lp_seats order_ties(const struct lp_product *p, uint32_t shape, lp_seats seats)
{
	struct class_seats list[LP_PRODUCT_THREADS];
	const uint32_t count = list_classes(p, shape, seats, list);
	lp_seats to = 0;

	for (uint32_t i = 1; i < count; i++) {
		const struct class_seats now = list[i];
		uint32_t k = i;
		for (; k && list[k - 1].look == now.look && list[k - 1].first > now.first; k--)
			list[k] = list[k - 1];
		list[k] = now;
	}
	for (uint32_t i = 0, seat = 0; i < count; i++)
		for (uint32_t k = 0; k < list[i].size; k++)
			to |= lp_seat_is(list[i].begin + k, seat++);
	return to;
}

/* Within classes, in ascending order. */
static lp_seats order_processes(const struct lp_product *p, uint32_t shape, lp_seats seats)
{
	const struct lp_set_shape *s = &p->known.shapes.at[shape];
	uint8_t taken[LP_PRODUCT_THREADS] = { 0 };
	lp_seats ordered = 0;

	for (uint32_t t = 0; t < p->threads; t++) {
		const uint32_t begin = lp_shape_class(s, lp_seat(seats, t));
		ordered |= lp_seat_is(t, begin + taken[begin]++);
	}
	return ordered;
}

static lp_seats compose(const struct lp_product *p, lp_seats seats, lp_seats to)
{
	lp_seats composed = 0;

	for (uint32_t t = 0; t < p->threads; t++)
		composed |= lp_seat_is(t, lp_seat(to, lp_seat(seats, t)));
	return composed;
}

uint32_t lp_product_set(struct lp_product *p, struct lp_product_set s)
{
	if (p->known.shapes.at[s.shape].tied) {
		const lp_seats to = order_ties(p, s.shape, s.seats);
		s.seats = compose(p, s.seats, to);
		s.shape = lp_shape_order(p, s.shape, to);
	}
	s.seats = order_processes(p, s.shape, s.seats);
	const uint64_t hash = lp_mix(lp_mix(s.seats) + ((uint64_t)s.overlapped << 32 | s.shape));
	struct lp_hash_probe probe = lp_hash_probe(&p->known.by_set, hash);
	uint32_t set;
	while ((set = lp_hash_next(&p->known.by_set, &probe)) != LP_HASH_NONE)
		if (p->known.sets.at[set].shape == s.shape && p->known.sets.at[set].seats == s.seats &&
		    p->known.sets.at[set].overlapped == s.overlapped)
			return set;
	lp_hash_add(&p->known.by_set, hash, p->known.sets.count);
	LP_PUSH(&p->known.sets, s);
	p->known.ways_made += p->known.shapes.at[s.shape].ways;
	return p->known.sets.count - 1;
}

uint32_t lp_product_moved(struct lp_product *p, uint32_t move, struct lp_product_set s)
{
	const struct lp_product_move m = p->taken.moves.at[move];

	if (m.shape >= LP_PRODUCT_DOUBTS)
		return m.shape;
	s.shape = m.shape;
	s.seats = compose(p, s.seats, m.to);
	return lp_product_set(p, s);
}

/* ---- steps that were taken before ---- */

static struct lp_product_step *step_place(const struct lp_product *p, uint32_t shape, uint32_t other, uint64_t what)
{
	const uint64_t hash = lp_mix(lp_mix(what * UINT64_C(0x9e3779b97f4a7c15) ^ shape) + other);
	uint32_t slot = (uint32_t)hash & (p->taken.room - 1);

	for (; p->taken.steps[slot].taken; slot = (slot + 1) & (p->taken.room - 1)) {
		const struct lp_product_step *s = &p->taken.steps[slot];
		if (s->what == what && s->shape == shape && s->other == other)
			break;
	}
	return &p->taken.steps[slot];
}

const struct lp_product_step *lp_product_known(const struct lp_product *p, uint32_t shape, uint32_t other, uint64_t what)
{
	if (!p->taken.room)
		return NULL;
	const struct lp_product_step *s = step_place(p, shape, other, what);
	return s->taken ? s : NULL;
}

uint32_t lp_product_remember(struct lp_product *p, uint32_t shape, uint32_t other, uint64_t what, uint32_t next)
{
	if (2 * p->taken.count >= p->taken.room) {
		struct lp_product_step *old = p->taken.steps;
		const uint32_t room = p->taken.room;
		p->taken.room = room ? 2 * room : 1024;
		p->taken.steps = lp_alloc_table(p->taken.room, sizeof *p->taken.steps);
		for (uint32_t i = 0; i < room; i++)
			if (old[i].taken)
				*step_place(p, old[i].shape, old[i].other, old[i].what) = old[i];
		lp_free(old);
	}
	*step_place(p, shape, other, what) = (struct lp_product_step){ what, shape, other, next, true };
	p->taken.count++;
	return next;
}

void lp_product_forget_sets(struct lp_product *p)
{
	p->known.sets.count = p->taken.moves.count = 0;
	p->taken.count = 0;
	p->known.ways_made = 0;
	lp_hash_clear(&p->known.by_set);
	if (p->taken.steps)
		memset(p->taken.steps, 0, sizeof *p->taken.steps * p->taken.room);
	lp_product_forget_shapes(p);
}
