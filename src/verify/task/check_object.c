/* check_object.c -- `check`: opens an object according to the options, and makes a result of what was found. */
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
#include "verify/checkpoint/checkpoint.h"
#include "verify/task/doubts.h"
#include "verify/task/own_spec.h"
#include "verify/task/write_test.h"
#include "verify/usage.h"
#include "verify/view/client_view.h"
#include "verify/view/convert_waits.h"
#include "verify/view/weaker_spec.h"


/* --ak: rejects options that it cannot be combined with. */
static bool bounded_fits(const struct lp_check *c, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;

	if (c->task.explore.model != LP_MODEL_SC)
		return lp_fail(error, "--ak requires --model sc");
	if (o->at[LP_OPT_CLIENT].given || strcmp(c->property, "linearizable"))
		return lp_fail(error, "--ak cannot be combined with --%s",
			       o->at[LP_OPT_CLIENT].given ? "client" : "prop");
	return true;
}

/* --formulae and --grammar: what counts, if --ak is given, instead of the specification. */
static void use_counting(struct lp_check *c)
{
	if (!c->counting.file)
		return;
	lp_clients_count(c->judge.clients, c->counting.formulae, c->counting.kernel);
	c->judge.counting = c->counting.file;
	/* If formulae name values, calls with different values are not alike. */
	if (lp_counting_names_values(&c->counting))
		c->task.explore.reduce.symmetry = false;
}

static bool open_clients(struct lp_check *c, struct lp_error *error)
{
	const struct lp_options *o = c->task.options;
	const bool bounded = o->at[LP_OPT_AK].given, one = o->at[LP_OPT_CLIENT].given;
	const enum lp_sync sync = (enum lp_sync)lp_task_count(&c->task, LP_OPT_SYNC);
	const bool cached = !lp_task_given(&c->task, LP_OPT_NO_CACHE);

	c->property = o->at[LP_OPT_PROP].given ? o->at[LP_OPT_PROP].text : "linearizable";
	if ((bounded && !bounded_fits(c, error)) || !lp_sync_fits(c->harness.spec, sync, error) ||
	    !lp_counting_for_objects(&c->counting, o, c->harness.spec, error))
		return false;
	/* A single client is judged with its own order only. */
	c->judge.clients = bounded ? lp_clients_open(c->harness.spec, LP_ORDERS_INTERVALS, sync, cached) :
				     lp_clients_named(c->harness.spec, c->property, sync, one, cached, error);
	if (!c->judge.clients)
		return false;
	c->judge.unordered = bounded || !strcmp(c->property, "quiescent") ||
			     (!strcmp(c->property, "serializable") && !one);
	if (bounded) {
		char text[PATH_MAX + 64];
		lp_clients_length(c->judge.clients, (uint32_t)o->at[LP_OPT_AK].count);
		use_counting(c);
		const unsigned k = (unsigned)o->at[LP_OPT_AK].count;
		if (c->counting.file)
			snprintf(text, sizeof text, "A_%u has the counts that '%s' demands", k, c->counting.file);
		else
			snprintf(text, sizeof text, "%u-bounded linearizable", k);
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
	c->task.explore.callbacks.judge = lp_judge_execution;
	c->task.explore.callbacks.judge_closure = &c->judge;
	return true;
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
	const bool judged = lp_check_is_judged(&c->total);
	const struct lp_step *all = c->total.steps;
	const uint32_t all_count = c->total.step_count;

	lp_client_view_keep(&c->task, &c->total, judged);
	lp_task_result(&c->task, &c->total, r);
	r->question.prop = c->property;
	r->question.claim = lp_check_claim(c, r->question.bounded);
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
	/* Perhaps the object is correct, but the client or the specification does not fit it. */
	const char *after = r->verdict == LP_RESULT_VIOLATION ? blame(c) : NULL;
	if (after)
		r->hint = after;
	else if (judged && c->judge.one_thread && r->error == LP_ERROR_NOT_LINEARIZABLE)
		r->hint = "one thread is enough for this: is it the specification of this object, and does "
			  "the harness return what its methods do?";
	else if (judged && !missing && !c->program.file && !strcmp(c->property, "linearizable"))
		r->hint = lp_weaker_spec(c->harness.spec, c->harness.spec_text, &c->judge.observation, &c->judge.why,
					 &c->task.arena);
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
	    !join_or_part(c, options) || !lp_task_open(&c->task, options, true, error) ||
	    !lp_checkpoint_open(&c->task, c->program.file ? &c->program.interface.code : NULL, error) || !lp_check_program_harness(c, error))
		return false;
	c->harness.tuples = lp_native_tuples(&c->task.native);
	if (!open_judge(c, error))
		return false;
	/* Calls are not alike to an object that tells its callers apart. */
	if (c->task.native.findings.identity)
		c->task.explore.reduce.symmetry = false;
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
	lp_check_scope(c);
	return lp_task_show(&c->task, &result);
}

void lp_check_close(struct lp_check *c)
{
	lp_clients_close(c->judge.clients);
	lp_refines_close(&c->refines);
	lp_program_spec_close(&c->program);
	lp_fit_close(&c->fit);
	lp_counting_close(&c->counting);
	lp_calls_close(&c->judge.calls);
	lp_harness_close(&c->harness);
	lp_free(c->looks.at);
	lp_free(c->learned.small.at);
	lp_free(c->learned.large.at);
	if (c->own)
		dlclose(c->own);
	lp_task_close(&c->task);
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
