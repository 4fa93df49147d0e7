/* check_clients.c -- the clients of an object, explored one after the other.
 *
 * For each client of the plan, smallest first, every execution is explored and judged.  The
 * first wrong execution ends the check.
 *
 * If there are several clients of a size, each of them is first explored briefly.  Most clients have no more
 * executions than that.  An error is usually found within a few executions of the client that shows it, while other
 * clients may have millions of executions.
 */
#include "verify/task/check_object.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/program/check_program.h"
#include "base/error.h"
#include "base/hash.h"
#include "verify/blame.h"
#include "explore/parallel/team.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "report/trace.h"
#include "verify/gap.h"
#include "verify/interrupt.h"
#include "verify/passes_on.h"
#include "verify/orders/mend.h"
#include "verify/checkpoint/checkpoint.h"
#include "verify/task/doubts.h"
#include "verify/task/own_spec.h"
#include "verify/task/write_test.h"
#include "verify/usage.h"
#include "verify/view/client_view.h"
#include "verify/view/convert_waits.h"

enum { DEFAULT_CALLS = 4, EXECUTIONS_TO_SHRINK = 30000, CLIENTS_TO_COUNT = 100000,
       EXECUTIONS_TO_LOOK = 1000 };
static const double SECONDS_TO_SHRINK = 10; /* so that it is by executions, mostly */

void lp_check_add(struct lp_check *c, const struct lp_exploration *e)
{
	const struct lp_exploration before = c->total;

	c->total = *e;
	c->total.executions += before.executions;
	c->total.blocked += before.blocked;
	c->total.abandoned += before.abandoned;
	c->total.cut += before.cut;
	c->total.distinct += before.distinct;
	if (e->verdict == LP_VERIFIED)
		c->total.estimate = (double)c->total.executions;
}

/* What is found is judged once more afterwards, without a limit. */
static void explore(struct lp_check *c, struct lp_exploration *e)
{
	const double seconds = c->task.explore.limits.seconds;

	c->judge.deadline = seconds > 0 ? lp_usage_seconds() + seconds : 0;
	c->judge.patient = c->task.explore.limits.keep;
	c->judge.since = 0;
	lp_clients_ask(c->judge.clients, lp_judge_goes_on, &c->judge);
	lp_fit_ask(&c->fit, lp_judge_goes_on, &c->judge);
	c->refines.go_on = lp_judge_goes_on;
	c->refines.closure = &c->judge;
	lp_task_explore(&c->task, e);
	c->refines.go_on = NULL;
	lp_clients_ask(c->judge.clients, NULL, NULL);
	lp_fit_ask(&c->fit, NULL, NULL);
}

/* The violation that was found need not be the smallest one of this client.  Measures all violations, for a while, and
 * then searches for one of the smallest size.  If time runs out, or the user interrupts, the first violation is kept. */
static void shrink(struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options options = c->task.explore;
	const struct lp_exploration first = *e;
	struct lp_exploration again = { 0 };

	snprintf(c->task.line.phase, sizeof c->task.line.phase, "it is wrong; looking for a smaller execution");
	c->task.explore.jobs = 1;
	c->task.explore.team = NULL;
	c->task.explore.limits.seconds = SECONDS_TO_SHRINK;
	c->task.explore.limits.executions = EXECUTIONS_TO_SHRINK;
	c->task.explore.reduce.silent_rmw = c->task.explore.reduce.undone = false; /* otherwise violations could appear smaller than they are, or be infeasible */
	c->judge.mode = LP_JUDGE_MEASURE;
	explore(c, &again);
	c->judge.mode = LP_JUDGE_SMALLEST;
	c->task.explore.limits.executions = 0;
	c->task.explore.limits.seconds = 2 * SECONDS_TO_SHRINK + 1;
	explore(c, &again);
	c->judge.mode = LP_JUDGE_FIRST;
	c->task.explore = options;
	if (again.verdict != LP_VIOLATION)
		return;
	*e = again;
	e->executions = first.executions;
	e->blocked = first.blocked;
	e->abandoned = first.abandoned;
	e->cut = first.cut;
}

