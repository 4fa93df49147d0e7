/* judge.c -- judges an execution of a client. */
#include "verify/judge.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "check/clients/place.h"
#include "check/clients/relations_allow.h"
#include "check/refine/refines.h"
#include "program/program.h"
#include "runtime/ignored.h"
#include "verify/fit.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

/* The events of a call: all events of its thread, or, if the thread makes several calls, those from the event that
 * begins the call to the one that begins the next. */
static struct lp_call_span span_of(const struct lp_judge *j, const struct lp_graph *g, uint32_t call)
{
	const uint32_t thread = j->client->call[call].thread;
	struct lp_call_span s = { .thread = lp_native_thread(j->native, thread) };
	const struct lp_thread *t = &g->threads.at[s.thread];
	int number = -1; /* of the call among those that its thread made */

	s.end = t->count;
	for (uint32_t c = 0; c <= call; c++) {
		int64_t unused;
		number += j->client->call[c].thread == thread &&
			  lp_native_call(j->native, c, &unused) != LP_CALL_NOT_MADE;
	}
	int seen = -1;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_CALL)
			continue;
		seen++;
		if (seen == number)
			s.first = i;
		else if (seen == number + 1)
			s.end = i;
	}
	return s;
}

/* The calls that were made, in the order of the client: those before the threads first. */
static void observe(struct lp_judge *j, const struct lp_graph *g)
{
	struct lp_observation *o = &j->observation;

	o->count = 0;
	j->calls.count = 0;
	for (uint32_t c = 0; c < j->client->calls; c++) {
		int64_t result;
		const enum lp_call_state state = lp_native_call(j->native, c, &result);
		if (state == LP_CALL_NOT_MADE)
			continue;
		struct lp_observed *call = &o->call[o->count];
		*call = (struct lp_observed){ .method = j->method[c], .result = result,
					      .thread = j->client->call[c].thread,
					      .stuck = state != LP_CALL_RETURNED };
		memcpy(call->arg, j->client->call[c].arg, sizeof call->arg);
		j->call[o->count++] = c;
		if (c >= j->pre)
			j->calls.at[j->calls.count++] = span_of(j, g, c);
	}
}

/* Calls before the threads come before everything, in order. */
static void relate(struct lp_judge *j, const struct lp_graph *g)
{
	struct lp_observation *o = &j->observation;
	const uint32_t pre = o->count - j->calls.count;
	const uint32_t all = lp_calls_below(o->count);

	lp_calls_relate(&j->calls, g, j->model);
	for (uint32_t a = 0; a < o->count; a++) {
		const uint32_t earlier = (UINT32_C(1) << a) - 1;
		if (a < pre) {
			o->reaches[a] = o->happens[a] = all & ~earlier;
			o->partial[a] = 0;
			o->before[a] = earlier;
			o->clashes[a] = earlier;
			continue;
		}
		o->reaches[a] = j->calls.reaches[a - pre] << pre;
		o->happens[a] = j->calls.happens[a - pre] << pre;
		o->clashes[a] = j->calls.clashes[a - pre] << pre | ((UINT32_C(1) << pre) - 1);
		o->partial[a] = o->happens[a] & ~(j->calls.given[a - pre] << pre);
		o->before[a] = (UINT32_C(1) << pre) - 1;
		for (uint32_t b = pre; b < a && !j->unordered; b++)
			if (o->call[b].thread == o->call[a].thread)
				o->before[a] |= UINT32_C(1) << b;
	}
	o->exact = j->calls.exact;
}

/* `shifted`: the order of calls that are not before the threads. */
static void shift(const struct lp_judge *j, const uint32_t *before, uint32_t *shifted)
{
	const uint32_t pre = j->observation.count - j->calls.count;

	for (uint32_t a = pre; a < j->observation.count; a++)
		shifted[a - pre] = before[a] >> pre;
}

static bool is_possible(void *closure, const uint32_t *before)
{
	const struct lp_judge *j = closure;
	uint32_t shifted[LP_CALLS] = { 0 };

	shift(j, before, shifted);
	return lp_calls_possible(&j->calls, j->graph, j->model, shifted);
}

