/* naive_orders.h -- inside the naive checker of clients: relations on five calls, and all orders.
 */
#ifndef LP_TESTS_NAIVE_ORDERS_H
#define LP_TESTS_NAIVE_ORDERS_H

#include "naive_clients.h"

enum { N = NAIVE_CALLS, ORDERS = 4231 };

/* ---- relations, in one word ---- */

typedef uint32_t rel;

static inline rel pair(uint32_t b, uint32_t a)
{
	return UINT32_C(1) << (b * N + a);
}

static inline bool has(rel r, uint32_t b, uint32_t a)
{
	return (r & pair(b, a)) != 0;
}

/* All a with (b, a) in r. */
static inline rel row(rel r, uint32_t b)
{
	return r >> b * N & ((UINT32_C(1) << N) - 1);
}

static inline rel then(rel p, rel q)
{
	rel r = 0;

	for (uint32_t x = 0; x < N; x++)
		for (uint32_t y = 0; y < N; y++)
			r |= has(p, x, y) ? row(q, y) << x * N : 0;
	return r;
}

static inline rel star(rel p)
{
	rel r = 0;

	for (uint32_t x = 0; x < N; x++)
		r |= pair(x, x);
	for (rel more = r | then(r, p); more != r; more = r | then(r, p))
		r = more;
	return r;
}

static inline rel plus(rel p)
{
	return then(p, star(p));
}

static inline rel inverse(rel p)
{
	rel r = 0;

	for (uint32_t x = 0; x < N; x++)
		for (uint32_t y = 0; y < N; y++)
			r |= has(p, x, y) ? pair(y, x) : 0;
	return r;
}

/* Rows whose bit b of [a] says (b, a); and whose bit a of [b] does. */
static inline rel from_before(const uint32_t *before, uint32_t n)
{
	rel r = 0;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			r |= before[a] >> b & 1 ? pair(b, a) : 0;
	return r;
}

static inline rel from_rows(const uint32_t *row, uint32_t n)
{
	return inverse(from_before(row, n));
}

static inline bool is_strict_order(rel r)
{
	for (uint32_t x = 0; x < N; x++)
		if (has(r, x, x))
			return false;
	return !(then(r, r) & ~r);
}

/* ---- orders of a class ---- */

/* All strict partial orders, those on fewer calls first: made once.  Those on n calls are orders[0] to
 * orders[orders_upto[n]]; each once, after those contained in it that have the same last call. */
extern rel *orders;
extern uint32_t orders_upto[N + 1]; /* ORDERS on N calls */
void make_orders(void);

/* The order, closed with the given one. */
rel with_given(rel order, rel given);

/* Orders that clients have who add one of the class to the given one; those of the last client
 * that was asked about are kept. */
struct members {
	struct {
		enum lp_order_class class;
		uint32_t length, count, before[N], stuck[N], thread[N];
	} of;
	rel h[ORDERS];
	uint16_t number[ORDERS]; /* which of the orders was added */
	uint32_t count;
};

const struct members *members_of(const struct naive_question *);

/* ---- which of them are possible ---- */

struct known {
	const struct lp_observation *o;
	rel reaches, happens, clashes;
};

struct known known_of(const struct lp_observation *);
void to_before(rel h, uint32_t *before);
bool is_possible(const struct known *, rel h);
/* Of class chains: also if the calls of each chain are made by one thread. */
bool is_possible_of_class(const struct naive_question *, rel h);

#endif
