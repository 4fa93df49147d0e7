/* task_options.c -- from the command line to the options of the runtime and of the explorer. */
#include "verify/task/task.h"

#include "base/error.h"
#include "base/memory.h"
#include "explore/parallel/team.h"
#include "explore/reduce/reductions.h"
#include "model/model.h"
#include "verify/interrupt.h"
#include "verify/coverage/coverage.h"
#include "verify/task/ignore_rules.h"
#include "verify/usage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one operand, if it is a file that can be read. */
static bool take_operand(struct lp_task *task, struct lp_error *error)
{
	const struct lp_options *o = task->options;
	struct stat status;

	if (o->operand_count == 0)
		return lp_fail(error, task->runtime.client ? "no object given: linchpin check OBJECT.c (or states)" :
						       "no program given: linchpin run PROGRAM.c");
	if (o->operand_count > 1) {
		lp_fail(error, "only one %s at a time: '%s' or '%s'?", task->runtime.client ? "object" : "program",
			o->operands[0], o->operands[1]);
		snprintf(error->hint, sizeof error->hint, "other sources go after `--`: linchpin %s %s -- %s",
			 lp_options_command(o), o->operands[0], o->operands[1]);
		return false;
	}
	task->file = o->operands[0];
	if (lp_task_follows(task)) /* rank 0 has it */
		return true;
	if (stat(task->file, &status) || access(task->file, R_OK))
		return lp_fail(error, "cannot read '%s': %s", task->file, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is a directory", task->file);
	if (!S_ISREG(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is not a file", task->file);
	return true;
}

/* Can the number of executions be estimated from a sample of graphs?  The sample also reaches code, so it is not taken
 * where that is recorded. */
static bool is_sampled(const struct lp_task *task)
{
	const struct lp_explore_options *e = &task->explore;
	const enum lp_cli_command_id command = task->options->command;

	if (lp_task_follows(task) || lp_task_given(task, LP_OPT_PLAN) || (e->limits.executions && !task->line.shown))
		return false;
	return (command == LP_COMMAND_RUN || command == LP_COMMAND_CHECK) && !e->sampling.executions && !lp_is_bounded(e) && !lp_coverage_wanted(task);
}

static bool report_progress(void *closure, const struct lp_progress *p)
{
	struct lp_task *task = closure;
	const double seconds = lp_task_seconds(task) - task->line.before;
	double estimate = p->estimate;

	if (is_sampled(task)) {
		if (lp_sample_aside_turn(&task->aside, task->native.program, &task->explore, seconds))
			task->line.left = 0; /* the earlier estimate was less accurate */
		estimate = lp_sample_aside_estimate(&task->aside, p);
	}
	task->line.memory_kb = task->line.shown ? lp_memory_resident_kb() : 0;
	lp_progress_line_show(&task->line, &(struct lp_progress_made){ .executions = p->executions, .blocked = p->blocked,
								     .estimate = estimate, .seconds = seconds });
	return !lp_interrupt_reason() && !lp_memory_look();
}

/* Explorers find some errors themselves: threads that wait forever end the execution, and reads go on. */
static bool ignores(const struct lp_program_error *error)
{
	return error->kind == LP_ERROR_UNINITIALISED ? lp_native_passes_over(error->kind, error->pc) :
						       lp_native_cuts_off(error->kind, error->pc);
}

/* What concerns the program rather than its exploration. */
static bool take_runtime_options(struct lp_task *task, struct lp_error *error)
{
	const struct lp_options *o = task->options;
	const struct lp_option_value *nondet = &o->at[LP_OPT_NONDET];
	struct lp_runtime_options *r = &task->runtime;

	const bool client = r->client;
	*r = (struct lp_runtime_options)LP_RUNTIME_DEFAULTS;
	r->client = client;
	r->file = task->file;
	r->compiler = o->at[LP_OPT_CC].text;
	r->uncached = o->at[LP_OPT_NO_COMPILE_CACHE].given;
	r->folder = o->folder;
	r->machines.shipping = (struct lp_shipping){ o->ranks ? o->ranks : o->searching, o->searching };
	r->machines.place = o->place;
	r->compiled = o->compiled;
	r->mutant = o->at[LP_OPT_MUTANT].given && !strchr(o->at[LP_OPT_MUTANT].text, '=') ? o->at[LP_OPT_MUTANT].text : NULL;
	r->mutants = o->mutants;
	if (o->mutants) { /* many mutants have endless loops, which should be found quickly */
		r->seconds = 0.5; /* two ticks of the runtime's clock: one may come at once */
		r->plain_steps = 1000000;
	}
	r->debug = o->unoptimised;
	r->interleaved = lp_task_count(task, LP_OPT_RACES) == 1;
	r->echo = lp_task_given(task, LP_OPT_ECHO);
	r->spurious = lp_task_given(task, LP_OPT_SPURIOUS);
	r->reuse = lp_task_given(task, LP_OPT_REUSE);
	r->invalid_orders = lp_task_count(task, LP_OPT_INVALID_ORDERS) == 1;
	r->leaks = lp_task_given(task, LP_OPT_LEAKS);
	if (lp_task_given(task, LP_OPT_HEAP))
		r->heap_limit = lp_task_count(task, LP_OPT_HEAP) << 20;
	if (nondet->given) {
		/* Every value is explored, so a larger range is certainly a mistake. */
		if ((uint64_t)nondet->high - (uint64_t)nondet->low >= 1000000)
			return lp_fail(error, "--nondet %s: more than a million values", nondet->text);
		r->nondet.given = true;
		r->nondet.low = nondet->low;
		r->nondet.high = nondet->high;
	}
	return lp_task_take_flags(task, error);
}

/* Findings that are not reported. */
static bool take_ignored(struct lp_task *task, struct lp_error *error)
{
	const char *only = task->options->at[LP_OPT_ONLY].text, *ignore = task->options->at[LP_OPT_IGNORE].text;

	if (!only && !ignore)
		return true;
	task->runtime.ignored = &task->ignored;
	task->explore.callbacks.ignores = ignores;
	if (lp_task_given(task, LP_OPT_FIT))
		return lp_fail(error, "--fit cannot be combined with --%s", only ? "only" : "ignore");
	return (!only || lp_ignore_rules_parse(&task->ignored.only, only, false, &task->arena, error)) &&
	       (!ignore || lp_ignore_rules_parse(&task->ignored.ignore, ignore, true, &task->arena, error));
}

/* What bounds schedules, or NULL. */
static const char *bound_of(const struct lp_explore_options *e)
{
	return e->bounds.preemptions ? "preemptions" : e->bounds.delays ? "delays" : e->bounds.rounds ? "rounds" : NULL;
}

/* Selects the explorer, and rejects options that it does not support. */
static bool take_explorer(struct lp_task *task, struct lp_error *error)
{
	struct lp_explore_options *e = &task->explore;

	e->sampling.executions = lp_task_count(task, LP_OPT_RANDOM);
	e->sampling.seed = lp_task_given(task, LP_OPT_SEED) ? lp_task_count(task, LP_OPT_SEED) : 1;
	e->sampling.pct = (uint32_t)lp_task_count(task, LP_OPT_PCT);
	e->bounds.preemptions = lp_task_given(task, LP_OPT_PREEMPTIONS) ? 1 + (uint32_t)lp_task_count(task, LP_OPT_PREEMPTIONS) : 0;
	e->bounds.delays = lp_task_given(task, LP_OPT_DELAYS) ? 1 + (uint32_t)lp_task_count(task, LP_OPT_DELAYS) : 0;
	e->bounds.rounds = (uint32_t)lp_task_count(task, LP_OPT_ROUNDS);
	e->jobs = lp_task_given(task, LP_OPT_JOBS) ? (uint32_t)lp_task_count(task, LP_OPT_JOBS) : 1;
	e->team = task->options->team;
	if (!e->sampling.executions && (lp_task_given(task, LP_OPT_SEED) || e->sampling.pct))
		return lp_fail(error, "--%s requires --random N",
			       e->sampling.pct ? "pct" : "seed");
	const char *bound = bound_of(e);
	if (e->sampling.executions && e->limits.fair)
		return lp_fail(error, "--random and --fair exclude each other");
	if (e->sampling.executions && bound)
		return lp_fail(error, "--random and --%s exclude each other", bound);
	if (bound && e->model != LP_MODEL_SC)
		return lp_fail(error, "--%s requires --model sc", bound);
	if (lp_task_given(task, LP_OPT_PLAN) && (e->sampling.executions || bound))
		return lp_fail(error, "--plan cannot be combined with --%s", e->sampling.executions ? "random" : bound);
	if (e->jobs > 1 && (e->sampling.executions || bound))
		return lp_fail(error, "-j cannot be combined with --%s", e->sampling.executions ? "random" : bound);
	/* One process is enough, or each would have to know what the others have reached. */
	if (e->sampling.executions || bound || lp_coverage_wanted(task) || lp_task_given(task, LP_OPT_FIT))
		lp_team_dismiss(e->team);
	else if (task->options->ranks_here > 1)
		e->jobs *= task->options->ranks_here;
	return true;
}

/* Of a sequentially consistent object, only the order in threads counts. */
static bool judges_in_threads(const struct lp_task *task)
{
	return lp_task_given(task, LP_OPT_PROP) && !strcmp(task->options->at[LP_OPT_PROP].text, "sequential") &&
	       lp_model_class_of(task->explore.model)->by_hb;
}

/* What some reductions cannot be used with. */
unsigned lp_task_situation(const struct lp_task *task)
{
	const struct lp_explore_options *e = &task->explore;

	return (e->reduce.spin ? 0u : LP_WITHOUT_SPIN) | (e->races_ignored ? LP_WITH_RACES : 0u) |
	       (task->runtime.client ? 0u : LP_COUNTING) | (task->runtime.reuse ? LP_WITH_REUSE : 0u) |
	       (lp_task_given(task, LP_OPT_FIT) || lp_task_given(task, LP_OPT_FORMULAE) || lp_task_given(task, LP_OPT_GRAMMAR) ? LP_WITH_FIT : 0u) |
	       (judges_in_threads(task) ? LP_IN_THREADS : 0u) | (lp_coverage_wanted(task) ? LP_WITH_COVERAGE : 0u);
}

static bool take_explore_options(struct lp_task *task, enum lp_model model, struct lp_error *error)
{
	struct lp_explore_options *e = &task->explore;

	e->model = lp_task_given(task, LP_OPT_MODEL) ? (enum lp_model)lp_task_count(task, LP_OPT_MODEL) : model;
	if (lp_task_count(task, LP_OPT_RELEASE_SEQUENCES) == 1 && e->model == LP_MODEL_RC11)
		e->model = LP_MODEL_RC11_C20; /* in the others every atomic store is a release */
	e->races_ignored = lp_task_count(task, LP_OPT_RACES) == 1;
	if (e->races_ignored && lp_model_class_of(e->model)->by_hb)
		return lp_fail(error, "--races ignore requires --model sc or tso: in the other models a race has no meaning");
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) e->reduce.field = !lp_task_given(task, LP_OPT_NO_##SWITCH);
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	lp_reductions_limit(&e->reduce, lp_task_situation(task));
	e->reduce.shifts &= task->options->command != LP_COMMAND_MUTANTS;
	e->reduce.undone &= task->options->command != LP_COMMAND_MUTANTS; /* coverage tells which code is reached, so executions must not change in that respect */
	e->reduce.recognised = e->reduce.symmetry && !task->runtime.client;
	if (e->reduce.spin && !task->runtime.client)
		e->brief = LP_BRIEF_IF_NEEDED;
	e->weak_fails = !lp_task_given(task, LP_OPT_NO_WEAK_FAIL);
	e->limits = (struct lp_limits){
		.seconds = task->options->at[LP_OPT_TIME].seconds,
		.executions = lp_task_count(task, LP_OPT_EXECUTIONS),
		.steps = (uint32_t)lp_task_count(task, LP_OPT_STEPS),
		.unroll = (uint32_t)lp_task_count(task, LP_OPT_UNROLL),
		.fair = lp_task_given(task, LP_OPT_FAIR),
	};
	lp_memory_limit(lp_task_given(task, LP_OPT_MEMORY) ? lp_task_count(task, LP_OPT_MEMORY) * 1024 :
							     lp_usage_available_kb() / 4 * 3);
	e->callbacks.progress = report_progress;
	e->callbacks.closure = task;
	return take_explorer(task, error);
}

bool lp_task_take_options(struct lp_task *task, enum lp_model model, struct lp_error *error)
{
	/* The program's come first: some reductions are sound only if memory is not reused. */
	return take_operand(task, error) && take_runtime_options(task, error) && take_explore_options(task, model, error) &&
	       take_ignored(task, error);
}
