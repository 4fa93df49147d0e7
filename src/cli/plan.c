/* plan.c -- which most parallel clients an object is to be tried with. */
#include "cli/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/spec.h"

enum { METHODS = 32, SLOTS = LP_CLIENT_CALLS * LP_CLIENT_ARGS };

/* A client in the making: threads as lists of calls. */
struct thread {
	uint32_t call[LP_CLIENT_CALLS]; /* indices into `method` of the draft */
	uint32_t count;
};

struct draft {
	const struct lp_plan *plan;
	uint32_t method[LP_CLIENT_CALLS];
	uint32_t calls;
	uint32_t needs[LP_CLIENT_CALLS]; /* the call that it needs, or UINT32_MAX */
	bool truth[LP_CLIENT_CALLS];
	bool used[LP_CLIENT_CALLS];      /* as what another one needs */
	struct thread thread[LP_CLIENT_CALLS];
	uint32_t threads;
};

static const struct lp_harness_method *method_at(const struct lp_plan *p, uint32_t m)
{
	return &p->harness->methods.at[m];
}

/* ---- arguments ---- */

/* The arguments of a client: one slot each. */
struct slots {
	const struct lp_plan *plan;
	struct lp_plan_client client;
	struct {
		uint32_t call, arg;
		enum lp_arg_mode mode;
		uint32_t class; /* EQUAL, ORDERED: which, from 0 */
	} at[SLOTS];
	uint32_t count;
	uint32_t equal, ordered; /* classes so far */
};

/* The classes as they are, or with those of two calls swapped, renumbered in the order in
 * which they occur where order means nothing. */
static void classes(const struct slots *s, uint32_t one, uint32_t other, uint32_t *out)
{
	uint32_t renamed[SLOTS], names = 0;

	memset(renamed, 0xff, sizeof renamed);
	for (uint32_t i = 0; i < s->count; i++) {
		const uint32_t call = s->at[i].call == one ? other : s->at[i].call == other ? one : s->at[i].call;
		uint32_t j = 0;
		while (s->at[j].call != call || s->at[j].arg != s->at[i].arg)
			j++;
		out[i] = s->at[j].class;
		if (s->at[i].mode != LP_ARG_EQUAL || out[i] == 0)
			continue; /* class 0 is the initial value: it has a name */
		if (renamed[out[i]] == UINT32_MAX)
			renamed[out[i]] = ++names;
		out[i] = renamed[out[i]];
	}
}

/* Threads that make one call, of the same method, and not before the others. */
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

