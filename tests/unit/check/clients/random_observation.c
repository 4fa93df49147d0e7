/* random_observation.c -- small random observations.
 *
 * Results come from running the calls in a random order, and some results are then changed.
 * Relations are those that an execution could have (both reflexive, reaches contains
 * happens), or arbitrary.
 */
#include "random_observation.h"

#include <string.h>

static bool one_in(struct random_source *r, uint32_t n)
{
	return below(r, n) == 0;
}

static bool is_possible(void *closure, const uint32_t *before)
{
	const struct random_observation *x = closure;

	for (uint32_t i = 0; i < x->forbidden_count; i++) {
		bool contained = true;
		for (uint32_t a = 0; a < x->o.count; a++)
			contained &= !(x->forbidden[i][a] & ~before[a]);
		if (contained)
			return false;
	}
	return true;
}

void settle_observation(struct random_observation *x)
{
	x->o.possible = is_possible;
	x->o.closure = x;
}

static const int64_t results[] = { LP_VOID, LP_EMPTY, LP_FULL, LP_NIL, 0, 1, 2, 3, 4, 5, 6 };
enum { RESULTS = sizeof results / sizeof *results };

static enum lp_answer answer(const struct lp_spec *spec, const struct lp_observed *c, int64_t result,
			     struct lp_state *s)
{
	const struct lp_method *m = &spec->kind->methods[c->method];
	struct lp_spec_call call = { .arg = c->arg, .args = m->args, .thread = c->thread,
				     .results = m->result != LP_NOTHING, .result = &result };

	return lp_spec_step(spec, c->method, s, &call);
}

/* A result that the specification accepts in that state, if there is any. */
static bool find_result(const struct lp_spec *spec, struct lp_observed *c, struct lp_state *s,
			struct random_source *r)
{
	const uint32_t from = below(r, RESULTS);
	struct lp_state next;
	bool found = false;

	lp_state_open(&next);
	for (uint32_t i = 0; i < RESULTS && !found; i++) {
		lp_state_copy(&next, s);
		c->result = results[(from + i) % RESULTS];
		found = answer(spec, c, c->result, &next) == LP_ACCEPTS;
	}
	if (found)
		lp_state_copy(s, &next);
	lp_state_close(&next);
	return found;
}

static void random_calls(struct lp_observation *o, const struct lp_spec *spec, bool distinct,
			 struct random_source *r)
{
	const uint32_t values = 1 + below(r, 3), palette = 1 + below(r, spec->kind->method_count);
	const uint32_t first = below(r, spec->kind->method_count);

	for (uint32_t a = 0; a < o->count; a++) {
		struct lp_observed *c = &o->call[a];
		c->method = (first + below(r, palette)) % spec->kind->method_count;
		const struct lp_method *m = &spec->kind->methods[c->method];
		if (m->result == LP_VALUES && (m->roles & LP_WHOLE)) /* no call of a client returns a whole set */
			c->method = 0;
		c->thread = a;
		for (uint32_t i = 0; i < LP_OBSERVED_ARGS; i++)
			c->arg[i] = 1 + below(r, values);
		if (distinct)
			c->arg[0] = 1 + a;
	}
}

/* A method with that role, of readers or not; there is one. */
static uint32_t method_with(const struct lp_spec *spec, unsigned role, unsigned shares, struct random_source *r)
{
	for (;;) {
		const uint32_t m = below(r, spec->kind->method_count);
		const unsigned roles = spec->kind->methods[m].roles;
		if (roles & role && (roles & LP_SHARES) == shares)
			return m;
	}
}

static bool has_role(const struct lp_spec *spec, unsigned role)
{
	bool has = false;

	for (uint32_t m = 0; m < spec->kind->method_count; m++)
		has |= (spec->kind->methods[m].roles & role) != 0;
	return has;
}

/* Locks are given back by whom they were taken: half of the time there are few threads, which
 * do so more often than not. */
