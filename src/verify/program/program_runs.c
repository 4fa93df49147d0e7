/* program_runs.c -- explores a specification that is a program, and collects its runs.
 *
 * Every execution that matters is visited.  A reduction may leave out an execution if another execution covers it (spec_runs.h),
 * because the first explains nothing more than the second.  But no run may come from an infeasible execution, since it would
 * explain observations that no feasible execution explains.  So reductions that may visit infeasible executions are off
 * (silent_rmw.h, twins.h), and if the exploration restarts because an assumption of a reduction was false, the runs so far are
 * discarded.  The reduction of stale.h is off, too, because its argument does not cover partial locks.  Like calls are not
 * exchanged, either, because runs are looked up by the result of each call.
 */
#include "verify/program/program_runs.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/child_process.h"
#include "check/refine/run_orders.h"
#include "spec/spec.h"
#include "verify/judge.h"
#include "verify/task/doubts.h"
#include "verify/task/own_spec.h"
#include "verify/program/program_spec.h"
#include "verify/task/task.h"

struct server {
	struct lp_options options;
	const char *operand[2];
	struct lp_task task;
	struct lp_harness harness;
	void *own;
	struct lp_judge judge;
	struct lp_runs runs;
	bool too_many; /* an execution could not be described */
};

/* Options about the object, about the search, or about output. */
static const enum lp_option_id not_passed_on[] = {
	LP_OPT_SPEC, LP_OPT_PROP, LP_OPT_FIT, LP_OPT_AK, LP_OPT_ORDER, LP_OPT_MUTANT, LP_OPT_ONLY, LP_OPT_IGNORE, LP_OPT_RANDOM,
	LP_OPT_SEED, LP_OPT_PCT, LP_OPT_PREEMPTIONS, LP_OPT_DELAYS, LP_OPT_ROUNDS, LP_OPT_JOBS, LP_OPT_EXECUTIONS, LP_OPT_UNROLL,
	LP_OPT_COVERAGE, LP_OPT_TRACE, LP_OPT_HTML, LP_OPT_ECHO, LP_OPT_CHECKPOINT, LP_OPT_EVERY, LP_OPT_RESUME,
};

static void take_options(struct server *s, const struct lp_options *options, const char *file)
{
	s->options = *options;
	s->operand[0] = file;
	s->options.operands = s->operand;
	s->options.operand_count = 1;
	for (size_t i = 0; i < sizeof not_passed_on / sizeof *not_passed_on; i++)
		s->options.at[not_passed_on[i]] = (struct lp_option_value){ .given = false };
	s->options.at[LP_OPT_QUIET].given = true;
	s->options.folder = s->options.mutants = NULL;
	s->options.compiled = s->options.unoptimised = false;
	s->options.own = NULL;
	s->options.team = NULL; /* this process is alone */
	s->options.ranks = NULL;
	s->options.place = NULL;
	s->options.ranks_here = 0;
}

static enum lp_judgement collect(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	struct server *s = closure;

	(void)stuck;
	lp_judge_observe(&s->judge, g);
	if (!s->judge.model->by_hb) /* what a client can rely on is the order of calls, and nothing else */
		memcpy(s->judge.observation.partial, s->judge.observation.happens, sizeof s->judge.observation.partial);
	if (lp_run_orders_add(&s->runs, &s->judge.observation))
		return LP_JUDGED_RIGHT;
	s->too_many = true;
	if (error)
		snprintf(error->text, sizeof error->text, "with several seq_cst accesses, or accesses of different sizes, "
			 "its runs are known for up to %d calls", LP_RUN_ORDERS_ON);
	return LP_NOT_JUDGED;
}

/* The closure is that of progress reports: the task. */
static void forget(void *task)
{
	struct server *s = (struct server *)((char *)task - offsetof(struct server, task));

	lp_runs_clear(&s->runs);
}

static bool open(struct server *s, struct lp_error *error)
{
	if (!lp_task_open(&s->task, &s->options, true, error) || !lp_task_interface(&s->task, &s->harness, &s->own, NULL, error))
		return false;
	if (s->harness.methods.count > LP_PROGRAM_METHODS)
		return lp_fail(error, "the specification '%s' has more than %d methods", s->task.file, LP_PROGRAM_METHODS);
	struct lp_explore_options *e = &s->task.explore;
	e->reduce.symmetry = e->reduce.silent_rmw = e->reduce.undone = e->reduce.shifts = e->reduce.twins = e->reduce.stale = false;
	e->callbacks.judge = collect;
	e->callbacks.judge_closure = s;
	e->callbacks.restarted = forget;
	s->judge.native = &s->task.native;
	s->judge.model = lp_model_class_of(e->model);
	return true;
}

