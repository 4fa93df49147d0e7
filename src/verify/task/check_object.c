/* check_object.c -- an object, for all bounded clients.
 *
 * For each client of the plan, smallest first, every execution is explored and judged; the
 * first that is wrong ends it.
 */
#include "check/quasi/quasi.h"
#include "verify/task/check_object.h"
#include "verify/program/check_program.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "verify/blame.h"
#include "explore/parallel/team.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "report/trace.h"
#include "verify/gap.h"
#include "verify/orders/mend.h"
#include "verify/task/doubts.h"
#include "verify/task/own_spec.h"
#include "verify/task/write_test.h"
#include "verify/usage.h"
#include "verify/view/client_view.h"
#include "verify/view/convert_waits.h"

enum { DEFAULT_CALLS = 4, CALLS_WITHOUT_SYMMETRY = 3, EXECUTIONS_TO_SHRINK = 30000, CLIENTS_TO_COUNT = 100000 };
static const double SECONDS_TO_SHRINK = 10; /* so that it is by executions, mostly */

/* --ak: what it goes with. */
static bool bounded_fits(const struct lp_check *c, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;

	if (c->task.explore.model != LP_MODEL_SC)
		return lp_fail(error, "--ak is about moments in time, which are the same to all under sc only: "
			       "give --model sc");
	if (o->at[LP_OPT_CLIENT].given || strcmp(c->property, "linearizable"))
		return lp_fail(error, "--ak is less than linearizable for all clients: not with --%s",
			       o->at[LP_OPT_CLIENT].given ? "client" : "prop");
	return true;
}

static bool open_clients(struct lp_check *c, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;
	const bool bounded = o->at[LP_OPT_AK].given, one = o->at[LP_OPT_CLIENT].given;
	const enum lp_sync sync = (enum lp_sync)lp_task_count(&c->task, LP_OPT_SYNC);
	const bool cached = !lp_task_given(&c->task, LP_OPT_NO_CACHE);

	c->property = o->at[LP_OPT_PROP].given ? o->at[LP_OPT_PROP].text : "linearizable";
	if ((bounded && !bounded_fits(c, error)) || !lp_sync_fits(c->harness.spec, sync, error))
		return false;
	/* One client is judged with the order that it has, and no other. */
	c->judge.clients = bounded ? lp_clients_open(c->harness.spec, LP_ORDERS_INTERVALS, sync, cached) :
				     lp_clients_named(c->harness.spec, c->property, sync, one, cached, error);
	if (!c->judge.clients)
		return false;
	c->judge.unordered = bounded || !strcmp(c->property, "quiescent") ||
			     (!strcmp(c->property, "serializable") && !one);
	if (bounded) {
		char text[64];
		lp_clients_length(c->judge.clients, (uint32_t)o->at[LP_OPT_AK].count);
		snprintf(text, sizeof text, "%u-bounded linearizable", (unsigned)o->at[LP_OPT_AK].count);
		c->property = lp_arena_strdup(&c->task.arena, text);
	}
	if (lp_task_given(&c->task, LP_OPT_FIT)) {
		if (c->task.explore.jobs > 1)
			return lp_fail(error, "--fit: with one process only");
		if (one || bounded)
			return lp_fail(error, one ? "--fit: not for one client" : "--fit: not with --ak");
		lp_fit_open(&c->fit, c->harness.spec, c->property, sync, true);
		c->judge.fit = &c->fit;
	}
	return true;
}

static bool open_judge(struct lp_check *c, struct lp_error *error)
{
	if (!(c->program.file ? lp_check_program_open(c, error) : open_clients(c, error)))
		return false;
	c->judge.native = &c->task.native;
	c->judge.spec = c->harness.spec;
	c->judge.model = lp_model_class_of(c->task.explore.model);
	c->judge.property = c->property;
	c->task.explore.judge = lp_judge_execution;
	c->task.explore.judge_closure = &c->judge;
	return true;
}

void lp_check_add(struct lp_check *c, const struct lp_exploration *e)
{
	const struct lp_exploration before = c->total;

	c->total = *e;
	c->total.executions += before.executions;
	c->total.blocked += before.blocked;
	c->total.abandoned += before.abandoned;
	c->total.cut += before.cut;
	c->total.distinct += before.distinct;
}

