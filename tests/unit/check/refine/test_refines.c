/* test_refines.c -- refinement of observations, against the definition.
 *
 *     test_refines [CASES [SEED]]
 *
 * Random observations of up to four calls, and random runs of a specification for the same client.  Which orders are
 * possible with each of them is computed here from all strict partial orders, and by multiplying relations; some
 * observations forbid further orders, which only possible() knows.  What fails is printed with as few runs as show it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../history/random_history.h"
#include "check/clients/relations_allow.h"
#include "check/refine/refines.h"
#include "check/refine/run_orders.h"
#include "check/refine/spec_runs.h"
#include "expect.h"

enum { CALLS = 4, RUNS = 5 };

struct sight {
	struct lp_observation o;
	uint32_t forbidden[CALLS]; /* no order that has all of these pairs, if there are any */
};

struct test_case {
	struct sight object, run[RUNS];
	uint32_t runs;
};

/* ---- the definition ---- */

typedef uint32_t rows[CALLS];

static void multiply(const uint32_t *x, const uint32_t *y, uint32_t n, uint32_t *to)
{
	rows product = { 0 };

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			for (uint32_t k = 0; k < n; k++)
				product[i] |= (x[i] >> j & y[j] >> k & 1) << k;
	memcpy(to, product, sizeof product);
}

/* h ; (middle ; h)* */
static void paths(const uint32_t *h, const uint32_t *middle, uint32_t n, uint32_t *to)
{
	rows step, longer;

	multiply(middle, h, n, step);
	memcpy(to, h, sizeof(rows));
	for (uint32_t i = 0; i < n * n; i++) {
		multiply(to, step, n, longer);
		for (uint32_t a = 0; a < n; a++)
			to[a] |= longer[a];
	}
}

static void turn(const uint32_t *from, uint32_t n, uint32_t *to)
{
	memset(to, 0, sizeof(rows));
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			to[a] |= (from[b] >> a & 1) << b;
}

static bool is_forbidden(const struct sight *s, const uint32_t *before)
{
	uint32_t any = 0, missing = 0;

	for (uint32_t a = 0; a < s->o.count; a++) {
		any |= s->forbidden[a];
		missing |= s->forbidden[a] & ~before[a];
	}
	return any && !missing;
}

static bool asks(void *closure, const uint32_t *before)
{
	return !is_forbidden(closure, before);
}

static bool goes(const struct sight *s, const uint32_t *before)
{
	const uint32_t n = s->o.count;
	rows h, t;

	if (is_forbidden(s, before))
		return false;
	for (uint32_t a = 0; a < n; a++) {
		if (s->o.before[a] & ~before[a])
			return false;
		for (uint32_t b = 0; b < n; b++)
			if (before[a] >> b & 1 && s->o.call[b].stuck)
				return false;
	}
	turn(before, n, h);
	paths(h, s->o.happens, n, t);
	for (uint32_t b = 0; b < n; b++)
		if (t[b] & s->o.clashes[b])
			return false;
	paths(h, s->o.reaches, n, t);
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t a = 0; a < n; a++)
			if (t[b] >> a & 1 && s->o.reaches[a] >> b & 1)
				return false;
	return true;
}

/* G ; (h ; G)* = G | G ; (h ; (G ; h)*) ; G */
static void given_with(const struct lp_observation *o, const uint32_t *before, uint32_t *to)
{
	rows g, h, t;

	for (uint32_t a = 0; a < o->count; a++)
		g[a] = lp_observed_given(o, a) | UINT32_C(1) << a;
	turn(before, o->count, h);
	paths(h, g, o->count, t);
	multiply(g, t, o->count, t);
	multiply(t, g, o->count, t);
	for (uint32_t a = 0; a < o->count; a++)
		to[a] = g[a] | t[a];
}

static bool ends_alike(const struct lp_observation *x, const struct lp_observation *y)
{
	for (uint32_t a = 0; a < x->count; a++)
		if (x->call[a].stuck != y->call[a].stuck || (!x->call[a].stuck && x->call[a].result != y->call[a].result))
			return false;
	return true;
}

