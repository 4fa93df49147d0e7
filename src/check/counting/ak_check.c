/* ak_check.c -- checks A_k of a recorded history. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "check/counting/counts.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "check/history/problem.h"
#include "check/history/search.h"
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
		at[count++] = (struct lp_keyed){ lp_call_moment(h, c, false), 2 * i };
		if (!lp_call_is_pending(c))
			at[count++] = (struct lp_keyed){ lp_call_moment(h, c, true), 2 * i + 1 };
	}
	h->ties_are_ordered = false; /* from here on, times are epochs */
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

/* Must the check end?  Asks only from time to time; the result then says why. */
static bool is_over(const struct lp_ak_options *options, double begin, uint32_t rank,
		    struct lp_ak_result *result)
{
	if (rank & 255)
		return false;
	const bool late = options->seconds > 0 && lp_search_now() > begin + options->seconds;
	if (!late && (!options->go_on || options->go_on(options->closure, rank)))
		return false;
	snprintf(result->reason, sizeof result->reason, "%s", late ? "out of time" : "interrupted");
	return true;
}

static void check_counters(const struct lp_problem *p, const struct lp_ak_options *options,
			   struct lp_ak *m, struct lp_ak_result *result)
{
	uint64_t *epoch = lp_alloc(sizeof *epoch * ((size_t)p->count + 1));
	const double begin = lp_search_now();

	for (uint32_t rank = 0; rank < p->ranks && !result->violated; rank++) {
		const uint32_t id = p->events[rank] / 2;
		const struct lp_history_op *op = &p->ops[id];
		if (is_over(options, begin, rank, result))
			break;
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

/* The label of an operation; false if it has more than one result. */
static bool label_of(const struct lp_problem *p, const struct lp_history_op *op, struct lp_label *l)
{
	const struct lp_call *c = &p->history->at[op->call];

	*l = (struct lp_label){ .method = op->method, .args = c->args };
	memcpy(l->arg, c->arg, sizeof *l->arg * c->args);
	if (op->results != LP_RESULT_UNKNOWN && op->results) {
		l->results = 1;
		l->result = op->result;
	}
	return op->results <= 1 || op->results == LP_RESULT_UNKNOWN;
}

static void tell_broken(const struct lp_formulae *f, const struct lp_counts *c,
		      struct lp_ak_result *result)
{
	result->violated = lp_formulae_tell(f, c, result->reason, sizeof result->reason);
	if (result->violated)
		result->violation.rule = LP_AK_FORMULA;
}

static void tell_excluded(const struct lp_kernel *g, const struct lp_counts *c,
			struct lp_ak_result *result)
{
	const enum lp_finding finding = lp_kernel_decide(g, c, LP_KERNEL_BOTH);

	result->violated = finding == LP_WRONG;
	if (finding == LP_WRONG) {
		result->violation.rule = LP_AK_KERNEL;
		lp_ak_describe(&result->violation, &c->spec, result->reason, sizeof result->reason);
	} else if (finding == LP_UNDECIDED) {
		snprintf(result->reason, sizeof result->reason,
			 "undecided: at some returns there were too many words to try");
	}
}

static void look(const struct lp_ak_options *options, const struct lp_counts *c,
		 struct lp_ak_result *result)
{
	if (options->formulae)
		tell_broken(options->formulae, c, result);
	else
		tell_excluded(options->kernel, c, result);
}

/* Checks formulae or a grammar on the counters. */
static bool check_counts(const struct lp_problem *p, const struct lp_ak_options *options,
			   struct lp_ak_result *result, struct lp_error *error)
{
	const uint32_t every = options->every ? options->every : 1;
	uint64_t *epoch = lp_alloc(sizeof *epoch * ((size_t)p->count + 1));
	struct lp_counts c;
	uint32_t unseen = 0;
	bool good = true;
	const double begin = lp_search_now();

	lp_counts_open(&c, &p->spec, options->k,
		       options->formulae ? lp_formulae_copies(options->formulae) : 0);
	for (uint32_t rank = 0; rank < p->ranks && !result->violated && good; rank++) {
		const uint32_t id = p->events[rank] / 2;
		const struct lp_history_op *op = &p->ops[id];
		struct lp_label label;
		if (is_over(options, begin, rank, result))
			break;
		if (!label_of(p, op, &label)) {
			good = lp_fail(error, "line %u: formulae are about calls with one result at most",
				       p->history->at[op->call].line);
		} else if (!(p->events[rank] & 1)) {
			epoch[id] = lp_counts_call(&c, &label);
		} else if (op->results != LP_RESULT_UNKNOWN) {
			lp_counts_return(&c, epoch[id], &label);
			result->call = op->call;
			result->violation.method = op->method;
			result->violation.from = lp_counts_place(&c, epoch[id]);
			result->violation.to = lp_counts_top(&c);
			if (++unseen == every) {
				unseen = 0;
				look(options, &c, result);
			}
		}
	}
	if (good && unseen && !result->violated)
		look(options, &c, result);
	result->violation.event = result->events = c.events;
	result->violation.epoch = c.now;
	snprintf(result->method, sizeof result->method, "%s",
		 options->formulae ? "formulae" : "grammar");
	lp_counts_close(&c);
	lp_free(epoch);
	return good;
}

static bool check_definition(const struct lp_history *h, const struct lp_spec *spec,
			     const struct lp_ak_options *options, struct lp_ak_result *result,
			     struct lp_error *error)
{
	const struct lp_check_options check = { .property = LP_LINEARIZABLE,
						.seconds = options->seconds,
						.go_on = options->go_on,
						.closure = options->closure };
	struct lp_check_result answer = { 0 };
	struct lp_history weak = *h; /* shares everything except the times */

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
	lp_check_result_close(&answer);
	lp_free(weak.at);
	return good;
}

static bool check_problem(const struct lp_problem *p, const struct lp_ak_options *options,
			  struct lp_ak_result *result, struct lp_error *error)
{
	if (options->formulae || options->kernel)
		return check_counts(p, options, result, error);
	if (lp_ak_is_for(&p->spec)) {
		struct lp_ak *m = lp_ak_open(&p->spec, options->k, options->mode, error);
		if (m)
			check_counters(p, options, m, result);
		lp_ak_close(m);
		return m != NULL;
	}

	/* The grammar of the specification. */
	char *text = lp_spec_grammar(&p->spec);
	struct lp_ak_options with = *options;
	struct lp_kernel *g = lp_kernel_parse("grammar", text, strlen(text), p->spec.kind, error);
	with.kernel = g;
	const bool good = g && check_counts(p, &with, result, error);
	lp_kernel_close(g);
	lp_free(text);
	return good;
}

bool lp_ak_check(const struct lp_history *h, const struct lp_spec *spec,
		 const struct lp_ak_options *options, struct lp_ak_result *result,
		 struct lp_error *error)
{
	const double begin = lp_search_now();
	bool good;

	*result = (struct lp_ak_result){ .violation = { .value = LP_VOID, .other = LP_VOID } };
	if (options->k > LP_AK_MOST)
		return lp_fail(error, "k is at most %d, not %u", LP_AK_MOST, options->k);
	char *own = lp_spec_grammar(spec);
	if (options->formulae || options->kernel || lp_ak_is_for(spec) || own) {
		struct lp_problem p;
		good = lp_problem_open(&p, h, spec, error);
		if (good) {
			good = check_problem(&p, options, result, error);
			lp_problem_close(&p);
		}
	} else {
		good = check_definition(h, spec, options, result, error);
	}
	lp_free(own);
	result->seconds = lp_search_now() - begin;
	return good;
}