/* What is found is judged once more afterwards, without a limit. */
static void explore(struct lp_check *c, struct lp_exploration *e)
{
	const double seconds = c->task.explore.limits.seconds;

	c->judge.deadline = seconds > 0 ? lp_usage_seconds() + seconds : 0;
	lp_clients_ask(c->judge.clients, lp_judge_goes_on, &c->judge);
	lp_fit_ask(&c->fit, lp_judge_goes_on, &c->judge);
	c->refines.go_on = lp_judge_goes_on;
	c->refines.closure = &c->judge;
	lp_task_explore(&c->task, e);
	c->refines.go_on = NULL;
	lp_clients_ask(c->judge.clients, NULL, NULL);
	lp_fit_ask(&c->fit, NULL, NULL);
}

/* The violation just found need not be the smallest of this client: looks at the others, for
 * a while, and then for one of the smallest size.  If that is cut short, by time or by the user,
 * the violation stays the one that was found. */
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
	c->task.explore.idle = false; /* or some would seem smaller than they are, or be none */
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

/* Synchronisation is missing: do the same results come out with it, too? */
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

static bool is_judged(const struct lp_exploration *e)
{
	return e->verdict == LP_VIOLATION &&
	       (e->kind == LP_ERROR_NOT_LINEARIZABLE || e->kind == LP_ERROR_NOT_REFINED || e->kind == LP_ERROR_NOT_SYNCHRONISED ||
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
		c->since = now;
	else
		c->each = (now - c->since) / (c->of_largest - 1);
	c->task.line.more = c->planned > c->clients ? (c->planned - c->clients) * c->each : c->planned ? 0 : -1;
}

void lp_check_client(struct lp_check *c, const struct lp_plan_client *client)
{
	const uint32_t calls = client->client.calls - client->pre;

	c->client = *client;
	c->judge.client = &c->client.client;
	c->judge.pre = client->pre;
	for (uint32_t i = 0; i < client->client.calls; i++)
		c->judge.method[i] = c->harness.methods.at[client->method[i]].spec_method;
	lp_native_client(&c->task.native, &c->client.client);
	c->clients++;
	c->of_largest = calls > c->largest ? 1 : c->of_largest + 1;
	c->largest = calls > c->largest ? calls : c->largest;
	tell_phase(c);
	lp_check_program_client(c, client);
}

/* Have all samples of the client been taken?  They prove nothing, but neither are they a limit
 * that was reached: the next client has its own. */
static bool was_sampled(struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options *o = &c->task.explore;
	char text[128];

	if (!o->random || e->verdict != LP_INCONCLUSIVE || e->kind || e->executions + e->blocked < o->random)
		return false;
	snprintf(text, sizeof text, "sampled %" PRIu64 " executions of each client at random (seed %" PRIu64
		 ")", o->random, o->seed);
	e->reason = lp_arena_strdup(&c->task.arena, text);
	return true;
}

/* Where waiting is not recognised, a call that waits, which the specification may have it do,
 * looks like one that never ends. */
static void excuse_waiting(const struct lp_check *c, struct lp_exploration *e)
{
	const struct lp_explore_options *o = &c->task.explore;

	if (o->spin || o->limits.steps || e->verdict != LP_VIOLATION || e->kind != LP_ERROR_ENDLESS)
		return;
	e->verdict = LP_INCONCLUSIVE;
	e->kind = LP_ERROR_UNSUPPORTED;
	e->reason = e->text = "with --no-spin, a loop that waits is not told from one that never ends";
}

/* None left shows at the next look at the clock. */
static void set_time_left(struct lp_check *c)
{
	const double left = c->deadline - lp_task_seconds(&c->task);

	c->task.explore.limits.seconds = left > 0.001 ? left : 0.001;
}

/* Explores one client.  False if that is the end of it all. */
static bool explore_client(void *closure, const struct lp_plan_client *client)
{
	struct lp_check *c = closure;
	struct lp_exploration e = { 0 };

	lp_check_client(c, client);
	if (c->program.file && !c->refines.runs)
		return lp_check_program_gives_up(c);
	/* Like calls are taken for interchangeable: an object may look at its arguments all the
	 * same, and in small clients that is seen. */
	const bool symmetry = c->task.explore.symmetry;
	if (client->client.calls - client->pre <= CALLS_WITHOUT_SYMMETRY)
		c->task.explore.symmetry = false;
	explore(c, &e);
	excuse_waiting(c, &e);
	const bool more = was_sampled(c, &e);
	if (!c->quick && is_judged(&e) && !c->task.explore.random && !lp_is_bounded(&c->task.explore))
		shrink(c, &e);
	if (!c->quick)
		lp_task_spare_failures(&c->task, &e);
	if (c->judge.fit && e.verdict == LP_VIOLATION && e.kind == LP_ERROR_NOT_SYNCHRONISED)
		compare(c);
	lp_task_confirm(&c->task, &e);
	c->task.explore.symmetry = symmetry;
	lp_check_add(c, &e);
	if (c->task.explore.limits.seconds > 0)
		set_time_left(c);
	c->cut = e.verdict != LP_VERIFIED && !more;
	return !c->cut;
}

static bool count_client(void *closure, const struct lp_plan_client *client)
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

	dry.visit = count_client;
	dry.closure = &count;
	return (multiset ? lp_plan_multiset(&dry, multiset) : lp_plan_sizes(&dry, calls)) ? count : 0;
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

/* Goes through the clients that are meant; false only if the options make no sense. */
static bool explore_all(struct lp_check *c, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;
	const struct lp_option_value *ops = &o->at[LP_OPT_OPS], *client = &o->at[LP_OPT_CLIENT];
	struct lp_plan plan = { .harness = &c->harness, .visit = explore_client, .closure = c,
				.pre = (uint32_t)lp_task_count(&c->task, LP_OPT_PRE),
				.shapes = c->task.native.findings.identity };
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
		lp_plan_multiset(&plan, count);
		return c->clients || lp_fail(error, "--ops %s: no client can make these calls, as the "
					     "harness has it", ops->text);
	}
	if (!size || size > LP_PLAN_CALLS)
		return lp_fail(error, "--ops %s: from 1 to %d calls, or METHOD=N,... is expected",
			       ops->text, LP_PLAN_CALLS);
	c->planned = count_clients(&plan, (uint32_t)size, NULL);
	lp_task_begin(&c->task);
	lp_plan_sizes(&plan, (uint32_t)size);
	return c->clients || lp_fail(error, "no client can make any call, as the harness has it");
}

