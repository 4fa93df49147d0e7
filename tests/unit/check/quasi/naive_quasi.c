/* naive_quasi.c -- all runs that an order of calls may be close to. */
#include "naive_quasi.h"

#include <stdlib.h>

/* One R being filled in. */
struct run {
	const struct naive_quasi *n;
	bool so_far;    /* some calls may be yet to come */
	uint32_t asked; /* after that many calls the state must rest */
	uint32_t taken; /* calls of P that have a place, a bit each */
};

static bool fails(const struct naive_quasi *n, const struct naive_call *c)
{
	return c->results == 1 &&
	       (c->result == LP_EMPTY || c->result == LP_FULL || c->result == LP_NIL ||
		(n->spec->kind->methods[c->method].result == LP_SUCCESS && !c->result));
}

static bool in_class(const struct naive_quasi *n, uint32_t class, const struct naive_call *c)
{
	return n->rule->classes[class].methods >> c->method & 1 && !fails(n, c);
}

/* Is it of some class, and may it move in all of them? */
static bool moves(const struct naive_quasi *n, const struct naive_call *c)
{
	bool some = false;

	for (uint32_t k = 0; k < n->rule->count; k++) {
		some |= in_class(n, k, c);
		if (in_class(n, k, c) && !n->rule->classes[k].factor)
			return false;
	}
	return some;
}

static bool same_classes(const struct naive_quasi *n, const struct naive_call *a,
			 const struct naive_call *b)
{
	for (uint32_t k = 0; k < n->rule->count; k++)
		if (in_class(n, k, a) != in_class(n, k, b))
			return false;
	return moves(n, a) && moves(n, b);
}

/* How many of the class come before position `at` of P, and so of R. */
static int64_t place(const struct naive_quasi *n, uint32_t class, uint32_t at)
{
	int64_t place = 0;

	for (uint32_t i = 0; i < at; i++)
		place += in_class(n, class, &n->call[i]);
	return place;
}

/* Are positions a and b of P close in every class of the call at a?  b may be the end. */
static bool are_close(const struct naive_quasi *n, uint32_t a, uint32_t b)
{
	for (uint32_t k = 0; k < n->rule->count; k++)
		if (in_class(n, k, &n->call[a]) &&
		    llabs(place(n, k, a) - place(n, k, b)) > (int64_t)n->rule->classes[k].factor)
			return false;
	return true;
}

static bool fill(struct run *r, const struct lp_state *s, uint32_t at);

static bool with(struct run *r, const struct lp_state *s, uint32_t at, const struct naive_call *c)
{
	const struct lp_method *m = &r->n->spec->kind->methods[c->method];
	struct lp_spec_call call = { .arg = c->arg, .args = m->args, .thread = c->thread,
				     .result = c->values ? c->values : &c->result,
				     .results = c->results };
	bool fits = false;

	for (; !fits && (!call.choice || m->roles & LP_CHOOSES); call.choice++) {
		struct lp_state next;
		lp_state_open(&next);
		lp_state_copy(&next, s);
		const bool accepted = lp_spec_step(r->n->spec, c->method, &next, &call) == LP_ACCEPTS;
		fits = accepted && fill(r, &next, at + 1);
		lp_state_close(&next);
		if (!accepted)
			break;
	}
	return fits;
}

static bool with_call(struct run *r, const struct lp_state *s, uint32_t at, uint32_t i)
{
	if (r->taken >> i & 1)
		return false;
	r->taken |= 1u << i;
	const bool fits = with(r, s, at, &r->n->call[i]);
	r->taken &= ~(1u << i);
	return fits;
}

/* All places are filled: calls without one get the next, at best. */
static bool rest_in_time(const struct run *r)
{
	for (uint32_t i = 0; i < r->n->count; i++)
		if (!(r->taken >> i & 1) && (!r->so_far || !are_close(r->n, i, r->n->count)))
			return false;
	return true;
}

