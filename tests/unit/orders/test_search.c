/* test_search.c -- the search finds exactly the minimal assignments.
 *
 * A random object: choices with ranges, and assignments that are wrong with all that is weaker.  The
 * search is told of one of these, raised at random as far as it stays wrong; and of some assignments, at
 * random, that they cannot be decided.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "orders/order_search.h"

enum { CHOICES = 6, BADS = 6 };

struct object {
	struct lp_order_choice choices[CHOICES];
	uint32_t count, bads;
	uint8_t bad[BADS][CHOICES];
	uint64_t random;
	bool doubts;                 /* some cannot be decided */
	uint32_t undecided;
};

static uint32_t pick(uint64_t *state, uint32_t count)
{
	*state = lp_mix(*state + UINT64_C(0x9e3779b97f4a7c15));
	return (uint32_t)(*state >> 20) % count;
}

static enum lp_order pick_order(uint64_t *state, enum lp_order_use use)
{
	enum lp_order o;

	do
		o = (enum lp_order)(LP_RLX + pick(state, 5));
	while (!lp_order_fits(use, o));
	return o;
}

static bool is_wrong(const struct object *x, const uint8_t *orders)
{
	for (uint32_t b = 0; b < x->bads; b++)
		if (lp_orders_below(x->count, orders, x->bad[b]))
			return true;
	return false;
}

static void make(struct object *x, uint64_t seed)
{
	*x = (struct object){ .random = seed };
	x->count = 1 + pick(&x->random, CHOICES);
	x->bads = pick(&x->random, BADS + 1);
	for (uint32_t i = 0; i < x->count; i++) {
		struct lp_order_choice *c = &x->choices[i];
		c->use = (enum lp_order_use)pick(&x->random, 5);
		c->low = pick(&x->random, 4) ? LP_RLX : pick_order(&x->random, c->use);
		do
			c->high = pick(&x->random, 2) ? LP_SC : pick_order(&x->random, c->use);
		while (!lp_order_weaker(c->low, c->high));
		for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
			c->price[o] = (uint64_t)lp_order_cost(LP_TARGET_X86, c->use, o) * 1000 +
				      lp_order_cost(LP_TARGET_GENERIC, c->use, o);
	}
	for (uint32_t b = 0; b < x->bads; b++)
		for (uint32_t i = 0; i < x->count; i++) {
			const struct lp_order_choice *c = &x->choices[i];
			enum lp_order o;
			do
				o = pick(&x->random, 2) ? c->high : pick_order(&x->random, c->use);
			while (!lp_order_weaker(c->low, o) || !lp_order_weaker(o, c->high));
			x->bad[b][i] = (uint8_t)o;
		}
}

/* Depends on nothing but the assignment: it may be asked again. */
static bool is_doubtful(const struct object *x, const uint8_t *orders)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, orders, x->count);
	return x->doubts && f.a % 7 == 0;
}

static enum lp_orders_answer ask(void *closure, const uint8_t *orders, uint8_t *upper, uint32_t *why)
{
	struct object *x = closure;

	if (is_doubtful(x, orders)) {
		x->undecided++;
		return LP_ORDERS_UNDECIDED;
	}
	for (uint32_t b = 0; b < x->bads; b++) {
		if (!lp_orders_below(x->count, orders, x->bad[b]))
			continue;
		for (uint32_t i = 0; i < x->count; i++)
			upper[i] = pick(&x->random, 3) ? x->bad[b][i] : orders[i];
		*why = b;
		return LP_ORDERS_WRONG;
	}
	return LP_ORDERS_RIGHT;
}

static bool has(const struct lp_orders_search *s, const uint8_t *orders)
{
	for (uint32_t i = 0; i < s->answers.count; i++)
		if (!memcmp(s->answers.at[i], orders, s->count))
			return true;
	return false;
}

static struct lp_orders_search search_of(struct object *x)
{
	return (struct lp_orders_search){ .choices = x->choices, .count = x->count, .ask = ask, .closure = x };
}

/* Each next weaker assignment is ruled out by a refutation, and is wrong or undecided. */
static bool is_locally_minimal(const struct object *x, const struct lp_orders_search *s, const uint8_t *answer)
{
	uint8_t orders[CHOICES];

	for (uint32_t i = 0; i < s->count; i++) {
		enum lp_order next[2];
		const unsigned count = lp_orders_next(&s->choices[i], (enum lp_order)answer[i], next);
		for (unsigned n = 0; n < count; n++) {
			memcpy(orders, answer, s->count);
			orders[i] = (uint8_t)next[n];
			const struct lp_orders_refutation *no = lp_orders_refuted(s, orders);
			if (!no || (!no->undecided && !is_wrong(x, orders)))
				return false;
		}
	}
	return true;
}

static int fail(uint64_t seed, const char *what)
{
	printf("seed %llu: %s\n", (unsigned long long)seed, what);
	return 1;
}