static bool random_threads(struct lp_observation *o, const struct lp_spec *spec, struct random_source *r)
{
	const uint32_t threads = 2 + below(r, 2);
	unsigned held[3] = { 0 };

	if (!has_role(spec, LP_TAKES) || one_in(r, 2))
		return false;
	for (uint32_t a = 0; a < o->count; a++) {
		struct lp_observed *c = &o->call[a];
		c->thread = below(r, threads);
		for (uint32_t b = 0; b < a; b++)
			o->before[a] |= (uint32_t)(o->call[b].thread == c->thread) << b;
		if (one_in(r, 6))
			continue;
		const unsigned shares = has_role(spec, LP_SHARES) && below(r, 2) ? LP_SHARES : 0;
		if (held[c->thread]) {
			c->method = method_with(spec, LP_GIVES, held[c->thread] & LP_SHARES, r);
			held[c->thread] = 0;
		} else {
			c->method = method_with(spec, LP_TAKES, shares, r);
			held[c->thread] = LP_TAKES | shares;
		}
	}
	return true;
}

/* Results of a run in a random order; what then blocks or has no result is stuck. */
static void random_results(struct lp_observation *o, const struct lp_spec *spec,
			   struct random_source *r)
{
	struct lp_state s;
	uint32_t done = 0;

	lp_state_open(&s);
	lp_state_begin(&s, spec);
	for (uint32_t tries = 0; tries < 3 * o->count; tries++) {
		const uint32_t a = below(r, o->count);
		if (!(done >> a & 1) && !(o->before[a] & ~done) && find_result(spec, &o->call[a], &s, r))
			done |= UINT32_C(1) << a;
	}
	for (uint32_t a = 0; a < o->count; a++)
		if (!(done >> a & 1) && !find_result(spec, &o->call[a], &s, r))
			o->call[a].stuck = !one_in(r, 4);
	lp_state_close(&s);
	if (one_in(r, 3))
		o->call[below(r, o->count)].result = results[below(r, RESULTS)];
	if (one_in(r, 12))
		o->call[below(r, o->count)].stuck = true;
}

static void random_rows(uint32_t *row, uint32_t n, uint32_t percent, struct random_source *r)
{
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			row[a] |= (uint32_t)(below(r, 100) < percent) << b;
}

static void random_relations(struct lp_observation *o, struct random_source *r)
{
	static const uint32_t densities[] = { 0, 5, 15, 30, 60 };
	const bool arbitrary = one_in(r, 4), inverse = one_in(r, 2);

	random_rows(o->happens, o->count, densities[below(r, 5)], r);
	random_rows(o->reaches, o->count, densities[below(r, 4)], r);
	random_rows(o->clashes, o->count, densities[below(r, 4)], r);
	for (uint32_t a = 0; a < o->count && !arbitrary; a++) {
		o->happens[a] |= UINT32_C(1) << a;
		o->reaches[a] |= o->happens[a];
		/* What happens in one direction mostly cannot be made to in the other. */
		for (uint32_t b = 0; b < o->count && inverse; b++)
			o->clashes[b] |= (uint32_t)(o->happens[a] >> b & 1 && a != b) << a;
	}
}

/* A random order on some of the calls, along a random permutation; nothing comes after a
 * call that never returns.  Some of the calls get a thread in common. */
static void random_given(struct lp_observation *o, struct random_source *r)
{
	const uint32_t from = below(r, o->count), percent = 10 + below(r, 60);
	const bool threads = one_in(r, 2);
	uint32_t last = LP_NO_CALL;

	for (uint32_t i = 0; i < o->count; i++) {
		const uint32_t a = (from + i) % o->count;
		for (uint32_t k = 0; k < i; k++) {
			const uint32_t b = (from + k) % o->count;
			if (!threads && below(r, 100) < percent && !o->call[b].stuck)
				o->before[a] |= o->before[b] | UINT32_C(1) << b;
		}
		if (threads && last != LP_NO_CALL && !one_in(r, 3) && !o->call[last].stuck) {
			o->call[a].thread = o->call[last].thread;
			o->before[a] = o->before[last] | UINT32_C(1) << last;
		}
		last = a;
	}
}