/* What is at position `at` of R, and behind it? */
static bool fill(struct run *r, const struct lp_state *s, uint32_t at)
{
	const struct naive_quasi *n = r->n;

	if (at == r->asked && n->rests && !n->rests(n->closure, s))
		return false;
	if (at == n->count)
		return rest_in_time(r);
	if (!moves(n, &n->call[at]))
		return with_call(r, s, at, at);
	for (uint32_t i = 0; i < n->count; i++)
		if (same_classes(n, &n->call[i], &n->call[at]) && are_close(n, i, at) &&
		    with_call(r, s, at, i))
			return true;
	if (!r->so_far || !are_close(n, at, n->count))
		return false;
	for (uint32_t i = 0; i < n->menu_count; i++)
		if (same_classes(n, &n->menu[i], &n->call[at]) && with(r, s, at, &n->menu[i]))
			return true;
	return false;
}

static bool has_run(const struct naive_quasi *n, uint32_t asked, bool so_far)
{
	struct run r = { n, so_far, asked, 0 };
	struct lp_state s;

	lp_state_open(&s);
	lp_state_begin(&s, n->spec);
	const bool fits = fill(&r, &s, 0);
	lp_state_close(&s);
	return fits;
}

static bool goes_on(struct naive_quasi *n, uint32_t asked, uint32_t further)
{
	/* What is wrong so far can no longer become correct. */
	if (!has_run(n, asked, true))
		return false;
	bool fits = has_run(n, asked, false);
	for (uint32_t i = 0; i < n->menu_count && further && !fits; i++) {
		n->call[n->count++] = n->menu[i];
		fits = goes_on(n, asked, further - 1);
		n->count--;
	}
	return fits;
}

bool naive_quasi_fits_so_far(const struct naive_quasi *n)
{
	return has_run(n, n->count, true);
}

bool naive_quasi_fits(struct naive_quasi *n)
{
	if (n->spec->kind->data == LP_DATA_NONE)
		return naive_quasi_fits_so_far(n);
	return goes_on(n, n->count, n->further);
}

void naive_values_add(struct naive_values *v, int64_t value)
{
	for (uint32_t i = 0; i < v->count; i++)
		if (v->at[i] == value)
			return;
	if (value > LP_LOWEST && v->count < sizeof v->at / sizeof *v->at)
		v->at[v->count++] = value;
}

static void add_results(struct naive_quasi *n, struct naive_call c, const struct naive_values *v)
{
	static const struct naive_values yes = { { 1 }, 1 }, truth = { { 0, 1 }, 2 },
					 nothing = { { LP_VOID }, 1 }, none = { { 0 }, 0 };
	const enum lp_shape shape = n->spec->kind->methods[c.method].result;

	c.results = shape != LP_NOTHING;
	v = shape == LP_SUCCESS ? &yes : shape == LP_TRUTH ? &truth : shape == LP_NOTHING ? &nothing :
	    shape == LP_VALUES ? &none : v;
	for (uint32_t i = 0; i < v->count; i++) {
		if (n->menu_count == NAIVE_QUASI_MENU)
			abort();
		c.result = v->at[i];
		n->menu[n->menu_count++] = c;
	}
}

void naive_quasi_fill_menu(struct naive_quasi *n, const struct naive_values *v)
{
	const struct lp_kind *kind = n->spec->kind;

	for (uint32_t m = 0; m < kind->method_count; m++) {
		struct naive_call c = { .method = m };
		/* Reads that need not be there are of no use, unless another takes their place. */
		if ((kind->methods[m].roles & LP_READS) == LP_READS && !moves(n, &c))
			continue;
		uint32_t all = 1;
		for (uint32_t a = 0; a < kind->methods[m].args; a++)
			all *= v->count;
		for (uint32_t i = 0; i < all; i++) {
			uint32_t rest = i;
			for (uint32_t a = 0; a < kind->methods[m].args; a++, rest /= v->count)
				c.arg[a] = v->at[rest % v->count];
			add_results(n, c, v);
		}
	}
}
