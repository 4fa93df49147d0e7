/* ak_check.c -- A_k of a recorded history. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/ak.h"
#include "check/problem.h"
#include "check/search.h"
#include "check/sort.h"

/* Epochs as a monitor would count them: starts come before ends of the same time, and
 * a start after an end begins a new one. */
void lp_ak_weaken(struct lp_history *h, unsigned k)
{
	struct lp_keyed *at = lp_alloc(sizeof *at * (2 * (size_t)h->count + 1));
	uint32_t count = 0;
	int64_t now = 0;
	bool returned = false;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		at[count++] = (struct lp_keyed){ (uint64_t)(c->start + LP_MAX_TIME) << 1, 2 * i };
		if (!lp_call_is_pending(c))
			at[count++] = (struct lp_keyed){ (uint64_t)(c->end + LP_MAX_TIME) << 1 | 1,
							 2 * i + 1 };
	}
	lp_sort_keyed(at, count);
	for (uint32_t i = 0; i < count; i++) {
		struct lp_call *c = &h->at[at[i].id / 2];
		if (at[i].id & 1) {
			c->end = now;
		} else {
			now += returned;
			c->start = now;
		}
		returned = at[i].id & 1;
	}
	const int64_t base = now > k ? now - k : 0;
	for (uint32_t i = 0; i < h->count; i++) {
		struct lp_call *c = &h->at[i];
		c->start = c->start > base ? c->start - base : 0;
		if (!lp_call_is_pending(c))
			c->end = c->end > base ? c->end - base : 0;
	}
	lp_free(at);
}

static void check_counters(const struct lp_problem *p, struct lp_ak *m,
			   struct lp_ak_result *result)
{
	uint64_t *epoch = lp_alloc(sizeof *epoch * ((size_t)p->count + 1));

	for (uint32_t rank = 0; rank < p->ranks && !result->violated; rank++) {
		const uint32_t id = p->events[rank] / 2;
		const struct lp_op *op = &p->ops[id];
		if (!(p->events[rank] & 1)) {
			epoch[id] = lp_ak_call(m, op->method, op->arg);
		} else if (op->results != LP_RESULT_UNKNOWN &&
			   lp_ak_return(m, epoch[id], op->method, op->arg,
					op->results ? op->result : LP_VOID)) {
			result->violated = true;
			result->violation = *lp_ak_violation(m);
			result->call = op->call;
			lp_ak_describe(&result->violation, &p->spec, result->reason,
				       sizeof result->reason);
		}
	}
	if (!result->violated && lp_ak_unsuitable(m))
		snprintf(result->reason, sizeof result->reason, "not said: %s",
			 lp_ak_unsuitable(m));
	snprintf(result->method, sizeof result->method, "counters");
	result->events = lp_ak_events(m);
	lp_free(epoch);
}

static bool check_definition(const struct lp_history *h, const struct lp_spec *spec,
			     const struct lp_ak_options *options, struct lp_ak_result *result,
			     struct lp_error *error)
{
	const struct lp_check_options check = { .property = LP_LINEARIZABLE,
						.seconds = options->seconds };
	struct lp_check_result answer = { 0 };
	struct lp_history weak = *h; /* all but the times is borrowed */

	weak.at = lp_alloc(sizeof *weak.at * ((size_t)h->count + 1));
	memcpy(weak.at, h->at, sizeof *weak.at * h->count);
	lp_ak_weaken(&weak, options->k);
	const bool good = lp_history_check(&weak, spec, &check, &answer, error);
	if (good) {
		result->violated = answer.finding == LP_WRONG;
		if (result->violated)
			result->violation.rule = LP_AK_ANY;
		memcpy(result->reason, answer.reason, sizeof result->reason);
		snprintf(result->method, sizeof result->method, "definition");
		result->events = 2 * (uint64_t)h->count;
	}
	lp_check_close(&answer);
	lp_free(weak.at);
	return good;
}

bool lp_ak_check(const struct lp_history *h, const struct lp_spec *spec,
		 const struct lp_ak_options *options, struct lp_ak_result *result,
		 struct lp_error *error)
{
	const double begin = lp_now();
	bool good = false;

	*result = (struct lp_ak_result){ .violation = { .value = LP_VOID, .other = LP_VOID } };
	if (lp_ak_is_for(spec)) {
		struct lp_problem p;
		if (!lp_problem_open(&p, h, spec, error))
			return false;
		struct lp_ak *m = lp_ak_open(spec, options->k, options->mode, error);
		if (m) {
			check_counters(&p, m, result);
			lp_ak_close(m);
			good = true;
		}
		lp_problem_close(&p);
	} else {
		good = check_definition(h, spec, options, result, error);
	}
	result->seconds = lp_now() - begin;
	return good;
}