/* Synchronisation is missing: are there executions with the same results that have it? */
static void compare(struct lp_check *c)
{
	const struct lp_explore_options options = c->task.explore;
	struct lp_exploration ignored = { 0 };

	c->fit.like = c->judge.observation;
	c->task.explore.limits.seconds = SECONDS_TO_SHRINK;
	c->task.explore.limits.executions = EXECUTIONS_TO_SHRINK;
	c->judge.mode = LP_JUDGE_COMPARE;
	explore(c, &ignored);
	c->judge.mode = LP_JUDGE_FIRST;
	c->task.explore = options;
}

bool lp_check_is_judged(const struct lp_exploration *e)
{
	return e->verdict == LP_VIOLATION &&
	       (e->kind == LP_ERROR_NOT_LINEARIZABLE || e->kind == LP_ERROR_NOT_REFINED || e->kind == LP_ERROR_NOT_SYNCHRONISED ||
		e->kind == LP_ERROR_NOT_DEMANDED ||
		e->kind == LP_ERROR_STUCK);
}

/* "client 12 of 40, 3 calls", for the progress line. */
static void tell_phase(struct lp_check *c)
{
	const uint32_t calls = c->client.client.calls - c->client.pre;
	char which[40] = "", all[16] = "";

	if (c->planned > 1)
		snprintf(all, sizeof all, " of %" PRIu32, c->planned);
	if (c->planned != 1)
		snprintf(which, sizeof which, "client %" PRIu32 "%s, ", c->clients, all);
	snprintf(c->task.line.phase, sizeof c->task.line.phase, "%s%" PRIu32 " call%s", which, calls,
		 calls == 1 ? "" : "s");
	/* Those to come have as many calls, or more. */
	const double now = lp_task_seconds(&c->task);
	if (c->of_largest == 1)
		c->pace.since = now;
	else
		c->pace.each = (now - c->pace.since) / (c->of_largest - 1);
	c->task.line.more = c->planned > c->clients ? (c->planned - c->clients) * c->pace.each : c->planned ? 0 : -1;
}

static void count_client(struct lp_check *c, const struct lp_plan_client *client)
{
	const uint32_t calls = client->client.calls - client->pre;

	c->clients++;
	c->of_largest = calls > c->largest ? 1 : c->of_largest + 1;
	c->largest = calls > c->largest ? calls : c->largest;
}

void lp_check_client(struct lp_check *c, const struct lp_plan_client *client)
{
	c->client = *client;
	c->judge.client = &c->client.client;
	c->judge.pre = client->pre;
	for (uint32_t i = 0; i < client->client.calls; i++)
		c->judge.method[i] = c->harness.methods.at[client->method[i]].spec_method;
	lp_native_client(&c->task.native, &c->client.client);
	count_client(c, client);
	tell_phase(c);
	lp_check_program_client(c, client);
}

/* Were all samples of the client taken?  This is not a limit that ends the check: the next client has its own samples. */
static bool was_sampled(struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options *o = &c->task.explore;
	char text[128];

	if (!o->sampling.executions || e->verdict != LP_INCONCLUSIVE || e->kind || e->executions + e->blocked < o->sampling.executions)
		return false;
	snprintf(text, sizeof text, "sampled %" PRIu64 " executions of each client at random (seed %" PRIu64
		 ")", o->sampling.executions, o->sampling.seed);
	e->reason = lp_arena_strdup(&c->task.arena, text);
	return true;
}

/* If waiting is not recognised, a call that waits, perhaps rightly, looks like an endless loop. */
static void excuse_waiting(const struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options *o = &c->task.explore;

	if (o->reduce.spin || o->limits.steps || e->verdict != LP_VIOLATION || e->kind != LP_ERROR_ENDLESS)
		return;
	e->verdict = LP_INCONCLUSIVE;
	e->kind = LP_ERROR_UNSUPPORTED;
	e->reason = e->text = "with --no-spin, a loop that waits is not told from one that never ends";
}

/* If no time is left, the next look at the clock ends the exploration. */
static void set_time_left(struct lp_check *c)
{
	const double left = c->deadline - lp_task_seconds(&c->task);

	c->task.explore.limits.seconds = left > 0.001 ? left : 0.001;
}

/* Is a brief look at all clients of a size useful?  Not if something else limits the exploration, or counts as it proceeds. */
static bool can_look(const struct lp_check *c)
{
	const struct lp_explore_options *o = &c->task.explore;

	return !c->quick && !c->judge.fit && !c->program.file && !o->sampling.executions && !lp_is_bounded(o) && !o->limits.blocked;
}