static bool is_possible_in_threads(void *closure, const uint32_t *before)
{
	const struct lp_judge *j = closure;
	uint32_t shifted[LP_CALLS] = { 0 };

	shift(j, before, shifted);
	return lp_calls_possible_in_threads(&j->calls, j->graph, j->model, shifted);
}

static bool is_smaller(struct lp_judge_size a, struct lp_judge_size b)
{
	return a.orders < b.orders || (a.orders == b.orders && a.events < b.events);
}

static struct lp_judge_size size_of(const struct lp_judge *j, const struct lp_graph *g)
{
	const uint32_t *before = j->why.before, n = j->observation.count;
	struct lp_judge_size size = { 0, g->ev.count };

	for (uint32_t a = 0; a < n; a++) {
		uint32_t direct = before[a] & ~j->observation.before[a];
		for (uint32_t m = 0; m < n; m++)
			if (before[a] >> m & 1)
				direct &= ~before[m];
		size.orders += (uint32_t)__builtin_popcount(direct);
	}
	return size;
}

/* Should this violation be shown? */
static bool is_wanted(struct lp_judge *j, const struct lp_graph *g)
{
	const struct lp_judge_size size = size_of(j, g);

	if (j->mode == LP_JUDGE_COMPARE)
		return false;
	if (j->mode == LP_JUDGE_FIRST)
		j->smallest = size;
	if (j->mode == LP_JUDGE_MEASURE) {
		if (is_smaller(size, j->smallest))
			j->smallest = size;
		return false;
	}
	return !is_smaller(j->smallest, size);
}

/* The next call if one thread makes all calls: a call after those before it, and, if possible, after all calls that
 * have influenced it. */
static uint32_t next_in_thread(const struct lp_observation *o, const uint32_t *before, uint32_t done)
{
	uint32_t ready = LP_NO_CALL;

	for (uint32_t a = o->count; a-- > 0;) {
		bool first = true;
		if (done >> a & 1 || before[a] & ~done)
			continue;
		for (uint32_t b = 0; b < o->count; b++)
			first &= done >> b & 1 || a == b || !(o->reaches[b] >> a & 1);
		if (first)
			return a;
		ready = a;
	}
	return ready;
}

/* Does the specification accept the calls in that order, all made by one thread?  If a call can lead to several
 * states, only the first is tried. */
static bool is_right_in_one(const struct lp_judge *j, const uint32_t *order)
{
	const struct lp_observation *o = &j->observation;
	struct lp_place place = { .spec = j->spec, .tuples = o->tuples };
	struct lp_state state;
	bool right = true;

	lp_state_open(&state);
	lp_state_begin(&state, j->spec);
	for (uint32_t i = 0; right && i < o->count; i++) {
		struct lp_observed call = o->call[order[i]];
		call.thread = 1;
		right = lp_place_step(&place, &call, &state, 0) == LP_ACCEPTS;
	}
	lp_state_close(&state);
	return right;
}

/* Is the execution still possible if all calls are made one after the other, each after those that influence it?  Then
 * the error needs no concurrency. */
static bool needs_one_thread(struct lp_judge *j)
{
	const struct lp_observation *o = &j->observation;
	uint32_t before[LP_OBSERVED_CALLS] = { 0 }, order[LP_OBSERVED_CALLS], done = 0;

	for (uint32_t i = 0; i < o->count; i++) {
		const uint32_t a = next_in_thread(o, j->why.before, done);
		if (a == LP_NO_CALL)
			return false;
		order[i] = a;
		before[a] = done;
		done |= UINT32_C(1) << a;
	}
	return (j->model->by_hb ? is_possible_in_threads : is_possible)(j, before) && !is_right_in_one(j, order);
}

static bool is_quasi(const struct lp_judge *j)
{
	return !strncmp(j->property, "quasi:", 6);
}

static const double PATIENCE = 0.7; /* seconds */