void random_observation(struct random_observation *x, const struct lp_spec *spec, uint32_t calls,
			bool distinct, struct random_source *r)
{
	struct lp_observation *o = &x->o;

	*x = (struct random_observation){ .o.count = calls };
	settle_observation(x);
	random_calls(o, spec, distinct, r);
	const bool threads = random_threads(o, spec, r);
	random_results(o, spec, r);
	random_relations(o, r);
	for (uint32_t a = 0; a < calls; a++) /* nothing comes after what never returns */
		for (uint32_t b = 0; b < calls; b++)
			o->before[a] &= ~((uint32_t)o->call[b].stuck << b);
	if (!threads && one_in(r, 3))
		random_given(o, r);
	o->exact = !one_in(r, 3);
	while (!o->exact && x->forbidden_count < 2)
		random_rows(x->forbidden[x->forbidden_count++], calls, 10, r);
	if (!naive_given_possible(o))
		memset(o->before, 0, sizeof o->before);
	if (!naive_given_possible(o)) /* nothing is possible, then: an empty row of `forbidden` */
		x->forbidden_count = 0;
	/* Without an order they are in threads of their own. */
	for (uint32_t a = 0; a < calls; a++)
		for (uint32_t b = 0; b < a; b++)
			if (o->call[a].thread == o->call[b].thread && !(o->before[a] >> b & 1) &&
			    !(o->before[b] >> a & 1))
				o->call[a].thread = NAIVE_CALLS + a;
}

static uint32_t without_bit(uint32_t row, uint32_t bit)
{
	return (row & ((UINT32_C(1) << bit) - 1)) | (row >> 1 & ~((UINT32_C(1) << bit) - 1));
}

static void drop_row(uint32_t *row, uint32_t n, uint32_t at)
{
	memmove(row + at, row + at + 1, sizeof *row * (n - at - 1));
	row[n - 1] = 0;
	for (uint32_t i = 0; i < n; i++)
		row[i] = without_bit(row[i], at);
}

void drop_call(struct random_observation *x, uint32_t call)
{
	const uint32_t n = x->o.count;

	memmove(x->o.call + call, x->o.call + call + 1, sizeof *x->o.call * (n - call - 1));
	drop_row(x->o.happens, n, call);
	drop_row(x->o.reaches, n, call);
	drop_row(x->o.clashes, n, call);
	drop_row(x->o.before, n, call);
	for (uint32_t i = 0; i < x->forbidden_count; i++)
		drop_row(x->forbidden[i], n, call);
	x->o.count--;
}

static void print_value(FILE *out, int64_t value)
{
	if (value < LP_LOWEST)
		fputs(value == LP_VOID	 ? "void"
		      : value == LP_EMPTY ? "empty"
		      : value == LP_FULL  ? "full"
					  : "nil",
		      out);
	else
		fprintf(out, "%lld", (long long)value);
}

static void print_pairs(FILE *out, const char *name, const uint32_t *row, uint32_t n, bool before)
{
	fprintf(out, "  %s:", name);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			if (row[a] >> b & 1)
				fprintf(out, " %u-%u", before ? b : a, before ? a : b);
	fputc('\n', out);
}

void print_observation(FILE *out, const struct random_observation *x, const struct lp_spec *spec)
{
	const uint32_t n = x->o.count;

	for (uint32_t a = 0; a < n; a++) {
		const struct lp_observed *c = &x->o.call[a];
		const struct lp_method *m = &spec->kind->methods[c->method];
		char name[32];
		fprintf(out, "  %u: thread %u: %s(", a, c->thread, lp_method_name(m, name));
		for (uint32_t i = 0; i < m->args; i++)
			fprintf(out, "%s%lld", i ? ", " : "", (long long)c->arg[i]);
		fputs(") = ", out);
		if (c->stuck)
			fputs("stuck", out);
		else
			print_value(out, c->result);
		fputc('\n', out);
	}
	print_pairs(out, "given", x->o.before, n, true);
	print_pairs(out, "reaches", x->o.reaches, n, false);
	print_pairs(out, "happens", x->o.happens, n, false);
	print_pairs(out, "clashes", x->o.clashes, n, false);
	for (uint32_t i = 0; i < x->forbidden_count; i++)
		print_pairs(out, "impossible together", x->forbidden[i], n, true);
}