/* Explores a few executions of the client, in one process; with several machines that is the first one.  True if that was all. */
static bool look(struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options options = c->task.explore;
	const uint64_t limit = options.limits.executions;

	c->task.explore.jobs = 1;
	c->task.explore.team = NULL;
	c->task.explore.limits.executions = limit && limit < EXECUTIONS_TO_LOOK ? limit : EXECUTIONS_TO_LOOK;
	c->task.explore.limits.blocked = EXECUTIONS_TO_LOOK;
	if (!lp_task_follows(&c->task))
		explore(c, e);
	c->task.explore = options;
	bool all = e->verdict != LP_INCONCLUSIVE || e->kind || (limit && e->executions >= limit) ||
		   (e->executions < EXECUTIONS_TO_LOOK && e->blocked + e->abandoned < EXECUTIONS_TO_LOOK);
	lp_team_share(options.team, c->task.native.program, e, &all);
	return all;
}

/* Larger clients treat like calls as interchangeable.  An object may inspect its arguments nevertheless, and small
 * clients reveal that. */
static bool is_symmetric(const struct lp_check *c)
{
	return c->task.explore.reduce.symmetry && c->client.client.calls - c->client.pre > LP_CALLS_WITHOUT_SYMMETRY &&
	       (!c->program.file || c->program.is_even);
}

void lp_check_try(struct lp_check *c, struct lp_exploration *e)
{
	const bool symmetry = c->task.explore.reduce.symmetry;

	c->task.explore.reduce.symmetry = is_symmetric(c);
	*e = (struct lp_exploration){ 0 };
	if (c->program.file && !c->refines.runs)
		*e = (struct lp_exploration){ .verdict = LP_INCONCLUSIVE, .kind = LP_ERROR_UNSUPPORTED, .reason = "the specification has no executions to compare with" };
	else
		explore(c, e);
	excuse_waiting(c, e);
	c->task.explore.reduce.symmetry = symmetry;
}

/* If this client is the one that the checkpoint continues, the counts of the clients before it are those of the
 * checkpoint, since they were not explored here. */
static void adopt_counts(struct lp_check *c, const struct lp_checkpoint_totals *t)
{
	struct lp_exploration *sum = &c->total;

	sum->executions = t->executions;
	sum->blocked = t->blocked;
	sum->abandoned = t->abandoned;
	sum->cut = t->cut;
	sum->distinct = t->distinct;
	c->program.tells_apart |= t->tells_apart;
}

/* Tells the checkpoint which clients come before this one, or takes their counts from it, if another process has
 * explored them. */
static void begin_checkpoint(struct lp_check *c)
{
	const struct lp_exploration *sum = &c->total;
	struct lp_checkpoint_totals t = { c->clients - 1, sum->executions, sum->blocked, sum->abandoned, sum->cut, sum->distinct, c->learned.tells_apart,
					  c->learned.inspects, c->program.tells_apart, 0 };

	lp_checkpoint_begin(c->task.checkpoint, &t);
	adopt_counts(c, &t);
}

/* A brief look at the client.  False if it has more executions than that: then it does not count as explored. */
static bool look_first(struct lp_check *c, struct lp_exploration *e)
{
	if (lp_checkpoint_reaches(c->task.checkpoint, c->clients - 1))
		adopt_counts(c, &c->task.checkpoint->from);
	LP_PUSH(&c->looks, !look(c, e));
	if (LP_LAST(&c->looks)) {
		c->clients--;
		c->of_largest--;
		c->looks.left++;
		return false;
	}
	if (e->verdict == LP_INCONCLUSIVE) { /* interrupted, or out of time */
		begin_checkpoint(c);
		lp_checkpoint_end(c->task.checkpoint, e);
	}
	return true;
}

enum { CALLS_OF_SMALL = 4, CLIENTS_TO_REPEAT = 64 };

