/* states.c -- `linchpin states`: explores an object whose threads call it forever, state by state. */
#include "verify/task/task.h"

#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "check/product/points.h"
#include "check/product/product.h"
#include "check/product/settled.h"
#include "check/property.h"
#include "check/quasi/quasi.h"
#include "cli/deliver.h"
#include "verify/coverage/coverage.h"
#include "verify/harness.h"
#include "verify/interrupt.h"
#include "verify/task/own_spec.h"
#include "verify/task/write_test.h"
#include "report/trace.h"
#include "cli/states/states.h"
#include "cli/states/states_free.h"
#include "cli/states/states_ltl.h"
#include "cli/states/states_points.h"
#include "cli/states/states_product.h"
#include "cli/states/states_retry.h"
#include "cli/states/states_settled.h"
#include "verify/blame.h"
#include "verify/view/states_view.h"
#include "verify/view/states_why.h"
#include "verify/usage.h"
#include "explore/state/live/freedom.h"
#include "explore/state/state.h"
#include "explore/state/visited/spill.h"
#include "ranks/ranks.h"
#include "runtime/native_process.h"
#include "spec/spec.h"

enum { DEFAULT_THREADS = 2, DEFAULT_VALUES = 2, DEFAULT_CALLS = 3, MOST_CALLS = 4096, BITS = 8 };

struct states {
	struct lp_task task;
	struct lp_harness harness;
	void *own; /* the object once more, for its own specification */
	struct lp_menu menu;
	struct lp_processes *processes;
	struct lp_product *product;
	struct lp_points *points; /* instead; NULL if calls pass none, or they do not count */
	struct lp_settled *settled; /* for a property that is judged when no call is open; NULL: it is none */
	uint32_t calls; /* of a thread, for that */
	struct lp_states_ltl *ltl; /* the formula; NULL: there is none */
	struct lp_state_options options;
	struct lp_spill spill;
	struct lp_exploration found;
	struct lp_state_counts counts;
	uint32_t values;
	uint32_t once; /* a bit: the first value was inserted, and is not again; or 0 */
	struct lp_quasi quasi;
	bool relaxed;
	bool by_specification; /* results of calls are checked, and whether calls may wait */
	const char *property;
};

/* Is the property about infinite runs, and not about results? */
static bool is_about_runs(const struct states *s)
{
	return s->options.freedom != LP_ANY || s->ltl;
}

/* Is it a property that is judged when no call is open? */
static bool is_settled_late(const struct states *s)
{
	return !s->ltl && (!strcmp(s->property, "sequential") || !strcmp(s->property, "quiescent"));
}

/* ---- what can be called ---- */

static uint32_t choices(const struct states *s, const struct lp_harness_method *m, uint32_t arg)
{
	return m->mode[arg] == LP_ARG_FIXED ? m->values : s->values;
}

static bool inserts(const struct states *s, const struct lp_harness_method *m)
{
	return (s->harness.spec->kind->methods[m->spec_method].roles & LP_INSERTS) == LP_INSERTS;
}

static void add_call(struct states *s, uint32_t method, const int64_t *arg,
		     const struct lp_state_call *rule)
{
	const struct lp_harness_method *m = &s->harness.methods.at[method];
	struct lp_menu_call call = { .body = m->body };
	struct lp_product_call spec = { .method = m->spec_method, .args = m->args };

	struct lp_state_call own = *rule;

	for (uint32_t a = 0; inserts(s, m) && a < m->args; a++)
		if (m->mode[a] != LP_ARG_FIXED && arg[a] == 1) {
			own.unless |= s->once;
			own.marks |= s->once;
		}
	memcpy(call.arg, arg, sizeof call.arg);
	memcpy(spec.arg, arg, sizeof spec.arg);
	LP_PUSH(&s->menu.calls, call);
	LP_PUSH(&s->menu.spec, spec);
	LP_PUSH(&s->menu.method, method);
	LP_PUSH(&s->menu.rule, own);
}

