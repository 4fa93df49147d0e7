/* plan.c -- enumerates the most parallel clients of an object. */
#include "verify/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/spec.h"
#include "spec/traits.h"
#include "verify/plan_args.h"

enum { METHODS = 32 };

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

/* ---- from drafts to clients ---- */

static uint32_t add_call(struct lp_plan_client *c, const struct lp_plan *p, uint32_t method,
			 uint32_t thread)
{
	const uint32_t call = c->client.calls++;

	assert(call < LP_CLIENT_CALLS);
	c->method[call] = method;
	c->client.call[call] =
		(struct lp_client_call){ .body = lp_plan_method(p, method)->body, .thread = thread };
	return call;
}

/* Returns the method with which `--pre` inserts. */
static uint32_t inserter(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (h->spec->kind->methods[h->methods.at[m].spec_method].roles & LP_INSERTS)
			return m;
	return UINT32_MAX;
}

/* `fixed`: arguments that the user gave are not changed. */
static void add_pre(struct lp_args *s, bool fixed)
{
	const struct lp_harness *h = s->plan->harness;
	const uint32_t method = inserter(h);

	for (uint32_t i = 0; i < h->pre.count; i++) {
		const uint32_t call = add_call(&s->client, s->plan, h->pre.at[i].method, 0);
		memcpy(s->client.client.call[call].arg, h->pre.at[i].arg, sizeof h->pre.at[i].arg);
		if (!fixed)
			lp_args_choose(s, call);
	}
	lp_args_take(s);
	for (uint32_t i = 0; method != UINT32_MAX && i < s->plan->pre; i++)
		lp_args_choose(s, add_call(&s->client, s->plan, method, 0));
	s->client.pre = s->client.client.calls;
}

static bool finish_draft(const struct draft *d)
{
	struct lp_args s;
	uint32_t renamed[LP_CLIENT_CALLS];

	lp_args_open(&s, d->plan);
	add_pre(&s, false);
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
			lp_args_choose(&s, c);
		}
	}
	s.client.client.threads = d->threads + 1;
	return lp_args_fill(&s);
}

/* Calls of one role in one thread, in every order: those in `left`, and after them calls that need them. */
static bool order_role(struct draft *d, uint32_t role, uint32_t *left);

static bool next_role(struct draft *d, uint32_t role, uint32_t *left)
{
	const uint32_t methods = d->plan->harness->methods.count;
	uint32_t all = 0, of_role = 0;

	for (uint32_t m = 0; m < methods; m++) {
		all += left[m];
		of_role += lp_plan_method(d->plan, m)->role == role ? left[m] : 0;
	}
	if (role > d->plan->harness->roles) /* a call that is left cannot be made */
		return all || finish_draft(d);
	if (!of_role)
		return next_role(d, role + 1, left);
	d->thread[d->threads++].count = 0;
	const bool more = order_role(d, role, left);
	d->threads--;
	return more;
}

/* The last call of that method in the last thread, unless another has taken it. */
static uint32_t free_in_role(const struct draft *d, uint32_t method)
{
	const struct thread *t = &d->thread[d->threads - 1];

	for (uint32_t i = t->count; i-- > 0;)
		if (d->method[t->call[i]] == method)
			return d->used[t->call[i]] ? UINT32_MAX : t->call[i];
	return UINT32_MAX;
}

/* A thread does not acquire a lock that it already holds: the deadlock would be an error of the client, not of the lock. */
static bool has_lock(const struct draft *d, uint32_t method)
{
	const struct lp_harness *h = d->plan->harness;
	const struct lp_kind *kind = h->spec->kind;
	const struct thread *t = &d->thread[d->threads - 1];
	const int anyone = lp_spec_param(h->spec, "anyone");

	if (lp_kind_verb(kind, h->methods.at[method].spec_method) != LP_VERB_LOCK ||
	    (anyone >= 0 && h->spec->param[anyone]))
		return false;
	for (uint32_t i = t->count; i-- > 0;) {
		const enum lp_verb verb = lp_kind_verb(kind, h->methods.at[d->method[t->call[i]]].spec_method);
		if (verb == LP_VERB_LOCK || verb == LP_VERB_UNLOCK)
			return verb == LP_VERB_LOCK;
	}
	return false;
}

/* The next call of the role's thread, after `needed` if that is one. */
static bool put_in_role(struct draft *d, uint32_t role, uint32_t method, uint32_t needed, uint32_t *left)
{
	struct thread *t = &d->thread[d->threads - 1];

	left[method]--;
	d->needs[d->calls] = needed;
	d->used[d->calls] = false;
	d->method[d->calls] = method;
	t->call[t->count++] = d->calls++;
	const bool more = order_role(d, role, left);
	d->calls--;
	t->count--;
	left[method]++;
	return more;
}