static void describe(struct server *s, struct lp_program_interface *out)
{
	const struct lp_harness *h = &s->harness;

	out->good = true;
	out->code = lp_native_digest(&s->task.native);
	out->identity = s->task.native.findings.identity;
	if (!h->anonymous && !h->own)
		snprintf(out->spec, sizeof out->spec, "%s", h->spec_text);
	snprintf(out->kind, sizeof out->kind, "%s", h->spec->kind->name);
	out->methods = h->methods.count;
	for (uint32_t m = 0; m < h->methods.count; m++) {
		const struct lp_harness_method *from = &h->methods.at[m];
		struct lp_program_method *to = &out->method[m];
		snprintf(to->name, sizeof to->name, "%s", from->name);
		lp_method_name(&h->spec->kind->methods[from->spec_method], to->known_as);
		to->args = from->args;
		to->restricted = from->role || from->needs;
		to->values = from->values;
		memcpy(to->mode, from->mode, sizeof to->mode);
		memcpy(to->value, from->value, sizeof to->value);
	}
}

/* Derives the verdict about the program itself. */
static void conclude(struct server *s, const struct lp_exploration *e, struct lp_program_answer *answer)
{
	struct lp_result result;
	struct lp_doubts doubts;

	lp_task_result(&s->task, e, &result);
	lp_doubts_collect(&doubts, &s->task);
	lp_doubts_judge(&doubts, &s->task, &result);
	lp_doubts_drop(&doubts);
	answer->tells_apart = lp_native_tells_apart(&s->task.native);
	answer->executions = e->executions;
	if (result.verdict == LP_RESULT_VERIFIED) {
		answer->runs = s->runs.count;
		return;
	}
	const bool wrong = result.verdict == LP_RESULT_VIOLATION;
	answer->verdict = wrong ? LP_PROGRAM_WRONG : LP_PROGRAM_INCONCLUSIVE;
	if (wrong)
		snprintf(answer->text, sizeof answer->text, "%s: %s%s%s", lp_error_name(e->kind), e->text ? e->text : "",
			 e->where ? ", at " : "", e->where ? e->where : "");
	else
		snprintf(answer->text, sizeof answer->text, "%s", result.reason ? result.reason : "no reason is known");
}

static void find_whether_passes_on(struct server *s, const struct lp_program_request *r, struct lp_program_answer *answer)
{
	for (uint32_t i = 0; i < r->client.client.calls; i++)
		memcpy(s->harness.methods.at[r->client.method[i]].mode, r->mode[i], sizeof r->mode[i]);
	answer->inspects = !lp_passes_on(&s->task.native, &s->task.explore, &s->harness, &r->client, r->effort, &answer->repetitions);
}

static bool answer_request(struct server *s, struct lp_program_request *r, int socket)
{
	struct lp_program_answer answer = { .verdict = LP_PROGRAM_EXPLORED };
	struct lp_client *client = &r->client.client;
	struct lp_exploration e = { 0 };

	memset(client->like, 0, sizeof client->like);
	for (uint32_t i = 0; i < client->calls; i++)
		client->call[i].body = s->harness.methods.at[r->client.method[i]].body;
	if (r->effort.executions) {
		find_whether_passes_on(s, r, &answer);
		return lp_program_spec_send(socket, &answer, sizeof answer);
	}
	s->judge.client = client;
	s->judge.pre = r->client.pre;
	lp_runs_clear(&s->runs);
	lp_native_client(&s->task.native, client);
	s->task.explore.limits.seconds = r->seconds;
	lp_task_begin(&s->task);
	lp_task_explore(&s->task, &e);
	lp_task_end(&s->task);
	conclude(s, &e, &answer);
	for (uint32_t i = 0; i < answer.runs; i++) { /* these mean nothing elsewhere */
		s->runs.at[i].o.tuples = NULL;
		s->runs.at[i].o.possible = NULL;
		s->runs.at[i].o.closure = NULL;
	}
	return lp_program_spec_send(socket, &answer, sizeof answer) &&
	       lp_program_spec_send(socket, s->runs.at, sizeof *s->runs.at * answer.runs);
}

void lp_program_runs_serve(const struct lp_options *options, const char *file, int socket, pid_t parent)
{
	static struct server s;
	static struct lp_program_interface interface;
	static struct lp_program_request request;

	lp_process_end_with(parent);
	take_options(&s, options, file);
	if (open(&s, &interface.error))
		describe(&s, &interface);
	if (lp_program_spec_send(socket, &interface, sizeof interface) && interface.good)
		while (lp_program_spec_receive(socket, &request, sizeof request) && answer_request(&s, &request, socket))
			;
	lp_runs_close(&s.runs);
	lp_calls_close(&s.judge.calls);
	lp_harness_close(&s.harness);
	lp_task_close(&s.task);
	_exit(0);
}