/* Of small clients and of large ones, those with the most calls are kept: they contain the others. */
static void keep_to_repeat(struct lp_check *c, const struct lp_plan_client *client, uint64_t executions)
{
	const struct lp_explored_client explored = { *client, executions };

	struct lp_plan_clients *kept = client->client.calls - client->pre <= CALLS_OF_SMALL ? &c->learned.small : &c->learned.large;

	if (kept->count && kept->at[0].client.client.calls < client->client.calls)
		kept->count = 0;
	if (kept->count < CLIENTS_TO_REPEAT)
		LP_PUSH(kept, explored);
	else if (lp_mix(c->clients) % c->of_largest < CLIENTS_TO_REPEAT) /* each is kept with the same probability */
		kept->at[lp_mix(c->clients) % c->of_largest] = explored;
}

/* Explores one client.  False if the check ends here. */
static bool explore_client(void *closure, const struct lp_plan_client *client)
{
	struct lp_check *c = closure;
	struct lp_exploration e = { 0 };
	const uint32_t number = c->looks.number++;

	if (c->looks.phase == LP_LOOK_REST) {
		if (!c->looks.at[number])
			return true; /* it was finished */
		c->looks.left--;
	}
	/* Brief looks are not worth keeping: they are repeated. */
	if (c->looks.phase != LP_LOOK_BRIEFLY && lp_checkpoint_passes_over(c->task.checkpoint, c->clients)) {
		count_client(c, client);
		keep_to_repeat(c, client, 0);
		return true;
	}
	lp_check_client(c, client);
	if (c->program.file && !c->refines.runs)
		return lp_check_program_gives_up(c);
	const bool symmetry = c->task.explore.reduce.symmetry;
	c->task.explore.reduce.symmetry = is_symmetric(c);
	if (c->looks.phase == LP_LOOK_BRIEFLY) {
		if (!look_first(c, &e)) {
			c->task.explore.reduce.symmetry = symmetry;
			return true;
		}
	} else {
		begin_checkpoint(c);
		explore(c, &e);
		lp_checkpoint_end(c->task.checkpoint, &e);
	}
	excuse_waiting(c, &e);
	const bool more = was_sampled(c, &e);
	if (!c->quick && lp_check_is_judged(&e) && !c->task.explore.sampling.executions && !lp_is_bounded(&c->task.explore))
		shrink(c, &e);
	if (!c->quick)
		lp_task_spare_failures(&c->task, &e);
	if (c->judge.fit && e.verdict == LP_VIOLATION && e.kind == LP_ERROR_NOT_SYNCHRONISED)
		compare(c);
	lp_task_confirm(&c->task, &e);
	c->task.explore.reduce.symmetry = symmetry;
	lp_check_add(c, &e);
	if (c->task.explore.limits.seconds > 0)
		set_time_left(c);
	c->cut = e.verdict != LP_VERIFIED && !more;
	if (!c->cut)
		keep_to_repeat(c, client, e.executions);
	return !c->cut;
}

static bool count_planned(void *closure, const struct lp_plan_client *client)
{
	uint32_t *count = closure;

	(void)client;
	return ++*count < CLIENTS_TO_COUNT;
}

/* How many clients the plan has, for the progress line; if they are too many, they are not
 * counted. */
static uint32_t count_clients(const struct lp_plan *plan, uint32_t calls, const uint32_t *multiset)
{
	uint32_t count = 0;
	struct lp_plan dry = *plan;

	dry.visit = count_planned;
	dry.closure = &count;
	return (multiset ? lp_plan_multiset(&dry, multiset) : lp_plan_sizes(&dry, calls)) ? count : 0;
}

/* Explores the clients with these calls, or with that many calls.  False if the check ends with one of them. */
static bool visit_clients(const struct lp_plan *plan, uint32_t size, const uint32_t *multiset)
{
	return multiset ? lp_plan_multiset(plan, multiset) : lp_plan_size(plan, size);
}

static bool count_to_two(void *closure, const struct lp_plan_client *client)
{
	uint32_t *count = closure;

	(void)client;
	return ++*count < 2;
}

/* Explores them: first all of them briefly, if they are several, and then those that are not finished. */
static bool explore_clients(struct lp_check *c, const struct lp_plan *plan, uint32_t size, const uint32_t *multiset)
{
	uint32_t count = 0;
	struct lp_plan dry = *plan;

	dry.visit = count_to_two;
	dry.closure = &count;
	visit_clients(&dry, size, multiset);
	c->looks.number = c->looks.count = c->looks.left = 0;
	c->looks.phase = count > 1 && can_look(c) ? LP_LOOK_BRIEFLY : LP_LOOK_WHOLE;
	if (!visit_clients(plan, size, multiset))
		return false;
	if (!c->looks.left)
		return true;
	c->looks.phase = LP_LOOK_REST;
	c->looks.number = 0;
	return visit_clients(plan, size, multiset);
}

