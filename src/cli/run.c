/* run.c -- `linchpin run`: explore a whole program.
 *
 * Compiles and loads the program, hands it to an explorer, and shows what came
 * out.  Decides nothing itself, except that what could not be seen into makes
 * "verified" inconclusive.
 */
#include "cli/commands.h"
#include "cli/convert.h"
#include "cli/interrupt.h"
#include "cli/usage.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explore/explore.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/result.h"
#include "report/terminal.h"
#include "runtime/runtime.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct run {
	const struct lp_options *options;
	const char *file;
	struct lp_runtime_options runtime;
	struct lp_explore_options explore;
	struct lp_native native;
	struct lp_progress_line line;
	double start;
	bool memory_full;      /* --memory was reached */
	struct lp_arena arena; /* everything that the result points to */
};

static bool given(const struct run *run, enum lp_option_id id)
{
	return run->options->at[id].given;
}

static uint64_t count(const struct run *run, enum lp_option_id id)
{
	return run->options->at[id].count;
}

/* The one operand, if it is a file that can be read. */
static bool take_operand(struct run *run, struct lp_error *error)
{
	const struct lp_options *o = run->options;
	struct stat status;

	if (o->operand_count == 0)
		return lp_fail(error, "no program given: linchpin run PROGRAM.c");
	if (o->operand_count > 1)
		return lp_fail(error, "only one program can be run: '%s' or '%s'?", o->operands[0],
			       o->operands[1]);
	run->file = o->operands[0];
	if (stat(run->file, &status) || access(run->file, R_OK))
		return lp_fail(error, "cannot read '%s': %s", run->file, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is a directory", run->file);
	if (!S_ISREG(status.st_mode))
		return lp_fail(error, "cannot read '%s': it is not a file", run->file);
	return true;
}

static bool report_progress(void *closure, const struct lp_progress *p)
{
	struct run *run = closure;

	lp_progress_line_show(&run->line, p->executions, p->blocked, p->estimate,
			      lp_usage_seconds() - run->start);
	if (run->explore.limits.memory_kb &&
	    lp_usage_resident_kb() > run->explore.limits.memory_kb)
		run->memory_full = true;
	return !lp_interrupt_reason() && !run->memory_full;
}

/* What concerns the program rather than its exploration. */
static bool take_runtime_options(struct run *run, struct lp_error *error)
{
	const struct lp_options *o = run->options;
	const struct lp_option_value *nondet = &o->at[LP_OPT_NONDET];
	struct lp_runtime_options *r = &run->runtime;

	*r = (struct lp_runtime_options)LP_RUNTIME_DEFAULTS;
	r->file = run->file;
	r->compiler = o->at[LP_OPT_CC].text;
	r->flags = o->flags; /* argv ends in NULL, and so do they */
	r->echo = given(run, LP_OPT_ECHO);
	r->spurious = given(run, LP_OPT_SPURIOUS);
	r->leaks = given(run, LP_OPT_LEAKS);
	if (given(run, LP_OPT_HEAP))
		r->heap_limit = count(run, LP_OPT_HEAP) << 20;
	if (nondet->given) {
		/* Each value is explored: more of them cannot be meant. */
		if ((uint64_t)nondet->high - (uint64_t)nondet->low >= 1000000)
			return lp_fail(error, "--nondet %s: more than a million values", nondet->text);
		r->nondet_low = nondet->low;
		r->nondet_high = nondet->high;
	}
	return true;
}

/* Which explorer is meant, and whether what else was asked for goes with it. */
static bool take_explorer(struct run *run, struct lp_error *error)
{
	struct lp_explore_options *e = &run->explore;

	e->random = count(run, LP_OPT_RANDOM);
	e->seed = given(run, LP_OPT_SEED) ? count(run, LP_OPT_SEED) : 1;
	e->pct = (uint32_t)count(run, LP_OPT_PCT);
	e->preemptions = given(run, LP_OPT_PREEMPTIONS) ? (int)count(run, LP_OPT_PREEMPTIONS) : -1;
	e->jobs = given(run, LP_OPT_JOBS) ? (uint32_t)count(run, LP_OPT_JOBS) : 1;
	if (!e->random && (given(run, LP_OPT_SEED) || e->pct))
		return lp_fail(error, "--%s is about --random N, which is not given",
			       e->pct ? "pct" : "seed");
	if (e->random && e->preemptions >= 0)
		return lp_fail(error, "--random and --preemptions exclude each other");
	if (e->preemptions >= 0 && e->model != LP_MODEL_SC)
		return lp_fail(error, "--preemptions makes sense under sc only: give --model sc");
	if (e->jobs > 1 && (e->random || e->preemptions >= 0))
		return lp_fail(error, "-j is for exploring everything: not with --%s",
			       e->random ? "random" : "preemptions");
	return true;
}

static bool take_explore_options(struct run *run, struct lp_error *error)
{
	struct lp_explore_options *e = &run->explore;

	/* The words of --model stand in the order of enum lp_model. */
	e->model = given(run, LP_OPT_MODEL) ? (enum lp_model)count(run, LP_OPT_MODEL) : LP_MODEL_RC11;
	e->races_ignored = count(run, LP_OPT_RACES) == 1;
	if (e->races_ignored && e->model != LP_MODEL_SC && e->model != LP_MODEL_TSO)
		return lp_fail(error, "--races ignore makes sense under sc and tso only: "
				      "elsewhere a race has no meaning");
	e->symmetry = !given(run, LP_OPT_NO_SYMMETRY);
	e->spin = !given(run, LP_OPT_NO_SPIN);
	e->weak_fails = !given(run, LP_OPT_NO_WEAK_FAIL);
	e->limits = (struct lp_limits){
		.seconds = run->options->at[LP_OPT_TIME].seconds,
		.executions = count(run, LP_OPT_EXECUTIONS),
		.steps = (uint32_t)count(run, LP_OPT_STEPS),
		.memory_kb = count(run, LP_OPT_MEMORY) * 1024,
	};
	e->progress = report_progress;
	e->closure = run;
	return take_explorer(run, error);
}

struct scope {
	struct lp_result_scope at[16];
	uint32_t count;
};

__attribute__((format(printf, 4, 5)))
static void add_scope(struct run *run, struct scope *scope, const char *name,
		      const char *format, ...)
{
	char value[128];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof value, format, args);
	va_end(args);
	assert(scope->count < sizeof scope->at / sizeof *scope->at);
	scope->at[scope->count++] =
		(struct lp_result_scope){ name, lp_arena_strdup(&run->arena, value) };
}

