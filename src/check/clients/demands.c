/* demands.c -- pairs of calls whose order follows from looking at two values at a time. */
#include "check/clients/demands.h"

#include <string.h>

#include "check/clients/place.h"
#include "spec/traits.h"

/* Is it a built-in kind whose correct runs stay correct without all calls of some values? */
static bool is_separable(const struct lp_spec *spec)
{
	const struct lp_kind *kind = spec->kind;
	bool puts = false, takes = false;

	if (!lp_kind_is_builtin(kind) || kind->by_key || lp_spec_has_meetings(spec))
		return false;
	for (uint32_t m = 0; m < kind->method_count; m++) {
		puts |= kind->methods[m].roles & LP_INSERTS && kind->methods[m].args == 1;
		takes |= kind->methods[m].roles & LP_REMOVES && kind->methods[m].result == LP_VALUE_OR_EMPTY;
	}
	return puts && takes;
}

void lp_demands_open(struct lp_place *p)
{
	p->demands.may = is_separable(p->spec);
}

/* ---- which orders are correct ---- */

/* Extends the run in every way from the state at `depth`; `pairs` are the pairs ordered so far. */
static bool find_orders(struct lp_place *p, const struct lp_observation *o, struct lp_demand *d,
			uint32_t done, uint32_t depth, uint16_t pairs)
{
	if (depth == d->calls) {
		if (d->orders == LP_DEMAND_ORDERS)
			return false;
		d->order[d->orders++] = pairs;
		return true;
	}
	for (uint32_t k = 0; k < d->calls; k++) {
		struct lp_state *then = &p->state[depth + 1];
		uint16_t more = pairs;
		if (done >> k & 1)
			continue;
		lp_state_copy(then, &p->state[depth]);
		if (lp_place_step(p, &o->call[d->call[k]], then, 0) != LP_ACCEPTS)
			continue;
		for (uint32_t i = 0; i < d->calls; i++)
			more |= (uint16_t)((done >> i & 1) << (4 * i + k));
		if (!find_orders(p, o, d, done | UINT32_C(1) << k, depth + 1, more))
			return false;
	}
	return true;
}

/* The first call that inserted the value, or LP_NO_CALL.  LP_EMPTY is excluded: if it was inserted as
 * a value, a removal that returns it cannot be told from one that found nothing. */
static uint32_t source_of(const struct lp_place *p, const struct lp_observation *o, int64_t value)
{
	for (uint32_t i = 0; i < o->count && value != LP_EMPTY; i++)
		if (lp_place_inserts(p, &o->call[i]) && o->call[i].arg[0] == value)
			return i;
	return LP_NO_CALL;
}

/* Finds, for each call, the first call that inserted its value; LP_NO_CALL: the call has no value. */
static void find_values(const struct lp_place *p, const struct lp_observation *o, uint32_t *source)
{
	for (uint32_t c = 0; c < o->count; c++) {
		const struct lp_observed *call = &o->call[c];
		source[c] = lp_place_inserts(p, call)  ? source_of(p, o, call->arg[0]) :
			    lp_place_removes(p, call) ? source_of(p, o, call->result) :
							 LP_NO_CALL;
	}
}

/* Collects all calls of both values, unless there are too many, because a value is inserted or removed twice. */
static void find_pair(struct lp_place *p, const struct lp_observation *o, const uint32_t *source,
		      uint32_t u, uint32_t v)
{
	struct lp_demand *d = &p->demands.pair[p->demands.count];

	*d = (struct lp_demand){ .calls = 0 };
	for (uint32_t c = 0; c < o->count; c++) {
		if (source[c] != u && source[c] != v)
			continue;
		if (d->calls == LP_DEMAND_CALLS)
			return;
		d->call[d->calls++] = (uint8_t)c;
	}
	lp_state_begin(&p->state[0], p->spec);
	p->demands.count += find_orders(p, o, d, 0, 0, 0);
}

static void find(struct lp_place *p, const struct lp_observation *o)
{
	uint32_t source[LP_OBSERVED_CALLS];

	p->demands.count = 0;
	find_values(p, o, source);
	for (uint32_t u = 0; u < o->count; u++)
		for (uint32_t v = 0; v < u; v++)
			if (source[u] == u && source[v] == v)
				find_pair(p, o, source, u, v);
}

/* ---- what follows from `before` ---- */

/* Returns the pairs that all correct orders compatible with `before` have in common; all pairs if there is no
 * such order. */
static uint32_t common(const struct lp_demand *d, const uint32_t *before)
{
	uint32_t given = 0, all = UINT16_MAX;

	for (uint32_t k = 0; k < d->calls; k++)
		for (uint32_t i = 0; i < d->calls; i++)
			given |= (before[d->call[k]] >> d->call[i] & 1) << (4 * i + k);
	for (uint32_t i = 0; i < d->orders; i++)
		all &= given & ~(uint32_t)d->order[i] ? UINT16_MAX : d->order[i];
	return all == UINT16_MAX ? all : all & ~given;
}

bool lp_demands_add(struct lp_place *p, const struct lp_observation *o, uint32_t *before)
{
	struct lp_demands *demands = &p->demands;
	bool more = true;

	if (demands->key.a != p->name.a || demands->key.b != p->name.b)
		find(p, o);
	demands->key = p->name;
	while (more) {
		more = false;
		for (uint32_t n = 0; n < demands->count; n++) {
			const struct lp_demand *d = &demands->pair[n];
			uint32_t pairs = common(d, before);
			if (pairs == UINT16_MAX)
				return false;
			more |= pairs != 0;
			for (; pairs; pairs &= pairs - 1) {
				const uint32_t bit = (uint32_t)__builtin_ctz(pairs);
				lp_add_before(before, o->count, d->call[bit / 4], d->call[bit % 4]);
			}
		}
	}
	return true;
}
