/* plan_args.c -- chooses the arguments with which the calls of a client are tried. */
#include "verify/plan_args.h"

#include <string.h>

#include "spec/spec.h"

static int64_t *value_at(struct lp_args *s, uint32_t i)
{
	return &s->client.client.call[s->at[i].call].arg[s->at[i].arg];
}

static bool is_named(const struct lp_args *s, int64_t value)
{
	for (uint32_t n = 0; n < s->names; n++)
		if (s->named[n] == value)
			return true;
	return false;
}

/* The value of a class of EQUAL. */
static int64_t value_of(const struct lp_args *s, uint32_t class)
{
	int64_t value = -1;

	if (class < s->names)
		return s->named[class];
	for (uint32_t c = s->names; c <= class; c++)
		do
			value++;
		while (is_named(s, value));
	return value;
}

static int64_t param(const struct lp_plan *p, const char *name, int64_t otherwise)
{
	const int at = lp_spec_param(p->harness->spec, name);
	return at < 0 ? otherwise : p->harness->spec->param[at];
}

/* ORDERED: the value of a class.  Numbers other than the initial value are in the order of their classes. */
static int64_t value_in_order(const struct lp_args *s, uint32_t class)
{
	const int64_t init = s->named[0], value = (int64_t)class - 1;

	if (!s->initial)
		return (int64_t)class + 1;
	return !class ? init : value + (init >= 0 && value >= init);
}

/* The initial value may be one that no call can write.  Then only the expected value of a compare-and-swap can be
 * compared with it. */
static uint32_t least_class(const struct lp_args *s, uint32_t i)
{
	const struct lp_harness *h = s->plan->harness;
	const struct lp_method *m =
		&h->spec->kind->methods[lp_plan_method(s->plan, s->client.method[s->at[i].call])->spec_method];

	return s->named[0] < LP_LOWEST &&
	       !(m->roles & LP_REPLACES && s->at[i].arg + 1 < m->args);
}

/* The classes as they are, or with those of two calls swapped, renumbered in the order in
 * which they occur where order means nothing. */
static void classes(const struct lp_args *s, uint32_t one, uint32_t other, uint32_t *out)
{
	uint32_t renamed[1 + 2 * LP_ARGS_SLOTS], last = s->names - 1;

	memset(renamed, 0xff, sizeof renamed);
	for (uint32_t i = 0; i < s->count; i++) {
		const uint32_t call = s->at[i].call == one ? other : s->at[i].call == other ? one : s->at[i].call;
		uint32_t j = 0;
		while (s->at[j].call != call || s->at[j].arg != s->at[i].arg)
			j++;
		out[i] = s->at[j].class;
		if (s->at[i].mode != LP_ARG_EQUAL || out[i] < s->names)
			continue;
		if (renamed[out[i]] == UINT32_MAX)
			renamed[out[i]] = ++last;
		out[i] = renamed[out[i]];
	}
}

/* Are these calls of the same method, each in a thread of its own that starts with the others? */
static bool are_alike(const struct lp_plan_client *c, uint32_t x, uint32_t y)
{
	const struct lp_client_call *a = &c->client.call[x], *b = &c->client.call[y];
	uint32_t of_a = 0, of_b = 0;

	for (uint32_t i = 0; i < c->client.calls; i++) {
		of_a += c->client.call[i].thread == a->thread;
		of_b += c->client.call[i].thread == b->thread;
	}
	return a->thread && b->thread && of_a == 1 && of_b == 1 && c->method[x] == c->method[y];
}

/* Are some arguments of the method only passed on, and others compared?  If the object looks at all of them after all, it
 * matters which ones come together. */
static bool is_mixed(const struct lp_harness_method *m)
{
	uint32_t opaque = 0;

	for (uint32_t a = 0; a < m->args; a++)
		opaque += m->mode[a] == LP_ARG_OPAQUE;
	return opaque && opaque < m->args;
}