static const char *const mode_words[] = {
	[LP_ARG_OPAQUE] = "all different (the object does not look at them)",
	[LP_ARG_EQUAL] = "equal and different ones, in every way",
	[LP_ARG_ORDERED] = "equal, smaller and greater ones, in every way",
	[LP_ARG_FIXED] = "the values given",
};

static void schedules_scope(struct lp_check *c)
{
	const struct lp_schedules *s = &c->schedules;
	const bool all = c->clients == c->schedule_count && !c->cut;

	lp_task_scope(&c->task, "clients", "%" PRIu64 " schedules of up to %" PRIu32 " calls in up to %" PRIu32
		      " threads after up to %" PRIu32 " insertions", c->schedule_count, s->calls, s->threads,
		      s->pre);
	lp_task_scope(&c->task, "explored", "%s%" PRIu32 " of them%s", all ? "all " : "", c->clients,
		      c->total.verdict == LP_VERIFIED && !all ? ", of which the others are parts" : "");
	lp_task_scope(&c->task, "arguments", "%s", lp_schedules_arguments(&c->harness));
}

/* No more than was explored to its end is said to have been. */
static void clients_scope(struct lp_check *c)
{
	const struct lp_option_value *ops = &c->task.options->at[LP_OPT_OPS];
	const bool sizes = !ops->given || !strchr(ops->text, '=');
	char before[64] = "";

	if (c->task.replayed) {
		lp_task_scope(&c->task, "clients", "that of the trace");
		return;
	}
	if (!c->cut) {
		lp_task_scope(&c->task, "clients", "every order on %s%" PRIu32 " calls (%" PRIu32
			      " most parallel ones)", sizes ? "up to " : "", c->largest, c->clients);
		return;
	}
	if (sizes && c->largest > 1)
		snprintf(before, sizeof before, "every order on up to %" PRIu32 " call%s; then ", c->largest - 1,
			 c->largest == 2 ? "" : "s");
	lp_task_scope(&c->task, "clients", "%s%" PRIu32 " most parallel one%s of %" PRIu32 " call%s%s", before,
		      c->of_largest, c->of_largest == 1 ? "" : "s", c->largest, c->largest == 1 ? "" : "s",
		      c->of_largest == 1 ? ", in part" : ", the last one in part");
}

