/* run_orders.c -- the largest orders with which an execution is possible.
 *
 * The search starts with all total orders.  It replaces an order that is not possible by the orders that have one pair
 * less.  It looks at orders with more pairs first.  So a possible order is a largest one unless it is part of a possible
 * order that was found earlier.
 */
#include "check/refine/run_orders.h"

#include <string.h>

#include "base/fingerprints.h"
#include "check/clients/relations_allow.h"
#include "check/refine/spec_runs.h"

struct order {
	uint32_t before[LP_OBSERVED_CALLS]; /* closed */
};

struct orders {
	LP_VEC(struct order);
};

enum { PAIRS = LP_OBSERVED_CALLS * (LP_OBSERVED_CALLS - 1) / 2 };

struct largest {
	const struct lp_observation *o;
	uint32_t reached[LP_OBSERVED_CALLS];
	bool asks;                   /* the model, too */
	struct orders left[PAIRS + 1]; /* to be looked at, by the number of their pairs */
	struct orders found;
	struct lp_fingerprints seen;
};

static uint32_t pairs_of(const struct order *h, uint32_t n)
{
	uint32_t pairs = 0;

	for (uint32_t a = 0; a < n; a++)
		pairs += (uint32_t)__builtin_popcount(h->before[a]);
	return pairs;
}

static void look_at_later(struct largest *l, const struct order *h)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, h->before, sizeof *h->before * l->o->count);
	if (lp_fingerprints_add(&l->seen, lp_fingerprint_end(f)))
		LP_PUSH(&l->left[pairs_of(h, l->o->count)], *h);
}

/* All total orders that keep the client's, and in which stuck calls have no successors. */
static void add_total(struct largest *l, struct order *h, uint32_t done)
{
	const struct lp_observation *o = l->o;
	const uint32_t returned = lp_runs_returned(o);

	if (!(returned & ~done)) {
		for (uint32_t a = 0; a < o->count; a++)
			if (o->call[a].stuck)
				h->before[a] = returned;
		look_at_later(l, h);
		return;
	}
	for LP_EACH_CALL(a, returned & ~done) {
		if (o->before[a] & ~done)
			continue;
		h->before[a] = done;
		add_total(l, h, done | UINT32_C(1) << a);
	}
}

static bool is_part_of_found(const struct largest *l, const struct order *h)
{
	for (uint32_t i = 0; i < l->found.count; i++) {
		uint32_t more = 0;
		for (uint32_t a = 0; a < l->o->count; a++)
			more |= h->before[a] & ~l->found.at[i].before[a];
		if (!more)
			return true;
	}
	return false;
}

/* Adds the orders that lack one pair of `h`, among the pairs that do not follow from others and that the client does
 * not order itself. */
static void add_smaller(struct largest *l, const struct order *h)
{
	for (uint32_t a = 0; a < l->o->count; a++) {
		uint32_t follows = l->o->before[a];
		for LP_EACH_CALL(m, h->before[a])
			follows |= h->before[m];
		for LP_EACH_CALL(b, h->before[a] & ~follows) {
			struct order smaller = *h;
			smaller.before[a] &= ~(UINT32_C(1) << b);
			look_at_later(l, &smaller);
		}
	}
}

static void look_at(struct largest *l, const struct order *h)
{
	if (is_part_of_found(l, h))
		return;
	if (lp_relations_allow(l->o, l->reached, h->before) &&
	    (!l->asks || l->o->possible(l->o->closure, h->before)))
		LP_PUSH(&l->found, *h);
	else
		add_smaller(l, h);
}

static void find_largest(struct largest *l)
{
	struct order total = { .before = { 0 } };

	lp_relation_turn(l->o->reaches, l->o->count, l->reached);
	l->found.count = 0;
	lp_fingerprints_clear(&l->seen);
	add_total(l, &total, 0);
	for (uint32_t pairs = PAIRS + 1; pairs-- > 0;) {
		/* What is added meanwhile has fewer pairs. */
		for (uint32_t i = 0; i < l->left[pairs].count; i++) {
			const struct order h = l->left[pairs].at[i];
			look_at(l, &h);
		}
		l->left[pairs].count = 0;
	}
}

/* Are the relations exact after all: is each of the largest orders that they allow possible? */
static bool relations_suffice(struct largest *l)
{
	find_largest(l);
	for (uint32_t i = 0; i < l->found.count; i++)
		if (!l->o->possible(l->o->closure, l->found.at[i].before))
			return false;
	return true;
}

/* The run that allows the parts of `h`. */
static void add_run(struct lp_runs *runs, const struct lp_observation *o, const struct order *h)
{
	struct lp_observation exact = *o;

	exact.exact = true;
	for (uint32_t a = 0; a < o->count; a++)
		exact.reaches[a] = exact.happens[a] = UINT32_C(1) << a;
	lp_relation_turn(h->before, o->count, exact.clashes);
	for (uint32_t a = 0; a < o->count; a++)
		exact.clashes[a] = lp_calls_below(o->count) & ~exact.clashes[a] & ~(UINT32_C(1) << a);
	lp_runs_add_giving(runs, &exact, o);
}

static void add_by_orders(struct lp_runs *runs, const struct lp_observation *o)
{
	struct largest *l = lp_alloc_zero(1, sizeof *l);

	l->o = o;
	if (relations_suffice(l)) {
		struct lp_observation exact = *o;
		exact.exact = true;
		lp_runs_add(runs, &exact);
	} else {
		l->asks = true;
		find_largest(l);
		for (uint32_t i = 0; i < l->found.count; i++)
			add_run(runs, o, &l->found.at[i]);
	}
	for (uint32_t i = 0; i <= PAIRS; i++)
		lp_free(l->left[i].at);
	lp_free(l->found.at);
	lp_fingerprints_close(&l->seen);
	lp_free(l);
}

bool lp_run_orders_add(struct lp_runs *runs, const struct lp_observation *o)
{
	uint32_t free_calls = 0;

	if (lp_runs_cover(runs, o))
		return true;
	if (o->exact) {
		lp_runs_add(runs, o);
		return true;
	}
	for (uint32_t a = 0; a < o->count; a++)
		free_calls += o->call[a].thread != 0;
	if (free_calls > LP_RUN_ORDERS_ON)
		return false;
	add_by_orders(runs, o);
	return true;
}
