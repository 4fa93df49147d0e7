/* task.c -- what commands that explore native code have in common: loads the program, explores it, and repeats and confirms what
 * was found. */
#include "verify/task/task.h"

#include "base/error.h"
#include "base/memory.h"
#include "explore/parallel/team.h"
#include "ranks/ranks.h"
#include "verify/interrupt.h"
#include "verify/orders/site_orders.h"
#include "verify/checkpoint/checkpoint.h"
#include "verify/coverage/coverage.h"
#include "verify/usage.h"

#include <stdio.h>
#include <string.h>

bool lp_task_given(const struct lp_task *task, enum lp_option_id id)
{
	return task->options->at[id].given;
}

uint64_t lp_task_count(const struct lp_task *task, enum lp_option_id id)
{
	return task->options->at[id].count;
}

bool lp_task_follows(const struct lp_task *task)
{
	const struct lp_ranks *r = task->options->ranks ? task->options->ranks : task->options->searching;

	return r && lp_ranks_self(r);
}

void lp_task_part(const struct lp_task *task)
{
	lp_team_dismiss(task->options->team);
}

typedef void explorer(struct lp_program *, const struct lp_explore_options *, struct lp_arena *,
		      struct lp_exploration *);

static explorer *explorer_of(const struct lp_explore_options *options)
{
	if (options->sampling.executions)
		return lp_explore_random;
	return lp_is_bounded(options) ? lp_explore_bounded : lp_explore_graphs;
}

static uint32_t moved(const uint32_t *to, uint32_t step)
{
	return step >= LP_STEP_INITIAL ? step : to[step];
}