static void fill_scope(struct lp_check *c)
{
	const struct lp_options *o = c->task.options;
	const struct lp_clients_counts counts = lp_clients_counts(c->judge.clients);
	char names[256] = "";
	unsigned modes = 0;

	for (uint32_t m = 0; m < c->harness.methods.count; m++) {
		const size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s%s", m ? ", " : "",
			 c->harness.methods.at[m].name);
		for (uint32_t a = 0; a < c->harness.methods.at[m].args; a++)
			modes |= 1u << c->harness.methods.at[m].mode[a];
	}
	if (c->program.file)
		lp_task_scope(&c->task, "spec", "the executions of '%s'", c->program.file);
	else
		lp_task_scope(&c->task, "spec", "%s", c->harness.spec_text);
	lp_task_scope(&c->task, "property", "%s%s%s%s", c->property,
		      lp_task_given(&c->task, LP_OPT_SYNC) ? ", synchronisation " : "",
		      lp_task_given(&c->task, LP_OPT_SYNC) ? o->at[LP_OPT_SYNC].text : "",
		      c->program.file ? lp_check_program_scope(c) :
		      lp_clients_hold(c->judge.clients) ? ", what is given back happens before it is taken again" : "");
	if (!strncmp(c->property, "quasi:", 6))
		lp_task_scope(&c->task, "quasi", "%s", LP_QUASI_READING);
	lp_task_scope(&c->task, "methods", "%s", names);
	if (o->at[LP_OPT_CLIENT].given)
		lp_task_scope(&c->task, "clients", "%s", o->at[LP_OPT_CLIENT].text);
	else if (o->at[LP_OPT_SCHEDULES].given)
		schedules_scope(c);
	else
		clients_scope(c);
	if (c->task.native.findings.identity)
		lp_task_scope(&c->task, "threads", "the object cares which thread calls: calls that share a "
			      "thread were tried%s", lp_harness_has_rules(&c->harness) ? " only as its roles have it" : ", too");
	if (c->task.explore.symmetry && c->largest > CALLS_WITHOUT_SYMMETRY)
		lp_task_scope(&c->task, "symmetry", "of more than %d calls, those of one method are alike: "
			      "addresses, and values passed on, are compared for equality at most",
			      CALLS_WITHOUT_SYMMETRY);
	const bool schedules = o->at[LP_OPT_SCHEDULES].given;
	if (c->client.pre && !schedules)
		lp_task_scope(&c->task, "before", "%" PRIu32 " calls before the threads", c->client.pre);
	for (unsigned m = 0; m < 4; m++)
		if (modes >> m & 1 && !o->at[LP_OPT_CLIENT].given && !schedules)
			lp_task_scope(&c->task, "arguments", "%s", mode_words[m]);
	/* What was not refuted in a part of the executions may well be in another. */
	if (c->judge.fit && c->total.verdict != LP_INCONCLUSIVE) {
		char text[256];
		lp_fit_say(&c->fit, c->total.verdict == LP_VIOLATION, text, sizeof text);
		if (text[0])
			lp_task_scope(&c->task, "fit", "%s", text);
	}
	/* Of several processes, each has counted for itself. */
	if (c->task.explore.jobs <= 1 && !c->task.explore.team && !c->program.file)
		lp_task_scope(&c->task, "orders", "%" PRIu64 " tried, %" PRIu64 " linearizations found",
			      counts.orders - c->apart.orders, counts.linearizations - c->apart.linearizations);
}

