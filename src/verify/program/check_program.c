/* check_program.c -- an object whose specification is a program. */
#include "verify/program/check_program.h"

#include <stdio.h>

#include "spec/spec.h"
#include "verify/task/check_object.h"
#include "verify/task/own_spec.h"

bool lp_check_program_harness(struct lp_check *c, struct lp_error *error)
{
	if (!c->program.file)
		return lp_task_harness(&c->task, &c->harness, &c->own, error);
	c->task.native.findings.identity |= c->program.interface.identity;
	return lp_task_interface(&c->task, &c->harness, &c->own, c->program.interface.spec, error) &&
	       lp_program_spec_fits(&c->program, c->task.file, &c->harness, error);
}

/* A specification that is a program says all by itself. */
static bool program_fits(const struct lp_check *c, struct lp_error *error)
{
	static const struct {
		enum lp_option_id id;
		const char *name;
	} not_with[] = { { LP_OPT_PROP, "prop" }, { LP_OPT_SYNC, "sync" }, { LP_OPT_FIT, "fit" }, { LP_OPT_AK, "ak" },
			 { LP_OPT_SCHEDULES, "schedules" } };

	for (size_t i = 0; i < sizeof not_with / sizeof *not_with; i++)
		if (lp_task_given(&c->task, not_with[i].id))
			return lp_fail(error, "--spec %s is a program, and says what is right: not with --%s", c->program.file,
				       not_with[i].name);
	if (c->task.options->command == LP_COMMAND_MUTANTS) /* whose processes would share that of the specification */
		return lp_fail(error, "--spec %s is a program: not for `mutants`", c->program.file);
	if (c->task.explore.model == LP_MODEL_TSO)
		return lp_fail(error, "--spec %s is a program: with --model sc, ra or rc11 only", c->program.file);
	return true;
}

bool lp_check_program_open(struct lp_check *c, struct lp_error *error)
{
	if (!program_fits(c, error))
		return false;
	c->property = "refinement";
	c->judge.clients = lp_clients_open(c->harness.spec, LP_ORDERS_NONE, LP_SYNC_NONE, true); /* is asked nothing */
	c->refines.one_client = lp_task_given(&c->task, LP_OPT_CLIENT);
	c->judge.refines = &c->refines;
	c->judge.program = c->program.file;
	return true;
}

/* Does the program treat like calls alike? */
static bool is_even(const struct lp_check *c, const struct lp_runs *runs, const struct lp_client *client)
{
	const struct lp_method *methods = c->harness.spec->kind->methods;
	uint32_t valued = 0;

	for (uint32_t i = 0; i < client->calls; i++) {
		const enum lp_shape shape = methods[c->judge.method[i]].result;
		valued |= (uint32_t)(shape == LP_VALUE || shape == LP_VALUE_OR_EMPTY) << i;
	}
	for (uint32_t t = 0; t < client->threads; t++)
		if (client->like[t] && !lp_runs_exchange(runs, client->like[t] - 1, t, valued))
			return false;
	return true;
}

void lp_check_program_client(struct lp_check *c, const struct lp_plan_client *client)
{
	if (!c->program.file)
		return;
	const struct lp_runs *runs = lp_program_spec_runs(&c->program, &c->harness, client, c->task.explore.limits.seconds);
	lp_refines_begin(&c->refines, runs);
	c->program.is_even = !runs || is_even(c, runs, &client->client);
}

bool lp_check_program_gives_up(struct lp_check *c)
{
	char text[LP_PROGRAM_TEXT + 300];

	snprintf(text, sizeof text, "the specification '%s' was not explored to its end: %s", c->program.file, c->program.text);
	lp_check_add(c, &(struct lp_exploration){ .verdict = LP_INCONCLUSIVE,
						  .reason = lp_arena_strdup(&c->task.arena, text) });
	c->cut = true;
	return false;
}

const char *lp_check_program_scope(const struct lp_check *c)
{
	return c->judge.model->by_hb ? ": results, stuck calls, client orders, and the synchronisation of calls" :
				       ": results, stuck calls, and client orders";
}