static bool explore_schedules(struct lp_check *c, const struct lp_plan *plan, struct lp_error *error)
{
	const char *text = c->task.options->at[LP_OPT_SCHEDULES].text;

	if (!lp_schedules_parse(&c->harness, text, &c->schedules, error) ||
	    !lp_schedules_fit(plan, &c->schedules, error))
		return false;
	lp_task_begin(&c->task);
	lp_plan_schedules(plan, &c->schedules, &c->schedule_count);
	return true;
}

bool lp_check_enumerate(struct lp_check *c, lp_check_visit *visit, void *closure, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;
	const struct lp_option_value *ops = &o->at[LP_OPT_OPS], *client = &o->at[LP_OPT_CLIENT];
	struct lp_plan plan = { .harness = &c->harness, .visit = visit, .closure = closure,
				.pre = (uint32_t)lp_task_count(&c->task, LP_OPT_PRE),
				.shapes = c->task.native.findings.identity,
				.numbered = c->task.native.findings.numbered };
	uint32_t count[64];
	char *end = NULL;
	const unsigned long size = ops->given ? strtoul(ops->text, &end, 10) : DEFAULT_CALLS;

	if (c->harness.methods.count > 32)
		return lp_fail(error, "more than 32 methods");
	if (!lp_plan_has_room(&plan, error))
		return false;
	if (client->given + ops->given + o->at[LP_OPT_SCHEDULES].given > 1)
		return lp_fail(error, "--client, --ops and --schedules exclude each other");
	if (o->at[LP_OPT_SCHEDULES].given)
		return explore_schedules(c, &plan, error);
	if (client->given) {
		struct lp_harness_calls calls = { 0 };
		const bool good = lp_harness_calls(&c->harness, client->text, &calls, error) &&
				  (calls.count <= LP_PLAN_CALLS ||
				   lp_fail(error, "--client: more than %d calls", LP_PLAN_CALLS));
		if (good) {
			lp_task_begin(&c->task);
			lp_plan_one(&plan, &calls);
		}
		lp_free(calls.at);
		return good;
	}
	if (ops->given && *end) {
		if (!lp_plan_parse(&c->harness, ops->text, count, error))
			return false;
		c->planned = count_clients(&plan, 0, count);
		lp_task_begin(&c->task);
		explore_clients(c, &plan, 0, count);
		return c->clients || lp_fail(error, "--ops %s: the harness does not let any client make these calls", ops->text);
	}
	if (!size || size > LP_PLAN_CALLS)
		return lp_fail(error, "--ops %s: from 1 to %d calls, or METHOD=N,... is expected",
			       ops->text, LP_PLAN_CALLS);
	c->planned = count_clients(&plan, (uint32_t)size, NULL);
	lp_task_begin(&c->task);
	for (uint32_t calls = 1; calls <= size && explore_clients(c, &plan, calls, NULL); calls++)
		;
	return c->clients || lp_fail(error, "the harness does not let any client make a call");
}

/* Explores everything from the beginning, in the time that is left. */
static void restart(struct lp_check *c)
{
	const bool again = c->clients;

	c->clients = c->largest = c->of_largest = 0;
	c->looks.phase = LP_LOOK_WHOLE;
	c->looks.left = 0;
	c->learned.small.count = c->learned.large.count = 0;
	c->cut = false;
	c->total = (struct lp_exploration){ 0 };
	c->task.unconfirmed = false;
	if (again && c->deadline > 0)
		set_time_left(c);
}

/* The object was seen to tell its callers apart: calls are no longer alike, and may share threads. */
static void share_threads(struct lp_check *c)
{
	c->learned.tells_apart = true;
	c->task.native.findings.identity = true;
	c->task.explore.reduce.symmetry = false;
}

bool lp_check_was_mistaken(struct lp_check *c)
{
	if (c->task.native.findings.identity ||
	    !(lp_native_tells_apart(&c->task.native) || c->program.tells_apart))
		return false;
	share_threads(c);
	return true;
}

