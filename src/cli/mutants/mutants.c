/* mutants.c -- `linchpin mutants`: does the check detect small changes to the object?
 *
 * First the object itself is verified.  Then it is changed in small ways, one at a time, and checked for the same clients.  A
 * mutant for which the check finds a violation is killed.  A survivor says something about the object, its specification, or
 * the clients.  To find out which, survivors are compared with the object by the results that clients see, and checked for
 * clients with one more call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/check_command.h"
#include "cli/deliver.h"
#include "cli/mutants/mutants.h"
#include "frontend/abi.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "model/model.h"
#include "report/text/terminal.h"
#include "report/words.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

enum { DEFAULT_CALLS = 4 };
static const double SECONDS = 10; /* for each mutant */

bool lp_mutants_over(struct lp_mutants *m)
{
	m->over = m->over ? m->over : lp_interrupt_reason();
	return m->over;
}

/* ---- the object itself ---- */

/* Opens the object, explores it as it is, and notes which orders are reached. */
static bool open_object(struct lp_mutants *m, struct lp_error *error)
{
	const struct lp_options *o = m->options;

	m->limit = o->at[LP_OPT_TIME].given ? o->at[LP_OPT_TIME].seconds : SECONDS;
	if (!lp_check_open(&m->check, o, error))
		return false;
	m->check.task.explore.jobs = 1; /* -j is for mutants */
	lp_site_choices(&m->check.task.native, &m->check.task.arena, &m->choices);
	m->source = lp_arena_alloc(&m->check.task.arena, m->choices.count + 1);
	for (uint32_t i = 0; i < m->choices.count; i++)
		m->source[i] = (uint8_t)m->choices.at[i].now;
	lp_trial_open(&m->trial, &m->check, &m->choices, NULL);
	return lp_check_explore(&m->check, error);
}

/* Collects the results of the object, with which survivors are compared.  From here on the limits of one mutant apply. */
static void prepare_comparison(struct lp_mutants *m, struct lp_options *options)
{
	struct lp_check *c = &m->check;

	c->task.options = options;
	c->task.start = lp_usage_seconds();
	c->task.explore.limits.seconds = c->deadline = m->limit;
	lp_site_choices_set(&c->task.native, &m->choices, m->source, false);
	m->comparable = lp_mutants_observe(c, &m->results);
}

/* Is the object verified with one more call, within the limit?  If not, a mutant that fails with one more call proves nothing. */
static void prepare_larger(struct lp_mutants *m, struct lp_options *options)
{
	const struct lp_option_value *ops = &m->options->at[LP_OPT_OPS];
	struct lp_check *c = &m->check;
	struct lp_error error;
	const char *reason;
	char text[16], *end = "";
	const unsigned long calls = ops->given ? strtoul(ops->text, &end, 10) : DEFAULT_CALLS;

	if (*end || m->options->at[LP_OPT_CLIENT].given || m->options->at[LP_OPT_SCHEDULES].given || calls >= LP_PLAN_CALLS)
		return;
	snprintf(text, sizeof text, "%lu", calls + 1);
	m->larger = lp_arena_strdup(&m->arena, text);
	lp_mutants_options(m, LP_STAGE_LARGER, options);
	c->task.start = lp_usage_seconds();
	c->quick = true;
	if (!lp_check_explore(c, &error) || lp_check_verdict(c, &reason) != LP_RESULT_VERIFIED)
		m->larger = NULL;
}

/* ---- what it means ---- */

static bool is_any(const struct lp_mutant *mutant)
{
	(void)mutant;
	return true;
}

static bool has_survived(const struct lp_mutant *mutant)
{
	return mutant->answer.state == LP_MUTANT_SURVIVED;
}

static enum lp_mutant_class class_of(const struct lp_mutants *m, const struct lp_mutant *mutant)
{
	static const enum lp_mutant_class classes[] = {
		[LP_LIKENESS_UNKNOWN] = LP_SURVIVES_NOT_COMPARED, [LP_LIKENESS_SAME] = LP_SURVIVES_SAME,
		[LP_LIKENESS_FEWER] = LP_SURVIVES_FEWER, [LP_LIKENESS_ORDERS] = LP_SURVIVES_MORE,
		[LP_LIKENESS_MORE] = LP_SURVIVES_MORE,
	};
	const bool looked = !mutant->compiled || m->looked;

