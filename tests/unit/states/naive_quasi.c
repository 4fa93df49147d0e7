/* naive_quasi.c -- all runs that an order of calls may be close to. */
#include "naive_quasi.h"

#include <stdlib.h>

#include "object_calls.h"
#include "spec/spec.h"

struct runs {
	const struct object *object;
	const struct lp_spec *spec;
	const struct naive_event *events;
	uint32_t count;
	uint32_t taken; /* events that have a place in the run, a bit each */
};

static uint32_t method_of(const struct runs *r, const struct naive_event *e)
{
	return object_method(r->object, e->call);
}

/* A call that fails is in no class. */
static uint32_t factor_of(const struct runs *r, const struct naive_event *e)
{
	if (e->result == LP_EMPTY ||
	    (r->spec->kind->methods[method_of(r, e)].result == LP_SUCCESS && !e->result))
		return 0;
	return object_factors(r->object)[method_of(r, e)];
}

static bool same_class(const struct runs *r, const struct naive_event *a, const struct naive_event *b)
{
	return method_of(r, a) == method_of(r, b) && factor_of(r, a) && factor_of(r, b);
}

/* The place within the class of what is at `at`. */
static uint32_t place(const struct runs *r, uint32_t at)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < at; i++)
		n += same_class(r, &r->events[i], &r->events[at]);
	return n;
}

static uint32_t class_size(const struct runs *r, uint32_t at)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->count; i++)
		n += same_class(r, &r->events[i], &r->events[at]);
	return n;
}

/* Those without a place get one later: the next one, at best. */
static bool rest_in_time(const struct runs *r)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (!(r->taken >> i & 1) &&
		    class_size(r, i) - place(r, i) > factor_of(r, &r->events[i]))
			return false;
	return true;
}

static bool fill(struct runs *r, const struct lp_state *s, uint32_t at);

static bool with(struct runs *r, const struct lp_state *s, uint32_t at, const struct naive_event *e)
{
	int64_t argument = object_argument(r->object, e->call), result = e->result;
	const struct lp_method *m = &r->spec->kind->methods[method_of(r, e)];
	struct lp_spec_call call = { .arg = &argument, .args = m->args, .result = &result,
				     .results = m->result != LP_NOTHING };
	struct lp_state next;

	lp_state_open(&next);
	lp_state_copy(&next, s);
	const bool fits = lp_spec_step(r->spec, method_of(r, e), &next, &call) == LP_ACCEPTS &&
			  fill(r, &next, at + 1);
	lp_state_close(&next);
	return fits;
}

static bool with_event(struct runs *r, const struct lp_state *s, uint32_t at, uint32_t i)
{
	if (r->taken >> i & 1)
		return false;
	r->taken |= 1u << i;
	const bool fits = with(r, s, at, &r->events[i]);
	r->taken &= ~(1u << i);
	return fits;
}

/* A call that is yet to come has this place. */
static bool with_another(struct runs *r, const struct lp_state *s, uint32_t at)
{
	if (class_size(r, at) - place(r, at) > factor_of(r, &r->events[at]))
		return false;
	for (uint32_t call = 0; call < object_call_count(r->object); call++)
		for (int64_t result = 1; result <= 3; result++) {
			const struct naive_event e = { call, result };
			if (same_class(r, &e, &r->events[at]) && with(r, s, at, &e))
				return true;
		}
	return false;
}

/* What is at `at` of the run, and behind it? */
static bool fill(struct runs *r, const struct lp_state *s, uint32_t at)
{
	if (at == r->count)
		return rest_in_time(r);
	const uint32_t factor = factor_of(r, &r->events[at]);
	if (!factor)
		return with_event(r, s, at, at);
	for (uint32_t i = 0; i < r->count; i++)
		if (same_class(r, &r->events[i], &r->events[at]) &&
		    (uint32_t)abs((int)place(r, i) - (int)place(r, at)) <= factor &&
		    with_event(r, s, at, i))
			return true;
	return with_another(r, s, at);
}

bool naive_quasi_fits(const struct object *object, const struct lp_spec *spec,
		      const struct naive_event *events, uint32_t count)
{
	struct runs r = { object, spec, events, count, 0 };
	struct lp_state s;

	lp_state_open(&s);
	lp_state_begin(&s, spec);
	const bool fits = fill(&r, &s, 0);
	lp_state_close(&s);
	return fits;
}
