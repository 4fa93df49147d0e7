/* spec_runs.c -- the executions of a specification that is a program. */
#include "check/refine/spec_runs.h"

#include <assert.h>
#include <string.h>

#include "check/clients/relations_allow.h"

void lp_runs_close(struct lp_runs *r)
{
	lp_free(r->at);
	lp_hash_close(&r->by_results);
	*r = (struct lp_runs){ 0 };
}

void lp_runs_clear(struct lp_runs *r)
{
	r->count = 0;
	lp_hash_clear(&r->by_results);
}

void lp_runs_index(struct lp_runs *r)
{
	lp_hash_clear(&r->by_results);
	for (uint32_t i = 0; i < r->count; i++)
		lp_hash_add(&r->by_results, r->at[i].results.a, i);
}

const struct lp_run *lp_runs_next(const struct lp_runs *r, struct lp_fingerprint results, struct lp_hash_probe *probe)
{
	uint32_t id;

	while ((id = lp_hash_next(&r->by_results, probe)) != LP_HASH_NONE)
		if (r->at[id].results.a == results.a && r->at[id].results.b == results.b)
			return &r->at[id];
	return NULL;
}

uint32_t lp_runs_returned(const struct lp_observation *o)
{
	uint32_t returned = 0;

	for (uint32_t a = 0; a < o->count; a++)
		returned |= (uint32_t)!o->call[a].stuck << a;
	return returned;
}

/* Methods are not named: their numbers are those of one specification, and a client determines which call is which. */
struct lp_fingerprint lp_runs_results(const struct lp_observation *o)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, o->count);
	for (uint32_t a = 0; a < o->count; a++) {
		const struct lp_observed *c = &o->call[a];
		lp_fingerprint_word(&f, c->thread | (uint64_t)c->stuck << 32);
		for (uint32_t i = 0; i < LP_OBSERVED_ARGS; i++)
			lp_fingerprint_word(&f, (uint64_t)c->arg[i]);
		lp_fingerprint_word(&f, c->stuck ? 0 : (uint64_t)c->result);
	}
	return lp_fingerprint_end(f);
}

/* Makes a run of an observation.  Nothing follows a stuck call in a client order, so the bits for orders after stuck
 * calls are cleared. */
static struct lp_run run_of(const struct lp_observation *o, const struct lp_observation *giving)
{
	struct lp_run r = { .results = lp_runs_results(o), .o = *o };
	const uint32_t returned = lp_runs_returned(o);

	for (uint32_t a = 0; a < o->count; a++) {
		r.o.reaches[a] &= returned;
		r.o.happens[a] &= returned;
		r.given[a] = lp_observed_given(giving, a) & returned & ~(UINT32_C(1) << a);
		if (o->call[a].stuck)
			r.o.clashes[a] = 0;
	}
	lp_relation_turn(r.o.reaches, o->count, r.reached);
	return r;
}

/* Does x cover y?  The two have the same results. */
static bool covers(const struct lp_run *x, const struct lp_run *y)
{
	uint32_t more = 0;

	for (uint32_t a = 0; a < x->o.count; a++)
		more |= (x->o.reaches[a] & ~y->o.reaches[a]) | (x->o.happens[a] & ~y->o.happens[a]) |
			(x->o.clashes[a] & ~y->o.clashes[a]) | (x->given[a] & ~y->given[a]);
	return !more;
}

static bool is_covered(const struct lp_runs *r, const struct lp_run *run)
{
	struct lp_hash_probe probe = lp_hash_probe(&r->by_results, run->results.a);
	const struct lp_run *other;

	while ((other = lp_runs_next(r, run->results, &probe)))
		if (covers(other, run))
			return true;
	return false;
}

/* Removes those that the run covers. */
static void remove_covered(struct lp_runs *r, const struct lp_run *run)
{
	struct lp_hash_probe probe = lp_hash_probe(&r->by_results, run->results.a);
	const struct lp_run *other;
	uint32_t kept = 0;
	bool any = false;

	while (!any && (other = lp_runs_next(r, run->results, &probe)))
		any = covers(run, other);
	if (!any)
		return;
	for (uint32_t i = 0; i < r->count; i++)
		if (memcmp(&r->at[i].results, &run->results, sizeof run->results) || !covers(run, &r->at[i]))
			r->at[kept++] = r->at[i];
	r->count = kept;
	lp_runs_index(r);
}

bool lp_runs_cover(const struct lp_runs *r, const struct lp_observation *o)
{
	const struct lp_run run = run_of(o, o);

	return is_covered(r, &run);
}

void lp_runs_add(struct lp_runs *r, const struct lp_observation *o)
{
	lp_runs_add_giving(r, o, o);
}

void lp_runs_add_giving(struct lp_runs *r, const struct lp_observation *o, const struct lp_observation *giving)
{
	const struct lp_run run = run_of(o, giving);

	assert(o->exact);
	if (is_covered(r, &run))
		return;
	remove_covered(r, &run);
	lp_hash_add(&r->by_results, run.results.a, r->count);
	LP_PUSH(r, run);
}

/* ---- like calls ---- */

struct exchange {
	uint32_t one, other; /* calls */
};

static uint32_t call_of(const struct lp_observation *o, uint32_t thread)
{
	uint32_t a = 0;

	while (a < o->count && o->call[a].thread != thread)
		a++;
	assert(a < o->count);
	return a;
}

static uint32_t exchanged(const struct exchange *x, uint32_t a)
{
	return a == x->one ? x->other : a == x->other ? x->one : a;
}

static int64_t exchanged_value(const struct lp_observation *o, const struct exchange *x, int64_t value)
{
	for (uint32_t i = 0; i < LP_OBSERVED_ARGS; i++) {
		const int64_t a = o->call[x->one].arg[i], b = o->call[x->other].arg[i];
		if (a != b && (value == a || value == b))
			return value == a ? b : a;
	}
	return value;
}

static void exchange_relation(const uint32_t *from, uint32_t n, const struct exchange *x, uint32_t *to)
{
	for (uint32_t a = 0; a < n; a++) {
		const uint32_t row = from[exchanged(x, a)];
		const uint32_t differ = (row >> x->one ^ row >> x->other) & 1;
		to[a] = row ^ (differ << x->one | differ << x->other);
	}
}

static struct lp_run exchanged_run(const struct lp_run *run, const struct exchange *x, uint32_t valued)
{
	struct lp_run r = *run;
	const uint32_t n = run->o.count;

	for (uint32_t a = 0; a < n; a++) {
		const struct lp_observed *from = &run->o.call[exchanged(x, a)];
		r.o.call[a].stuck = from->stuck;
		r.o.call[a].result = valued >> a & 1 ? exchanged_value(&run->o, x, from->result) : from->result;
	}
	exchange_relation(run->o.reaches, n, x, r.o.reaches);
	exchange_relation(run->o.happens, n, x, r.o.happens);
	exchange_relation(run->o.clashes, n, x, r.o.clashes);
	exchange_relation(run->given, n, x, r.given);
	r.results = lp_runs_results(&r.o);
	return r;
}

bool lp_runs_exchange(const struct lp_runs *r, uint32_t one, uint32_t other, uint32_t valued)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct exchange x = { call_of(&r->at[i].o, one), call_of(&r->at[i].o, other) };
		const struct lp_run run = exchanged_run(&r->at[i], &x, valued);
		if (!is_covered(r, &run))
			return false;
	}
	return true;
}