/* The method with every combination of arguments. */
static void add_method(struct states *s, uint32_t method, const struct lp_state_call *rule)
{
	const struct lp_harness_method *m = &s->harness.methods.at[method];
	uint32_t at[LP_CLIENT_ARGS] = { 0 }, a;

	do {
		int64_t arg[LP_CLIENT_ARGS] = { 0 };
		for (a = 0; a < m->args; a++)
			arg[a] = m->mode[a] == LP_ARG_FIXED ? m->value[at[a]] : at[a] + 1;
		add_call(s, method, arg, rule);
		for (a = 0; a < m->args && ++at[a] == choices(s, m, a); a++)
			at[a] = 0;
	} while (a < m->args);
}

/* A method that needs another before it has a bit, which the other gives.  Without a role, any process with the bit calls it. */
static bool make_rules(struct states *s, struct lp_state_call *rules, struct lp_error *error)
{
	const struct lp_harness *h = &s->harness;
	uint32_t bits = 0;

	for (uint32_t m = 0; m < h->methods.count; m++) {
		const struct lp_harness_method *method = &h->methods.at[m];
		rules[m].role = method->role ? method->role : method->needs ? 0 : h->roles + 1;
		if (!method->needs)
			continue;
		if (bits == BITS)
			return lp_fail(error, "more than %d methods with LP_AFTER", BITS);
		const uint32_t bit = UINT32_C(1) << bits++;
		rules[m].needs = bit;
		for (uint32_t i = 0; i < method->needs; i++) {
			struct lp_state_call *giver = &rules[method->need[i].method];
			if (method->need[i].truth) {
				giver->gives_true |= bit;
			} else {
				giver->gives |= bit;
				giver->unless |= bit;
			}
		}
	}
	if (lp_task_given(&s->task, LP_OPT_ONCE) && bits == BITS)
		return lp_fail(error, "--once: %d methods have LP_AFTER, at most %d may", BITS, BITS - 1);
	s->once = lp_task_given(&s->task, LP_OPT_ONCE) ? UINT32_C(1) << bits : 0;
	return true;
}

static bool make_menu(struct states *s, struct lp_error *error)
{
	const struct lp_harness *h = &s->harness;
	struct lp_state_call rules[64] = { { 0 } };

	if (h->methods.count > 64)
		return lp_fail(error, "more than 64 methods");
	if (!make_rules(s, rules, error))
		return false;
	for (uint32_t m = 0; m < h->methods.count; m++) {
		add_method(s, m, &rules[m]);
		if (s->menu.calls.count > MOST_CALLS)
			return lp_fail(error, "more than %d calls with their arguments", MOST_CALLS);
	}
	return true;
}

/* Adds them behind all other calls, and returns their number. */
static uint32_t add_blocks(struct states *s, const struct lp_harness_blocks *blocks)
{
	for (uint32_t i = 0; i < blocks->count; i++)
		LP_PUSH(&s->menu.calls, ((struct lp_menu_call){ .body = blocks->at[i] }));
	return blocks->count;
}

/* One thread for each role, the others for what belongs to none. */
static bool share_out(struct states *s, struct lp_error *error)
{
	const struct lp_harness *h = &s->harness;
	struct lp_state_options *o = &s->options;

	if (o->processes < h->roles)
		return lp_fail(error, "--threads %u: the harness has %u roles, a thread each",
			       o->processes, h->roles);
	for (uint32_t i = 0; i < o->processes; i++)
		o->role[i] = i < h->roles ? i + 1 : h->roles + 1;
	return true;
}

/* ---- opening ---- */

static bool open_harness(struct states *s, struct lp_error *error)
{
	if (!lp_task_harness(&s->task, &s->harness, &s->own, error))
		return false;
	const char *several = lp_harness_gives_several(&s->harness);
	return !several || lp_fail(error, "%s gives several values: that is for `linchpin check`", several);
}

/* Only takes the option: the formula is parsed when the menu is complete. */
static bool take_formula(struct states *s, struct lp_error *error)
{
	if (lp_task_given(&s->task, LP_OPT_STATES_PROP))
		return lp_fail(error, "--ltl and --prop exclude each other");
	s->property = s->task.options->at[LP_OPT_LTL].text;
	s->options.antichains = false;
	return true;
}