void lp_task_keep_steps(struct lp_task *task, struct lp_exploration *e, lp_task_keeps keeps,
			const void *closure)
{
	struct lp_step *steps = lp_arena_alloc(&task->arena, sizeof *steps * (e->step_count + 1));
	uint32_t *to = lp_arena_alloc(&task->arena, sizeof *to * (e->step_count + 1));
	struct lp_plain_step *plains = lp_arena_alloc(&task->arena, sizeof *plains * (e->plain_count + 1));
	uint32_t count = 0;

	for (uint32_t i = 0; i < e->step_count; i++) {
		to[i] = count;
		if (keeps(&e->steps[i], closure))
			steps[count++] = e->steps[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		steps[i].reads_from = moved(to, steps[i].reads_from);
		steps[i].co_after = moved(to, steps[i].co_after);
	}
	to[e->step_count] = count;
	for (uint32_t i = 0; i < e->plain_count; i++) {
		plains[i] = e->plains[i];
		plains[i].before = to[plains[i].before];
	}
	e->steps = steps;
	e->step_count = count;
	e->plains = plains;
}

double lp_task_seconds(const struct lp_task *task)
{
	return lp_usage_seconds() - task->start;
}

void lp_task_begin(struct lp_task *task)
{
	const bool wanted = !lp_task_given(task, LP_OPT_QUIET) && !lp_task_given(task, LP_OPT_JSON);

	lp_interrupt_open();
	task->line = lp_progress_line_open(wanted);
	if (wanted && task->options->ranks_here)
		lp_progress_line_log(&task->line);
	task->line.processes = task->explore.jobs;
}

/* Reductions leave out executions because of what was seen in others.  Several processes have also seen executions that come after the violation, so they may
 * have left out others before it than one process, and have counted others, or found another violation.  So one process explores up to the violation,
 * and that counts, if there are few executions before it, or if all processes together have taken little time. */
enum { EXECUTIONS_ALONE = 10000 };
static const double seconds_alone = 10, seconds_brief = 2;

static uint64_t at_most(uint64_t limit, uint64_t most)
{
	return limit && limit < most ? limit : most;
}

/* Does this exploration go on from a checkpoint, and so perhaps from the work of several processes? */
static bool is_resumed(const struct lp_task *task)
{
	return task->explore.limits.keep && task->checkpoint->resumed;
}

/* The time of all processes for this exploration; those that have written the checkpoint count as one. */
static double seconds_together(const struct lp_task *task)
{
	const double seconds = lp_task_seconds(task) - task->line.before + (is_resumed(task) ? task->checkpoint->from.seconds : 0);

	return seconds * (task->explore.jobs > 1 ? task->explore.jobs : 1) * (task->explore.team ? lp_ranks_count(task->options->ranks) : 1);
}

/* `told` and `concerned` are what the program was seen to do before this exploration: what executions after the violation have done, and the violation
 * itself, must not count. */
static void find_alone(struct lp_task *task, const struct lp_told_apart *told, bool concerned, struct lp_exploration *e)
{
	struct lp_explore_options *o = &task->explore;
	const struct lp_explore_options options = *o;
	const bool few = e->executions <= EXECUTIONS_ALONE && e->blocked <= EXECUTIONS_ALONE, brief = seconds_together(task) <= seconds_brief;
	struct lp_exploration again = { 0 };

	if (e->verdict != LP_VIOLATION || (o->jobs <= 1 && !o->team && !is_resumed(task)) || (!few && !brief))
		return;
	o->jobs = 1;
	o->team = NULL;
	o->limits.keep = NULL;
	if (!brief) {
		o->limits.executions = at_most(o->limits.executions, 2 * EXECUTIONS_ALONE);
		o->limits.blocked = 2 * EXECUTIONS_ALONE;
	}
	if (o->limits.seconds <= 0 || o->limits.seconds > seconds_alone)
		o->limits.seconds = seconds_alone;
	task->native.program->told_apart = *told;
	task->native.program->main_concerned = concerned;
	lp_explore_graphs(task->native.program, o, &task->arena, &again);
	*o = options;
	if (again.verdict == LP_VIOLATION)
		*e = again;
}

/* At a limit: what the progress line says of the whole, if there are samples.  With --executions the report is the same each time, so it is the walk's estimate. */
static void use_samples(const struct lp_task *task, struct lp_exploration *e)
{
	if (e->verdict == LP_INCONCLUSIVE && task->aside.effort > 0 && !task->explore.limits.executions)
		e->estimate = lp_sample_aside_estimate(&task->aside, &(struct lp_progress){ e->executions, e->blocked, e->estimate });
}

void lp_task_explore(struct lp_task *task, struct lp_exploration *out)
{
	const struct lp_told_apart told = task->native.program->told_apart;
	const bool concerned = task->native.program->main_concerned;

	task->line.before = lp_task_seconds(task);
	task->aside = (struct lp_sample_aside){ 0 };
	/* The loaded program may already exceed the limit, and a short exploration does not check it. */
	if (!lp_memory_look() && task->estimate)
		lp_explore_estimate(task->native.program, &task->explore, (struct lp_estimate_effort){ 0 }, &task->arena,
				    task->estimate, out);
	else if (!lp_memory_look())
		explorer_of(&task->explore)(task->native.program, &task->explore, &task->arena, out);
	if (!task->estimate && explorer_of(&task->explore) == lp_explore_graphs)
		find_alone(task, &told, concerned, out);
	lp_sample_aside_end(&task->aside);
	use_samples(task, out);
	lp_task_obey_memory(out);
	if (out->verdict == LP_VERIFIED && out->cut && !out->executions) {
		out->verdict = LP_INCONCLUSIVE; /* otherwise "verified" would cover no execution */
		out->reason = "no execution is complete within the bound that --unroll sets";
	}
}

static bool fails_for_no_reason(const struct lp_step *s)
{
	return s->op.kind == LP_OP_RMW && s->op.weak && s->answer.failed && !s->op.internal && lp_op_holds(&s->op, s->answer.value);
}

enum { SECONDS_TO_SPARE = 3 };

void lp_task_spare_failures(struct lp_task *task, struct lp_exploration *e)
{
	const struct lp_explore_options options = task->explore;
	struct lp_exploration again = { 0 };
	bool any = false;

	for (uint32_t i = 0; e->verdict == LP_VIOLATION && i < e->step_count; i++)
		any |= fails_for_no_reason(&e->steps[i]);
	if (!any || options.sampling.executions) /* the seed stands for the execution */
		return;
	task->explore.weak_fails = false;
	task->explore.limits.seconds = SECONDS_TO_SPARE;
	lp_task_explore(task, &again);
	task->explore = options;
	if (again.verdict != LP_VIOLATION || again.kind != e->kind)
		return;
	again.executions = e->executions;
	again.blocked = e->blocked;
	again.abandoned = e->abandoned;
	again.cut = e->cut;
	again.estimate = e->estimate;
	*e = again;
}

void lp_task_obey_memory(struct lp_exploration *out)
{
	if (out->verdict == LP_VIOLATION || (out->verdict == LP_INCONCLUSIVE && out->reason) || !lp_memory_look())
		return;
	out->verdict = LP_INCONCLUSIVE;
	out->reason = lp_memory_reason();
}

static bool is_same_place(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

void lp_task_repeat(struct lp_task *task, const struct lp_step *steps, uint32_t count, struct lp_exploration *out)
{
	struct lp_explore_options unlimited = task->explore;

	lp_native_forget(&task->native); /* discards what other executions have recorded */
	/* This is a single execution that was already found, so neither the time limit nor an interrupt ends its replay. */
	unlimited.limits.seconds = 0;
	unlimited.callbacks.progress = NULL;
	lp_explore_replay(task->native.program, &unlimited, &(struct lp_replay){ .steps = steps, .count = count }, &task->arena, out);
}

/* A thread whose last step was done ends when it can; in the execution that was found it may not have come to that. */
static bool has_ended(const struct lp_step *s, const void *found)
{
	const struct lp_exploration *e = found;

	for (uint32_t i = 0; s->op.kind == LP_OP_END && i < e->step_count; i++)
		if (e->steps[i].thread == s->thread && e->steps[i].op.kind == LP_OP_END)
			return true;
	return s->op.kind != LP_OP_END;
}

void lp_task_confirm(struct lp_task *task, struct lp_exploration *found)
{
	struct lp_exploration again = { 0 };

	if (found->verdict != LP_VIOLATION)
		return;
	lp_task_repeat(task, found->steps, found->step_count, &again);
	/* A loop without end is interrupted anywhere in it. */
	const bool anywhere = found->kind == LP_ERROR_ENDLESS;
	task->unconfirmed = again.verdict != LP_VIOLATION || again.kind != found->kind ||
			    again.thread != found->thread || (!anywhere && !is_same_place(again.where, found->where));
	if (task->unconfirmed)
		return;
	/* What is shown is what was done now, with the plain accesses between the steps. */
	lp_task_keep_steps(task, &again, has_ended, found);
	found->steps = again.steps;
	found->step_count = again.step_count;
	found->plains = again.plains;
	found->plain_count = again.plain_count;
	found->location = again.location;
	if (again.location && !task->explore.sampling.executions) /* whose texts have the seed */
		found->text = again.text;
	found->error = again.error;
}

void lp_task_end(struct lp_task *task)
{
	lp_progress_line_erase(&task->line);
	lp_interrupt_close();
}

static bool open_task(struct lp_task *task, const struct lp_options *options, bool client,
		      enum lp_model model, struct lp_error *error)
{
	*task = (struct lp_task){ .options = options, .start = lp_usage_seconds() };
	task->runtime.client = client;
	return lp_task_take_options(task, model, error) && lp_coverage_ask(task) &&
	       lp_native_open(&task->native, &task->runtime, error) &&
	       (!lp_task_given(task, LP_OPT_ORDER) ||
		lp_sites_override(task, options->at[LP_OPT_ORDER].text, error)) &&
	       (!lp_task_given(task, LP_OPT_MUTANT) || task->runtime.mutant ||
		lp_sites_override(task, options->at[LP_OPT_MUTANT].text, error));
}

bool lp_task_open(struct lp_task *task, const struct lp_options *options, bool client,
		  struct lp_error *error)
{
	return open_task(task, options, client, LP_MODEL_RC11, error);
}

bool lp_task_open_sc(struct lp_task *task, const struct lp_options *options,
		     struct lp_error *error)
{
	return open_task(task, options, true, LP_MODEL_SC, error);
}

void lp_task_close(struct lp_task *task)
{
	lp_checkpoint_close(task->checkpoint);
	if (task->native.program)
		lp_native_close(&task->native);
	lp_free(task->ignored.only.at);
	lp_free(task->ignored.ignore.at);
	lp_arena_close(&task->arena);
}