/* What a verdict is relative to.  A limit that ends the exploration is no scope:
 * reaching it is inconclusive. */
static void fill_scope(struct run *run, struct scope *scope)
{
	const struct lp_explore_options *e = &run->explore;

	add_scope(run, scope, "races", "%s",
		  e->races_ignored ? "ignored: plain accesses interleave" : "are errors");
	if (e->preemptions >= 0)
		add_scope(run, scope, "preemptions", "at most %d", e->preemptions);
	if (e->random)
		add_scope(run, scope, "sampling", "%" PRIu64 " executions, seed %" PRIu64, e->random,
			  e->seed);
	if (e->pct)
		add_scope(run, scope, "schedules", "by priorities, depth %u", e->pct);
	if (!e->weak_fails)
		add_scope(run, scope, "weak CAS", "never fails for no reason");
	add_scope(run, scope, "inputs", "__VERIFIER_nondet_*() in %" PRId64 "..%" PRId64,
		  run->runtime.nondet_low, run->runtime.nondet_high);
	if (run->runtime.spurious)
		add_scope(run, scope, "wake-ups", "one spurious one a thread and condition variable");
	if (run->runtime.leaks)
		add_scope(run, scope, "leaks", "are errors where every thread is joined");
	if (!e->symmetry || !e->spin)
		add_scope(run, scope, "reductions", "without%s%s", e->symmetry ? "" : " symmetry",
			  e->spin ? "" : " spin");
}

static int exit_status(const struct lp_result *r)
{
	switch (r->verdict) {
	case LP_RESULT_VERIFIED:
		return LP_EXIT_VERIFIED;
	case LP_RESULT_VIOLATION:
		return LP_EXIT_VIOLATION;
	case LP_RESULT_INCONCLUSIVE:
		return LP_EXIT_INCONCLUSIVE;
	case LP_RESULT_ERROR:
		break;
	}
	return LP_EXIT_USAGE;
}