static bool open_formula(struct states *s, struct lp_error *error)
{
	const enum lp_fairness fairness = lp_task_given(&s->task, LP_OPT_STRONGLY_FAIR) ? LP_STRONGLY_FAIR :
					  lp_task_given(&s->task, LP_OPT_FAIR) ? LP_WEAKLY_FAIR : LP_UNFAIR;

	if (!lp_task_given(&s->task, LP_OPT_LTL))
		return true;
	s->ltl = lp_states_ltl_open(s->property, fairness, &s->harness, &s->menu, s->options.processes, error);
	s->options.runs = s->ltl ? lp_states_ltl_runs(s->ltl) : NULL;
	return s->ltl != NULL;
}

/* How many calls of a thread are looked at together. */
static bool take_calls(struct states *s, struct lp_error *error)
{
	const uint32_t threads = s->options.processes, most = LP_SETTLED_CALLS / threads;
	const bool given = lp_task_given(&s->task, LP_OPT_CALLS);

	if (lp_spec_has_meetings(s->harness.spec))
		return lp_fail(error, "--prop %s: not for specifications whose calls take effect together", s->property);
	s->calls = given ? (uint32_t)lp_task_count(&s->task, LP_OPT_CALLS) : DEFAULT_CALLS < most ? DEFAULT_CALLS : most;
	if (s->calls && s->calls <= most)
		return true;
	return lp_fail(error, "--prop %s: %u threads with %u calls each: at most %d calls in all are possible", s->property, threads,
		       given ? s->calls : 1, LP_SETTLED_CALLS);
}

/* "linearizable", "quasi:dequeue=2,enqueue=0", or "lockfree" and the like. */
static bool take_property(struct states *s, struct lp_error *error)
{
	const char *text = s->task.options->at[LP_OPT_STATES_PROP].text;

	if (lp_task_given(&s->task, LP_OPT_LTL))
		return take_formula(s, error);
	if (lp_task_given(&s->task, LP_OPT_STRONGLY_FAIR))
		return lp_fail(error, "--strongly-fair is for --ltl");
	if (!lp_states_freedom(text, lp_task_given(&s->task, LP_OPT_FAIR), &s->options.freedom, error))
		return false;
	if (s->options.freedom != LP_ANY) {
		s->property = lp_freedom_name(s->options.freedom);
		s->options.antichains = false;
		return true;
	}
	s->property = text ? text : "linearizable";
	if (lp_task_given(&s->task, LP_OPT_CALLS) && !is_settled_late(s))
		return lp_fail(error, "--calls is for --prop sequential and --prop quiescent");
	if (is_settled_late(s))
		return take_calls(s, error);
	if (!text || !strcmp(text, "linearizable"))
		return true;
	assert(!strncmp(text, "quasi:", 6)); /* there are no others: options.def */
	s->relaxed = true;
	return lp_quasi_parse(&s->quasi, text + 6, s->harness.spec, error);
}

/* The product knows whether another call overlaps with one; the others do not. */
static bool takes_overlap(struct states *s, struct lp_error *error)
{
	const struct lp_spec *spec = s->harness.spec;
	const bool points = lp_native_has_points(&s->task.native) && !is_about_runs(s) && !lp_task_given(&s->task, LP_OPT_NO_POINTS);
	const char *refuses = !lp_spec_only_contended(spec) ? "states" : s->calls || s->relaxed ? s->property : points ? "LP_POINT" : NULL;

	return !refuses || lp_spec_refuse_overlap(spec, refuses, error);
}

