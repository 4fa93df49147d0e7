/* commute.c -- finds the calls of an observation that commute in all states. */
#include "check/clients/commute.h"

#include <string.h>

#include "spec/traits.h"

enum { MOST_POSITIONS = 2048 };

/* ---- methods of a specification ---- */

static enum lp_answer step(const struct lp_spec *spec, uint32_t method, int64_t first,
			   struct lp_state *state)
{
	const int64_t arg[LP_MAX_ARGS] = { first, first, first };
	struct lp_spec_call call = { .arg = arg, .args = spec->kind->methods[method].args,
				     .thread = (uint32_t)first, .param = spec->param };

	return lp_spec_step(spec, method, state, &call);
}

/* Makes the two calls in the initial state, with different arguments.  Do both change the state,
 * and lead to the same state in either order? */
static bool methods_commute(const struct lp_spec *spec, uint32_t m, uint32_t n)
{
	struct lp_state begin, one, other;
	bool commute;

	lp_state_open(&begin);
	lp_state_open(&one);
	lp_state_open(&other);
	lp_state_begin(&begin, spec);
	lp_state_copy(&one, &begin);
	lp_state_copy(&other, &begin);
	commute = step(spec, m, 0, &one) == LP_ACCEPTS && !lp_state_equal(&one, &begin) &&
		  step(spec, n, 1, &other) == LP_ACCEPTS && !lp_state_equal(&other, &begin) &&
		  step(spec, n, 1, &one) == LP_ACCEPTS && step(spec, m, 0, &other) == LP_ACCEPTS &&
		  lp_state_equal(&one, &other);
	lp_state_close(&begin);
	lp_state_close(&one);
	lp_state_close(&other);
	return commute;
}

bool lp_commute_may(const struct lp_spec *spec)
{
	if (lp_spec_has_meetings(spec))
		return false;
	for (uint32_t m = 0; m < spec->kind->method_count; m++)
		for (uint32_t n = 0; n < spec->kind->method_count; n++)
			if (methods_commute(spec, m, n))
				return true;
	return false;
}

/* ---- calls of an observation ---- */

struct commute {
	struct lp_place *p;
	const struct lp_observation *o;
	uint32_t all, rest;               /* all calls that returned; those of them that differ
					   * from all earlier ones */
	uint32_t like[LP_OBSERVED_CALLS]; /* for each call the first call that is like it */
	uint32_t *depends;                /* for each first call, the first calls that it does
					   * not commute with */
	uint32_t positions;
	bool tired, who;
};

static bool are_like(const struct commute *c, const struct lp_observed *a, const struct lp_observed *b)
{
	return a->method == b->method && a->result == b->result &&
	       !memcmp(a->arg, b->arg, sizeof a->arg) && (a->thread == b->thread || !c->who);
}

static bool takes(const struct commute *c, uint32_t call, const struct lp_state *from, struct lp_state *to)
{
	lp_state_copy(to, from);
	return lp_place_step(c->p, &c->o->call[call], to, 0) == LP_ACCEPTS;
}

/* Do the two calls commute in the state stored at `depth`? */
static bool commute_at(struct commute *c, uint32_t a, uint32_t b, uint32_t depth)
{
	const struct lp_state *now = &c->p->state[depth];
	struct lp_state *x = &c->p->state[depth + 1], *y = &c->p->state[depth + 2];
	struct lp_state *spare = &c->p->state[LP_OBSERVED_CALLS + 2];
	const bool takes_a = takes(c, a, now, x), takes_b = takes(c, b, now, y);

	if (!takes_a && !takes_b)
		return true;
	const bool then_b = takes_a && takes(c, b, x, spare);
	if (takes_a && then_b != takes_b)
		return false;
	if (takes_a)
		lp_state_copy(x, spare); /* a, then b, from each state in which b was accepted */
	const bool then_a = takes_b && takes(c, a, y, spare);
	if (takes_b && then_a != takes_a)
		return false;
	return !takes_a || !takes_b || lp_state_equal(x, spare);
}

/* Visits all states that the remaining calls can lead to.  Calls that are like each other are
 * made in a fixed order. */
static void look_around(struct commute *c, uint32_t done, uint32_t depth)
{
	const struct lp_state *now = &c->p->state[depth];
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, done);
	lp_fingerprint_bytes(&f, now->at, sizeof *now->at * now->count);
	if (!lp_fingerprints_add(&c->p->failed, f) || c->tired)
		return;
	c->tired = ++c->positions > MOST_POSITIONS;
	for (uint32_t a = 0; a < c->o->count && !c->tired; a++)
		for (uint32_t b = a; b < c->o->count; b++) /* begins with b = a, since two calls
							    * that are like each other need not
							    * commute */
			if (c->rest >> a & 1 && c->rest >> b & 1 && !(c->depends[a] >> b & 1) &&
			    !commute_at(c, a, b, depth)) {
				c->depends[a] |= UINT32_C(1) << b;
				c->depends[b] |= UINT32_C(1) << a;
			}
	for (uint32_t a = 0; a < c->o->count && !c->tired; a++) {
		bool turn = (c->all & ~done) >> a & 1;
		for (uint32_t b = 0; b < a; b++)
			turn &= c->like[b] != c->like[a] || done >> b & 1;
		if (turn && takes(c, a, now, &c->p->state[depth + 1]))
			look_around(c, done | UINT32_C(1) << a, depth + 1);
	}
}

static bool find(struct lp_place *p, const struct lp_observation *o, uint32_t *depends)
{
	uint32_t kinds[LP_OBSERVED_CALLS] = { 0 };
	struct commute c = { .p = p, .o = o, .depends = kinds, .who = lp_kind_traits(p->spec->kind)->by_thread };
	bool any = false;

	for (uint32_t a = 0; a < o->count; a++) {
		c.like[a] = a;
		for (uint32_t b = a; b-- > 0;)
			if (!o->call[b].stuck && are_like(&c, &o->call[a], &o->call[b]))
				c.like[a] = c.like[b];
		if (o->call[a].stuck)
			continue;
		c.all |= UINT32_C(1) << a;
		c.rest |= (uint32_t)(c.like[a] == a) << a;
	}
	lp_fingerprints_clear(&p->failed);
	lp_state_begin(&p->state[0], p->spec);
	look_around(&c, 0, 0);
	for (uint32_t a = 0; a < o->count; a++) {
		depends[a] = 0;
		for (uint32_t b = 0; b < o->count; b++) {
			const bool depend = c.tired || kinds[c.like[a]] >> c.like[b] & 1;
			depends[a] |= (uint32_t)depend << b;
			any |= a != b && !depend && c.all >> a & 1 && c.all >> b & 1;
		}
	}
	return any;
}

/* The answer is kept for the last observation, since many executions have the same calls and
 * results. */
bool lp_commute_find(struct lp_place *p, const struct lp_observation *o)
{
	if (!p->commuting.known || p->commuting.name.a != p->name.a || p->commuting.name.b != p->name.b)
		p->commuting.any = find(p, o, p->commuting.depends);
	p->commuting.known = true;
	p->commuting.name = p->name;
	return p->commuting.any;
}
