/* product_within.c -- decides whether every way of one set is a way of another set, or can be reached from a way of the other set.
 *
 * The two sets, a and b, give processes different seats.  A way of a stands for all its permutations within the classes of a.  To
 * compare the sets, the ways of a are written with the seats of b:
 *
 *     seats of b     0 1 2 3 4        in each of its classes, seats are in the order of the classes of a
 *     classes of b   A A A B B
 *     classes of a   X X Y X X
 *
 * All permutations within X and Y must be examined.  But permutations within the classes of b do not change the answer.  So for seats
 * that share a class of a and also a class of b, it is enough to examine the permutations in which their codes ascend. */
#include <string.h>

#include "check/product/product_parts.h"

struct comparison {
	uint32_t a, b; /* shapes */
	/* By seat of b: */
	lp_seats from;         /* the first seat of its class of a */
	lp_seats seats;        /* a seat of a */
	struct lp_alike alike; /* according to a */
};

/* Of each process, the classes that it is in. */
static lp_seats compare_seats(const struct lp_product *p, const struct lp_product_set *a, const struct lp_product_set *b)
{
	uint8_t from[LP_PRODUCT_THREADS];
	lp_seats all = 0;

	for (uint32_t t = 0; t < p->threads; t++)
		from[lp_seat(b->seats, t)] = (uint8_t)lp_shape_class(&p->known.shapes.at[a->shape], lp_seat(a->seats, t));
	for (uint32_t i = 1; i < p->threads; i++) {
		const uint8_t now = from[i];
		uint32_t k = i;
		for (; !(p->known.shapes.at[b->shape].starts >> k & 1) && from[k - 1] > now; k--)
			from[k] = from[k - 1];
		from[k] = now;
	}
	for (uint32_t i = 0; i < p->threads; i++)
		all |= lp_seat_is(i, from[i]);
	return all;
}

static struct comparison begin(const struct lp_product *p, uint32_t a, uint32_t b, lp_seats from)
{
	struct comparison c = { .a = a, .b = b, .from = from };
	uint8_t last[LP_PRODUCT_THREADS], taken[LP_PRODUCT_THREADS] = { 0 };

	memset(last, LP_NOT_ALIKE, sizeof last);
	for (uint32_t i = 0; i < p->threads; i++) {
		const uint32_t class = lp_seat(from, i);
		c.alike.before[i] = last[class];
		c.alike.any |= last[class] != LP_NOT_ALIKE;
		last[class] = (uint8_t)i;
		c.seats |= lp_seat_is(i, class + taken[class]++);
	}
	return c;
}

/* The i-th way of `a`, by seats of `b`. */
static void take_way(const struct lp_product *p, const struct comparison *c, uint32_t i, uint64_t *way)
{
	const uint64_t *from = lp_shape_way(p, c->a, i);

	*way = lp_way_state(from);
	memset(way + 1, 0, sizeof *way * (p->words - 1));
	for (uint32_t k = 0; k < p->threads; k++)
		lp_way_set_code(p, way, k, lp_way_code(p, from, lp_seat(c->seats, k)));
}

/* ---- all permutations ---- */

/* Seats of `b`, one after the other, that are in the same class of both. */
static bool is_joined(const struct lp_product *p, const struct comparison *c, uint32_t seat)
{
	return seat + 1 < p->threads && !(p->known.shapes.at[c->b].starts >> (seat + 1) & 1) &&
	       lp_seat(c->from, seat) == lp_seat(c->from, seat + 1);
}

/* Can ways of `b` become the way, and those in which the first `count` seats exchange their codes within classes of `a`?  The last of
 * them gets each code that one of its class has, once; then come those before it. */
static bool has_permutations(struct lp_product *p, const struct comparison *c, uint64_t *way, uint32_t count)
{
	uint32_t tried[LP_PRODUCT_THREADS], codes = 0;
	bool has = true;

	if (!count)
		return lp_gather_toward(p, c->b, way);
	const uint32_t last = count - 1, mine = lp_way_code(p, way, last);
	const uint32_t most = is_joined(p, c, last) ? lp_way_code(p, way, count) : UINT32_MAX;
	for (uint32_t u = last; u != LP_NOT_ALIKE && has; u = c->alike.before[u]) {
		const uint32_t code = lp_way_code(p, way, u);
		uint32_t i = 0;
		while (i < codes && tried[i] != code)
			i++;
		if (i < codes || code > most)
			continue;
		tried[codes++] = code;
		lp_way_set_code(p, way, u, mine);
		lp_way_set_code(p, way, last, code);
		has = has_permutations(p, c, way, last);
		lp_way_set_code(p, way, last, mine);
		lp_way_set_code(p, way, u, code);
	}
	return has;
}

static bool find_within(struct lp_product *p, const struct comparison *c)
{
	for (uint32_t i = 0; i < p->known.shapes.at[c->a].count; i++) {
		uint64_t way[LP_WAY_WORDS];
		take_way(p, c, i, way);
		if (!has_permutations(p, c, way, p->threads))
			return false;
	}
	return true;
}

bool lp_product_within(struct lp_product *p, uint32_t a, uint32_t b)
{
	const struct lp_product_set *x = &p->known.sets.at[a], *y = &p->known.sets.at[b];

	if (a == b)
		return true;
	if (x->overlapped & ~y->overlapped)
		return false;
	const lp_seats from = compare_seats(p, x, y);
	const struct lp_product_step *known = lp_product_known(p, x->shape, y->shape, from);
	if (known)
		return known->next;
	const struct comparison c = begin(p, x->shape, y->shape, from);
	return lp_product_remember(p, c.a, c.b, from, find_within(p, &c));
}