/* Runs the set-up and the calls of LP_PRE; the specification follows. */
static bool open_processes(struct states *s, struct lp_error *error)
{
	const struct lp_harness *h = &s->harness;
	struct lp_client before = { .threads = 1, .calls = h->pre.count };

	if (!takes_overlap(s, error))
		return false;
	if (h->pre.count > LP_CLIENT_CALLS)
		return lp_fail(error, "LP_PRE: more than %d calls", LP_CLIENT_CALLS);
	for (uint32_t i = 0; i < h->pre.count; i++) {
		before.call[i].body = h->methods.at[h->pre.at[i].method].body;
		memcpy(before.call[i].arg, h->pre.at[i].arg, sizeof before.call[i].arg);
	}
	if (!lp_native_processes(&s->task.native, &before, s->menu.calls.at, s->menu.calls.count, &s->processes, error))
		return false;
	s->product = lp_product_open(h->spec, s->options.processes, s->menu.spec.at, s->menu.spec.count);
	if (s->relaxed)
		lp_product_relax(s->product, &s->quasi);
	else if (lp_native_has_points(&s->task.native) && !is_about_runs(s) &&
		 !s->calls && !lp_task_given(&s->task, LP_OPT_NO_POINTS))
		s->points = lp_points_open(h->spec, s->options.processes, s->menu.spec.at, s->menu.spec.count);
	if (s->calls)
		s->settled = lp_settled_open(h->spec, s->options.processes, s->menu.spec.at, s->calls,
					     !strcmp(s->property, "quiescent"));
	for (uint32_t i = 0; i < h->pre.count; i++) {
		const struct lp_harness_method *m = &h->methods.at[h->pre.at[i].method];
		struct lp_product_call call = { .method = m->spec_method, .args = m->args };
		int64_t result;
		memcpy(call.arg, h->pre.at[i].arg, sizeof call.arg);
		lp_native_call(&s->task.native, i, &result);
		if (!lp_product_before(s->product, &call, result) ||
		    (s->points && !lp_points_before(s->points, &call, result)) ||
		    (s->settled && !lp_settled_before(s->settled, &call, result)))
			return lp_fail(error, "the calls of LP_PRE, one after the other, do not give "
				       "what the specification says");
	}
	return true;
}

static bool report_progress(void *closure, const struct lp_progress *p)
{
	struct states *s = closure;
	struct lp_task *task = &s->task;

	task->line.disk_kb = s->spill.bytes / 1024;
	task->line.memory_kb = task->line.shown ? lp_memory_resident_kb() : 0;
	lp_progress_line_show(&task->line, &(struct lp_progress_made){ .executions = p->executions, .seconds = lp_task_seconds(task) });
	return !lp_interrupt_reason() && !lp_memory_look();
}

static void take_options(struct states *s)
{
	const struct lp_task *t = &s->task;

	s->values = lp_task_given(t, LP_OPT_VALUES) ? (uint32_t)lp_task_count(t, LP_OPT_VALUES) :
						      DEFAULT_VALUES;
	s->options = (struct lp_state_options){
		.processes = lp_task_given(t, LP_OPT_THREADS) ?
			     (uint32_t)lp_task_count(t, LP_OPT_THREADS) : DEFAULT_THREADS,
		.symmetry = t->explore.reduce.symmetry,
		.por = !lp_task_given(t, LP_OPT_NO_POR),
		.paths = !lp_task_given(t, LP_OPT_NO_POR),
		.antichains = !lp_task_given(t, LP_OPT_NO_ANTICHAINS),
		.shortest = !lp_task_given(t, LP_OPT_DEPTH_FIRST),
		.races_ignored = t->explore.races_ignored,
		.weak_fails = t->explore.weak_fails,
		.exact = lp_task_given(t, LP_OPT_EXACT),
		.gc = lp_task_given(t, LP_OPT_GC) || s->harness.gc,
		.levels = lp_task_given(t, LP_OPT_HTML) || lp_task_given(t, LP_OPT_JSON),
		.limits = t->explore.limits,
		.progress = report_progress,
		.closure = s,
	};
}

/* Several processes, forked or ranks of a job, search together. */
static bool take_jobs(struct states *s, struct lp_error *error)
{
	const uint32_t jobs = s->options.ranks ? lp_ranks_count(s->options.ranks) :
			      lp_task_given(&s->task, LP_OPT_JOBS) ? (uint32_t)lp_task_count(&s->task, LP_OPT_JOBS) : 1;
	const char *what = is_about_runs(s) ? "progress properties and formulae need the graph of all states in one process" :
			   s->relaxed ? "quasi-linearizability is checked by one process" :
			   is_settled_late(s) ? "sequential and quiescent consistency are checked by one process" :
			   s->options.exact ? "--exact stores all states in one process" :
			   !s->options.shortest ? "--depth-first is an order for one process" : NULL;

	s->options.jobs = jobs;
	return jobs < 2 || !what || lp_fail(error, "%s %u: %s", s->options.ranks ? "mpirun -n" : "-j", jobs, what);
}

