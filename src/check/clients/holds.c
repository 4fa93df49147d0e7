/* holds.c -- locks and permits: a release happens before the next acquisition. */
#include "check/clients/holds.h"

#include "check/clients/place.h"

static unsigned roles_of(const struct lp_place *p, const struct lp_observed *c)
{
	return p->spec->kind->methods[c->method].roles;
}

static bool has_effect(const struct lp_place *p, const struct lp_observed *c)
{
	const struct lp_method *m = &p->spec->kind->methods[c->method];
	int64_t value;

	lp_place_shaped(m, c->result, &value);
	return !c->stuck && ((m->result != LP_SUCCESS && m->result != LP_TRUTH) || value == 1);
}

static bool takes(const struct lp_place *p, const struct lp_observed *c)
{
	return roles_of(p, c) & LP_TAKES && has_effect(p, c);
}

static bool gives(const struct lp_place *p, const struct lp_observed *c)
{
	return roles_of(p, c) & LP_GIVES && has_effect(p, c);
}

bool lp_holds_concern(const struct lp_place *p, const struct lp_observed *c)
{
	return takes(p, c) || gives(p, c);
}

/* Do the two calls concern the same lock? */
static bool is_same(const struct lp_place *p, const struct lp_observed *a, const struct lp_observed *b)
{
	return !p->spec->kind->by_key || a->arg[0] == b->arg[0];
}

/* ---- permits ---- */

/* An assignment of the permits of giving calls to taking calls. */
struct pairing {
	const struct lp_observation *o;
	uint32_t gives;
	uint32_t given;                    /* the giving calls whose permit is assigned */
	uint32_t taker[LP_OBSERVED_CALLS]; /* for each of these calls, the call that takes its
					    * permit */
};

static uint32_t happen_before(const struct pairing *x, uint32_t take)
{
	uint32_t before = 0;

	for (uint32_t set = x->gives; set; set &= set - 1) {
		const uint32_t give = (uint32_t)__builtin_ctz(set);
		before |= (lp_observed_given(x->o, give) >> take & 1) << give;
	}
	return before;
}

/* Finds a permit for a taking call.  If another call has the permit, tries to find
 * another one for that call (Kuhn's algorithm for bipartite matching). */
static bool find_permit(struct pairing *x, uint32_t take, uint32_t *tried)
{
	for (;;) {
		const uint32_t set = happen_before(x, take) & ~*tried;
		if (!set)
			return false;
		const uint32_t give = (uint32_t)__builtin_ctz(set);
		*tried |= UINT32_C(1) << give;
		if (x->given >> give & 1 && !find_permit(x, x->taker[give], tried))
			continue;
		x->given |= UINT32_C(1) << give;
		x->taker[give] = take;
		return true;
	}
}

static bool has_permit(const struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
		       uint32_t placed, uint32_t call, uint32_t *from)
{
	struct pairing x = { .o = o };
	uint32_t without = 0, tried;

	for (uint32_t i = 0; i < placed; i++)
		if (gives(p, &o->call[order[i]]) && is_same(p, &o->call[order[i]], &o->call[call]))
			x.gives |= UINT32_C(1) << order[i];
	for (uint32_t i = 0; i < placed; i++) {
		tried = 0;
		if (takes(p, &o->call[order[i]]) && is_same(p, &o->call[order[i]], &o->call[call]))
			without += !find_permit(&x, order[i], &tried);
	}
	tried = 0;
	if (find_permit(&x, call, &tried) || without < p->holds.permits)
		return true;
	/* If no permit is left, the specification accepts more calls than its roles
	 * allow. */
	for (uint32_t i = placed; i-- > 0;) {
		*from = order[i];
		if ((x.gives & ~x.given) >> order[i] & 1)
			return false;
	}
	return true;
}

/* ---- readers and writers ---- */

static bool follows_others(const struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
			   uint32_t placed, uint32_t call, uint32_t *from)
{
	const bool reads = roles_of(p, &o->call[call]) & LP_SHARES;

	for (uint32_t i = placed; i-- > 0;) {
		const struct lp_observed *d = &o->call[order[i]];
		*from = order[i];
		if (gives(p, d) && is_same(p, d, &o->call[call]) && !(reads && roles_of(p, d) & LP_SHARES) &&
		    !(lp_observed_given(o, order[i]) >> call & 1))
			return false;
	}
	return true;
}

bool lp_holds_synchronised(const struct lp_place *p, const struct lp_observation *o,
			   const uint32_t *order, uint32_t placed, uint32_t call, uint32_t *from)
{
	if (!p->holds.any || !takes(p, &o->call[call]))
		return true;
	return (p->holds.shared ? follows_others : has_permit)(p, o, order, placed, call, from);
}

/* Does each thread release only what it holds, and does each acquisition succeed? */
static bool are_given_back(const struct lp_place *p, const struct lp_observation *o)
{
	for (uint32_t a = 0; a < o->count; a++) {
		const struct lp_observed *c = &o->call[a];
		if (roles_of(p, c) & LP_TAKES && p->spec->kind->methods[c->method].result != LP_NOTHING)
			return false;
		int taken = 0;
		for (uint32_t b = 0; gives(p, c) && b < o->count; b++)
			if (o->call[b].thread == c->thread && o->before[a] >> b & 1)
				taken += takes(p, &o->call[b]) - gives(p, &o->call[b]);
		if (gives(p, c) && taken != 1)
			return false;
	}
	return true;
}

bool lp_holds_handed(const struct lp_place *p, const struct lp_observation *o, uint32_t from, uint32_t to)
{
	return gives(p, &o->call[from]) && takes(p, &o->call[to]) &&
	       (p->holds.shared || p->holds.permits == 1) && are_given_back(p, o);
}

/* Counts how many calls of the method, each by its own thread, the specification accepts
 * in a row from the initial state. */
static uint32_t count_permits(struct lp_place *p, uint32_t method)
{
	struct lp_observed c = { .method = method, .result = 1 };

	lp_state_begin(&p->state[0], p->spec);
	for (c.thread = 0; c.thread < LP_OBSERVED_CALLS; c.thread++)
		if (lp_place_step(p, &c, &p->state[0], 0) != LP_ACCEPTS)
			break;
	return c.thread;
}

void lp_holds_open(struct lp_place *p)
{
	for (uint32_t m = 0; m < p->spec->kind->method_count; m++) {
		const unsigned roles = p->spec->kind->methods[m].roles;
		p->holds.shared |= (roles & LP_SHARES) != 0;
		if (!(roles & LP_TAKES))
			continue;
		const uint32_t permits = count_permits(p, m);
		p->holds.any = true;
		if (permits > p->holds.permits)
			p->holds.permits = permits;
	}
}
