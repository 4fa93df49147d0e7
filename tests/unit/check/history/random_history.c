/* random_history.c -- small random histories. */
#include "random_history.h"

#include <string.h>

static uint64_t bit_of(const struct lp_kind *kind, const char *method)
{
	return UINT64_C(1) << lp_method_named(kind, method, strlen(method));
}

/* The methods that the quick checkers want. */
static uint64_t basic_palette(const struct lp_kind *kind, struct random_source *r)
{
	uint64_t palette = 0;

	if (!strcmp(kind->name, "register") || !strcmp(kind->name, "map"))
		return bit_of(kind, "read") | bit_of(kind, "write");
	if (!strcmp(kind->name, "multiset"))
		return bit_of(kind, "insert") |
		       (below(r, 2) ? bit_of(kind, "take") :
				      bit_of(kind, "remove") | bit_of(kind, "contains"));
	if (!strcmp(kind->name, "set"))
		palette = bit_of(kind, "contains");
	for (uint32_t i = 0; i < kind->method_count; i++)
		if (kind->methods[i].roles & (LP_INSERTS | LP_REMOVES))
			palette |= UINT64_C(1) << i;
	return palette ? palette : (UINT64_C(1) << kind->method_count) - 1;
}

/* A few of the methods.  One that inserts is always among them, if there is any. */
static uint64_t random_palette(const struct lp_kind *kind, uint32_t few, struct random_source *r)
{
	const uint64_t all = (UINT64_C(1) << kind->method_count) - 1;
	uint64_t palette = 0, inserters = 0;

	for (uint32_t i = 0; i < kind->method_count; i++)
		if (kind->methods[i].roles & LP_INSERTS)
			inserters |= UINT64_C(1) << i;
	if (!few)
		return all;
	if (few == 1)
		return basic_palette(kind, r);
	for (uint32_t i = 0; i < few; i++)
		palette |= UINT64_C(1) << below(r, kind->method_count);
	while (inserters && !(palette & inserters))
		palette |= UINT64_C(1) << below(r, kind->method_count);
	return palette;
}

static uint32_t random_method(const struct lp_kind *kind, uint64_t palette,
			      struct random_source *r)
{
	for (;;) {
		const uint32_t m = below(r, kind->method_count);
		if (palette >> m & 1)
			return m;
	}
}

/* Threads call and return in random order; times count events. */
static void random_intervals(struct lp_history *h, const struct lp_spec *spec,
			     const struct shape_of_history *shape, struct random_source *r)
{
	uint32_t open[16];
	uint32_t next = 0, returned = 0, stuck = 0;
	int64_t now = 0;
	const uint64_t palette = random_palette(spec->kind, shape->few_methods, r);

	for (uint32_t t = 0; t < shape->threads; t++)
		open[t] = UINT32_MAX;
	while (returned + stuck < shape->calls) {
		const uint32_t t = below(r, shape->threads);
		now += below(r, 4) != 0; /* some times are equal */
		if (open[t] == UINT32_MAX && next < shape->calls) {
			const uint32_t m = random_method(spec->kind, palette, r);
			char name[32];
			lp_method_name(&spec->kind->methods[m], name);
			struct lp_call c = { .start = now,
					     .end = LP_PENDING,
					     .thread = t,
					     .line = next + 1,
					     .method = lp_history_method(h, name, strlen(name)),
					     .args = (uint8_t)spec->kind->methods[m].args,
					     .results = LP_RESULT_UNKNOWN };
			open[t] = next++;
			LP_PUSH(h, c);
		} else if (open[t] != UINT32_MAX && open[t] < UINT32_MAX - 1) {
			if (below(r, 16) < shape->pending_in_16) {
				open[t] = UINT32_MAX - 1; /* this thread is gone */
				stuck++;
				continue;
			}
			h->at[open[t]].end = now;
			returned++;
			open[t] = UINT32_MAX;
		}
		uint32_t gone = 0;
		for (uint32_t i = 0; i < shape->threads; i++)
			gone += open[i] == UINT32_MAX - 1;
		if (gone == shape->threads)
			break;
	}
}

static uint32_t method_of(const struct lp_spec *spec, const struct lp_history *h, uint32_t i)
{
	const char *name = h->methods.at[h->at[i].method];
	return lp_method_named(spec->kind, name, strlen(name));
}

static void random_args(struct lp_history *h, const struct lp_spec *spec, bool distinct,
			struct random_source *r)
{
	const int k = lp_spec_param(spec, "k"), n = lp_spec_param(spec, "n");
	const uint32_t range = k >= 0 && spec->param[k] ? (uint32_t)spec->param[k] : 3;

	/* Distinct values in random order, which matters to priority queues. */
	uint32_t value[64];
	for (uint32_t i = 0; i < h->count; i++) {
		const uint32_t j = below(r, i + 1);
		value[i] = value[j];
		value[j] = i + 1;
	}
	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_method *m = &spec->kind->methods[method_of(spec, h, i)];
		const bool key_first = spec->kind->by_key || n >= 0;
		for (uint32_t a = 0; a < m->args; a++) {
			if (a == 0 && key_first)
				h->at[i].arg[a] = below(r, n >= 0 ? 2 : distinct ? 2 : 3);
			else if (distinct && (m->roles & LP_INSERTS))
				h->at[i].arg[a] = value[i];
			else
				h->at[i].arg[a] = below(r, range) + (k < 0 || !spec->param[k]);
		}
		/* A pool's values are no keys. */
		if (distinct && !strcmp(spec->kind->name, "multiset") && m->args &&
		    (m->roles & LP_INSERTS))
			h->at[i].arg[0] = value[i];
	}
}