static bool open_spill(struct states *s, struct lp_error *error)
{
	if (!lp_task_given(&s->task, LP_OPT_SPILL))
		return true;
	if (is_about_runs(s))
		return lp_fail(error, "--spill is for linearizable and quasi: progress and formulae need the graph of all states in memory");
	lp_memory_leave_out_files();
	s->options.spill = &s->spill;
	return lp_spill_open(&s->spill, s->task.options->at[LP_OPT_SPILL].text, lp_memory_limit_kb() * 1024, error);
}

static bool open_all(struct states *s, const struct lp_options *options, struct lp_error *error)
{
	if (!lp_task_can_write_test(options, error) || !lp_task_open_sc(&s->task, options, error) ||
	    !open_harness(s, error))
		return false;
	take_options(s);
	s->options.ranks = options->searching;
	if (lp_task_given(&s->task, LP_OPT_SHORTEST) && !s->options.shortest)
		return lp_fail(error, "--shortest and --depth-first exclude each other");
	if (!take_property(s, error) || !make_menu(s, error) || !share_out(s, error))
		return false;
	s->options.calls = s->menu.rule.at;
	s->options.call_count = s->menu.rule.count;
	s->options.invariants = add_blocks(s, &s->harness.invariants);
	s->options.teardowns = add_blocks(s, &s->harness.teardowns);
	return open_formula(s, error) && take_jobs(s, error) && open_spill(s, error) && open_processes(s, error);
}

/* ---- what comes out ---- */

/* Is it that a call does not return though the schedule is fair? */
static bool is_unfair(const struct states *s)
{
	return s->found.loop && lp_freedom_is_fair(s->options.freedom);
}

/* If the object is linearizable, it also has the weaker property, for calls without end.  If it is not, it may still have that
 * property.  Then a bounded number of calls of each thread is checked.  A violation that is found is real; without one, longer
 * runs remain undecided. */
static void explore_settled(struct states *s, const struct lp_state_monitor *linearizable)
{
	const struct lp_state_monitor monitor = lp_states_settled(s->settled);
	struct lp_state_options bounded = s->options;
	char text[256];

	s->by_specification = true;
	if (!lp_task_given(&s->task, LP_OPT_CALLS) && !s->options.given) {
		lp_explore_states(s->processes, linearizable, &s->options, &s->task.arena, &s->found, &s->counts);
		if (s->found.verdict == LP_VERIFIED ||
		    (s->found.verdict == LP_VIOLATION && s->found.kind != LP_ERROR_NOT_LINEARIZABLE))
			return;
	}
	const char *before = s->found.verdict == LP_INCONCLUSIVE && s->found.reason ? s->found.reason : "it is not linearizable";
	bounded.paths = bounded.antichains = false;
	lp_explore_states(s->processes, &monitor, &bounded, &s->task.arena, &s->found, &s->counts);
	if (s->found.verdict == LP_VIOLATION && s->found.kind == LP_ERROR_NOT_LINEARIZABLE)
		s->found.text = !strcmp(s->property, "quiescent") ?
			"no order of the calls since the last moment without open calls explains what they return" :
			"no order of the calls that keeps the order of each thread explains what they return";
	if (s->found.verdict != LP_VERIFIED || lp_task_given(&s->task, LP_OPT_CALLS))
		return;
	s->found.verdict = LP_INCONCLUSIVE;
	snprintf(text, sizeof text, "%s; with up to %u calls of each thread%s no violation was found (--calls %u), more calls are undecided",
		 before, s->calls, !strcmp(s->property, "quiescent") ? " between two moments without open calls" : "", s->calls);
	s->found.reason = lp_arena_strdup(&s->task.arena, text);
}