const char *lp_check_claim(struct lp_check *c, bool bounded)
{
	/* No more than was tried: these calls, or this client, or all up to a size. */
	const struct lp_option_value *ops = &c->task.options->at[LP_OPT_OPS];
	char clients[256], claim[512];

	if (c->task.options->at[LP_OPT_CLIENT].given)
		snprintf(clients, sizeof clients, "this client");
	else if (c->task.options->at[LP_OPT_SCHEDULES].given)
		snprintf(clients, sizeof clients, "all %" PRIu64 " schedules", c->schedule_count);
	else if (ops->given && strchr(ops->text, '='))
		snprintf(clients, sizeof clients, "every client that calls %s", ops->text);
	else
		snprintf(clients, sizeof clients, "every client of up to %" PRIu32 " calls", c->largest);
	if (c->program.file)
		snprintf(claim, sizeof claim, "'%s' refines '%s' for %s%s", c->task.file, c->program.file, clients,
			 bounded ? ", within the bound" : "");
	else
		snprintf(claim, sizeof claim, "'%s' is a %s %s for %s%s", c->task.file, c->property,
			 c->harness.spec_text, clients, bounded ? ", within the bound" : "");
	return lp_arena_strdup(&c->task.arena, claim);
}

/* What the harness may have forgotten; or NULL. */
static const char *blame(struct lp_check *c)
{
	struct lp_blame_call calls[LP_CLIENT_CALLS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->client.client.calls; i++) {
		struct lp_blame_call *call = &calls[count];
		const enum lp_call_state state = lp_native_call(c->judge.native, i, &call->result);
		call->thread = c->client.client.call[i].thread;
		call->method = c->client.method[i];
		call->returned = state == LP_CALL_RETURNED;
		count += state != LP_CALL_NOT_MADE;
	}
	return lp_blame_after(&c->harness, calls, count, &c->task.arena);
}

static void fill_result(struct lp_check *c, struct lp_result *r)
{
	const bool judged = is_judged(&c->total);
	const struct lp_step *all = c->total.steps;
	const uint32_t all_count = c->total.step_count;

	lp_client_view_keep(&c->task, &c->total, judged);
	lp_task_result(&c->task, &c->total, r);
	r->prop = c->property;
	r->claim = lp_check_claim(c, r->bounded);
	if (!r->violation)
		return;
	struct lp_result_violation *v = lp_arena_alloc(&c->task.arena, sizeof *v);
	*v = *r->violation;
	if (judged)
		v->where = NULL; /* it is all of them together */
	const bool missing = judged && c->judge.why.sync_missing;
	const char *gap = missing ? lp_gap_text(&c->total, &c->judge, &c->task.arena) :
			  judged && c->judge.why.stuck != LP_NO_CALL ? lp_convert_waits(v, &c->task.arena) : NULL;
	v->client = lp_client_view(&c->judge, &c->harness, &c->client, judged, gap, &c->task.arena);
	if (missing)
		r->text = v->client->missing;
	lp_client_view_steps(v, all, all_count, &c->task.arena);
	/* Perhaps the object is right, and the client, or the specification, another one's. */
	const char *after = r->verdict == LP_RESULT_VIOLATION ? blame(c) : NULL;
	if (after)
		r->hint = after;
	else if (judged && c->judge.one_thread && !strcmp(r->kind, "not linearizable"))
		r->hint = "one thread is enough for this: is it the specification of this object, and does "
			  "the harness return what its methods do?";
	r->violation = v;
}

void lp_check_trace(struct lp_check *c)
{
	const struct lp_client *client = &c->client.client;
	struct lp_trace_call calls[LP_CLIENT_CALLS];
	uint32_t likes[LP_CLIENT_CALLS + 1][2], like_count = 0;
	struct lp_trace trace = { .command = "check", .calls = calls, .call_count = client->calls,
				  .likes = likes };

	for (uint32_t i = 0; i < client->calls; i++) {
		const struct lp_client_call *call = &client->call[i];
		calls[i] = (struct lp_trace_call){
			.thread = call->thread, .when = call->when, .needs = call->needs,
			.method = c->harness.methods.at[c->client.method[i]].name,
		};
		memcpy(calls[i].arg, call->arg, sizeof call->arg);
	}
	for (uint32_t t = 0; t < client->threads; t++) {
		if (client->like[t]) {
			likes[like_count][0] = t;
			likes[like_count++][1] = client->like[t] - 1;
		}
	}
	trace.like_count = like_count;
	lp_task_trace(&c->task, &c->total, &trace);
}

