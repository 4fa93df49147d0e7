/* naive_objects.c -- real objects, judged by the checker of all clients and by the naive one.
 *
 *     naive_objects OBJECT [options of `linchpin check`] [-- COMPILER FLAGS]
 *
 * All multisets of up to --ops N calls (or the one that --ops names) are explored, violations or not, and what is observed is put
 * to both: for every property, and for linearizability also with every demand on
 * synchronisation.  The naive checker looks at every order of the class and every permutation; which
 * orders are possible it is told by the axioms of the model, of the graph with the client's messages
 * in it, where that is small enough for them, and else by src/model/calls.
 *
 * Observations that are equal, relations included, are compared once, and some more times where
 * the relations do not say everything.  Orders that contain a hopeless one (client_graph_hopeful())
 * are impossible; that this is so is asked of the axioms for up to three calls, and for one observation
 * in a hundred.
 *
 * ONE_IN=N in the environment: of observations of five calls only one in N, picked by what they are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprints.h"
#include "client_graph.h"
#include "questions.h"
#include "verify/task/check_object.h"

enum { TIMES = 4, FEW_CALLS = 3, ASK_ALL = 100 };

struct comparison {
	struct lp_check *check;
	struct questions *questions;
	struct lp_fingerprints seen[TIMES];
	struct client_graph graph; /* of the last observation */
	uint64_t asked;            /* the number of orders that the axioms were asked about */
	bool asks_all;             /* those that contain hopeless ones as well */
	uint64_t clients, executions, observations, large, by_axioms, left_out, one_in;
	bool failed;
};

/* ---- which orders are possible, by the axioms ---- */

/* Calls before the threads are none of the graph's. */
static void without_pre(const struct lp_judge *j, const uint32_t *before, uint32_t *shifted)
{
	const uint32_t pre = j->observation.count - j->calls.count;

	for (uint32_t a = pre; a < j->observation.count; a++)
		shifted[a - pre] = before[a] >> pre;
}

static bool is_possible(void *closure, const uint32_t *before)
{
	struct comparison *k = closure;
	uint32_t shifted[LP_CALLS] = { 0 };

	without_pre(&k->check->judge, before, shifted);
	k->asked++;
	return client_graph_possible(&k->graph, shifted);
}

static bool is_possible_in_threads(void *closure, const uint32_t *before)
{
	struct comparison *k = closure;
	uint32_t shifted[LP_CALLS] = { 0 };

	without_pre(&k->check->judge, before, shifted);
	return client_graph_possible_in_threads(&k->graph, shifted);
}

static bool is_hopeful(void *closure, const uint32_t *before)
{
	struct comparison *k = closure;
	uint32_t shifted[LP_CALLS] = { 0 };

	without_pre(&k->check->judge, before, shifted);
	k->asked++;
	return client_graph_hopeful(&k->graph, shifted);
}

/* The observation, with nothing in it that says which orders are possible but the axioms. */
static struct lp_observation by_axioms(struct comparison *k)
{
	struct lp_observation o = k->check->judge.observation;

	if (!client_graph_fits(k->check->judge.graph, &k->check->judge.calls))
		return o;
	k->by_axioms++;
	client_graph_open(&k->graph, k->check->judge.graph, &k->check->judge.calls,
			  k->check->task.explore.model);
	memset(o.reaches, 0, sizeof o.reaches);
	memset(o.clashes, 0, sizeof o.clashes);
	o.exact = false;
	o.possible = is_possible;
	o.possible_in_threads = k->check->judge.model->by_hb ? is_possible_in_threads : NULL;
	o.closure = k;
	return o;
}

/* ---- comparing ---- */

/* Is it to be compared? */
static bool is_wanted(struct comparison *k)
{
	const struct lp_observation *o = &k->check->judge.observation;
	struct lp_fingerprint f = LP_FINGERPRINT;

	for (uint32_t a = 0; a < o->count; a++) {
		const struct lp_observed *c = &o->call[a];
		lp_fingerprint_word(&f, c->method | (uint64_t)c->thread << 8 | (uint64_t)c->stuck << 32);
		lp_fingerprint_word(&f, (uint64_t)c->result);
		lp_fingerprint_bytes(&f, c->arg, sizeof c->arg);
		lp_fingerprint_word(&f, o->reaches[a] | (uint64_t)o->happens[a] << 32);
		lp_fingerprint_word(&f, o->clashes[a] | (uint64_t)o->before[a] << 32);
	}
	for (int i = 0; i < (o->exact ? 1 : TIMES); i++) {
		if (!lp_fingerprints_add(&k->seen[i], f))
			continue;
		const bool left_out = o->count == LP_MOST_CALLS && k->one_in && (f.a ^ f.b) % k->one_in;
		k->asks_all = o->count <= FEW_CALLS || (f.a ^ f.b) % ASK_ALL == 0;
		k->left_out += left_out;
		return !left_out;
	}
	return false;
}