/* Progress does not depend on results.  But if a call does not return, the specification says whether it may wait. */
static void explore(struct states *s)
{
	const bool freedom = is_about_runs(s);
	const struct lp_state_monitor any = s->ltl ? lp_states_ltl_monitor(s->ltl) : lp_states_any_result;
	const struct lp_state_monitor monitor = lp_states_product(s->product);
	const struct lp_state_monitor points = lp_states_points(s->points);

	lp_task_begin(&s->task);
	s->task.line.unit = "states";
	s->options.limits.seconds = lp_states_retry_left(s->options.limits.seconds);
	if (freedom)
		lp_explore_states(s->processes, &any, &s->options, &s->task.arena, &s->found, &s->counts);
	s->by_specification = !freedom || is_unfair(s);
	if (s->settled)
		explore_settled(s, &monitor);
	else if (s->by_specification)
		lp_explore_states(s->processes, s->points ? &points : &monitor, &s->options, &s->task.arena, &s->found, &s->counts);
	if (s->found.verdict == LP_VERIFIED && !s->points && lp_product_is_tired(s->product)) {
		s->found.verdict = LP_INCONCLUSIVE;
		s->found.reason = "factors so large that it takes too long to see whether what is owed can come";
	}
	s->task.unconfirmed = s->found.verdict == LP_VIOLATION && s->counts.unconfirmed;
	lp_task_obey_memory(&s->found);
	lp_task_end(&s->task);
}

static bool has_needs(const struct states *s)
{
	for (uint32_t m = 0; m < s->harness.methods.count; m++)
		if (s->harness.methods.at[m].needs)
			return true;
	return false;
}

static void fill_scope(struct states *s)
{
	const struct lp_product_counts p = s->points ? lp_points_counts(s->points) :
						       lp_product_counts(s->product);
	size_t bytes;
	const uint32_t locals = lp_native_locals(s->processes, &bytes);
	bool values = false;

	for (uint32_t m = 0; m < s->harness.methods.count; m++)
		for (uint32_t a = 0; a < s->harness.methods.at[m].args; a++)
			values |= s->harness.methods.at[m].mode[a] != LP_ARG_FIXED;
	if (s->by_specification)
		lp_task_scope(&s->task, "specification", "%s", s->harness.spec_text);
	lp_task_scope(&s->task, "property", "%s", s->property);
	if (!strncmp(s->property, "quasi:", 6))
		lp_task_scope(&s->task, "quasi", "%s", LP_QUASI_READING);
	if (s->ltl)
		lp_task_scope(&s->task, "automaton", "%u states", lp_states_ltl_size(s->ltl));
	char unseen[512];
	if (s->ltl && s->options.jobs <= 1 && *lp_states_ltl_unseen(s->ltl, unseen, sizeof unseen))
		lp_task_scope(&s->task, "never true", "%s", unseen);
	if (s->ltl && s->options.runs->fairness == LP_STRONGLY_FAIR)
		lp_task_scope(&s->task, "schedules", "all in which a thread takes steps again and again if it can again and again");
	else if (is_about_runs(s))
		lp_task_scope(&s->task, "schedules", "%s", lp_freedom_is_fair(s->options.freedom) ||
			      (s->ltl && s->options.runs->fairness) ?
			      "all that pass no thread over forever while it is in a call" : "all");
	if (s->calls && lp_task_given(&s->task, LP_OPT_CALLS))
		lp_task_scope(&s->task, "threads", "%u, each making up to %u calls%s", s->options.processes, s->calls,
			      !strcmp(s->property, "quiescent") ? " between two moments without open calls" : "");
	else
		lp_task_scope(&s->task, "threads", "%u, each calling forever", s->options.processes);
	lp_task_scope(&s->task, "calls", "%u different ones", s->menu.rule.count);
	if (values)
		lp_task_scope(&s->task, "arguments", "1 .. %u where the harness gives no values%s",
			      s->values, s->once ? "; 1 is inserted at most once" : "");
	if (has_needs(s))
		lp_task_scope(&s->task, "clients", "a call that allows another is made again only "
			      "when that has been made");
	if (!s->options.por || (!s->options.antichains && !is_about_runs(s)))
		lp_task_scope(&s->task, "without", "%s%s", s->options.por ? "" : " por",
			      s->options.antichains || is_about_runs(s) ? "" : " antichains");
	if (s->options.invariants || s->options.teardowns)
		lp_task_scope(&s->task, "between calls", "%s%s%s%s",
			      s->options.invariants ? "the invariant is asked" : "",
			      s->options.invariants && s->options.teardowns ? "; " : "",
			      !s->options.teardowns ? "" : s->counts.no_teardown ?
			      "no tear-down is tried: " : "the tear-down is tried",
			      s->counts.no_teardown ? s->counts.no_teardown : "");
	if (s->options.gc)
		lp_task_scope(&s->task, "garbage", "unreachable memory is reclaimed");
	lp_task_scope(&s->task, "local states", "%u; %u words of memory", locals,
		      s->counts.locations);
	if (s->points)
		lp_task_scope(&s->task, "points", "calls take effect where the object says; %" PRIu64
			      " situations", p.sets);
	else if (s->by_specification)
		lp_task_scope(&s->task, "sets", "%" PRIu64 " of %" PRIu64 " ways", p.sets, p.ways);
	lp_task_scope(&s->task, "transitions", "%" PRIu64 ", %" PRIu64 " to states covered; "
		      "begun %u times", s->counts.transitions, s->counts.covered, s->counts.begun);
	if (s->options.jobs > 1)
		lp_task_scope(&s->task, "processes", "%u, which share the states of all distances that have many", s->options.jobs);
	lp_task_scope(&s->task, "bytes", "%" PRIu64 " a state in the table%s",
		      s->counts.states ? s->counts.bytes / s->counts.states : 0,
		      s->options.exact ? ", stored whole" : "");
	if (s->spill.most)
		lp_task_scope(&s->task, "spilled", "%" PRIu64 " MB to '%s' at most", s->spill.most >> 20, s->spill.folder);
	else if (s->options.spill)
		lp_task_scope(&s->task, "spilled", "nothing: all states fit into memory");
}