/* All of them, by price. */
static int test_all(struct object *x, uint64_t seed)
{
	struct lp_orders_search s = search_of(x), all = search_of(x);
	int wrong = 0;

	lp_orders_search(&s);
	lp_orders_exhaust(&all);
	if (!s.complete || !all.complete || !all.monotone)
		wrong += fail(seed, "not complete, or not monotone");
	if (s.answers.count != all.answers.count)
		wrong += fail(seed, "another number of answers");
	for (uint32_t i = 0; i < s.answers.count; i++) {
		if (!has(&all, s.answers.at[i]))
			wrong += fail(seed, "an answer that is not minimal");
		if (i && lp_orders_price(&s, s.answers.at[i]) < lp_orders_price(&s, s.answers.at[i - 1]))
			wrong += fail(seed, "answers are not sorted");
		if (!is_locally_minimal(x, &s, s.answers.at[i]))
			wrong += fail(seed, "a weaker assignment is not refuted");
	}
	if (s.asked > all.asked)
		wrong += fail(seed, "asked more than once about an assignment");
	lp_orders_search_close(&s);
	lp_orders_search_close(&all);
	return wrong;
}

/* One: with a queue that is too short from the beginning. */
static int test_one(struct object *x, uint64_t seed)
{
	struct lp_orders_search s = search_of(x);
	uint8_t highest[CHOICES];
	int wrong = 0;

	s.room = 1;
	lp_orders_search(&s);
	for (uint32_t i = 0; i < x->count; i++)
		highest[i] = (uint8_t)x->choices[i].high;
	if (!s.answers.count && !is_wrong(x, highest))
		wrong += fail(seed, "nothing found");
	for (uint32_t i = 0; i < s.answers.count; i++)
		if (is_wrong(x, s.answers.at[i]) || !is_locally_minimal(x, &s, s.answers.at[i]))
			wrong += fail(seed, "one: not right, or not minimal");
	lp_orders_search_close(&s);
	return wrong;
}

/* The fewest changes first: all answers of up to two, or one of more. */
static int test_changes(struct object *x, uint64_t seed)
{
	enum { CHANGE = 1000000 };
	struct lp_orders_search s = search_of(x), all = search_of(x);
	uint32_t few = 0;
	int wrong = 0;

	for (uint32_t i = 0; i < x->count; i++)
		for (enum lp_order o = LP_RLX; o <= LP_SC; o++)
			x->choices[i].price[o] += o == x->choices[i].low ? 0 : CHANGE;
	s.most = 3 * CHANGE - 1;
	lp_orders_search(&s);
	lp_orders_exhaust(&all);
	while (few < all.answers.count && lp_orders_price(&all, all.answers.at[few]) <= s.most)
		few++;
	if (!s.complete || s.answers.count != (few || !all.answers.count ? few : 1))
		wrong += fail(seed, "changes: another number of answers");
	for (uint32_t i = 0; i < s.answers.count; i++)
		if (!has(&all, s.answers.at[i]) ||
		    lp_orders_price(&s, s.answers.at[i]) != lp_orders_price(&all, all.answers.at[i]))
			wrong += fail(seed, "changes: not minimal, or not the fewest");
	lp_orders_search_close(&s);
	lp_orders_search_close(&all);
	return wrong;
}

/* What cannot be decided is no answer, and rules out nothing that is stronger. */
static int test_doubts(struct object *x, uint64_t seed)
{
	struct lp_orders_search s = search_of(x), all = search_of(x);
	int wrong = 0;

	x->doubts = true;
	lp_orders_search(&s);
	lp_orders_exhaust(&all);
	for (uint32_t i = 0; i < s.answers.count; i++)
		if (is_wrong(x, s.answers.at[i]) || is_doubtful(x, s.answers.at[i]))
			wrong += fail(seed, "an answer that is not known to be right");
	for (uint32_t i = 0; i < all.answers.count; i++)
		if (!has(&s, all.answers.at[i]))
			wrong += fail(seed, "lost an answer to doubts");
	x->doubts = false;
	lp_orders_search_close(&s);
	lp_orders_search_close(&all);
	return wrong;
}

int main(int argc, char **argv)
{
	const uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	int wrong = 0;
	uint64_t doubts = 0;

	for (uint64_t seed = 1; seed <= runs && wrong < 10; seed++) {
		struct object x;
		make(&x, seed);
		wrong += test_all(&x, seed);
		wrong += test_one(&x, seed);
		wrong += test_doubts(&x, seed);
		wrong += test_changes(&x, seed);
		doubts += x.undecided;
	}
	if (!doubts)
		wrong += fail(0, "nothing was ever undecided");
	printf("%llu objects, %d wrong\n", (unsigned long long)runs, wrong);
	return wrong ? 1 : 0;
}
