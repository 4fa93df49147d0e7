/* task.c -- what commands that explore native code have in common. */
#include "verify/task/task.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cli/deliver.h"
#include "cli/gdb/debugger.h"
#include "model/model.h"
#include "report/formats/html.h"
#include "report/words.h"
#include "verify/interrupt.h"
#include "verify/orders/site_orders.h"
#include "verify/task/coverage.h"
#include "verify/task/doubts.h"
#include "verify/task/ignore_rules.h"
#include "verify/usage.h"
#include "verify/view/convert.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool lp_task_given(const struct lp_task *task, enum lp_option_id id)
{
	return task->options->at[id].given;
}

uint64_t lp_task_count(const struct lp_task *task, enum lp_option_id id)
{
	return task->options->at[id].count;
}

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
	if (stat(task->file, &status) || access(task->file, R_OK))
		return lp_fail(error, "cannot read '%s': %s", task->file, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is a directory", task->file);
	if (!S_ISREG(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is not a file", task->file);
	return true;
}

static bool report_progress(void *closure, const struct lp_progress *p)
{
	struct lp_task *task = closure;

	task->line.memory_kb = task->line.shown ? lp_memory_resident_kb() : 0;
	lp_progress_line_show(&task->line, p->executions, p->blocked, p->estimate,
			      lp_task_seconds(task) - task->line.before);
	return !lp_interrupt_reason() && !lp_memory_look();
}

/* Explorers find some errors themselves: threads that wait forever end the execution, and reads go on. */
static bool ignores(void *closure, const struct lp_program_error *error)
{
	(void)closure;
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
	r->compiled = o->compiled;
	r->mutant = o->at[LP_OPT_MUTANT].given && !strchr(o->at[LP_OPT_MUTANT].text, '=') ? o->at[LP_OPT_MUTANT].text : NULL;
	r->mutants = o->mutants;
	if (o->mutants) { /* many of them are endless loops: that need not take long */
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
		/* Each value is explored: more of them cannot be meant. */
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
	task->explore.ignores = ignores;
	if (lp_task_given(task, LP_OPT_FIT))
		return lp_fail(error, "--fit is about all that the object does: not with --%s", only ? "only" : "ignore");
	return (!only || lp_ignore_rules_parse(&task->ignored.only, only, false, &task->arena, error)) &&
	       (!ignore || lp_ignore_rules_parse(&task->ignored.ignore, ignore, true, &task->arena, error));
}

/* What bounds schedules, or NULL. */
static const char *bound_of(const struct lp_explore_options *e)
{
	return e->preemptions >= 0 ? "preemptions" : e->limits.delays ? "delays" : e->limits.rounds ? "rounds" : NULL;
}

/* Which explorer is meant, and whether what else was asked for goes with it. */
static bool take_explorer(struct lp_task *task, struct lp_error *error)
{
	struct lp_explore_options *e = &task->explore;

	e->random = lp_task_count(task, LP_OPT_RANDOM);
	e->seed = lp_task_given(task, LP_OPT_SEED) ? lp_task_count(task, LP_OPT_SEED) : 1;
	e->pct = (uint32_t)lp_task_count(task, LP_OPT_PCT);
	e->preemptions = lp_task_given(task, LP_OPT_PREEMPTIONS) ? (int)lp_task_count(task, LP_OPT_PREEMPTIONS) : -1;
	e->jobs = lp_task_given(task, LP_OPT_JOBS) ? (uint32_t)lp_task_count(task, LP_OPT_JOBS) : 1;
	if (!e->random && (lp_task_given(task, LP_OPT_SEED) || e->pct))
		return lp_fail(error, "--%s is about --random N, which is not given",
			       e->pct ? "pct" : "seed");
	const char *bound = bound_of(e);
	if (e->random && e->limits.fair)
		return lp_fail(error, "--random and --fair exclude each other");
	if (e->random && bound)
		return lp_fail(error, "--random and --%s exclude each other", bound);
	if (bound && e->model != LP_MODEL_SC)
		return lp_fail(error, "--%s makes sense under sc only: give --model sc", bound);
	if (e->jobs > 1 && (e->random || bound))
		return lp_fail(error, "-j is for exploring everything: not with --%s", e->random ? "random" : bound);
	return true;
}

static bool is_c20(const struct lp_task *task)
{
	return lp_task_count(task, LP_OPT_RELEASE_SEQUENCES) == 1;
}

static bool take_explore_options(struct lp_task *task, enum lp_model model, struct lp_error *error)
{
	struct lp_explore_options *e = &task->explore;

	e->model = lp_task_given(task, LP_OPT_MODEL) ? (enum lp_model)lp_task_count(task, LP_OPT_MODEL) : model;
	if (is_c20(task) && e->model == LP_MODEL_RC11)
		e->model = LP_MODEL_RC11_C20; /* in the others every atomic store is a release */
	e->races_ignored = lp_task_count(task, LP_OPT_RACES) == 1;
	if (e->races_ignored && lp_model_class_of(e->model)->by_hb)
		return lp_fail(error, "--races ignore makes sense under sc and tso only: "
				      "elsewhere a race has no meaning");
	e->symmetry = !lp_task_given(task, LP_OPT_NO_SYMMETRY);
	e->spin = !lp_task_given(task, LP_OPT_NO_SPIN);
	e->helping = e->spin && !lp_task_given(task, LP_OPT_NO_HELPING);
	e->tail = !lp_task_given(task, LP_OPT_NO_FINAL_JOINS);
	/* For verdicts only: not for counts, nor for --fit, since an infeasible execution may cause a false
	 * violation of a stronger property. */
	const bool verdicts = task->runtime.client && !task->runtime.reuse && !lp_task_given(task, LP_OPT_FIT);
	/* Nor for coverage: an infeasible execution may reach code that no execution reaches. */
	e->idle = verdicts && !lp_task_given(task, LP_OPT_NO_SILENT_RMW) && !lp_coverage_wanted(task);
	e->attempts = e->spin && !task->runtime.reuse && !lp_task_given(task, LP_OPT_NO_ATTEMPTS);
	e->vain = e->spin && !task->runtime.reuse && !lp_task_given(task, LP_OPT_FIT) &&
		  !lp_task_given(task, LP_OPT_NO_REREADS);
	e->park = e->spin && !e->races_ignored && !lp_task_given(task, LP_OPT_NO_PARK);
	/* Nor here: trials tell of values that may be none. */
	e->stale = e->spin && !e->races_ignored && !lp_coverage_wanted(task) && !lp_task_given(task, LP_OPT_NO_STALE);
	e->twins = verdicts && e->spin && !e->races_ignored && !lp_task_given(task, LP_OPT_NO_TWINS);
	if (e->spin && !task->runtime.client)
		e->brief = LP_BRIEF_IF_NEEDED;
	e->weak_fails = !lp_task_given(task, LP_OPT_NO_WEAK_FAIL);
	e->limits = (struct lp_limits){
		.seconds = task->options->at[LP_OPT_TIME].seconds,
		.executions = lp_task_count(task, LP_OPT_EXECUTIONS),
		.steps = (uint32_t)lp_task_count(task, LP_OPT_STEPS),
		.unroll = (uint32_t)lp_task_count(task, LP_OPT_UNROLL),
		.fair = lp_task_given(task, LP_OPT_FAIR),
		.delays = lp_task_given(task, LP_OPT_DELAYS) ? 1 + (uint32_t)lp_task_count(task, LP_OPT_DELAYS) : 0,
		.rounds = (uint32_t)lp_task_count(task, LP_OPT_ROUNDS),
	};
	lp_memory_limit(lp_task_given(task, LP_OPT_MEMORY) ? lp_task_count(task, LP_OPT_MEMORY) * 1024 :
							     lp_usage_available_kb() / 4 * 3);
	e->progress = report_progress;
	e->closure = task;
	return take_explorer(task, error);
}

void lp_task_scope(struct lp_task *task, const char *name, const char *format, ...)
{
	char value[512];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof value, format, args);
	va_end(args);
	assert(task->scope_count < LP_TASK_SCOPE);
	task->scope[task->scope_count++] =
		(struct lp_result_scope){ name, lp_arena_strdup(&task->arena, value) };
}

/* What a verdict is relative to.  A limit that ends the exploration is no scope:
 * reaching it is inconclusive. */
static void fill_scope(struct lp_task *task, const struct lp_doubts *doubts)
{
	const struct lp_explore_options *e = &task->explore;

	if (is_c20(task))
		lp_task_scope(task, "release sequences", "C++20: only read-modify-writes continue them");
	lp_task_scope(task, "races", "%s", e->races_ignored ?
		      "ignored: plain accesses interleave" :
		      "are errors");
	if (lp_task_given(task, LP_OPT_ORDER))
		lp_task_scope(task, "overridden", "memory orders: %s", task->options->at[LP_OPT_ORDER].text);
	if (lp_task_given(task, LP_OPT_MUTANT))
		lp_task_scope(task, "mutant", "%s", task->options->at[LP_OPT_MUTANT].text);
	if (task->runtime.invalid_orders)
		lp_task_scope(task, "invalid orders", "ignored: the operation is relaxed");
	if (e->preemptions >= 0)
		lp_task_scope(task, "preemptions", "at most %d", e->preemptions);
	if (e->limits.delays)
		lp_task_scope(task, "delays", "at most %u", e->limits.delays - 1);
	if (e->limits.rounds)
		lp_task_scope(task, "rounds", "at most %u", e->limits.rounds);
	if (e->limits.fair)
		lp_task_scope(task, "fairness", "no thread is passed over forever");
	if (e->limits.unroll)
		lp_task_scope(task, "loops", "at most %u times round", e->limits.unroll);
	if (e->random)
		lp_task_scope(task, "sampling", "%" PRIu64 " executions, seed %" PRIu64, e->random,
			  e->seed);
	if (e->pct)
		lp_task_scope(task, "schedules", "by priorities, depth %u", e->pct);
	if (!e->weak_fails)
		lp_task_scope(task, "weak CAS", "never fails spuriously");
	if (lp_task_given(task, LP_OPT_ONLY))
		lp_task_scope(task, "only", "%s; races and endless loops are reported in any case", task->options->at[LP_OPT_ONLY].text);
	if (lp_task_given(task, LP_OPT_IGNORE))
		lp_task_scope(task, "ignored", "%s", task->options->at[LP_OPT_IGNORE].text);
	lp_doubts_scope(doubts, task);
	if (task->runtime.spurious)
		lp_task_scope(task, "wake-ups", "one spurious one a thread and condition variable");
	lp_task_scope(task, "memory", "malloc() never fails; addresses are fixed%s", task->runtime.reuse ?
		      "; freed blocks may be allocated again" : ", none is allocated twice");
	if (task->runtime.leaks)
		lp_task_scope(task, "leaks", "are errors where every thread is joined");
	const bool idle = !lp_task_given(task, LP_OPT_NO_SILENT_RMW);
	const bool vain = e->spin && !lp_task_given(task, LP_OPT_NO_REREADS);
	const bool attempts = e->spin && !lp_task_given(task, LP_OPT_NO_ATTEMPTS);
	const bool park = e->spin && !lp_task_given(task, LP_OPT_NO_PARK);
	const bool stale = e->spin && !lp_task_given(task, LP_OPT_NO_STALE);
	const bool twins = e->spin && !lp_task_given(task, LP_OPT_NO_TWINS);
	if (!e->symmetry || !e->helping || !e->tail || !idle || !vain || !attempts || !park || !stale || !twins)
		lp_task_scope(task, "reductions", "without%s%s%s%s%s%s%s%s%s%s", e->symmetry ? "" : " symmetry",
			      e->spin ? "" : " spin", e->helping ? "" : " helping",
			      e->spin && !attempts ? " attempts" : "",
			      idle ? "" : " silent-rmw", e->spin && !vain ? " rereads" : "",
			      e->spin && !park ? " park" : "", e->spin && !stale ? " stale" : "",
			      e->spin && !twins ? " twins" : "", e->tail ? "" : " final-joins");
}

/* What the macros of a harness make of a method's name is no concern of its author's. */
static const char *plain_name(const char *name)
{
	static const char *const prefixes[] = { "lp_thread_", "lp_method_" };

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return name + strlen(prefixes[i]);
	return name;
}

static const char *function_at(struct lp_task *task, uintptr_t pc)
{
	char name[128];

	lp_native_function(&task->native, pc, name, sizeof name);
	return name[0] ? lp_arena_strdup(&task->arena, plain_name(name)) : NULL;
}

static const char *caller_at(struct lp_task *task, uintptr_t pc)
{
	char place[160];

	lp_native_caller(&task->native, pc, place, sizeof place);
	return place[0] ? lp_arena_strdup(&task->arena, place) : NULL;
}

/* Explorers know programs, not functions: those names are added here. */
static void name_functions(struct lp_task *task, struct lp_exploration *e)
{
	struct lp_step *steps = lp_arena_alloc(&task->arena, sizeof *steps * e->step_count);
	struct lp_plain_step *plains = lp_arena_alloc(&task->arena, sizeof *plains * (e->plain_count + 1));

	for (uint32_t i = 0; i < e->step_count; i++) {
		steps[i] = e->steps[i];
		if (!steps[i].function && steps[i].op.pc)
			steps[i].function = function_at(task, steps[i].op.pc);
		steps[i].caller = steps[i].op.pc ? caller_at(task, steps[i].op.pc) : NULL;
	}
	for (uint32_t i = 0; i < e->plain_count; i++) {
		plains[i] = e->plains[i];
		plains[i].function = plains[i].pc ? function_at(task, plains[i].pc) : NULL;
		plains[i].caller = plains[i].pc ? caller_at(task, plains[i].pc) : NULL;
	}
	e->steps = steps;
	e->plains = plains;
}

typedef void explorer(struct lp_program *, const struct lp_explore_options *, struct lp_arena *,
		      struct lp_exploration *);

static explorer *explorer_of(const struct lp_explore_options *options)
{
	if (options->random)
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
	lp_interrupt_open();
	task->line = lp_progress_line_open(!lp_task_given(task, LP_OPT_QUIET) &&
					   !lp_task_given(task, LP_OPT_JSON));
}

void lp_task_explore(struct lp_task *task, struct lp_exploration *out)
{
	task->line.before = lp_task_seconds(task);
	/* What is loaded may be too much already, and a short exploration does not look. */
	if (!lp_memory_look())
		explorer_of(&task->explore)(task->native.program, &task->explore, &task->arena, out);
	lp_task_obey_memory(out);
	if (out->verdict == LP_VERIFIED && out->cut && !out->executions) {
		out->verdict = LP_INCONCLUSIVE; /* or "verified" would be about nothing */
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
	if (!any || options.random) /* the seed stands for the execution */
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
	if (out->verdict == LP_VIOLATION || !lp_memory_look())
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

	lp_native_forget(&task->native); /* what other executions did is no concern of this one */
	/* It is one execution, and was found: neither time nor the user stops it now. */
	unlimited.limits.seconds = 0;
	unlimited.progress = NULL;
	lp_explore_replay(task->native.program, &unlimited, &(struct lp_replay){ steps, count, NULL, NULL }, &task->arena, out);
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
	if (again.location && !task->explore.random) /* whose texts have the seed */
		found->text = again.text;
	found->error = again.error;
}

void lp_task_end(struct lp_task *task)
{
	lp_progress_line_erase(&task->line);
	lp_interrupt_close();
}

/* The program is still where its last execution stopped. */
static const char *last_output(struct lp_task *task)
{
	size_t size = 0;
	const char *output = task->runtime.echo ? lp_native_output(&task->native, &size) : NULL;
	char *copy = size ? lp_arena_alloc(&task->arena, size + 1) : NULL; /* zeroed */

	if (copy)
		memcpy(copy, output, size);
	return copy;
}

/* No error, as the program is over, but hardly ever meant. */
static const char *warn_of_left(struct lp_task *task, const struct lp_result *r)
{
	struct lp_program *program = task->native.program;
	char where[160] = "", count[LP_WORDS_ROOM], text[300];

	if (r->left_pc)
		program->class->describe_pc(program, r->left_pc, where, sizeof where);
	lp_words_count(count, r->left);
	snprintf(text, sizeof text, "when the program ends a thread still waits or spins%s%s, in %s execution%s",
		 *where ? " at " : "", where, count, r->left == 1 ? "" : "s");
	return lp_arena_strdup(&task->arena, text);
}

/* What cannot be trusted is named. */
static void add_warnings(struct lp_task *task, const struct lp_doubts *doubts, struct lp_result *r)
{
	const char **warnings =
		lp_arena_alloc(&task->arena, sizeof *warnings * (doubts->unseen.count + 6));

	if (task->unwritten)
		warnings[r->warning_count++] = "the trace could not be written";
	if (task->unconfirmed)
		warnings[r->warning_count++] = "the program depends on something that linchpin does not control; "
					       "if it does not, this is an error of linchpin, please report it";
	for (uint32_t i = 0; i < doubts->unseen.count; i++)
		warnings[r->warning_count++] = doubts->unseen.at[i];
	if (r->verdict == LP_RESULT_VERIFIED && !r->executions && !r->states)
		warnings[r->warning_count++] = r->ignored_count ? "no execution reached its end: each one is cut off at "
								  "a finding that is ignored, perhaps" :
								  "no execution reached its end: assumptions that "
								  "never hold, perhaps";
	if (r->left)
		warnings[r->warning_count++] = warn_of_left(task, r);
	r->warnings = task->warnings = warnings;
}

/* The page has everything but the warning that it could not be written. */
static void write_html(struct lp_task *task, struct lp_result *r)
{
	const char *file = task->options->at[LP_OPT_HTML].text;

	if (file && !lp_html_result(file, r))
		task->warnings[r->warning_count++] = "the page could not be written";
}

void lp_task_result(struct lp_task *task, const struct lp_exploration *from,
		    struct lp_result *result)
{
	struct lp_exploration e = *from;

	name_functions(task, &e);
	/* What came to an end of its own has a kind, and its reason. */
	if (e.verdict == LP_INCONCLUSIVE && !e.kind && lp_interrupt_reason())
		e.reason = lp_interrupt_reason();
	*result = (struct lp_result){ .subject = task->file };
	lp_convert_exploration(&e, &task->explore, last_output(task), &task->arena, result);
}

struct files {
	LP_VEC(struct lp_result_file);
	struct lp_arena *arena;
};

static void add_file(void *closure, const char *path)
{
	struct files *files = closure;
	const char *slash = strrchr(path, '/');
	const char *kept = lp_arena_strdup(files->arena, path);

	LP_PUSH(files, (struct lp_result_file){ kept + (slash ? slash + 1 - path : 0), kept });
}

/* The source files of an execution that went wrong: its steps name them. */
static void add_files(struct lp_task *task, struct lp_result *r)
{
	struct files files = { .arena = &task->arena };

	if (!r->violation && !r->ignored_count)
		return;
	lp_native_files(&task->native, add_file, &files);
	struct lp_result_file *kept = lp_arena_alloc(&task->arena, sizeof *kept * (files.count + 1));
	for (uint32_t i = 0; i < files.count; i++)
		kept[i] = files.at[i];
	lp_free(files.at);
	r->files = kept;
	r->file_count = files.count;
}

/* Some programs race on purpose. */
static void hint_at_races(const struct lp_task *task, struct lp_result *r)
{
	if (r->verdict != LP_RESULT_VIOLATION || strcmp(r->kind, lp_error_name(LP_ERROR_RACE)))
		return;
	r->aside = lp_model_class_of(task->explore.model)->by_hb ?
		"if the race is meant: `--model sc --races ignore` goes on behind it" :
		"if the race is meant: `--races ignore` goes on behind it";
}

int lp_task_show(struct lp_task *task, struct lp_result *result)
{
	struct lp_doubts doubts;

	lp_doubts_collect(&doubts, task);
	fill_scope(task, &doubts);
	lp_doubts_judge(&doubts, task, result);
	lp_doubts_ignored(&doubts, task, result);
	add_warnings(task, &doubts, result);
	lp_doubts_drop(&doubts);
	hint_at_races(task, result);
	lp_coverage_show(task, result);
	result->scope = task->scope;
	result->scope_count = task->scope_count;
	if (!task->replayed) {
		result->seconds = lp_usage_seconds() - task->start;
		result->peak_rss_kb = lp_usage_peak_rss_kb();
	}
	add_files(task, result);
	write_html(task, result);
	if (task->options->folder && !lp_debugger_note(task->options->folder, result))
		task->warnings[result->warning_count++] = "gdb will know nothing of the execution";
	return lp_deliver(task->options, result);
}

static bool open_task(struct lp_task *task, const struct lp_options *options, bool client,
		      enum lp_model model, struct lp_error *error)
{
	*task = (struct lp_task){ .options = options, .start = lp_usage_seconds() };
	task->runtime.client = client;
	/* Some reductions are for memory that is not reused: they have to know. */
	return take_operand(task, error) && take_runtime_options(task, error) &&
	       take_explore_options(task, model, error) && take_ignored(task, error) && lp_coverage_ask(task) &&
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
	if (task->native.program)
		lp_native_close(&task->native);
	lp_free(task->ignored.only.at);
	lp_free(task->ignored.ignore.at);
	lp_arena_close(&task->arena);
}