/* The two accesses of a race are both next. */
static const char *why_they_race(struct states *s, const struct lp_result_violation *v)
{
	const struct lp_result_step *first = &v->steps[v->race[0] - 1], *second = &v->steps[v->race[1] - 1];
	char text[512];

	snprintf(text, sizeof text, "T%u and T%u are about to access %s at the same time, and nothing makes one of them wait: a lock that both "
		 "hold would, or accesses that are all atomic", first->thread, second->thread, second->location ? second->location : "it");
	return lp_arena_strdup(&s->task.arena, text);
}

/* What the harness may have forgotten; or NULL. */
static const char *blame(struct states *s)
{
	uint32_t count;
	const struct lp_states_call *calls = lp_states_calls(&s->found, s->options.processes, &s->task.arena, &count);
	struct lp_blame_call *blamed = lp_arena_alloc(&s->task.arena, sizeof *blamed * (count + 1));

	for (uint32_t i = 0; i < count; i++)
		blamed[i] = (struct lp_blame_call){ .thread = calls[i].thread, .method = s->menu.method.at[calls[i].call],
						    .returned = calls[i].ends != LP_STEP_NONE, .result = calls[i].result };
	return lp_blame_after(&s->harness, blamed, count, &s->task.arena);
}

/* The client, the steps, and why that is wrong. */
static const struct lp_result_violation *show_violation(struct states *s, const struct lp_result *r)
{
	struct lp_result_violation *v = lp_arena_alloc(&s->task.arena, sizeof *v);
	const bool wrong = s->found.kind == LP_ERROR_NOT_LINEARIZABLE;
	struct lp_result_client *client =
		lp_states_view(&s->found, &s->harness, &s->menu, s->options.processes, &s->task.arena);

	*v = *r->violation;
	if (wrong && !s->points && !strcmp(s->property, "linearizable"))
		lp_states_why(&s->found, &s->harness, &s->menu, s->options.processes, &s->task.arena, client);
	v->client = client;
	v->steps = lp_states_steps(&s->found, v, &s->harness, &s->menu, &s->task.arena);
	if (v->race[0] && v->race[1])
		v->why = why_they_race(s, v);
	if (wrong && !s->points)
		v->where = NULL; /* it is all of them together */
	return v;
}

static const char *adjective(const struct states *s)
{
	return !s->calls ? s->property : lp_property_claim(*s->property == 's' ? LP_SEQUENTIAL : LP_QUIESCENT, NULL);
}