/* Is there no client of the same shape, with like calls swapped, that comes before it? */
static bool is_first_of_its_kind(const struct lp_args *s)
{
	uint32_t mine[LP_ARGS_SLOTS], theirs[LP_ARGS_SLOTS];
	const bool few = s->client.client.calls - s->client.pre <= LP_CALLS_WITHOUT_SYMMETRY;

	if (s->plan->numbered)
		return true;
	classes(s, 0, 0, mine);
	for (uint32_t c = 0; c + 1 < s->client.client.calls; c++) {
		if (!are_alike(&s->client, c, c + 1) || (few && is_mixed(lp_plan_method(s->plan, s->client.method[c]))))
			continue;
		classes(s, c, c + 1, theirs);
		for (uint32_t i = 0; i < s->count; i++) {
			if (theirs[i] != mine[i]) {
				if (theirs[i] < mine[i])
					return false;
				break;
			}
		}
	}
	return true;
}

/* Like threads: equal calls, or calls that differ in what the object does not look at. */
static void declare_likes(struct lp_args *s)
{
	struct lp_client *c = &s->client.client;

	memset(c->like, 0, sizeof c->like);
	for (uint32_t i = 0; i + 1 < c->calls; i++) {
		const struct lp_harness_method *m = lp_plan_method(s->plan, s->client.method[i]);
		bool alike = are_alike(&s->client, i, i + 1);
		for (uint32_t a = 0; a < m->args; a++)
			alike &= m->mode[a] == LP_ARG_OPAQUE || c->call[i].arg[a] == c->call[i + 1].arg[a];
		if (alike)
			c->like[c->call[i + 1].thread] = 1 + c->call[i].thread;
	}
}

/* Is it among the arguments that the user gave? */
static bool is_given(struct lp_args *s, int64_t value)
{
	const struct lp_client *c = &s->client.client;
	bool chosen[LP_CLIENT_CALLS][LP_CLIENT_ARGS] = { { false } };

	for (uint32_t i = 0; i < s->count; i++)
		chosen[s->at[i].call][s->at[i].arg] = !s->at[i].given;
	for (uint32_t i = 0; i < c->calls; i++)
		for (uint32_t a = 0; a < lp_plan_method(s->plan, s->client.method[i])->args; a++)
			if (!chosen[i][a] && c->call[i].arg[a] == value)
				return true;
	return false;
}

static bool visit(struct lp_args *s)
{
	int64_t fresh = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		int64_t *arg = value_at(s, i);
		if (s->at[i].given && s->at[i].mode != LP_ARG_ORDERED)
			continue;
		switch (s->at[i].mode) {
		case LP_ARG_OPAQUE: /* different from all that the user gave, too */
			do
				fresh++;
			while (is_given(s, fresh));
			*arg = fresh;
			break;
		case LP_ARG_EQUAL:
			*arg = value_of(s, s->at[i].class);
			break;
		case LP_ARG_ORDERED:
			*arg = value_in_order(s, s->at[i].class);
			break;
		case LP_ARG_FIXED:
			*arg = lp_plan_method(s->plan, s->client.method[s->at[i].call])->value[s->at[i].class];
			break;
		}
	}
	if (!is_first_of_its_kind(s))
		return true;
	declare_likes(s);
	return s->plan->visit(s->plan->closure, &s->client);
}

static bool fill_from(struct lp_args *s, uint32_t i);

/* Gives slot i a new class below class `class`. */
static bool fill_new(struct lp_args *s, uint32_t i, uint32_t class)
{
	const int64_t values = s->initial ? param(s->plan, "k", 0) : 0;

	if (values && s->ordered >= values)
		return true;
	for (uint32_t j = 0; j < i; j++)
		if (s->at[j].mode == LP_ARG_ORDERED && s->at[j].class >= class)
			s->at[j].class++;
	s->ordered++;
	s->at[i].class = class;
	const bool more = fill_from(s, i + 1);
	s->ordered--;
	for (uint32_t j = 0; j < i; j++)
		if (s->at[j].mode == LP_ARG_ORDERED && s->at[j].class > class)
			s->at[j].class--;
	return more;
}