/* The object was seen to look at arguments that it should only pass on, or to do more with them than to compare them for equality: they
 * may be compared in any way. */
static void try_all_orders(struct lp_check *c)
{
	c->learned.inspects = true;
	for (uint32_t m = 0; m < c->harness.methods.count; m++)
		for (uint32_t a = 0; a < LP_CLIENT_ARGS; a++)
			if (c->harness.methods.at[m].mode[a] == LP_ARG_OPAQUE || c->harness.methods.at[m].mode[a] == LP_ARG_EQUAL)
				c->harness.methods.at[m].mode[a] = LP_ARG_ORDERED;
}

/* Does the object only pass arguments on, and a specification that is a program, too? */
static bool both_pass_on(struct lp_check *c, const struct lp_plan_client *client, struct lp_passes_effort effort, uint64_t *spent)
{
	return lp_passes_on(&c->task.native, &c->task.explore, &c->harness, client, effort, spent) &&
	       (!c->program.file || lp_program_spec_passes_on(&c->program, &c->harness, client, effort, spent));
}

static bool is_interrupted(const struct lp_check *c)
{
	return lp_interrupt_reason() && !c->task.explore.team;
}

/* Are arguments only passed on in executions of these clients?  The repetitions are distributed among the clients. */
static bool passes_on(struct lp_check *c, const struct lp_plan_clients *clients, uint64_t repetitions)
{
	uint64_t spent = 0;

	for (uint32_t i = 0; i < clients->count && !is_interrupted(c); i++) {
		const uint64_t left = repetitions > spent ? repetitions - spent : 0, share = 12 + left / (clients->count - i);
		const struct lp_passes_effort effort = { .executions = share / 4 < 60 ? share / 4 : 60, .repetitions = share / 2, .known = clients->at[i].executions };
		if (!both_pass_on(c, &clients->at[i].client, effort, &spent))
			return false;
	}
	return true;
}

/* Checks whether the object only passes arguments on, if the specification says so.  If not, all clients must be explored again. */
static bool inspects_arguments(struct lp_check *c)
{
	const struct lp_told_apart told = c->task.native.program->told_apart;
	const bool concerned = c->task.native.program->main_concerned;
	/* The effort is small beside that of exploring the clients. */
	const uint64_t repetitions = 2000 + c->total.executions / 40;

	if (c->learned.inspects || c->quick || c->task.explore.sampling.executions)
		return false;
	/* Calls that the user gives with their values only matter if they are treated as alike. */
	if (c->task.options->at[LP_OPT_CLIENT].given && !c->task.explore.reduce.symmetry)
		return false;
	const bool passes = passes_on(c, &c->learned.small, repetitions) && passes_on(c, &c->learned.large, repetitions);
	c->task.native.program->told_apart = told;
	c->task.native.program->main_concerned = concerned;
	if (passes && is_interrupted(c)) { /* perhaps before it was seen that they are not */
		c->total.verdict = LP_INCONCLUSIVE;
		c->total.reason = lp_interrupt_reason();
	}
	if (passes)
		return false;
	try_all_orders(c);
	if (!c->task.options->at[LP_OPT_SCHEDULES].given)
		return true;
	c->total.verdict = LP_INCONCLUSIVE;
	c->total.reason = "the object looks at its arguments, and --schedules only tries different ones";
	return false;
}

bool lp_check_explore(struct lp_check *c, struct lp_error *error)
{
	const struct lp_checkpoint *from = c->task.checkpoint && c->task.checkpoint->resumes ? c->task.checkpoint : NULL;

	if (from && from->from.mistaken)
		share_threads(c);
	if (from && from->from.inspects)
		try_all_orders(c);
	do {
		restart(c);
		if (!lp_check_enumerate(c, explore_client, c, error))
			return false;
		lp_task_end(&c->task);
		if (c->program.file && c->program.verdict == LP_PROGRAM_WRONG)
			return lp_fail(error, "the specification '%s' is wrong itself: %s", c->program.file, c->program.text);
	} while (c->total.verdict == LP_VERIFIED && (lp_check_was_mistaken(c) || inspects_arguments(c)));
	return lp_checkpoint_finish(c->task.checkpoint, &c->total, error) || c->cut;
}