static const char *what_threads_do(struct states *s)
{
	char text[128];

	if (!s->calls || !lp_task_given(&s->task, LP_OPT_CALLS))
		return "call it forever";
	snprintf(text, sizeof text, "make up to %u calls each%s", s->calls,
		 !strcmp(s->property, "quiescent") ? " between two moments without open calls" : "");
	return lp_arena_strdup(&s->task.arena, text);
}

static void fill_result(struct states *s, struct lp_result *r)
{
	char claim[512];

	lp_task_result(&s->task, &s->found, r);
	r->counts.states = s->counts.states;
	r->counts.levels = s->counts.levels;
	r->counts.level_count = s->counts.level_count;
	r->question.prop = s->property;
	const bool runs = is_about_runs(s);
	snprintf(claim, sizeof claim, "'%s' %s %s%s%s%s for %u threads that %s",
		 s->task.file, s->ltl ? "satisfies" : "is", runs ? "" : "a ", adjective(s),
		 runs ? "" : " ", runs ? "" : s->harness.spec_text, s->options.processes, what_threads_do(s));
	r->question.claim = lp_arena_strdup(&s->task.arena, claim);
	if (!r->violation)
		return;
	r->violation = show_violation(s, r);
	if (s->found.kind == LP_ERROR_NOT_LINEARIZABLE && s->points)
		r->hint = "perhaps the linearization points are wrong, and not the object: "
			  "--no-points tries all";
	else if (r->verdict == LP_RESULT_VIOLATION)
		r->hint = blame(s);
}

/* What was asked to be written besides the report. */
static void write_files(struct states *s, struct lp_result *r)
{
	struct lp_trace trace = { .command = "states", .thread = s->found.thread };
	const bool endless = s->found.loop || s->found.kind == LP_ERROR_FORMULA;

	lp_task_trace(&s->task, &s->found, &trace);
	if (r->verdict != LP_RESULT_VIOLATION || !lp_task_given(&s->task, LP_OPT_EMIT_TEST))
		return;
	const struct lp_result_violation *shown = r->violation;
	struct lp_result_violation tested = *shown;
	tested.client = lp_states_test_client(shown->client, &s->harness, &s->menu,
					      s->found.kind == LP_ERROR_DEADLOCK ? s->found.thread : 0, &s->task.arena);
	r->violation = &tested;
	if (endless)
		r->hint = "no test was written: what is wrong takes calls without end";
	else
		lp_task_write_test(&s->task, r);
	r->violation = shown;
}

int lp_cli_states(const struct lp_options *options)
{
	return lp_states_run(options, NULL, NULL);
}

int lp_states_run(const struct lp_options *options, const struct lp_exploration *given, bool *same)
{
	struct states s = { .processes = NULL };
	struct lp_error error = { .hint = "" };
	struct lp_result result;
	int status = LP_EXIT_VERIFIED;

	if (open_all(&s, options, &error)) {
		s.task.replayed = given;
		s.options.given = given;
		explore(&s);
		if (s.counts.lost && !s.options.ranks && !lp_interrupt_reason())
			lp_states_retry(options, s.task.start);
		if (s.options.ranks && lp_ranks_self(s.options.ranks))
			goto close; /* rank 0 shows the result, and its status is that of the job */
		lp_coverage_take(&s.task, &s.harness);
		fill_result(&s, &result);
		write_files(&s, &result);
		fill_scope(&s);
		if (same)
			*same = s.found.verdict == LP_VIOLATION;
		status = lp_task_show(&s.task, &result);
	} else {
		status = lp_deliver_error(options, &error);
	}
close:
	lp_native_processes_close(s.processes);
	lp_states_ltl_close(s.ltl);
	lp_product_close(s.product);
	lp_points_close(s.points);
	lp_settled_close(s.settled);
	lp_free(s.menu.calls.at);
	lp_free(s.menu.spec.at);
	lp_free(s.menu.method.at);
	lp_free(s.menu.rule.at);
	lp_harness_close(&s.harness);
	if (s.own)
		dlclose(s.own);
	lp_task_close(&s.task);
	return status;
}
