/* naive_orders.c -- all orders that a client could have. */
#include "naive_orders.h"

#include <stdlib.h>
#include <string.h>

/* ---- orders of a class ---- */

rel *orders;
uint32_t orders_upto[N + 1];
static uint32_t order_count;

/* With the call n and its pairs with those below it, on top of r, in every way. */
static void extend(rel r, uint32_t n, uint32_t with)
{
	if (with < n) {
		extend(r, n, with + 1);
		extend(r | pair(with, n), n, with + 1);
		extend(r | pair(n, with), n, with + 1);
	} else if (is_strict_order(r)) {
		orders = realloc(orders, sizeof *orders * (order_count + 1));
		orders[order_count++] = r;
	}
}

static int compare_sizes(const void *a, const void *b)
{
	return __builtin_popcount(*(const rel *)a) - __builtin_popcount(*(const rel *)b);
}

void make_orders(void)
{
	if (orders)
		return;
	extend(0, 0, 0);
	orders_upto[1] = 1;
	for (uint32_t n = 1; n < N; n++) {
		const uint32_t smaller = order_count;
		for (uint32_t i = 0; i < smaller; i++)
			extend(orders[i], n, 0);
		/* What leaves the new call alone was there before. */
		uint32_t kept = smaller;
		for (uint32_t i = smaller; i < order_count; i++) {
			bool known = false;
			for (uint32_t k = 0; k < smaller; k++)
				known |= orders[k] == orders[i];
			if (!known)
				orders[kept++] = orders[i];
		}
		order_count = orders_upto[n + 1] = kept;
		qsort(orders + smaller, kept - smaller, sizeof *orders, compare_sizes);
	}
}

static bool related(rel r, uint32_t x, uint32_t y)
{
	return x == y || has(r, x, y) || has(r, y, x);
}

/* Program orders: what is related to the same is related; and the threads that the client
 * has are stretches of it, in their order. */
static bool are_chains(const struct lp_observation *o, rel given, rel r)
{
	const uint32_t n = o->count;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			for (uint32_t z = 0; z < n; z++) {
				const bool together = has(given, x, z) &&
						      o->call[x].thread == o->call[z].thread;
				if (related(r, x, y) && related(r, y, z) && !related(r, x, z))
					return false;
				if (together && !has(r, x, z))
					return false;
				if (together && has(r, x, y) && has(r, y, z) &&
				    o->call[y].thread != o->call[x].thread)
					return false;
			}
	return true;
}

/* Not to be ordered is transitive. */
static bool are_blocks(uint32_t n, rel r)
{
	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			for (uint32_t z = 0; z < n; z++) {
				const bool beside = !has(r, x, y) && !has(r, y, x) && !has(r, y, z) &&
						    !has(r, z, y);
				if (beside && (has(r, x, z) || has(r, z, x)))
					return false;
			}
	return true;
}

/* What comes before calls contains each other, and is one of `length` + 1 things. */
static bool are_intervals(uint32_t n, rel r, uint32_t length)
{
	uint32_t past[N] = { 0 }, different = 0;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			past[x] |= (uint32_t)has(r, y, x) << y;
	for (uint32_t x = 0; x < n; x++) {
		bool known = false;
		for (uint32_t y = 0; y < n; y++) {
			if (past[x] & ~past[y] && past[y] & ~past[x])
				return false;
			known |= y < x && past[x] == past[y];
		}
		different += !known;
	}
	return different <= length + 1;
}

/* Is r one that clients add, of this class? */
static bool is_of_class(const struct naive_question *q, rel given, rel r)
{
	for (uint32_t x = 0; x < q->o->count; x++)
		for (uint32_t y = 0; y < q->o->count; y++)
			if (q->o->call[x].stuck && has(r, x, y))
				return false;
	switch (q->class) {
	case LP_ORDERS_ALL:
		return true;
	case LP_ORDERS_CHAINS:
		return are_chains(q->o, given, r);
	case LP_ORDERS_BLOCKS:
		return are_blocks(q->o->count, r);
	case LP_ORDERS_NONE:
		return r == 0;
	case LP_ORDERS_INTERVALS:
		return are_intervals(q->o->count, r, q->length);
	}
	return false;
}

rel with_given(rel order, rel given)
{
	return given & ~order ? plus(given | order) : order;
}

const struct members *members_of(const struct naive_question *q)
{
	static struct members known[LP_ORDERS_INTERVALS + 1];
	static struct members m;
	const rel given = from_before(q->o->before, q->o->count);

	make_orders();
	m.count = 0;
	memset(&m.of, 0, sizeof m.of);
	m.of.class = q->class;
	m.of.length = q->length;
	m.of.count = q->o->count;
	for (uint32_t a = 0; a < q->o->count; a++) {
		m.of.before[a] = q->o->before[a];
		m.of.stuck[a] = q->o->call[a].stuck;
		m.of.thread[a] = q->o->call[a].thread;
	}
	if (!memcmp(&known[q->class].of, &m.of, sizeof m.of))
		return &known[q->class];
	for (uint32_t i = 0; i < orders_upto[q->o->count]; i++) {
		const rel h = with_given(orders[i], given);
		if (is_of_class(q, given, orders[i]) && (h == orders[i] || is_strict_order(h))) {
			m.number[m.count] = (uint16_t)i;
			m.h[m.count++] = h;
		}
	}
	known[q->class] = m;
	return &known[q->class];
}

/* ---- which of them are possible ---- */

struct known known_of(const struct lp_observation *o)
{
	return (struct known){ o, from_rows(o->reaches, o->count), from_rows(o->happens, o->count),
			       from_rows(o->clashes, o->count) };
}

void to_before(rel h, uint32_t *before)
{
	for (uint32_t b = 0; b < N; b++)
		for (rel rest = row(h, b); rest; rest &= rest - 1)
			before[__builtin_ctz(rest)] |= UINT32_C(1) << b;
}

bool is_possible(const struct known *k, rel h)
{
	uint32_t before[LP_OBSERVED_CALLS] = { 0 };

	/* With an empty relation nothing is in common. */
	if (k->clashes && then(h, star(then(k->happens, h))) & k->clashes)
		return false;
	if (k->reaches && then(h, star(then(k->reaches, h))) & inverse(k->reaches))
		return false;
	to_before(h, before);
	return k->o->exact || k->o->possible(k->o->closure, before);
}

bool is_possible_of_class(const struct naive_question *q, rel h)
{
	uint32_t before[LP_OBSERVED_CALLS] = { 0 };

	to_before(h, before);
	return q->class != LP_ORDERS_CHAINS || !q->o->possible_in_threads || q->o->possible_in_threads(q->o->closure, before);
}

bool naive_given_possible(const struct lp_observation *o)
{
	const struct known known = known_of(o);

	return is_possible(&known, from_before(o->before, o->count));
}