bool lp_judge_goes_on(void *closure)
{
	struct lp_judge *j = closure;

	if (!lp_interrupt_reason() && !lp_memory_is_full() && (j->deadline <= 0 || lp_usage_seconds() < j->deadline))
		return true;
	if (j->since <= 0)
		j->since = lp_usage_seconds();
	return j->patient && lp_usage_seconds() - j->since < PATIENCE;
}

static enum lp_judgement no_answer(const struct lp_judge *j, enum lp_clients_answer answer, struct lp_program_error *error)
{
	if (error)
		snprintf(error->text, sizeof error->text, "%s",
			 answer == LP_CLIENTS_TIRED && j->counting ? "the grammar has too many words to try for some of the counts" :
			 answer == LP_CLIENTS_TIRED ? "factors so large that it takes too long to see whether "
						      "what is owed can come" :
			 lp_interrupt_reason()	    ? lp_interrupt_reason() :
			 lp_memory_is_full()	    ? lp_memory_reason() :
						      "time limit reached while an execution was judged");
	return LP_NOT_JUDGED;
}

void lp_judge_observe(struct lp_judge *j, const struct lp_graph *g)
{
	assert((int)LP_CLIENT_CALLS <= (int)LP_OBSERVED_CALLS && (int)LP_OBSERVED_CALLS == (int)LP_CALLS);
	j->graph = g;
	observe(j, g);
	relate(j, g);
	j->observation.tuples = lp_native_tuples(j->native);
	j->observation.possible = is_possible;
	j->observation.possible_in_threads = j->model->by_hb ? is_possible_in_threads : NULL;
	j->observation.closure = j;
}

static const char *say_wrong(const struct lp_judge *j, bool waits)
{
	if (j->why.sync_missing)
		return "the object does not order calls that the specification requires to be ordered";
	if (waits)
		return "a call waits forever, and the specification gives no reason";
	if (j->counting)
		return "the counts of the calls are not as demanded";
	if (j->refines)
		return j->refines->alike ? "the specification does not have these results for a client that orders its calls in this way" :
					   "no execution of the specification has these results";
	return is_quasi(j) ? "no order of the calls is close enough to one that explains their results" :
			     "no order of the calls explains their results";
}

enum lp_judgement lp_judge_execution(void *closure, const struct lp_graph *g, bool stuck,
				     struct lp_program_error *error)
{
	struct lp_judge *j = closure;

	lp_judge_observe(j, g);
	(void)stuck; /* calls that did not return say so themselves */
	const enum lp_clients_answer answer = j->refines ? lp_refines_judge(j->refines, &j->observation, &j->why) :
							   lp_clients_judge(j->clients, &j->observation, &j->why);
	const bool right = answer == LP_CLIENTS_RIGHT;
	if (!right && answer != LP_CLIENTS_WRONG)
		return no_answer(j, answer, error);
	if (!right && !error)
		return LP_JUDGED_WRONG; /* we will be asked again */
	if (j->mode == LP_JUDGE_COMPARE)
		lp_fit_compare(j->fit, &j->observation, right);
	else if (right && j->fit && !lp_fit_see(j->fit, &j->observation))
		return no_answer(j, LP_CLIENTS_STOPPED, error);
	if (right || !is_wanted(j, g))
		return LP_JUDGED_RIGHT;
	const bool unordered = j->why.sync_missing, waits = !unordered && j->why.stuck != LP_NO_CALL;
	j->messages = j->model->by_hb && !is_possible_in_threads(j, j->why.before);
	j->one_thread = j->why.stuck == LP_NO_CALL && !j->refines && !j->counting && needs_one_thread(j);
	error->kind = unordered	 ? LP_ERROR_NOT_SYNCHRONISED :
		      waits	 ? LP_ERROR_STUCK :
		      j->refines ? LP_ERROR_NOT_REFINED :
		      j->counting ? LP_ERROR_NOT_DEMANDED :
				   LP_ERROR_NOT_LINEARIZABLE;
	if (lp_native_passes_over(error->kind, 0)) {
		error->kind = LP_ERROR_NONE;
		return LP_JUDGED_RIGHT;
	}
	snprintf(error->text, sizeof error->text, "%s", say_wrong(j, waits));
	return LP_JUDGED_WRONG;
}