/* A specification that is a program is explored as well, in a process of its own, which is on one machine. */
static bool join_or_part(const struct lp_check *c, const struct lp_options *options)
{
	if (c->program.file)
		lp_team_dismiss(options->team);
	return true;
}

bool lp_check_open(struct lp_check *c, const struct lp_options *options, struct lp_error *error)
{
	*c = (struct lp_check){ .clients = 0 };
	if (!lp_task_can_write_test(options, error) || !lp_program_spec_open(&c->program, options, error) ||
	    !join_or_part(c, options) || !lp_task_open(&c->task, options, true, error) || !lp_check_program_harness(c, error))
		return false;
	c->harness.tuples = lp_native_tuples(&c->task.native);
	if (!open_judge(c, error))
		return false;
	/* Calls are not alike to an object that tells its callers apart. */
	if (c->task.native.findings.identity)
		c->task.explore.symmetry = false;
	c->deadline = c->task.explore.limits.seconds;
	return true;
}

int lp_check_show(struct lp_check *c)
{
	struct lp_result result;

	fill_result(c, &result);
	if (c->mend && result.verdict == LP_RESULT_VIOLATION)
		lp_mend_report(c->mend, c->task.options->command == LP_COMMAND_CHECK, &c->task.arena, &result);
	lp_task_write_test(&c->task, &result);
	fill_scope(c);
	return lp_task_show(&c->task, &result);
}

void lp_check_close(struct lp_check *c)
{
	lp_clients_close(c->judge.clients);
	lp_refines_close(&c->refines);
	lp_program_spec_close(&c->program);
	lp_fit_close(&c->fit);
	lp_calls_close(&c->judge.calls);
	lp_harness_close(&c->harness);
	if (c->own)
		dlclose(c->own);
	lp_task_close(&c->task);
}

/* Everything from the beginning, with the time that is left. */
static void restart(struct lp_check *c)
{
	const bool again = c->clients;

	c->clients = c->largest = c->of_largest = 0;
	c->cut = false;
	c->total = (struct lp_exploration){ 0 };
	c->task.unconfirmed = false;
	if (again && c->deadline > 0)
		set_time_left(c);
}

/* Did it turn out that the object tells its callers apart?  Then calls are not alike, and share threads, too. */
static bool was_mistaken(struct lp_check *c)
{
	if (c->total.verdict != LP_VERIFIED || c->task.native.findings.identity ||
	    !(lp_native_tells_apart(&c->task.native) || c->program.tells_apart))
		return false;
	c->task.native.findings.identity = true;
	c->task.explore.symmetry = false;
	return true;
}

bool lp_check_explore(struct lp_check *c, struct lp_error *error)
{
	do {
		restart(c);
		if (!explore_all(c, error))
			return false;
		lp_task_end(&c->task);
		if (c->program.file && c->program.verdict == LP_PROGRAM_WRONG)
			return lp_fail(error, "the specification '%s' is wrong itself: %s", c->program.file, c->program.text);
	} while (was_mistaken(c));
	return true;
}

enum lp_result_verdict lp_check_verdict(struct lp_check *c, const char **reason)
{
	struct lp_result result;
	struct lp_doubts doubts;

	lp_task_result(&c->task, &c->total, &result);
	lp_doubts_collect(&doubts, &c->task);
	lp_doubts_judge(&doubts, &c->task, &result);
	lp_doubts_drop(&doubts);
	*reason = result.reason;
	return result.verdict;
}

void lp_check_repeat(struct lp_check *c, const struct lp_plan_client *client, const struct lp_step *steps,
		     uint32_t count, struct lp_exploration *out)
{
	lp_check_client(c, client);
	lp_task_repeat(&c->task, steps, count, out);
}