static void report(struct comparison *k, const char *what)
{
	const struct lp_judge *j = &k->check->judge;
	char text[160];

	printf("%s\n", what);
	for (uint32_t a = 0; a < j->observation.count; a++) {
		const struct lp_observed *c = &j->observation.call[a];
		const uint32_t call = j->call[a], m = k->check->client.method[call];
		printf("  %" PRIu32 ": thread %" PRIu32 ": %s", a, c->thread,
		       lp_harness_say_call(&k->check->harness, m, c->arg, text, sizeof text));
		lp_harness_say_result(&k->check->harness, m, c->result, text, sizeof text);
		printf(" = %s  reaches %" PRIx32 " happens %" PRIx32 " clashes %" PRIx32 " before %" PRIx32 "\n",
		       c->stuck ? "stuck" : text, j->observation.reaches[a], j->observation.happens[a],
		       j->observation.clashes[a], j->observation.before[a]);
	}
	k->failed = true;
}

static enum lp_judgement judge(void *closure, const struct lp_graph *g, bool stuck,
			       struct lp_program_error *error)
{
	struct comparison *k = closure;
	struct lp_judge *j = &k->check->judge;

	lp_judge_execution(j, g, stuck, error); /* for what it observes */
	k->executions++;
	if (j->observation.count > LP_MOST_CALLS) {
		k->large++;
		return LP_JUDGED_RIGHT;
	}
	if (!is_wanted(k))
		return LP_JUDGED_RIGHT;
	k->observations++;
	const struct lp_observation naive = by_axioms(k);
	const char *failure = questions_ask(k->questions, &j->observation, &naive,
					    naive.possible == is_possible ? is_hopeful : NULL, k->asks_all);
	if (failure)
		report(k, failure);
	return failure ? LP_JUDGED_WRONG : LP_JUDGED_RIGHT;
}

/* ---- clients ---- */

static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct comparison *k = closure;
	struct lp_check *c = k->check;
	struct lp_exploration e = { 0 };
	const bool symmetry = c->task.explore.reduce.symmetry;

	lp_check_client(c, client);
	if (client->client.calls - client->pre <= 3) /* as `check` does */
		c->task.explore.reduce.symmetry = false;
	lp_task_explore(&c->task, &e);
	c->task.explore.reduce.symmetry = symmetry;
	k->clients++;
	if (e.verdict == LP_INCONCLUSIVE) {
		printf("inconclusive: %s\n", e.reason ? e.reason : e.text ? e.text : "");
		k->failed = true;
	}
	return !k->failed;
}

/* All multisets of up to that many calls, or the one that is given. */
static bool plan_all(const struct lp_plan *plan, const struct lp_option_value *ops, struct lp_error *error)
{
	uint32_t count[64]; /* as in lp_plan_parse() */
	char *end = NULL;
	const uint32_t size = ops->given ? (uint32_t)strtoul(ops->text, &end, 10) : 4;

	if (!end || !*end)
		lp_plan_sizes(plan, size);
	else if (!lp_plan_parse(plan->harness, ops->text, count, error))
		return false;
	else
		lp_plan_multiset(plan, count);
	return true;
}

int main(int argc, char **argv)
{
	struct lp_options options;
	struct lp_error error = { .hint = "" };
	struct lp_check check;
	static struct comparison k;

	k.check = &check;
	k.one_in = getenv("ONE_IN") ? strtoull(getenv("ONE_IN"), NULL, 10) : 0;

	if (!lp_options_parse(LP_COMMAND_CHECK, argc - 1, (const char **)argv + 1, &options, &error) ||
	    !lp_check_open(&check, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	const struct lp_plan plan = {
		.harness = &check.harness, .visit = visit, .closure = &k,
		.pre = (uint32_t)lp_task_count(&check.task, LP_OPT_PRE),
		.shapes = check.task.native.findings.identity,
	};
	k.questions = questions_open(check.harness.spec);
	check.task.explore.callbacks.judge = judge;
	check.task.explore.callbacks.judge_closure = &k;
	lp_task_begin(&check.task);
	if (!plan_all(&plan, &options.at[LP_OPT_OPS], &error)) {
		fprintf(stderr, "%s\n", error.text);
		k.failed = true;
	}
	lp_task_end(&check.task);
	printf("%s: %" PRIu64 " clients, %" PRIu64 " executions, %" PRIu64 " observations compared, %" PRIu64
	       " of them by the axioms, %" PRIu64 " left out; %" PRIu64 " executions too large; %" PRIu64 " orders asked\n",
	       check.task.file, k.clients, k.executions, k.observations, k.by_axioms, k.left_out, k.large, k.asked);
	questions_print(k.questions);
	const bool failed = k.failed || !k.observations;
	questions_close(k.questions);
	for (int i = 0; i < TIMES; i++)
		lp_fingerprints_close(&k.seen[i]);
	lp_check_close(&check);
	lp_options_close(&options);
	return failed;
}