static bool order_role(struct draft *d, uint32_t role, uint32_t *left)
{
	bool any = false, more = true;

	for (uint32_t m = 0; more && m < d->plan->harness->methods.count; m++) {
		const struct lp_harness_method *method = lp_plan_method(d->plan, m);
		if (!left[m] || (method->role && method->role != role))
			continue;
		any |= method->role == role;
		if (!method->needs && !has_lock(d, m))
			more = put_in_role(d, role, m, UINT32_MAX, left);
		for (uint32_t n = 0; more && n < method->needs; n++) {
			const uint32_t needed = free_in_role(d, method->need[n].method);
			if (needed == UINT32_MAX)
				continue;
			d->used[needed] = true;
			d->truth[d->calls] = method->need[n].truth;
			more = put_in_role(d, role, m, needed, left);
			d->used[needed] = false;
		}
	}
	return any || !more ? more : next_role(d, role + 1, left);
}

/* Does the thread come before the one before it, as a sequence of methods and of what was true before their calls?  A thread that is
 * longer comes first.  Threads that begin with the same method are put in order, so that none of their permutations is met. */
static bool is_before_previous(const struct draft *d, uint32_t thread)
{
	if (!thread)
		return false;
	const struct thread *a = &d->thread[thread - 1], *b = &d->thread[thread];

	if (d->method[a->call[0]] != d->method[b->call[0]])
		return false;
	for (uint32_t i = 1; i < a->count && i < b->count; i++) {
		const uint32_t x = a->call[i], y = b->call[i];
		if (d->method[x] != d->method[y])
			return d->method[y] < d->method[x];
		if (d->truth[x] != d->truth[y])
			return d->truth[y] < d->truth[x];
	}
	return b->count > a->count;
}

/* Appends calls of `left` to the thread, each of which needs the call before it, and then to the threads after it.  Calls that remain
 * may need calls of a role. */
static bool append(struct draft *d, uint32_t thread, uint32_t *left);

static bool append_call(struct draft *d, uint32_t thread, uint32_t *left, uint32_t method, bool truth)
{
	struct thread *t = &d->thread[thread];

	left[method]--;
	d->used[d->calls] = false;
	d->method[d->calls] = method;
	d->needs[d->calls] = t->call[t->count - 1];
	d->truth[d->calls] = truth;
	t->call[t->count++] = d->calls++;
	const bool more = append(d, thread, left);
	d->calls--;
	t->count--;
	left[method]++;
	return more;
}

static bool append(struct draft *d, uint32_t thread, uint32_t *left)
{
	bool more = true;

	if (thread == d->threads)
		return next_role(d, 1, left);
	const uint32_t last = d->method[d->thread[thread].call[d->thread[thread].count - 1]];
	for (uint32_t m = 0; more && m < d->plan->harness->methods.count; m++) {
		const struct lp_harness_method *method = lp_plan_method(d->plan, m);
		for (uint32_t n = 0; more && left[m] && !method->role && n < method->needs; n++)
			if (method->need[n].method == last)
				more = append_call(d, thread, left, m, method->need[n].truth);
	}
	if (!more || is_before_previous(d, thread))
		return more;
	return append(d, thread + 1, left);
}

/* Does the last thread of the draft, as a sequence of methods, come before the one before
 * it?  Threads are put in order, so that none of their permutations is met, unless those are different clients. */
static bool is_out_of_order(const struct draft *d)
{
	if (d->threads < 2 || d->plan->numbered)
		return false;
	const struct thread *a = &d->thread[d->threads - 2], *b = &d->thread[d->threads - 1];

	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (d->method[a->call[i]] != d->method[b->call[i]])
			return d->method[b->call[i]] < d->method[a->call[i]];
	return b->count < a->count;
}

/* Is the last thread the one that makes the calls of the method's role? */
static bool is_thread_of_role(const struct draft *d, uint32_t method)
{
	const uint32_t role = lp_plan_method(d->plan, method)->role;

	for (uint32_t t = 0; role && t + 1 < d->threads; t++)
		for (uint32_t i = 0; i < d->thread[t].count; i++)
			if (lp_plan_method(d->plan, d->method[d->thread[t].call[i]])->role == role)
				return false;
	return true;
}

static unsigned roles_of(const struct draft *d, uint32_t method)
{
	const struct lp_harness *h = d->plan->harness;

	return h->spec->kind->methods[h->methods.at[method].spec_method].roles;
}

/* Does the method take what another one, which needs it, gives back? */
static bool takes_for_a_while(const struct draft *d, uint32_t method)
{
	const struct lp_harness *h = d->plan->harness;

	for (uint32_t m = 0; m < h->methods.count; m++)
		for (uint32_t n = 0; n < h->methods.at[m].needs; n++)
			if (h->methods.at[m].need[n].method == method)
				return roles_of(d, method) & LP_TAKES;
	return false;
}

/* Might the last thread wait for itself, because the method acquires what the thread has not released?  As in
 * has_lock(), that would be an error of the client. */
static bool may_wait_for_itself(const struct draft *d, uint32_t method)
{
	const struct lp_spec *spec = d->plan->harness->spec;
	const struct thread *t = &d->thread[d->threads - 1];
	const int anyone = lp_spec_param(spec, "anyone");

	if ((roles_of(d, method) & (LP_TAKES | LP_OBSERVES)) != LP_TAKES || (anyone >= 0 && spec->param[anyone]))
		return false;
	for (uint32_t i = 0; i < t->count; i++)
		if (takes_for_a_while(d, d->method[t->call[i]]) && !d->used[t->call[i]])
			return true;
	return false;
}

