/* history_check.c -- the entry point: splits a history, decides its parts, and explains a violation. */
#include "check/history/history_check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/clients/attempt.h"
#include "check/history/core.h"
#include "check/history/fast/fast.h"
#include "check/history/fast/lazy.h"
#include "check/history/op_overlaps.h"
#include "check/history/search.h"
#include "check/history/sweep.h"
#include "check/history/whole.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "check/sort.h"
#include "check/weak/weak.h"
#include "spec/traits.h"

/* The steps of the search for each key in the first round; and the number of steps from which there are no more
 * rounds. */
#define FIRST_STEPS UINT64_C(20000)
#define MOST_STEPS UINT64_C(100000000)
#define MOST_SHARED UINT64_C(1000000)

struct check {
	const struct lp_check_options *options;
	struct lp_search_limits limits;
	struct lp_check_result *result;
	struct lp_witness witness; /* the witness of the last problem that was decided, if it was wrong */
	bool used_fast, used_lazy, used_search, used_weak;
	bool helps;                /* this is one of several threads that check, so it calls no callbacks */
	const char *fast_name;
};

static bool go_on(void *closure, uint64_t steps)
{
	const struct check *c = closure;

	return c->options->go_on(c->options->closure, c->result->steps + steps);
}

/* Returns false if a limit was reached, or the user has interrupted. */
static bool is_wanted(void *closure)
{
	const struct check *c = closure;

	return !lp_search_late(&c->limits, c->result->steps);
}

static enum lp_finding give_up(struct check *c)
{
	snprintf(c->result->reason, sizeof c->result->reason, "undecided: %s",
		 lp_search_late(&c->limits, c->result->steps));
	return LP_UNDECIDED;
}

static enum lp_finding search_with(const struct check *c, const struct lp_problem *p,
				   const struct lp_precedence *order, struct lp_history_search *found)
{
	const struct lp_quasi *quasi = c->options->quasi;

	if (c->options->property == LP_QUASI)
		return lp_quasi_search(p, order, quasi, &c->limits, found);
	return lp_search(p, order, &c->limits, found);
}

static enum lp_finding search(struct check *c, const struct lp_problem *p)
{
	struct lp_precedence order;
	struct lp_history_search found;

	lp_precedence_open(&order, p, c->options->property);
	enum lp_finding finding;
	if (c->options->property != LP_QUASI || c->options->general ||
	    !lp_quasi_search_queue(p, c->options->quasi, &c->limits, &found, &finding))
		finding = search_with(c, p, &order, &found);
	c->result->steps += found.steps;
	c->used_search |= finding != LP_UNDECIDED;
	if (finding == LP_UNDECIDED)
		snprintf(c->result->reason, sizeof c->result->reason,
			 "undecided: %s after %llu steps", found.limit,
			 (unsigned long long)found.steps);
	lp_search_close(&found);
	lp_precedence_close(&order);
	return finding;
}

/* Decides the problem by a quick method, if there is one. */
static bool decide_quickly(struct check *c, const struct lp_problem *p, enum lp_finding *finding)
{
	const struct lp_fast *fast = lp_fast_for(p);

	c->witness.count = 0;
	c->witness.why = NULL;
	if (fast && fast->check(p, finding, &c->witness)) {
		c->used_fast = true;
		c->fast_name = fast->name;
		return true;
	}
	c->witness.count = 0;
	c->witness.why = NULL;
	return false;
}

/* The same for a problem that has no quick method, but can be turned into an equivalent one that has (lazy.h). */
static bool decide_plain(struct check *c, const struct lp_problem *p, enum lp_finding *finding)
{
	uint32_t *ops = lp_alloc(sizeof *ops * (p->count + 1));
	struct lp_problem plain;
	bool decided = false;

	if (lp_lazy_plain(p, &plain, ops)) {
		decided = decide_quickly(c, &plain, finding);
		for (uint32_t i = 0; i < c->witness.count; i++)
			c->witness.at[i] = ops[c->witness.at[i]];
		lp_problem_close(&plain);
	}
	lp_free(ops);
	return decided;
}

