/* mutant_trial.c -- checks one mutant. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/mutants/mutants.h"
#include "explore/reduce/reductions.h"
#include "runtime/hooks/sites.h"
#include "verify/usage.h"

static void set_option(struct lp_options *o, enum lp_option_id id, const char *text)
{
	o->at[id] = (struct lp_option_value){ .given = text != NULL, .text = text };
}

void lp_mutants_options(const struct lp_mutants *m, enum lp_mutant_stage stage, struct lp_options *out)
{
	*out = *m->options;
	set_option(out, LP_OPT_JSON, NULL);
	set_option(out, LP_OPT_JOBS, NULL);
	set_option(out, LP_OPT_QUIET, "");
	out->at[LP_OPT_TIME] = (struct lp_option_value){ .given = true, .seconds = m->limit };
	if (stage == LP_STAGE_LARGER)
		set_option(out, LP_OPT_OPS, m->larger);
}

/* ---- which program ---- */

/* The object as it is loaded, with one order changed. */
static void reorder(struct lp_mutants *m, const struct lp_mutant *mutant, struct lp_options *options)
{
	struct lp_check *c = &m->check;
	uint8_t *orders = lp_arena_alloc(&c->task.arena, m->choices.count + 1);

	memcpy(orders, m->source, m->choices.count);
	orders[mutant->choice] = (uint8_t)mutant->order;
	lp_site_choices_set(&c->task.native, &m->choices, orders, false);
	lp_native_forget(&c->task.native);
	c->task.options = options;
	c->task.start = lp_usage_seconds();
	c->task.explore.limits.seconds = c->deadline = m->limit;
}

/* There is one program at a time in a process.  A specification of the object's own stays as it is. */
static bool reopen(struct lp_mutants *m, struct lp_options *options, struct lp_error *error)
{
	options->own = m->check.own ? lp_harness_kind(&m->check.harness) : NULL;
	m->check.own = NULL;
	options->mutants = m->kept;
	lp_check_close(&m->check);
	return lp_check_open(&m->check, options, error);
}

static bool compile(struct lp_mutants *m, const struct lp_mutant *mutant, struct lp_options *options,
		    struct lp_error *error)
{
	set_option(options, LP_OPT_MUTANT, mutant->name);
	return reopen(m, options, error);
}

/* ---- what comes of it ---- */

static void take_violation(struct lp_check *c, struct lp_mutant_answer *a)
{
	const struct lp_site_choices none = { 0 };
	struct lp_trial trial;

	lp_trial_open(&trial, c, &none, NULL);
	const uint32_t number = lp_trial_witness(&trial);
	const struct lp_trial_witness *w = &trial.witnesses.at[number];
	a->error = c->total.kind;
	snprintf(a->how, sizeof a->how, "%s", w->how);
	snprintf(a->client, sizeof a->client, "%s", w->calls);
	lp_trial_close(&trial);
}

static void explore(struct lp_check *c, struct lp_mutant_answer *a)
{
	struct lp_error error;
	const char *reason = NULL;

	c->quick = true;
	a->state = LP_MUTANT_UNDECIDED;
	if (!lp_check_explore(c, &error)) {
		snprintf(a->reason, sizeof a->reason, "%s", error.text);
		return;
	}
	const enum lp_result_verdict verdict = lp_check_verdict(c, &reason);
	a->executions = c->total.executions;
	a->blocked = c->total.blocked;
	if (verdict == LP_RESULT_VERIFIED) {
		a->state = LP_MUTANT_SURVIVED;
	} else if (verdict == LP_RESULT_VIOLATION && !c->task.unconfirmed) {
		a->state = LP_MUTANT_KILLED;
		take_violation(c, a);
	} else {
		snprintf(a->reason, sizeof a->reason, "%s", reason ? reason : "a violation could not be replayed");
	}
}

static void compare(struct lp_mutants *m, struct lp_mutant_answer *a)
{
	struct lp_sightings seen;

	const bool all = lp_mutants_observe(&m->check, &seen);
	const enum lp_mutant_likeness likeness = lp_mutants_compare(&seen, &m->results, a->result, sizeof a->result);
	if (all || likeness >= LP_LIKENESS_ORDERS)
		a->likeness = likeness;
	lp_sightings_close(&seen);
}

void lp_mutant_try(struct lp_mutants *m, const struct lp_mutant *mutant, enum lp_mutant_stage stage,
		   struct lp_mutant_answer *a)
{
	struct lp_options options;
	struct lp_error error = { .hint = "" };

	lp_mutants_options(m, stage, &options);
	if (!mutant->compiled) {
		reorder(m, mutant, &options);
	} else if (!compile(m, mutant, &options, &error)) {
		snprintf(a->reason, sizeof a->reason, "%s", error.text);
		a->state = LP_MUTANT_UNDECIDED;
		a->done = true;
		return;
	}
	if (stage == LP_STAGE_COMPARE)
		compare(m, a);
	else
		explore(&m->check, a);
	a->seconds = lp_task_seconds(&m->check.task);
	a->done = true;
}

/* ---- looking ---- */

/* Some reductions leave executions out in which a thread only does what another one would do next. */
static void look_longer(struct lp_check *c)
{
	struct lp_explore_options *e = &c->task.explore;
	struct lp_error error;

	lp_reductions_limit(&e->reduce, LP_LOOKING);
	e->limits.executions = LP_EXECUTIONS_TO_LOOK;
	lp_check_explore(c, &error);
}

bool lp_mutants_look(struct lp_mutants *m, uint8_t *seen, uint32_t room, struct lp_error *error)
{
	struct lp_options options;

	lp_mutants_options(m, LP_STAGE_CHECK, &options);
	if (!reopen(m, &options, error) || !lp_check_explore(&m->check, error))
		return false;
	m->looked = m->check.total.verdict == LP_VERIFIED;
	look_longer(&m->check);
	for (uint32_t i = 0; i < room; i++)
		seen[i] = (uint8_t)lp_native_mutant_seen(&m->check.task.native, i);
	return true;
}