static bool is_explained(const struct test_case *c, const uint32_t *before)
{
	rows given = { 0 };

	given_with(&c->object.o, before, given);
	for (uint32_t i = 0; i < c->runs; i++) {
		const struct lp_observation *run = &c->run[i].o;
		uint32_t missing = 0;
		for (uint32_t a = 0; a < run->count; a++)
			for (uint32_t b = 0; b < run->count; b++)
				missing |= !run->call[b].stuck && (lp_observed_given(run, a) & ~given[a]) >> b & 1;
		if (!missing && ends_alike(run, &c->object.o) && goes(&c->run[i], before))
			return true;
	}
	return false;
}

static bool is_order(const uint32_t *before, uint32_t n)
{
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			if (before[a] >> b & 1 && (a == b || before[b] & ~before[a] || before[b] >> a & 1))
				return false;
	return true;
}

static bool refines(const struct test_case *c)
{
	const uint32_t n = c->object.o.count;

	for (uint32_t number = 0; number < UINT32_C(1) << n * n; number++) {
		uint32_t before[LP_OBSERVED_CALLS] = { 0 };
		for (uint32_t a = 0; a < n; a++)
			before[a] = number >> a * n & ((UINT32_C(1) << n) - 1);
		if (is_order(before, n) && goes(&c->object, before) && !is_explained(c, before))
			return false;
	}
	return true;
}

/* ---- cases ---- */

static void random_rows(uint32_t *row, uint32_t n, uint32_t percent, struct random_source *r)
{
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			row[a] |= (uint32_t)(below(r, 100) < percent) << b;
}

/* Results of few kinds, so that many agree. */
static void random_sight(struct sight *s, uint32_t n, const struct lp_observation *like, struct random_source *r)
{
	static const uint32_t densities[] = { 0, 5, 15, 30 };
	struct lp_observation *o = &s->o;

	*s = (struct sight){ .o = { .count = n, .exact = true, .possible = asks } };
	if (below(r, 3)) {
		random_rows(o->happens, n, densities[below(r, 4)], r);
		random_rows(o->reaches, n, densities[below(r, 3)], r);
		random_rows(o->clashes, n, densities[below(r, 4)], r);
	} else { /* a pair of each, so that one path with several pairs of h decides */
		o->happens[below(r, n)] |= UINT32_C(1) << below(r, n);
		o->reaches[below(r, n)] |= UINT32_C(1) << below(r, n);
		o->clashes[below(r, n)] |= UINT32_C(1) << below(r, n);
	}
	random_rows(o->partial, n, below(r, 2) * 20, r);
	for (uint32_t a = 0; a < n; a++) {
		o->happens[a] |= UINT32_C(1) << a;
		o->reaches[a] |= o->happens[a];
		o->clashes[a] &= ~(UINT32_C(1) << a);
		o->call[a] = (struct lp_observed){ .thread = a + 1, .result = below(r, 8) == 0, .stuck = below(r, 16) == 0 };
	}
	if (like) {
		memcpy(o->before, like->before, sizeof o->before);
		if (below(r, 4))
			memcpy(o->call, like->call, sizeof o->call);
	}
	if (!below(r, 3)) {
		o->exact = false;
		random_rows(s->forbidden, n, 20, r);
	}
}

/* As the object, with one influence more, which no client can rely on: only longer paths tell the two apart. */
static void similar_sight(struct sight *s, const struct sight *object, struct random_source *r)
{
	const uint32_t n = object->o.count, a = below(r, n), b = below(r, n);

	*s = *object;
	s->o.happens[a] |= UINT32_C(1) << b;
	s->o.reaches[a] |= UINT32_C(1) << b;
	memcpy(s->o.partial, s->o.happens, sizeof s->o.partial);
}