/* Decides by lazy.h.  Returns false if the method does not apply, or gives no answer within the steps. */
static bool decide_lazily(struct check *c, const struct lp_problem *p, enum lp_finding *finding)
{
	const char *limit;

	if (!lp_lazy_decide(p, &c->limits, finding, &c->witness, &limit, &c->result->steps) || limit)
		return false;
	c->used_lazy = true;
	return true;
}

/* Runs the two searches in turns, with more and more steps: a problem that is hard for one may be easy for the
 * other. */
static enum lp_finding search_in_turns(struct check *c, const struct lp_problem *p)
{
	const bool quasi = c->options->property == LP_QUASI;
	const uint64_t most = c->limits.steps;
	enum lp_finding finding = LP_UNDECIDED;
	uint64_t steps = FIRST_STEPS;

	for (; !most || steps < most; steps *= 16) {
		c->limits.steps = steps;
		if (!quasi && (finding = search(c, p)) != LP_UNDECIDED)
			break;
		if (decide_lazily(c, p, &finding) && !(quasi && finding == LP_WRONG))
			break;
		finding = LP_UNDECIDED;
		if (quasi || steps > MOST_STEPS || lp_search_late(&c->limits, c->result->steps))
			break;
	}
	c->limits.steps = most;
	if (finding != LP_UNDECIDED)
		return finding;
	return lp_problem_is_wanted(p, 0) ? search(c, p) : give_up(c);
}

static enum lp_finding decide_weak(struct check *c, const struct lp_problem *p)
{
	const char *why;
	const enum lp_finding finding = lp_weak_decide(p, c->options->weak, &c->limits, &why, &c->result->steps);

	c->witness.why = finding == LP_WRONG ? why : NULL;
	if (finding == LP_UNDECIDED)
		snprintf(c->result->reason, sizeof c->result->reason, "undecided: %s", why);
	c->used_weak = true;
	return finding;
}

/* Decides a problem that is not to be split any further. */
static enum lp_finding decide_whole(void *context, const struct lp_problem *p)
{
	struct check *c = context;
	const bool quasi = c->options->property == LP_QUASI;
	enum lp_finding finding;

	c->witness.count = 0;
	c->witness.why = NULL;
	if (c->options->property == LP_WEAK)
		return decide_weak(c, p);
	/* Quick methods know nothing of failures that other operations explain. */
	if ((c->options->property == LP_LINEARIZABLE || quasi) && !c->options->general && !lp_spec_uses_overlap(&p->spec)) {
		/* What is linearizable is quasi-linearizable, too. */
		if ((decide_quickly(c, p, &finding) ||
		     (lp_problem_is_wanted(p, 0) && decide_plain(c, p, &finding))) &&
		    !(quasi && finding == LP_WRONG))
			return finding;
		c->witness.count = 0;
		c->witness.why = NULL;
		if (lp_lazy_is_for(p) && lp_problem_is_wanted(p, 0))
			return search_in_turns(c, p);
	}
	return lp_problem_is_wanted(p, 0) ? search(c, p) : give_up(c);
}

/* Splitting by key is sound for linearizability, which is a local property, if no
 * operation concerns all keys.  Sequential consistency is not local; quiescence of
 * one key is not that of the whole. */
static bool is_splittable(const struct check *c, const struct lp_problem *p)
{
	if (!p->spec.kind->by_key || c->options->property != LP_LINEARIZABLE)
		return false;
	for (uint32_t m = 0; m < p->spec.kind->method_count; m++)
		if ((p->methods >> m & 1) &&
		    ((p->spec.kind->methods[m].roles & LP_WHOLE) || !p->spec.kind->methods[m].args))
			return false;
	return true;
}

