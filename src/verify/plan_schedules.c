/* plan_schedules.c -- enumerates clients with a bounded number of threads: the schedules of COLLECT. */
#include "verify/plan_schedules.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprints.h"
#include "spec/spec.h"
#include "verify/plan_args.h"

enum { CALLS = 8, PRE = 4, ROOM = CALLS + PRE }; /* so that a schedule fits into 128 bits */
enum { METHOD_BITS = 3, VALUE_BITS = 4, METHODS = 1 << METHOD_BITS };

/* How arguments are chosen (plan_schedules.h). */
enum values { EVERY_VALUE, RANKS, IN_TURN };

struct call {
	uint32_t thread, method, value;
};

struct maker {
	const struct lp_plan *plan;
	const struct lp_schedules *scope;
	enum values values;
	uint32_t inserter;
	struct call at[ROOM]; /* those before the threads, of thread 0, then by thread */
	uint32_t pre, count;
	uint32_t length[CALLS + 1], threads; /* calls of each thread, from 1; never rising */
	struct lp_fingerprints explored;
	uint64_t all;
	bool ended; /* by visit(): the others are counted only */
};

static const struct lp_method *spec_method(const struct lp_harness *h, uint32_t method)
{
	return &h->spec->kind->methods[h->methods.at[method].spec_method];
}

static uint32_t inserter_of(const struct lp_harness *h)
{
	for (uint32_t m = 0; m < h->methods.count; m++)
		if (spec_method(h, m)->roles & LP_INSERTS)
			return m;
	return UINT32_MAX;
}

/* How many values there are to choose from. */
static uint32_t value_count(const struct lp_schedules *s)
{
	return s->calls + s->pre;
}

/* Returns by how much a call changes the number of values in the object. */
static int surplus_of(const struct maker *m, uint32_t method)
{
	const unsigned roles = spec_method(m->plan->harness, method)->roles;

	return !!(roles & LP_INSERTS) - !!(roles & LP_REMOVES);
}

static bool has_argument(const struct maker *m, uint32_t method)
{
	return lp_plan_method(m->plan, method)->args;
}

/* ---- what is explored ---- */

/* Renames keys to the smallest ones in the same order; if keys are not ordered, in the order of their
 * occurrence. */
static void rename_keys(struct maker *m, struct call *at)
{
	const enum lp_arg_mode mode = lp_plan_method(m->plan, m->inserter)->mode[0];
	uint32_t renamed[CALLS + PRE], names = 0;

	if (m->values != EVERY_VALUE || mode == LP_ARG_FIXED)
		return;
	memset(renamed, 0xff, sizeof renamed);
	for (uint32_t i = 0; i < m->count; i++)
		if (has_argument(m, at[i].method) && renamed[at[i].value] == UINT32_MAX)
			renamed[at[i].value] = names++;
	for (uint32_t v = 0, rank = 0; mode == LP_ARG_ORDERED && v < CALLS + PRE; v++)
		if (renamed[v] != UINT32_MAX)
			renamed[v] = rank++;
	for (uint32_t i = 0; i < m->count; i++)
		if (has_argument(m, at[i].method))
			at[i].value = renamed[at[i].value];
}

/* Insertions minus removals, if each thread stops where this number is least.  If a call never returns, the calls
 * after it are not made. */
static int least_surplus(const struct maker *m)
{
	int sum = (int)m->pre;

	for (uint32_t i = m->pre; i < m->count;) {
		const uint32_t thread = m->at[i].thread;
		int surplus = 0, least = INT_MAX;
		for (; i < m->count && m->at[i].thread == thread; i++) {
			surplus += surplus_of(m, m->at[i].method);
			least = surplus < least ? surplus : least;
		}
		sum += least;
	}
	return sum;
}

/* Is the schedule part of one with more threads?  See above. */
static bool is_part(const struct maker *m)
{
	if (m->plan->shapes || m->threads == m->scope->threads || m->threads == m->count - m->pre)
		return false;
	return m->values != RANKS || least_surplus(m) >= 0;
}

/* No two schedules have the same, and none is zeroes: of each call, whether it is the first of its
 * thread, its method and its value. */
static struct lp_fingerprint name_of(const struct maker *m, const struct call *at)
{
	unsigned __int128 name = 1;