/* Is there no client of the same shape, with like calls swapped, that comes before it? */
static bool is_first_of_its_kind(const struct slots *s)
{
	uint32_t mine[SLOTS], theirs[SLOTS];

	classes(s, 0, 0, mine);
	for (uint32_t c = 0; c + 1 < s->client.client.calls; c++) {
		if (!are_alike(&s->client, c, c + 1))
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
static void declare_likes(struct slots *s)
{
	struct lp_client *c = &s->client.client;

	memset(c->like, 0, sizeof c->like);
	for (uint32_t i = 0; i + 1 < c->calls; i++) {
		const struct lp_harness_method *m = method_at(s->plan, s->client.method[i]);
		bool alike = are_alike(&s->client, i, i + 1);
		for (uint32_t a = 0; a < m->args; a++)
			alike &= m->mode[a] == LP_ARG_OPAQUE || c->call[i].arg[a] == c->call[i + 1].arg[a];
		if (alike)
			c->like[c->call[i + 1].thread] = 1 + c->call[i].thread;
	}
}

static bool visit(struct slots *s)
{
	struct lp_client *c = &s->client.client;
	int64_t fresh = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		int64_t *arg = &c->call[s->at[i].call].arg[s->at[i].arg];
		switch (s->at[i].mode) {
		case LP_ARG_OPAQUE:
			*arg = ++fresh;
			break;
		case LP_ARG_EQUAL:
			*arg = s->at[i].class;
			break;
		case LP_ARG_ORDERED:
			*arg = s->at[i].class + 1;
			break;
		case LP_ARG_FIXED:
			*arg = method_at(s->plan, s->client.method[s->at[i].call])->value[s->at[i].class];
			break;
		}
	}
	if (!is_first_of_its_kind(s))
		return true;
	declare_likes(s);
	return s->plan->visit(s->plan->closure, &s->client);
}

static bool fill_from(struct slots *s, uint32_t i);

/* A class of its own below the c-th, for slot i. */
static bool fill_new(struct slots *s, uint32_t i, uint32_t class)
{
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

/* Slots from i on, in every way.  False if that is enough. */
static bool fill_from(struct slots *s, uint32_t i)
{
	bool more = true;

	if (i == s->count)
		return visit(s);
	switch (s->at[i].mode) {
	case LP_ARG_OPAQUE:
		return fill_from(s, i + 1);
	case LP_ARG_EQUAL: /* the initial value, one that was there, or a new one */
		for (uint32_t c = 0; more && c <= s->equal + 1; c++) {
			const uint32_t before = s->equal;
			s->at[i].class = c;
			s->equal = c > before ? c : before;
			more = fill_from(s, i + 1);
			s->equal = before;
		}
		return more;
	case LP_ARG_ORDERED:
		for (uint32_t c = 0; more && c < s->ordered; c++) {
			s->at[i].class = c;
			more = fill_from(s, i + 1);
		}
		for (uint32_t c = 0; more && c <= s->ordered; c++)
			more = fill_new(s, i, c);
		return more;
	case LP_ARG_FIXED:
		for (uint32_t c = 0;
		     more && c < method_at(s->plan, s->client.method[s->at[i].call])->values; c++) {
			s->at[i].class = c;
			more = fill_from(s, i + 1);
		}
		return more;
	}
	return more;
}

static void add_slots(struct slots *s, uint32_t call)
{
	const struct lp_harness_method *m = method_at(s->plan, s->client.method[call]);

	for (uint32_t a = 0; a < m->args; a++) {
		s->at[s->count].call = call;
		s->at[s->count].arg = a;
		s->at[s->count++].mode = m->mode[a];
	}
}

/* ---- from drafts to clients ---- */

static uint32_t add_call(struct lp_plan_client *c, const struct lp_plan *p, uint32_t method,
			 uint32_t thread)
{
	const uint32_t call = c->client.calls++;

	assert(call < LP_CLIENT_CALLS);
	c->method[call] = method;
	c->client.call[call] =
		(struct lp_client_call){ .body = method_at(p, method)->body, .thread = thread };
	return call;
}

/* The method with which `--pre` puts something in. */
static uint32_t inserter(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (h->spec->kind->methods[h->methods.at[m].spec_method].roles & LP_INSERTS)
			return m;
	return UINT32_MAX;
}

static void add_pre(struct slots *s)
{
	const struct lp_harness *h = s->plan->harness;
	const uint32_t method = inserter(h);

	for (uint32_t i = 0; i < h->pre.count; i++) {
		const uint32_t call = add_call(&s->client, s->plan, h->pre.at[i].method, 0);
		memcpy(s->client.client.call[call].arg, h->pre.at[i].arg, sizeof h->pre.at[i].arg);
	}
	for (uint32_t i = 0; method != UINT32_MAX && i < s->plan->pre; i++)
		add_slots(s, add_call(&s->client, s->plan, method, 0));
	s->client.pre = s->client.client.calls;
}

static bool finish_draft(const struct draft *d)
{
	struct slots s = { .plan = d->plan };
	uint32_t renamed[LP_CLIENT_CALLS];

	add_pre(&s);
	for (uint32_t t = 0; t < d->threads; t++) {
		for (uint32_t i = 0; i < d->thread[t].count; i++) {
			const uint32_t call = d->thread[t].call[i];
			const uint32_t c = add_call(&s.client, d->plan, d->method[call], t + 1);
			renamed[call] = c;
			if (d->needs[call] != UINT32_MAX) {
				s.client.client.call[c].needs = renamed[d->needs[call]];
				s.client.client.call[c].when =
					d->truth[call] ? LP_CALL_AFTER_TRUE : LP_CALL_AFTER;
			}
			add_slots(&s, c);
		}
	}
	s.client.client.threads = d->threads + 1;
	return fill_from(&s, 0);
}

/* The calls of a role, those in `left`, in every order, for the last thread of the draft. */
static bool order_role(struct draft *d, uint32_t role, uint32_t *left, const uint32_t *count);

static bool next_role(struct draft *d, uint32_t role, const uint32_t *count)
{
	uint32_t left[METHODS] = { 0 }, sum = 0;

	if (role > d->plan->harness->roles)
		return finish_draft(d);
	for (uint32_t m = 0; m < d->plan->harness->methods.count; m++) {
		left[m] = method_at(d->plan, m)->role == role ? count[m] : 0;
		sum += left[m];
	}
	if (!sum)
		return next_role(d, role + 1, count);
	d->thread[d->threads++].count = 0;
	const bool more = order_role(d, role, left, count);
	d->threads--;
	return more;
}

static bool order_role(struct draft *d, uint32_t role, uint32_t *left, const uint32_t *count)
{
	struct thread *t = &d->thread[d->threads - 1];
	bool any = false, more = true;

	for (uint32_t m = 0; more && m < d->plan->harness->methods.count; m++) {
		if (!left[m])
			continue;
		any = true;
		left[m]--;
		d->needs[d->calls] = UINT32_MAX;
		d->method[d->calls] = m;
		t->call[t->count++] = d->calls++;
		more = order_role(d, role, left, count);
		d->calls--;
		t->count--;
		left[m]++;
	}
	return any ? more : next_role(d, role + 1, count);
}

/* Calls that need others: each after one that no other call has taken. */
static bool attach(struct draft *d, uint32_t method, uint32_t left, uint32_t least,
		   const uint32_t *count);

static bool next_dependent(struct draft *d, uint32_t method, const uint32_t *count)
{
	const struct lp_harness *h = d->plan->harness;

	while (method < h->methods.count && !(h->methods.at[method].needs && count[method]))
		method++;
	return method == h->methods.count ? next_role(d, 1, count)
					  : attach(d, method, count[method], 0, count);
}

static uint32_t free_call(const struct draft *d, uint32_t method, uint32_t *thread)
{
	for (uint32_t t = 0; t < d->threads; t++) {
		const uint32_t last = d->thread[t].call[d->thread[t].count - 1];
		if (d->method[last] == method && !d->used[last]) {
			*thread = t;
			return last;
		}
	}
	return UINT32_MAX;
}

static bool attach(struct draft *d, uint32_t method, uint32_t left, uint32_t least,
		   const uint32_t *count)
{
	const struct lp_harness_method *m = method_at(d->plan, method);
	bool more = true;

	if (!left)
		return next_dependent(d, method + 1, count);
	/* In which kinds of calls: a multiset, so in rising order. */
	for (uint32_t n = least; more && n < m->needs; n++) {
		uint32_t thread;
		const uint32_t call = free_call(d, m->need[n].method, &thread);
		if (call == UINT32_MAX)
			continue;
		struct thread *t = &d->thread[thread];
		d->used[call] = true;
		d->used[d->calls] = false;
		d->method[d->calls] = method;
		d->needs[d->calls] = call;
		d->truth[d->calls] = m->need[n].truth;
		t->call[t->count++] = d->calls++;
		more = attach(d, method, left - 1, n, count);
		d->calls--;
		t->count--;
		d->used[call] = false;
	}
	return more;
}

/* Does the last thread of the draft, as a sequence of methods, come before the one before
 * it?  Threads are put in order, so that none of their permutations is met. */
static bool is_out_of_order(const struct draft *d)
{
	const struct thread *a = &d->thread[d->threads - 2], *b = &d->thread[d->threads - 1];

	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (d->method[a->call[i]] != d->method[b->call[i]])
			return d->method[b->call[i]] < d->method[a->call[i]];
	return b->count < a->count;
}

/* The calls left, as sequences of threads: another one for the last thread, or for a new. */
static bool shape(struct draft *d, uint32_t *left, bool open)
{
	bool any = false, more = true;

	for (uint32_t m = 0; more && m < d->plan->harness->methods.count; m++) {
		if (!left[m])
			continue;
		any = true;
		left[m]--;
		d->needs[d->calls] = UINT32_MAX;
		d->method[d->calls] = m;
		for (int fresh = 0; more && fresh < 2; fresh++) {
			if (!fresh && !open)
				continue;
			if (fresh) {
				/* The last one is finished. */
				if (d->threads > 1 && is_out_of_order(d))
					continue;
				d->thread[d->threads++].count = 0;
			}
			struct thread *t = &d->thread[d->threads - 1];
			t->call[t->count++] = d->calls++;
			more = shape(d, left, true);
			d->calls--;
			t->count--;
			d->threads -= (uint32_t)fresh;
		}
		left[m]++;
	}
	if (any)
		return more;
	return (d->threads > 1 && is_out_of_order(d)) || finish_draft(d);
}

static bool has_rules(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (h->methods.at[m].role || h->methods.at[m].needs)
			return true;
	return false;
}

bool lp_plan_multiset(const struct lp_plan *p, const uint32_t *count)
{
	struct draft d = { .plan = p };

	if (p->shapes && !has_rules(p->harness)) {
		uint32_t left[METHODS];
		memcpy(left, count, sizeof *left * p->harness->methods.count);
		return shape(&d, left, false);
	}
	for (uint32_t m = 0; m < p->harness->methods.count; m++) {
		const struct lp_harness_method *method = method_at(p, m);
		if (method->role || method->needs)
			continue;
		for (uint32_t i = 0; i < count[m]; i++) {
			d.needs[d.calls] = UINT32_MAX;
			d.method[d.calls] = m;
			d.thread[d.threads] = (struct thread){ { d.calls++ }, 1 };
			d.threads++;
		}
	}
	return next_dependent(&d, 0, count);
}

static bool multisets(const struct lp_plan *p, uint32_t *count, uint32_t method, uint32_t left)
{
	const uint32_t methods = p->harness->methods.count;

	if (method + 1 == methods) {
		count[method] = left;
		return lp_plan_multiset(p, count);
	}
	for (uint32_t n = left + 1; n-- > 0;) {
		count[method] = n;
		if (!multisets(p, count, method + 1, left - n))
			return false;
	}
	return true;
}

bool lp_plan_sizes(const struct lp_plan *p, uint32_t calls)
{
	uint32_t count[METHODS];

	for (uint32_t size = 1; size <= calls; size++)
		if (!multisets(p, count, 0, size))
			return false;
	return true;
}

bool lp_plan_parse(const struct lp_harness *h, const char *text, uint32_t *count,
		   struct lp_error *error)
{
	uint32_t sum = 0;

	memset(count, 0, sizeof *count * h->methods.count);
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "=,");
		const uint32_t m = lp_harness_method(h, at, length);
		char *end = NULL;
		if (m == UINT32_MAX)
			return lp_fail(error, "--ops %s: there is no method '%.*s'", text, (int)length, at);
		const unsigned long n = at[length] == '=' ? strtoul(at + length + 1, &end, 10) : 0;
		if (!end || end == at + length + 1 || (*end && *end != ',') || n > LP_CLIENT_CALLS)
			return lp_fail(error, "--ops %s: a number of calls is expected after '%.*s='", text,
				       (int)length, at);
		count[m] += (uint32_t)n;
		sum += (uint32_t)n;
		at = *end ? end + 1 : end;
	}
	if (!sum || sum > LP_CLIENT_CALLS - 8)
		return lp_fail(error, "--ops %s: from 1 to %d calls can be made", text,
			       LP_CLIENT_CALLS - 8);
	return true;
}

bool lp_plan_one(const struct lp_plan *p, const struct lp_harness_calls *calls)
{
	struct slots s = { .plan = p };

	add_pre(&s);
	for (uint32_t i = 0; i < calls->count; i++) {
		const struct lp_harness_call *from = &calls->at[i];
		const uint32_t c = add_call(&s.client, p, from->method, from->thread);
		memcpy(s.client.client.call[c].arg, from->arg, sizeof from->arg);
		s.client.client.threads = from->thread + 1;
	}
	return fill_from(&s, 0);
}