/* Explains why `part` is wrong: finds its core and the longest attempt. */
static void explain(struct check *c, const struct lp_problem *part)
{
	struct lp_check_result *r = c->result;
	struct lp_core core;
	struct lp_problem small;
	const double seconds = c->options->explain_seconds > 0 ? c->options->explain_seconds : 2;
	const double deadline = lp_search_now() + seconds;
	struct lp_witness witness = c->witness;

	/* The search for the core decides other problems, so keep the witness. */
	c->witness = (struct lp_witness){ 0 };
	c->limits.steps = 0;
	if (c->limits.deadline <= 0 || c->limits.deadline > deadline)
		c->limits.deadline = deadline;
	char reason[sizeof r->reason];
	memcpy(reason, r->reason, sizeof reason);
	const struct lp_core_question question = {
		.p = part, .property = c->options->property, .weak = c->options->property == LP_WEAK ? c->options->weak : NULL,
		.decide = decide_whole, .context = c, .deadline = deadline,
	};
	lp_core_open(&core, &question, witness.at, witness.count);
	memcpy(r->reason, reason, sizeof reason);
	lp_free(witness.at);
	if (c->limits.go_on && !c->limits.go_on(c->limits.closure, 0)) {
		lp_core_close(&core); /* interrupted: the core is not shown */
		return;
	}

	struct lp_keyed *by_start = lp_alloc(sizeof *by_start * core.count);
	r->core = lp_alloc(sizeof *r->core * core.count);
	r->core_open = lp_alloc(sizeof *r->core_open * core.count);
	r->core_count = core.count;
	r->core_is_minimal = core.minimal;
	for (uint32_t i = 0; i < core.count; i++)
		by_start[i] = (struct lp_keyed){ part->ops[core.ops[i]].start, i };
	lp_sort_keyed(by_start, core.count);
	for (uint32_t i = 0; i < core.count; i++) {
		r->core[i] = part->ops[core.ops[by_start[i].id]].call;
		r->core_open[i] = core.open[by_start[i].id];
	}

	if (c->options->property != LP_WEAK) { /* weak properties have no single order to attempt */
		struct lp_precedence order;
		struct lp_history_search found;
		lp_problem_part(&small, part, core.ops, core.open, core.count);
		lp_precedence_open(&order, &small, c->options->property);
		c->limits.for_attempt = true;
		search_with(c, &small, &order, &found);
		lp_attempt_keep(&small, &order, &found, c->options->property, r);
		lp_search_close(&found);
		lp_precedence_close(&order);
		lp_problem_close(&small);
	}
	lp_core_close(&core);
	lp_free(by_start);
}

static void tell_wrong(struct check *c, const struct lp_problem *part)
{
	snprintf(c->result->reason, sizeof c->result->reason, "%s",
		 c->witness.why			    ? c->witness.why :
		 c->options->property == LP_QUASI ? "no order of the calls is close "
						    "enough to a right one" :
						    "the specification accepts no order of the calls");
	if (c->options->explain)
		explain(c, part);
}

static enum lp_finding decide_part(struct check *c, const struct lp_problem *part)
{
	const enum lp_finding finding = decide_whole(c, part);

	if (finding == LP_WRONG)
		tell_wrong(c, part);
	return finding;
}

/* Decides one key, given as a group. */
static enum lp_finding decide_group(struct check *c, const struct lp_problem *p,
				    const struct lp_groups *groups, uint32_t g)
{
	struct lp_problem part;

	lp_problem_part(&part, p, groups->ops + groups->first[g], NULL,
			groups->first[g + 1] - groups->first[g]);
	if (c->helps)
		part.wanted = NULL;
	const enum lp_finding finding = c->helps ? decide_whole(c, &part) : decide_part(c, &part);
	lp_problem_close(&part);
	return finding;
}

/* May a call concatenate texts, and so add texts to the history?  Then several threads must not check at once.
 * Methods of a user's kind may. */
static bool makes_texts(const struct lp_problem *p)
{
	const uint32_t append = lp_kind_method(p->spec.kind, LP_VERB_APPEND);

	return p->history->texts && (!lp_kind_is_builtin(p->spec.kind) ||
				     (append != LP_NO_METHOD && (p->methods >> append & 1)));
}

/* The answer of a thread for one key, and the method that it used. */
struct share {
	enum lp_finding finding;
	uint64_t steps;
	const char *fast_name; /* NULL: not by a fast method */
	bool lazy, search;
};

/* A round of decide_split() by several threads. */
struct shift {
	const struct check *c;
	const struct lp_problem *p;
	const struct lp_groups *groups;
	const uint32_t *todo;
	uint32_t count;
	struct share *shares; /* for each index in `todo` */
	uint32_t next;        /* atomic */
	uint32_t wrong;       /* the first index that is wrong; atomic */
};