	static_assert(ROOM * (1 + METHOD_BITS + VALUE_BITS) + 2 <= 128 && ROOM <= 1 << VALUE_BITS, "");
	for (uint32_t i = 0; i < m->count; i++) {
		const bool fresh = !i || at[i].thread != at[i - 1].thread;
		name = name << 1 | fresh;
		name = name << METHOD_BITS | at[i].method;
		name = name << VALUE_BITS | at[i].value;
	}
	name = name << 1 | (m->pre > 0);
	return (struct lp_fingerprint){ (uint64_t)name, (uint64_t)(name >> 64) };
}

static int64_t argument_of(const struct maker *m, const struct call *call)
{
	const struct lp_harness_method *method = lp_plan_method(m->plan, call->method);

	return method->mode[0] == LP_ARG_FIXED ? method->value[call->value] : call->value;
}

static void explore(struct maker *m)
{
	struct call at[ROOM];
	struct lp_harness_calls list = { 0 };

	m->all++;
	if (m->ended || is_part(m))
		return;
	memcpy(at, m->at, sizeof at);
	rename_keys(m, at);
	if (!lp_fingerprints_add(&m->explored, name_of(m, at)))
		return;
	for (uint32_t i = 0; i < m->count; i++)
		LP_PUSH(&list, (struct lp_harness_call){ .method = at[i].method, .thread = at[i].thread,
							 .arg = { argument_of(m, &at[i]) } });
	m->ended = !lp_plan_one(m->plan, &list);
	lp_free(list.at);
}

/* ---- all of them ---- */

/* Does thread t, by its methods and then by its values, come before the one before it?  Then this
 * is another one with threads renamed. */
static bool is_out_of_order(const struct maker *m, uint32_t t, uint32_t first, bool by_value)
{
	const uint32_t length = m->length[t];

	if (t == 1 || m->length[t - 1] != length)
		return false;
	const struct call *a = &m->at[first - length], *b = &m->at[first];
	for (uint32_t i = 0; i < length; i++)
		if (a[i].method != b[i].method)
			return b[i].method < a[i].method;
	for (uint32_t i = 0; by_value && i < length; i++)
		if (a[i].value != b[i].value)
			return b[i].value < a[i].value;
	return false;
}

/* Values for the calls from the i-th on, those in `left` being left. */
static void rank_from(struct maker *m, uint32_t i, uint32_t left)
{
	if (i == m->count) {
		for (uint32_t t = 1, first = m->pre; t <= m->threads; first += m->length[t++])
			if (is_out_of_order(m, t, first, true))
				return;
		explore(m);
		return;
	}
	if (!has_argument(m, m->at[i].method)) {
		rank_from(m, i + 1, left);
		return;
	}
	for (uint32_t v = 0; left >> v; v++) {
		if (!(left >> v & 1))
			continue;
		m->at[i].value = v;
		rank_from(m, i + 1, left & ~(UINT32_C(1) << v));
	}
}

static void finish(struct maker *m)
{
	uint32_t values = 0;
	int surplus = 0;

	for (uint32_t i = 0; m->values != EVERY_VALUE && i < m->count; i++) {
		surplus += surplus_of(m, m->at[i].method);
		if (has_argument(m, m->at[i].method))
			m->at[i].value = values++;
	}
	if (m->values != RANKS)
		explore(m);
	else if (surplus >= 0)
		rank_from(m, 0, (UINT32_C(1) << values) - 1);
}

/* The n-th call of thread t, and all after that. */
static void call_from(struct maker *m, uint32_t t, uint32_t n)
{
	const uint32_t place = m->count;

	if (t > m->threads) {
		finish(m);
		return;
	}
	if (n == m->length[t]) {
		if (!is_out_of_order(m, t, place - n, m->values == EVERY_VALUE))
			call_from(m, t + 1, 0);
		return;
	}
	m->count++;
	for (uint32_t method = 0; method < m->plan->harness->methods.count; method++) {
		const uint32_t values = m->values == EVERY_VALUE && has_argument(m, method) ?
						value_count(m->scope) : 1;
		for (uint32_t v = 0; v < values; v++) {
			m->at[place] = (struct call){ t, method, v };
			call_from(m, t, n + 1);
		}
	}
	m->count--;
}