/* Results worth trying: no value, then numbers up to beyond those inserted. */
static int64_t candidate(uint32_t j)
{
	return j == 0 ? LP_EMPTY : j == 1 ? LP_NIL : (int64_t)j - 6;
}

/* Finds a result that is accepted, and moves the state on. */
static void run_call(struct lp_history *h, const struct lp_spec *spec, uint32_t i,
		     struct lp_state *s, struct lp_state *trial, bool mute)
{
	struct lp_call *c = &h->at[i];
	const uint32_t m = method_of(spec, h, i);
	const enum lp_shape shape = spec->kind->methods[m].result;
	int64_t vector[64];
	struct lp_spec_call call = { .arg = c->arg, .args = c->args, .thread = c->thread };

	for (uint32_t j = 0; j < h->count + 10; j++) {
		vector[0] = candidate(j);
		call.result = vector;
		call.results = shape != LP_NOTHING;
		if (shape == LP_VALUES) {
			memcpy(vector, s->at, sizeof *vector * s->count);
			call.results = s->count;
		}
		lp_state_copy(trial, s);
		if (lp_spec_step(spec, m, trial, &call) != LP_ACCEPTS)
			continue;
		lp_state_copy(s, trial);
		break;
	}
	if (mute)
		return;
	/* If nothing was accepted the last candidate stays: a wrong history. */
	c->results = call.results;
	c->result = vector[0];
	if ((shape == LP_TRUTH || shape == LP_SUCCESS) && c->result > 1)
		c->result = 1;
	if (call.results > 1) {
		c->result = h->values.count;
		for (uint32_t j = 0; j < call.results; j++)
			LP_PUSH(&h->values, vector[j]);
	}
}

/* Results from running the calls one by one at random points of their intervals. */
static void random_results(struct lp_history *h, const struct lp_spec *spec,
			   struct random_source *r)
{
	struct lp_state s, trial;
	bool done[64] = { 0 };

	lp_state_open(&s);
	lp_state_open(&trial);
	lp_state_begin(&s, spec);
	for (uint32_t left = h->count, tries = 0; left;) {
		const uint32_t i = below(r, h->count);
		bool ready = !done[i];
		/* A call that offers something is met by another call, if there is one. */
		if (!lp_spec_is_settled(spec, &s) && tries++ < 50 &&
		    !(spec->kind->methods[method_of(spec, h, i)].roles & LP_REMOVES))
			continue;
		for (uint32_t j = 0; j < h->count && ready; j++)
			ready = done[j] || !(h->at[j].end < h->at[i].start);
		if (!ready)
			continue;
		done[i] = true;
		tries = 0;
		left--;
		const bool pending = lp_call_is_pending(&h->at[i]);
		if (!pending || below(r, 2))
			run_call(h, spec, i, &s, &trial, pending);
	}
	lp_state_close(&s);
	lp_state_close(&trial);
}

/* Exchanges or changes results, or moves an end. */
static void spoil(struct lp_history *h, const struct lp_spec *spec, struct random_source *r)
{
	struct lp_call *a = &h->at[below(r, h->count)], *b = &h->at[below(r, h->count)];
	const enum lp_shape shape = spec->kind->methods[method_of(spec, h, (uint32_t)(a - h->at))].result;

	if (a->results > 1 && a->results < LP_RESULT_UNKNOWN)
		h->values.at[a->result + below(r, a->results)] = below(r, 5);
	switch (below(r, 4)) {
	case 0:
		if (a->results == 1 && b->results == 1 && a->method == b->method) {
			const int64_t swap = a->result;
			a->result = b->result;
			b->result = swap;
		}
		break;
	case 1:
		if (a->results == 1 && (shape == LP_TRUTH || shape == LP_SUCCESS))
			a->result = !a->result;
		else if (a->results == 1 && shape == LP_VALUE_OR_EMPTY)
			a->result = below(r, 2) ? LP_EMPTY : (int64_t)below(r, 5);
		else if (a->results == 1)
			a->result = below(r, 5);
		break;
	case 2:
		if (!lp_call_is_pending(a))
			a->end = a->start + (a->end - a->start) / 2;
		break;
	default:
		if (a->results <= 1 && shape != LP_VALUES && below(r, 4) == 0)
			a->results = LP_RESULT_UNKNOWN;
		break;
	}
}

static bool may_remove(const struct lp_history *h, const struct lp_spec *spec, const struct lp_call *c)
{
	return spec->kind->methods[method_of(spec, h, (uint32_t)(c - h->at))].result == LP_VALUE_OR_EMPTY;
}

/* A removal returns what another call inserted, whenever that was; and another one never
 * returns, so that it may have taken what is in the way. */
static void take_another(struct lp_history *h, const struct lp_spec *spec, struct random_source *r)
{
	struct lp_call *a = &h->at[below(r, h->count)], *c = &h->at[below(r, h->count)];
	const struct lp_call *b = &h->at[below(r, h->count)];

	if (a->results == 1 && b->args && may_remove(h, spec, a))
		a->result = b->arg[0];
	if (c != a && may_remove(h, spec, c)) {
		c->end = LP_PENDING;
		c->results = LP_RESULT_UNKNOWN;
		c->thread = 16; /* its own goes on */
	}
}

void random_history(struct lp_history *h, const struct lp_spec *spec,
		    const struct shape_of_history *shape, struct random_source *r)
{
	random_intervals(h, spec, shape, r);
	random_args(h, spec, below(r, 16) < shape->distinct_in_16, r);
	random_results(h, spec, r);
	for (uint32_t i = below(r, 6); i > 1; i--)
		spoil(h, spec, r);
	if (h->count && shape->another_in_16 && below(r, 16) < shape->another_in_16)
		take_another(h, spec, r);
}
