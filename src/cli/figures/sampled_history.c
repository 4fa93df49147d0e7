/* sampled_history.c -- histories of random executions of an object. */
#include "cli/figures/sampled_history.h"

#include <string.h>
#include <time.h>

#include "base/error.h"
#include "spec/spec.h"
#include "verify/plan.h"

struct run {
	const struct lp_sampling *sampling;
	lp_sampled_each *each;
	void *closure;
	struct lp_exploration found;
	double seconds;
	struct lp_sampled_history history;
};

bool lp_sampling_open(struct lp_sampling *s, struct lp_check *check, struct lp_error *error)
{
	const struct lp_harness *h = &check->harness;

	s->check = check;
	s->inserter = s->remover = UINT32_MAX;
	for (uint32_t m = h->methods.count; m-- > 0;) {
		const struct lp_method *method = &h->spec->kind->methods[h->methods.at[m].spec_method];
		if (method->roles & LP_INSERTS && method->args == 1)
			s->inserter = m;
		else if (method->roles & LP_REMOVES && !method->args)
			s->remover = m;
	}
	return (s->inserter != UINT32_MAX && s->remover != UINT32_MAX) ||
	       lp_fail(error, "'%s' has no pair of methods of which one inserts a value and the other removes one", check->task.file);
}

/* Events have their numbers in the order in which they were performed. */
static enum lp_judgement meet(void *closure, const struct lp_graph *g, bool stuck, struct lp_program_error *error)
{
	struct run *r = closure;
	struct lp_check *c = r->sampling->check;

	(void)stuck;
	(void)error;
	r->history.count = c->client.client.calls;
	for (uint32_t i = 0; i < c->client.client.calls; i++) {
		struct lp_sampled_call *call = &r->history.call[i];
		const struct lp_thread *t = &g->threads.at[lp_native_thread(&c->task.native, c->client.client.call[i].thread)];
		const bool returned = lp_native_call(&c->task.native, i, &call->result) == LP_CALL_RETURNED;
		call->method = c->judge.method[i];
		call->arg = c->client.client.call[i].arg[0];
		call->start = t->count ? t->at[0] : 0;
		call->end = returned && t->count ? t->at[t->count - 1] : UINT32_MAX;
	}
	r->each(r->closure, &r->history);
	return LP_JUDGED_RIGHT;
}

/* The first client is enough.  Clients differ only in arguments that the object compares. */
static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct run *r = closure;
	struct lp_check *c = r->sampling->check;
	struct lp_explore_options *e = &c->task.explore;

	lp_check_client(c, client);
	e->sampling.executions = r->sampling->executions;
	e->sampling.pct = 1 + r->sampling->changes;
	e->sampling.seed = r->sampling->seed;
	e->callbacks.judge = r->each ? meet : NULL;
	e->callbacks.judge_closure = r;
	const clock_t begin = clock();
	lp_task_explore(&c->task, &r->found);
	r->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	return false;
}

double lp_sampling_run(const struct lp_sampling *s, uint32_t inserts, uint32_t removes, lp_sampled_each *each, void *closure,
		       struct lp_error *error)
{
	struct run r = { .sampling = s, .each = each, .closure = closure, .seconds = -1 };
	const struct lp_plan plan = { .harness = &s->check->harness, .visit = visit, .closure = &r };
	uint32_t count[64] = { 0 };

	if (inserts + removes > LP_PLAN_CALLS) {
		lp_fail(error, "clients have at most %d calls", LP_PLAN_CALLS);
		return -1;
	}
	count[s->inserter] = inserts;
	count[s->remover] = removes;
	lp_plan_multiset(&plan, count);
	if (r.seconds < 0)
		lp_fail(error, "the harness does not let any client make these calls");
	else if (r.found.verdict == LP_VIOLATION || r.found.executions + r.found.blocked < s->executions) {
		lp_fail(error, "the executions of '%s' could not be sampled: %s", s->check->task.file,
			r.found.verdict == LP_VIOLATION ? r.found.text : r.found.reason ? r.found.reason : "stopped");
		r.seconds = -1;
	}
	return r.seconds;
}