/* Chooses how many calls each thread makes; `left` calls remain for the further threads. */
static void threads_from(struct maker *m, uint32_t left)
{
	if (!left) {
		call_from(m, 1, 0);
		return;
	}
	if (m->threads == m->scope->threads)
		return;
	const uint32_t most = m->threads && m->length[m->threads] < left ? m->length[m->threads] : left;
	m->threads++;
	for (uint32_t length = 1; length <= most; length++) {
		m->length[m->threads] = length;
		threads_from(m, left - length);
	}
	m->threads--;
}

static enum values values_of(const struct lp_harness *h)
{
	const struct lp_kind *kind = h->spec->kind;

	return kind->by_key ? EVERY_VALUE : kind->data == LP_DATA_ORDER ? RANKS : IN_TURN;
}

const char *lp_schedules_arguments(const struct lp_harness *h)
{
	static const char *const words[] = {
		[EVERY_VALUE] = "each of as many as there can be calls; what is inserted before is the first",
		[RANKS] = "different ones, in every order; no more removals than insertions",
		[IN_TURN] = "all different (the object does not look at them)",
	};

	return words[values_of(h)];
}

bool lp_plan_schedules(const struct lp_plan *plan, const struct lp_schedules *scope, uint64_t *all)
{
	struct maker m = { .plan = plan, .scope = scope, .inserter = inserter_of(plan->harness),
			   .values = values_of(plan->harness) };

	for (uint32_t calls = 1; calls <= scope->calls; calls++) {
		for (uint32_t pre = 0; pre <= scope->pre; pre++) {
			m.pre = m.count = pre;
			for (uint32_t i = 0; i < pre; i++)
				m.at[i] = (struct call){ 0, m.inserter, i };
			threads_from(&m, calls);
		}
	}
	*all = m.all;
	lp_fingerprints_close(&m.explored);
	return !m.ended;
}

/* ---- which are meant ---- */

static bool is_synchronous(const struct lp_harness *h)
{
	const int at = lp_spec_param(h->spec, "synchronous");

	return at >= 0 && h->spec->param[at];
}

bool lp_schedules_parse(const struct lp_harness *h, const char *text, struct lp_schedules *s,
			struct lp_error *error)
{
	/* Their table 1.  C is B, of objects that choose their hash function; E is with at most
	 * two preemptions, which --preemptions says. */
	static const struct lp_schedules named[] = { { 2, 2, 0 }, { 2, 2, 1 }, { 2, 2, 1 },
						     { 3, 3, 1 }, { 4, 3, 1 } };
	int end = 0;

	if (text[0] >= 'A' && text[0] <= 'E' && !text[1]) {
		*s = named[text[0] - 'A'];
		if (is_synchronous(h))
			*s = (struct lp_schedules){ s->calls + s->pre, s->threads, 0 };
		return true;
	}
	if (sscanf(text, "%2u,%2u,%2u%n", &s->calls, &s->threads, &s->pre, &end) == 3 && !text[end] &&
	    s->calls && s->calls <= CALLS && s->threads && s->threads <= CALLS && s->pre <= PRE)
		return true;
	return lp_fail(error, "--schedules %s: A, B, C, D, E, or CALLS,THREADS,PRE (up to %d, %d, %d) is "
		       "expected", text, CALLS, CALLS, PRE);
}

bool lp_schedules_fit(const struct lp_plan *p, const struct lp_schedules *s, struct lp_error *error)
{
	const struct lp_harness *h = p->harness;

	if (inserter_of(h) == UINT32_MAX || h->methods.count > METHODS)
		return lp_fail(error, "--schedules is for collections: sets, queues, priority queues");
	if (p->pre || h->pre.count || lp_harness_has_rules(h))
		return lp_fail(error, "--schedules: the threads may call what they want, and insertions "
				      "before them are part of it");
	for (uint32_t m = 0; m < h->methods.count; m++) {
		const struct lp_harness_method *method = &h->methods.at[m];
		if (method->args > 1)
			return lp_fail(error, "--schedules: '%s' has more than one argument", method->name);
		if (method->args && method->mode[0] == LP_ARG_FIXED && method->values < value_count(s))
			return lp_fail(error, "--schedules: '%s' has %u values, and %u are needed",
				       method->name, method->values, value_count(s));
	}
	return true;
}