/* Distributes the remaining calls over threads: the next call goes to the last thread, or to a new one. */
static bool shape(struct draft *d, uint32_t *left, bool open);

static bool put_in_shape(struct draft *d, uint32_t *left, uint32_t method, uint32_t needed, bool truth)
{
	struct thread *t = &d->thread[d->threads - 1];

	d->needs[d->calls] = needed;
	d->truth[d->calls] = truth;
	d->used[d->calls] = false;
	d->method[d->calls] = method;
	t->call[t->count++] = d->calls++;
	const bool more = shape(d, left, true);
	d->calls--;
	t->count--;
	return more;
}

/* Puts the call after each call of the last thread that it can need and that no other call uses. */
static bool put_after(struct draft *d, uint32_t *left, uint32_t method, const struct lp_harness_need *need)
{
	const struct thread *t = &d->thread[d->threads - 1];
	const uint32_t before = t->count;
	bool more = true;

	for (uint32_t i = 0; more && i < before; i++) {
		const uint32_t call = t->call[i];
		if (d->method[call] != need->method || d->used[call])
			continue;
		d->used[call] = true;
		more = put_in_shape(d, left, method, call, need->truth);
		d->used[call] = false;
	}
	return more;
}

static bool put_as_allowed(struct draft *d, uint32_t *left, uint32_t method)
{
	const struct lp_harness_method *m = lp_plan_method(d->plan, method);
	bool more = true;

	if (!is_thread_of_role(d, method))
		return true;
	if (!m->needs && !may_wait_for_itself(d, method))
		more = put_in_shape(d, left, method, UINT32_MAX, false);
	for (uint32_t n = 0; more && n < m->needs; n++)
		more = put_after(d, left, method, &m->need[n]);
	return more;
}

static bool shape(struct draft *d, uint32_t *left, bool open)
{
	bool any = false, more = true;

	for (uint32_t m = 0; more && m < d->plan->harness->methods.count; m++) {
		if (!left[m])
			continue;
		any = true;
		left[m]--;
		if (open)
			more = put_as_allowed(d, left, m);
		if (more && !is_out_of_order(d)) { /* the last one is finished */
			d->thread[d->threads++].count = 0;
			more = put_as_allowed(d, left, m);
			d->threads--;
		}
		left[m]++;
	}
	if (any)
		return more;
	return is_out_of_order(d) || finish_draft(d);
}

bool lp_plan_has_room(const struct lp_plan *p, struct lp_error *error)
{
	if (p->pre && inserter(p->harness) == UINT32_MAX)
		return lp_fail(error, "--pre: the harness has no method that inserts");
	if (p->pre + p->harness->pre.count > LP_HARNESS_PRE_CALLS)
		return lp_fail(error, "--pre and LP_PRE: more than %d calls", LP_HARNESS_PRE_CALLS);
	return true;
}

bool lp_plan_multiset(const struct lp_plan *p, const uint32_t *count)
{
	struct draft d = { .plan = p };
	uint32_t left[METHODS];

	memcpy(left, count, sizeof *left * p->harness->methods.count);
	if (p->shapes)
		return shape(&d, left, false);
	for (uint32_t m = 0; m < p->harness->methods.count; m++) {
		const struct lp_harness_method *method = lp_plan_method(p, m);
		if (method->role || method->needs)
			continue;
		for (; left[m]; left[m]--) {
			d.needs[d.calls] = UINT32_MAX;
			d.method[d.calls] = m;
			d.thread[d.threads] = (struct thread){ { d.calls++ }, 1 };
			d.threads++;
		}
	}
	return append(&d, 0, left);
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

bool lp_plan_size(const struct lp_plan *p, uint32_t calls)
{
	uint32_t count[METHODS];

	return multisets(p, count, 0, calls);
}

bool lp_plan_sizes(const struct lp_plan *p, uint32_t calls)
{
	for (uint32_t size = 1; size <= calls; size++)
		if (!lp_plan_size(p, size))
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
	if (!sum || sum > LP_PLAN_CALLS)
		return lp_fail(error, "--ops %s: from 1 to %d calls can be made", text,
			       LP_PLAN_CALLS);
	return true;
}

bool lp_plan_one(const struct lp_plan *p, const struct lp_harness_calls *calls)
{
	struct lp_args s;

	lp_args_open(&s, p);
	add_pre(&s, true);
	for (uint32_t i = 0; i < calls->count; i++) {
		const struct lp_harness_call *from = &calls->at[i];
		const uint32_t c = add_call(&s.client, p, from->method, from->thread);
		memcpy(s.client.client.call[c].arg, from->arg, sizeof from->arg);
		s.client.client.threads = from->thread + 1;
		s.client.pre += !from->thread;
	}
	return lp_args_fill(&s);
}