static void show(const struct run *run, const struct lp_result *r)
{
	struct lp_terminal terminal = lp_terminal_on(stdout);

	terminal.quiet = given(run, LP_OPT_QUIET);
	terminal.verbose = given(run, LP_OPT_VERBOSE);
	if (given(run, LP_OPT_JSON))
		lp_json_result(stdout, r);
	else
		lp_terminal_result(&terminal, r);
}

/* Explorers know programs, not functions: those names are added here. */
static void name_functions(struct run *run, struct lp_exploration *e)
{
	struct lp_step *steps = lp_arena_alloc(&run->arena, sizeof *steps * e->step_count);
	char name[128];

	for (uint32_t i = 0; i < e->step_count; i++) {
		steps[i] = e->steps[i];
		if (steps[i].function || !steps[i].op.pc)
			continue;
		lp_native_function(&run->native, steps[i].op.pc, name, sizeof name);
		if (name[0])
			steps[i].function = lp_arena_strdup(&run->arena, name);
	}
	e->steps = steps;
}

typedef void explorer(struct lp_program *, const struct lp_explore_options *, struct lp_arena *,
		      struct lp_exploration *);

static explorer *explorer_of(const struct lp_explore_options *options)
{
	if (options->random)
		return lp_explore_random;
	return options->preemptions >= 0 ? lp_explore_preemptions : lp_explore_graphs;
}

static void explore(struct run *run, struct lp_exploration *out)
{
	lp_interrupt_open();
	run->line = lp_progress_line_open(!given(run, LP_OPT_QUIET) && !given(run, LP_OPT_JSON));
	explorer_of(&run->explore)(run->native.program, &run->explore, &run->arena, out);
	lp_progress_line_erase(&run->line);
	lp_interrupt_close();
	name_functions(run, out);
}

/* The program is still where its last execution stopped. */
static const char *last_output(struct run *run)
{
	size_t size = 0;
	const char *output = run->runtime.echo ? lp_native_output(&run->native, &size) : NULL;
	char *copy = size ? lp_arena_alloc(&run->arena, size + 1) : NULL; /* zeroed */

	if (copy)
		memcpy(copy, output, size);
	return copy;
}

/* Reasons for doubt become warnings, and no doubt is compatible with "verified". */
static void add_warnings(struct run *run, struct lp_result *r)
{
	const struct lp_findings *findings = &run->native.findings;
	const char **warnings =
		lp_arena_alloc(&run->arena, sizeof *warnings * (findings->count + 1));

	for (uint32_t i = 0; i < findings->count; i++)
		warnings[r->warning_count++] = findings->at[i].text;
	if (findings->count && r->verdict == LP_RESULT_VERIFIED) {
		r->verdict = LP_RESULT_INCONCLUSIVE;
		r->reason = "there are parts of the program that linchpin cannot see into";
	}
	if (r->verdict == LP_RESULT_VERIFIED && !r->executions)
		warnings[r->warning_count++] = "no execution reached its end: assumptions that "
					       "never hold, perhaps";
	r->warnings = warnings;
}

static int run_program(struct run *run)
{
	struct lp_exploration exploration = { 0 };
	struct scope scope = { 0 };
	struct lp_result result = { .subject = run->file };

	explore(run, &exploration);
	if (exploration.verdict == LP_INCONCLUSIVE && lp_interrupt_reason())
		exploration.reason = lp_interrupt_reason();
	else if (exploration.verdict == LP_INCONCLUSIVE && run->memory_full)
		exploration.reason = "memory limit reached";
	lp_convert_exploration(&exploration, &run->explore, last_output(run), &run->arena,
			       &result);
	fill_scope(run, &scope);
	add_warnings(run, &result);
	result.scope = scope.at;
	result.scope_count = scope.count;
	result.seconds = lp_usage_seconds() - run->start;
	result.peak_rss_kb = lp_usage_peak_rss_kb();
	show(run, &result);
	return exit_status(&result);
}

int lp_cli_run(const struct lp_options *options)
{
	struct run run = { .options = options, .start = lp_usage_seconds() };
	struct lp_error error = { .hint = "" };
	int status;

	if (take_operand(&run, &error) && take_explore_options(&run, &error) &&
	    take_runtime_options(&run, &error) &&
	    lp_native_open(&run.native, &run.runtime, &error)) {
		status = run_program(&run);
		lp_native_close(&run.native);
	} else {
		status = lp_cli_refuse(given(&run, LP_OPT_JSON), &error);
	}
	lp_arena_close(&run.arena);
	return status;
}