static void random_case(struct test_case *c, struct random_source *r)
{
	const uint32_t n = 1 + below(r, CALLS);

	random_sight(&c->object, n, NULL, r);
	if (n > 1 && !below(r, 3) && !c->object.o.call[0].stuck)
		c->object.o.before[n - 1] = 1; /* the first call before the last one */
	c->runs = below(r, RUNS + 1);
	for (uint32_t i = 0; i < c->runs; i++)
		if (below(r, 4))
			random_sight(&c->run[i], n, &c->object.o, r);
		else
			similar_sight(&c->run[i], &c->object, r);
}

/* ---- comparing ---- */

/* An execution that the client's own order does not go with is none. */
static bool is_possible_at_all(const struct sight *s)
{
	return goes(s, s->o.before);
}

/* NULL if all is as it should be. */
static const char *compare(struct test_case *c, bool *right)
{
	struct lp_runs runs = { 0 };
	struct lp_refines r = { 0 };
	struct lp_refutation why;
	const char *wrong = NULL;

	for (uint32_t i = 0; i < c->runs; i++) {
		c->run[i].o.closure = &c->run[i];
		lp_run_orders_add(&runs, &c->run[i].o);
	}
	c->object.o.closure = &c->object;
	lp_refines_begin(&r, &runs);
	const bool found = lp_refines_judge(&r, &c->object.o, &why) == LP_CLIENTS_RIGHT;
	*right = refines(c);
	if (found != *right)
		wrong = found ? "it is said to refine" : "it is said not to refine";
	else if (!found && (!is_order(why.before, c->object.o.count) || !goes(&c->object, why.before)))
		wrong = "the order is not possible";
	else if (!found && is_explained(c, why.before))
		wrong = "the order is explained";
	lp_refines_close(&r);
	lp_runs_close(&runs);
	return wrong;
}

static void print_rows(const char *name, const uint32_t *row, uint32_t n)
{
	printf(" %s", name);
	for (uint32_t a = 0; a < n; a++)
		printf(" %x", row[a]);
}

static void print_sight(const char *name, const struct sight *s)
{
	const struct lp_observation *o = &s->o;

	printf("  %s:", name);
	for (uint32_t a = 0; a < o->count; a++)
		printf(" %s%d", o->call[a].stuck ? "stuck" : "", (int)o->call[a].result);
	print_rows("; reaches", o->reaches, o->count);
	print_rows("happens", o->happens, o->count);
	print_rows("partial", o->partial, o->count);
	print_rows("clashes", o->clashes, o->count);
	print_rows("before", o->before, o->count);
	print_rows(o->exact ? "exact; forbidden" : "forbidden", s->forbidden, o->count);
	printf("\n");
}

static void shrink(struct test_case *c)
{
	bool right;

	for (uint32_t i = 0; i < c->runs;) {
		struct test_case less = *c;
		less.runs--;
		memmove(&less.run[i], &less.run[i + 1], sizeof *less.run * (less.runs - i));
		if (compare(&less, &right)) {
			*c = less;
			i = 0;
		} else {
			i++;
		}
	}
}

int main(int argc, char **argv)
{
	const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
	struct random_source source = { argc > 2 ? strtoull(argv[2], NULL, 10) : 1 };
	unsigned long counts[2] = { 0 };

	printf("seed %llu\n", (unsigned long long)source.state);
	for (unsigned long i = 0; i < cases && failures < 3; i++) {
		struct test_case c;
		bool right;
		random_case(&c, &source);
		if (!is_possible_at_all(&c.object))
			continue;
		const char *wrong = compare(&c, &right);
		counts[right]++;
		EXPECT(!wrong, "case %lu: %s", i, wrong);
		if (!wrong)
			continue;
		shrink(&c);
		print_sight("object", &c.object);
		for (uint32_t k = 0; k < c.runs; k++)
			print_sight("run", &c.run[k]);
	}
	printf("%lu refine, %lu do not\n", counts[1], counts[0]);
	EXPECT(counts[0] > cases / 50 && counts[1] > cases / 50);
	return expect_status();
}