	if (mutant->larger.state == LP_MUTANT_KILLED)
		return LP_SURVIVES_SCOPE;
	if (looked && !mutant->seen)
		return LP_SURVIVES_NOT_REACHED;
	if (looked && !(mutant->seen & LP_MUTANT_DIFFERS))
		return LP_SURVIVES_NO_DIFFERENCE;
	if (!mutant->compiled && mutant->compared.likeness < LP_LIKENESS_ORDERS)
		return LP_SURVIVES_ORDER;
	return classes[mutant->compared.likeness];
}

/* Leaks are not visible in results. */
static bool frees(const struct lp_mutant *mutant)
{
	return !strcmp(mutant->detail, "free()") || !strcmp(mutant->detail, "lp_pool_free()");
}

static const char *same_as_what(const struct lp_mutant *mutant)
{
	return !strcmp(mutant->operation, "never")     ? "the condition never holds" :
	       !strcmp(mutant->operation, "always")    ? "the condition always holds" :
	       !strcmp(mutant->operation, "unchecked") ? "the compare-exchange never fails" :
							 "the two values are never equal";
}

static const char *meaning(struct lp_mutants *m, const struct lp_mutant *mutant, enum lp_mutant_class why)
{
	const char *means = frees(mutant) ? "memory is lost, which no result shows" : mutant->means;
	char text[1024];

	switch (why) {
	case LP_SURVIVES_SCOPE:
		snprintf(text, sizeof text, "with one more call (--ops %s): %s, %s", m->larger, mutant->larger.how,
			 mutant->larger.client);
		break;
	case LP_SURVIVES_NOT_REACHED:
		snprintf(text, sizeof text, "no client reaches it: that takes more calls, or is impossible");
		break;
	case LP_SURVIVES_NO_DIFFERENCE:
		snprintf(text, sizeof text, "%s in any execution of these clients: a difference takes more calls, or is impossible",
			 same_as_what(mutant));
		break;
	case LP_SURVIVES_MORE:
		snprintf(text, sizeof text,
			 mutant->compared.likeness == LP_LIKENESS_ORDERS ?
				 "the mutant gives some clients results that the object never gives them; the specification accepts these: %s" :
				 "the mutant gives results that the object never gives; the specification accepts these: %s",
			 mutant->compared.result);
		break;
	case LP_SURVIVES_ORDER:
		snprintf(text, sizeof text, "%s", means);
		break;
	case LP_SURVIVES_FEWER:
		snprintf(text, sizeof text, "the object gives all results of the mutant, too: perhaps %s", means);
		break;
	case LP_SURVIVES_SAME:
		snprintf(text, sizeof text, "none of these clients can tell the difference: perhaps %s", means);
		break;
	case LP_SURVIVES_NOT_COMPARED:
		snprintf(text, sizeof text, "there was no time to compare it with the object; perhaps %s", means);
		break;
	}
	return lp_arena_strdup(&m->arena, text);
}

/* ---- the result ---- */

static const char *source_line(struct lp_mutants *m, const struct lp_mutant *mutant)
{
	char where[4200], text[160];

	snprintf(where, sizeof where, "%s:%u", mutant->path, mutant->line);
	return lp_words_source(where, m->check.task.file, text, sizeof text) ?
		       lp_arena_strdup(&m->arena, text) : "";
}

static void fill_row(struct lp_mutants *m, const struct lp_mutant *mutant, struct lp_mutant_row *row)
{
	const struct lp_mutant_answer *a = &mutant->answer;
	const char *option = mutant->compiled ? "--mutant" : "--order";

	*row = (struct lp_mutant_row){
		.name = mutant->name, .operation = mutant->operation, .change = mutant->change, .detail = mutant->detail,
		.path = mutant->path, .function = mutant->function, .source = source_line(m, mutant), .line = mutant->line,
		.state = a->state, .error = a->error, .how = a->how, .client = a->client, .reason = a->reason,
		.executions = a->executions, .blocked = a->blocked, .seconds = a->seconds,
		.command = lp_check_command(&m->check.task, option, mutant->name),
	};
	if (a->state != LP_MUTANT_SURVIVED)
		return;
	row->why = class_of(m, mutant);
	row->means = meaning(m, mutant, row->why);
}