/* Fills the slots from i on in every way.  Returns false if the enumeration must end. */
static bool fill_from(struct lp_args *s, uint32_t i)
{
	bool more = true;

	if (i == s->count)
		return visit(s);
	if (s->at[i].given)
		return fill_from(s, i + 1);
	switch (s->at[i].mode) {
	case LP_ARG_OPAQUE:
		return fill_from(s, i + 1);
	case LP_ARG_EQUAL: /* one with a name, one that was there, or a new one */
		for (uint32_t c = least_class(s, i); more && c <= s->equal + 1; c++) {
			const uint32_t before = s->equal;
			const int64_t values = param(s->plan, "k", 0);
			if (values && c >= s->names && value_of(s, c) >= values)
				break;
			s->at[i].class = c;
			s->equal = c > before ? c : before;
			more = fill_from(s, i + 1);
			s->equal = before;
		}
		return more;
	case LP_ARG_ORDERED:
		for (uint32_t c = s->initial ? least_class(s, i) : 0; more && c < s->ordered; c++) {
			s->at[i].class = c;
			more = fill_from(s, i + 1);
		}
		for (uint32_t c = s->initial; more && c <= s->ordered; c++)
			more = fill_new(s, i, c);
		return more;
	case LP_ARG_FIXED:
		for (uint32_t c = 0;
		     more && c < lp_plan_method(s->plan, s->client.method[s->at[i].call])->values; c++) {
			s->at[i].class = c;
			more = fill_from(s, i + 1);
		}
		return more;
	}
	return more;
}

bool lp_args_fill(struct lp_args *s)
{
	return fill_from(s, 0);
}

void lp_args_open(struct lp_args *s, const struct lp_plan *p)
{
	memset(s, 0, sizeof *s);
	s->plan = p;
	s->named[0] = param(p, "init", 0);
	s->names = 1;
	s->initial = lp_harness_compares_initial(p->harness);
	s->ordered = s->initial;
}

void lp_args_choose(struct lp_args *s, uint32_t call)
{
	const struct lp_harness_method *m = lp_plan_method(s->plan, s->client.method[call]);

	for (uint32_t a = 0; a < m->args; a++) {
		s->at[s->count].call = call;
		s->at[s->count].arg = a;
		s->at[s->count++].mode = m->mode[a];
	}
}

static bool is_initial(const struct lp_args *s, int64_t value)
{
	return s->initial && value == s->named[0];
}

/* ORDERED: how many different values below that were given, besides the initial one?  Those were the first slots. */
static uint32_t count_below(struct lp_args *s, uint32_t given, int64_t value)
{
	uint32_t below = 0;

	for (uint32_t i = 0; i < given; i++) {
		bool counts = s->at[i].mode == LP_ARG_ORDERED && *value_at(s, i) < value && !is_initial(s, *value_at(s, i));
		for (uint32_t j = 0; j < i; j++)
			counts &= s->at[j].mode != LP_ARG_ORDERED || *value_at(s, j) != *value_at(s, i);
		below += counts;
	}
	return below;
}

void lp_args_take(struct lp_args *s)
{
	const uint32_t given = s->count;

	for (uint32_t i = 0; i < given; i++) {
		const int64_t value = *value_at(s, i);
		s->at[i].given = true;
		if (s->at[i].mode == LP_ARG_EQUAL) {
			while (s->at[i].class < s->names && s->named[s->at[i].class] != value)
				s->at[i].class++;
			if (s->at[i].class == s->names)
				s->named[s->names++] = value;
		} else if (s->at[i].mode == LP_ARG_ORDERED) {
			s->at[i].class = is_initial(s, value) ? 0 : s->initial + count_below(s, given, value);
		}
	}
	s->equal = s->names - 1;
	s->ordered = s->initial + count_below(s, given, INT64_MAX);
}