static void *help(void *closure)
{
	struct shift *s = closure;
	struct lp_check_result result;
	struct check c = { .options = s->c->options, .limits = s->c->limits, .result = &result,
			   .helps = true };

	c.limits.go_on = NULL;
	for (;;) {
		const uint32_t i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
		uint32_t wrong = __atomic_load_n(&s->wrong, __ATOMIC_RELAXED);
		if (i >= s->count || i > wrong)
			break;
		result = (struct lp_check_result){ 0 };
		c.used_fast = c.used_lazy = c.used_search = false;
		const enum lp_finding finding = decide_group(&c, s->p, s->groups, s->todo[i]);
		s->shares[i] = (struct share){ finding, result.steps, c.used_fast ? c.fast_name : NULL, c.used_lazy,
					       c.used_search };
		while (finding == LP_WRONG && i < wrong &&
		       !__atomic_compare_exchange_n(&s->wrong, &wrong, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
	}
	lp_free(c.witness.at);
	return NULL;
}

/* Fills in the shares up to the first key that is wrong.  That key is decided once more, to get its witness.  Steps
 * for later keys are not counted, because they depend on how threads are scheduled. */
static void share_round(const struct check *c, struct shift *s)
{
	enum { MOST_THREADS = 256 };
	pthread_t threads[MOST_THREADS];
	uint32_t count = 0;
	const uint32_t jobs = c->options->jobs < MOST_THREADS ? c->options->jobs : MOST_THREADS;

	while (count + 1 < jobs && count + 1 < s->count && !pthread_create(&threads[count], NULL, help, s))
		count++;
	help(s);
	while (count)
		pthread_join(threads[--count], NULL);
}

static enum lp_finding take_share(struct check *c, const struct share *share)
{
	c->result->steps += share->steps;
	if (share->fast_name)
		c->fast_name = share->fast_name;
	c->used_fast |= share->fast_name != NULL;
	c->used_lazy |= share->lazy;
	c->used_search |= share->search;
	return share->finding;
}

/* Decides all keys, or finds a wrong one.  One key may take very long, while another is quickly found wrong.  So all
 * keys get a little work first, and those that are left get more. */
static enum lp_finding decide_split(struct check *c, const struct lp_problem *p)
{
	struct lp_groups groups;
	enum lp_finding finding = LP_CORRECT;
	bool wanted = true;

	lp_groups_open(&groups, p);
	uint32_t *todo = lp_alloc(sizeof *todo * groups.count), left = groups.count;
	struct share *found = lp_alloc_zero(groups.count, sizeof *found);
	for (uint32_t g = 0; g < groups.count; g++)
		todo[g] = g;
	c->result->parts = groups.count;
	for (c->limits.steps = FIRST_STEPS; left && finding != LP_WRONG; c->limits.steps *= 16) {
		const bool last = left == 1 || c->limits.steps > MOST_STEPS;
		uint32_t undecided = 0;
		if (last)
			c->limits.steps = 0;
		/* Not in the last round, which can take long, because threads cannot be interrupted. */
		const bool shares = c->options->jobs > 1 && !last && left > 1 &&
				    c->limits.steps < MOST_SHARED && !makes_texts(p);
		struct shift shift = { .c = c, .p = p, .groups = &groups, .todo = todo, .count = left,
				       .shares = found, .wrong = UINT32_MAX };
		if (shares)
			share_round(c, &shift);
		for (uint32_t i = 0; i < left && finding != LP_WRONG; i++) {
			wanted = wanted && lp_problem_is_wanted(p, i % 64);
			finding = !wanted			       ? give_up(c) :
				  shares && found[i].finding != LP_WRONG ? take_share(c, &found[i]) :
									   decide_group(c, p, &groups, todo[i]);
			if (finding == LP_UNDECIDED)
				todo[undecided++] = todo[i];
		}
		left = undecided;
		if (last || (left && lp_search_late(&c->limits, c->result->steps)))
			break;
	}
	if (finding != LP_WRONG)
		finding = left ? LP_UNDECIDED : LP_CORRECT;
	lp_free(todo);
	lp_free(found);
	lp_groups_close(&groups);
	return finding;
}

/* Decides a history with reads of a whole set or map key by key.  Returns false if this gives no answer. */
static bool decide_keys(struct check *c, const struct lp_problem *p, enum lp_finding *finding)
{
	struct lp_whole w;
	bool settled;

	if (c->options->property != LP_LINEARIZABLE || c->options->general || !lp_whole_open(&w, p))
		return false;
	settled = w.is_exact;
	*finding = LP_CORRECT;
	c->limits.steps = FIRST_STEPS;
	for (uint32_t k = 0; k < w.count && *finding != LP_WRONG && lp_problem_is_wanted(p, k % 64); k++) {
		struct lp_problem part;
		lp_whole_part(&w, k, &part);
		*finding = decide_part(c, &part);
		settled &= *finding != LP_UNDECIDED;
		lp_problem_close(&part);
	}
	c->limits.steps = 0;
	c->result->parts = w.count ? w.count : 1;
	lp_whole_close(&w);
	return *finding == LP_WRONG || (settled && lp_problem_is_wanted(p, 0));
}

/* Sequential consistency: a thread's calls must not overlap. */
static bool threads_are_sequential(const struct lp_problem *p, struct lp_error *error)
{
	int64_t *threads = lp_alloc(sizeof *threads * p->count);
	uint32_t *number = lp_alloc(sizeof *number * p->count);
	bool good = true;

	for (uint32_t i = 0; i < p->count; i++)
		threads[i] = p->history->at[p->ops[i].call].thread;
	const uint32_t count = lp_sort_number_values(threads, p->count, number);
	uint32_t *open = lp_alloc(sizeof *open * count);
	for (uint32_t i = 0; i < count; i++)
		open[i] = LP_NO_OP;
	for (uint32_t rank = 0; rank < p->ranks && good; rank++) {
		const uint32_t op = p->events[rank] / 2;
		uint32_t *mine = &open[number[op]];
		if (p->events[rank] & 1)
			continue;
		/* Compares times, not ranks: calls of a thread may end and start at the same time. */
		if (*mine != LP_NO_OP && p->history->at[p->ops[*mine].call].end >
						 p->history->at[p->ops[op].call].start) {
			good = lp_call_fail(p->history, &p->history->at[p->ops[op].call], error,
					    "thread %lld calls before its call of line %u has "
					    "returned", (long long)threads[op],
					    p->history->at[p->ops[*mine].call].line);
		} else {
			*mine = op;
		}
	}
	lp_free(threads);
	lp_free(number);
	lp_free(open);
	return good;
}

/* Quasi-linearizability is not defined for calls that take effect together. */
static bool is_quasi_defined(const struct lp_spec *spec, struct lp_error *error)
{
	if (lp_spec_is_lenient(spec))
		return lp_fail(error, "quasi-linearizability of a %s whose calls may fail is not defined", spec->kind->name);
	return !lp_spec_has_meetings(spec) ||
	       lp_fail(error, "quasi-linearizability of a synchronous %s is not defined",
		       spec->kind->name);
}

static void set_limits(struct check *c, double begin)
{
	const struct lp_check_options *options = c->options;

	c->limits.deadline = options->seconds > 0 ? begin + options->seconds : 0;
	c->limits.memory = options->memory ? options->memory : (size_t)1 << 30;
	c->limits.go_on = options->go_on ? go_on : NULL;
	c->limits.closure = c;
}

/* Refuses calls with unknown results, if these may be failures, which no search tries. */
static bool failures_are_known(const struct lp_problem *p, struct lp_error *error)
{
	for (uint32_t i = 0; i < p->count && lp_spec_is_lenient(&p->spec); i++)
		if (p->ops[i].results == LP_RESULT_UNKNOWN && !lp_op_is_pending(&p->ops[i]))
			return lp_call_fail(p->history, &p->history->at[p->ops[i].call], error,
					    "the result of a call that may fail must be known");
	return true;
}

/* Leaves out failures that the specification allows in every state.  Quick methods apply to the rest. */
static void make_strict(const struct check *c, struct lp_problem *p)
{
	struct lp_problem strict;

	if (c->options->property != LP_LINEARIZABLE || c->options->general || !lp_op_overlaps_strict(p, &strict))
		return;
	strict.wanted = p->wanted;
	strict.closure = p->closure;
	lp_problem_close(p);
	*p = strict;
}

bool lp_history_check(const struct lp_history *h, const struct lp_spec *spec,
		      const struct lp_check_options *options, struct lp_check_result *result,
		      struct lp_error *error)
{
	const double begin = lp_search_now();
	struct check c = { .options = options, .result = result };
	struct lp_problem p;

	*result = (struct lp_check_result){ .parts = 1 };
	set_limits(&c, begin);
	if (!lp_problem_open(&p, h, spec, error))
		return false;
	p.wanted = is_wanted;
	p.closure = &c;
	const bool weak = options->property == LP_WEAK;
	if (!failures_are_known(&p, error) || ((weak || options->property == LP_SEQUENTIAL) && !threads_are_sequential(&p, error)) ||
	    (weak && !lp_weak_fits(&p, error)) ||
	    (options->property == LP_QUASI && !is_quasi_defined(spec, error)) ||
	    (options->property != LP_LINEARIZABLE &&
	     !lp_spec_refuse_overlap(spec, lp_property_claim(options->property, options->weak), error))) {
		lp_problem_close(&p);
		return false;
	}
	make_strict(&c, &p);
	if (!decide_keys(&c, &p, &result->finding))
		result->finding = p.count && is_splittable(&c, &p) ? decide_split(&c, &p) : decide_part(&c, &p);
	c.used_search |= result->finding == LP_UNDECIDED && !weak; /* the search was used, without an answer */
	snprintf(result->method, sizeof result->method, "%s%s%s%s%s%s", c.used_weak ? "what calls must have seen" : "",
		 c.used_fast ? c.fast_name : "",
		 c.used_fast && (c.used_lazy || c.used_search) ? ", " : "",
		 c.used_lazy ? "search for removals" : "",
		 c.used_lazy && c.used_search ? ", " : "", c.used_search ? "search" : "");
	result->seconds = lp_search_now() - begin;
	if (result->finding == LP_CORRECT)
		result->reason[0] = '\0'; /* drops the reason of an earlier round */
	lp_free(c.witness.at);
	lp_problem_close(&p);
	return true;
}

/* Does a quick method, or the sweep over all states, show that the problem is correct? */
static bool is_right_at_once(struct check *c, const struct lp_problem *p)
{
	enum lp_finding finding;

	if (decide_quickly(c, p, &finding))
		return finding == LP_CORRECT;
	c->used_search = true;
	return lp_sweep_finds_right(p);
}

/* The same key by key, if possible. */
static bool is_right_quickly(struct check *c, const struct lp_problem *p)
{
	struct lp_groups groups;
	bool right = true;

	if (!is_splittable(c, p))
		return is_right_at_once(c, p);
	lp_groups_open(&groups, p);
	c->result->parts = groups.count;
	for (uint32_t g = 0; g < groups.count && right && lp_problem_is_wanted(p, g % 64); g++) {
		struct lp_problem part;
		lp_problem_part(&part, p, groups.ops + groups.first[g], NULL, groups.first[g + 1] - groups.first[g]);
		right = is_right_at_once(c, &part);
		lp_problem_close(&part);
	}
	lp_groups_close(&groups);
	return right && lp_problem_is_wanted(p, 0);
}

bool lp_history_check_lean(struct lp_history *h, const struct lp_spec *spec, const struct lp_check_options *options,
			   struct lp_check_result *result)
{
	const double start = lp_search_now();
	struct check c = { .options = options, .result = result };
	struct lp_problem p;

	*result = (struct lp_check_result){ .parts = 1, .finding = LP_CORRECT };
	set_limits(&c, start);
	if (options->property != LP_LINEARIZABLE || options->general || lp_spec_is_lenient(spec) || !lp_problem_take(&p, h, spec))
		return false;
	p.wanted = is_wanted;
	p.closure = &c;
	const bool right = is_right_quickly(&c, &p);
	snprintf(result->method, sizeof result->method, "%s%s%s", c.used_fast ? c.fast_name : "",
		 c.used_fast && c.used_search ? ", " : "", c.used_search ? "all possible states in turn" : "");
	result->seconds = lp_search_now() - start;
	lp_free(c.witness.at);
	lp_problem_close(&p);
	return right;
}

void lp_check_result_close(struct lp_check_result *result)
{
	lp_free(result->core);
	lp_free(result->core_open);
	lp_free(result->partial);
	lp_free(result->stuck);
	*result = (struct lp_check_result){ 0 };
}