static int deliver(struct lp_mutants *m, const char *claim, double seconds)
{
	struct lp_task *task = &m->check.task;
	struct lp_mutant_row *rows = lp_arena_alloc(&m->arena, sizeof *rows * (m->all.count + 1));
	struct lp_terminal terminal = lp_terminal_on(stdout);
	const struct lp_mutants_result result = {
		.subject = task->file, .claim = claim, .model = lp_model_class_of(task->explore.model)->name,
		.rows = rows, .count = m->all.count, .seconds = seconds,
	};

	task->options = m->options;
	for (uint32_t i = 0; i < m->all.count; i++)
		fill_row(m, &m->all.at[i], &rows[i]);
	terminal.quiet = lp_task_given(task, LP_OPT_QUIET);
	terminal.verbose = lp_task_given(task, LP_OPT_VERBOSE);
	if (lp_task_given(task, LP_OPT_JSON))
		lp_json_mutants(stdout, &result);
	else
		lp_terminal_mutants(&terminal, &result);
	return lp_mutants_count(&result, LP_MUTANT_SURVIVED)  ? LP_EXIT_VIOLATION :
	       lp_mutants_count(&result, LP_MUTANT_UNDECIDED) ? LP_EXIT_INCONCLUSIVE : LP_EXIT_VERIFIED;
}

static bool any_survived(const struct lp_mutants *m)
{
	for (uint32_t i = 0; i < m->all.count; i++)
		if (has_survived(&m->all.at[i]))
			return true;
	return false;
}

/* Tries them, and then those that survive in other ways. */
static bool try_all(struct lp_mutants *m, struct lp_error *error)
{
	struct lp_options options;

	if (!lp_mutants_try_all(m, LP_STAGE_CHECK, is_any, error))
		return false;
	if (!any_survived(m) || lp_mutants_over(m))
		return true;
	lp_mutants_options(m, LP_STAGE_CHECK, &options);
	prepare_comparison(m, &options);
	bool good = lp_mutants_over(m) || !m->comparable ||
		    lp_mutants_try_all(m, LP_STAGE_COMPARE, has_survived, error);
	if (good && !lp_mutants_over(m)) {
		prepare_larger(m, &options);
		good = lp_mutants_over(m) || !m->larger || lp_mutants_try_all(m, LP_STAGE_LARGER, has_survived, error);
	}
	m->check.task.options = m->options;
	return good;
}

static int run(struct lp_mutants *m)
{
	struct lp_error error = { .hint = "" };
	const double start = lp_usage_seconds();
	const char *reason;

	if (!open_object(m, &error))
		return lp_deliver_error(m->options, &error);
	if (lp_check_verdict(&m->check, &reason) != LP_RESULT_VERIFIED)
		return lp_check_show(&m->check); /* there is nothing for mutants to be compared with */
	const char *claim = lp_check_claim(&m->check, false);
	if (!lp_mutants_over(m))
		lp_trial_note_source(&m->trial, m->source);
	if (!lp_mutants_list(m, &error) || !try_all(m, &error))
		return lp_deliver_error(m->options, &error);
	return deliver(m, claim, lp_usage_seconds() - start);
}

int lp_cli_mutants(const struct lp_options *options)
{
	struct lp_mutants m = { .options = options };
	const int status = run(&m);

	lp_compile_end_serving();
	if (m.folder[0])
		lp_command_folder_close(m.folder);
	lp_sightings_close(&m.results);
	lp_free(m.all.at);
	lp_trial_close(&m.trial);
	lp_free(m.choices.at);
	lp_check_close(&m.check);
	lp_arena_close(&m.arena);
	return status;
}
