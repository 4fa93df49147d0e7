/* task_result.c -- from explorations to the result that is shown: names of functions, scope, warnings, files. */
#include "verify/task/task.h"

#include "base/error.h"
#include "base/vec.h"
#include "cli/deliver.h"
#include "cli/gdb/debugger.h"
#include "explore/reduce/reductions.h"
#include "model/model.h"
#include "report/formats/html.h"
#include "report/words.h"
#include "verify/interrupt.h"
#include "verify/checkpoint/checkpoint.h"
#include "verify/coverage/coverage.h"
#include "verify/task/doubts.h"
#include "verify/usage.h"
#include "verify/view/convert.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* Reductions that are switched off, although they could be used. */
static void scope_reductions(struct lp_task *task)
{
	const struct lp_explore_options *e = &task->explore;
	const unsigned situation = lp_task_situation(task);
	char text[256] = "";

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) \
	if (!e->reduce.field && !(situation & (unless)))                  \
		strcat(text, " " word);
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	if (text[0])
		lp_task_scope(task, "reductions", "without%s", text);
}

/* What a verdict is relative to.  A limit that ends the exploration is not a scope:
 * reaching it is inconclusive. */
static void fill_scope(struct lp_task *task, const struct lp_doubts *doubts)
{
	const struct lp_explore_options *e = &task->explore;

	if (lp_task_count(task, LP_OPT_RELEASE_SEQUENCES) == 1)
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
	if (e->bounds.preemptions)
		lp_task_scope(task, "preemptions", "at most %u", e->bounds.preemptions - 1);
	if (e->bounds.delays)
		lp_task_scope(task, "delays", "at most %u", e->bounds.delays - 1);
	if (e->bounds.rounds)
		lp_task_scope(task, "rounds", "at most %u", e->bounds.rounds);
	if (e->limits.fair)
		lp_task_scope(task, "fairness", "no thread is passed over forever");
	if (e->limits.unroll)
		lp_task_scope(task, "loops", "at most %u times round", e->limits.unroll);
	if (e->sampling.executions)
		lp_task_scope(task, "sampling", "%" PRIu64 " executions, seed %" PRIu64, e->sampling.executions,
			  e->sampling.seed);
	if (e->sampling.pct)
		lp_task_scope(task, "schedules", "by priorities, depth %u", e->sampling.pct);
	if (!e->weak_fails)
		lp_task_scope(task, "weak CAS", "never fails spuriously");
	if (lp_task_given(task, LP_OPT_ONLY))
		lp_task_scope(task, "only", "%s; races and endless loops are reported in any case", task->options->at[LP_OPT_ONLY].text);
	if (lp_task_given(task, LP_OPT_IGNORE))
		lp_task_scope(task, "ignored", "%s", task->options->at[LP_OPT_IGNORE].text);
	lp_doubts_scope(doubts, task);
	if (task->runtime.spurious)
		lp_task_scope(task, "wake-ups", "one spurious wake-up for each thread and condition variable");
	lp_task_scope(task, "memory", "malloc() never fails; addresses are fixed%s", task->runtime.reuse ?
		      "; freed blocks may be allocated again" : ", none is allocated twice");
	if (task->native.program->told_apart.recognised)
		lp_task_scope(task, "like threads", "executions that only differ in their names count as one");
	if (task->runtime.leaks)
		lp_task_scope(task, "leaks", "are errors where every thread is joined");
	scope_reductions(task);
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

/* Not an error, since the program has ended, but hardly ever intended. */
static const char *warn_of_left(struct lp_task *task, const struct lp_result *r)
{
	struct lp_program *program = task->native.program;
	char where[160] = "", count[LP_WORDS_ROOM], text[300];

	if (r->counts.left_pc)
		program->class->describe_pc(program, r->counts.left_pc, where, sizeof where);
	lp_words_count(count, r->counts.left);
	snprintf(text, sizeof text, "when the program ends a thread still waits or spins%s%s, in %s execution%s",
		 *where ? " at " : "", where, count, r->counts.left == 1 ? "" : "s");
	return lp_arena_strdup(&task->arena, text);
}

/* What cannot be trusted is named. */
static void add_warnings(struct lp_task *task, const struct lp_doubts *doubts, struct lp_result *r)
{
	const char **warnings =
		lp_arena_alloc(&task->arena, sizeof *warnings * (doubts->unseen.count + 7));

	if (task->unwritten)
		warnings[r->warning_count++] = "the trace could not be written";
	if (task->unconfirmed)
		warnings[r->warning_count++] = "the program depends on something that linchpin does not control; "
					       "if it does not, this is an error of linchpin, please report it";
	for (uint32_t i = 0; i < doubts->unseen.count; i++)
		warnings[r->warning_count++] = doubts->unseen.at[i].text;
	if (r->verdict == LP_RESULT_VERIFIED && !r->counts.executions && !r->counts.states)
		warnings[r->warning_count++] = r->question.ignored_count ? "no execution reached its end: each one is cut off at "
								  "a finding that is ignored, perhaps" :
								  "no execution reached its end: assumptions that "
								  "never hold, perhaps";
	if (r->counts.left)
		warnings[r->warning_count++] = warn_of_left(task, r);
	r->warnings = task->warnings = warnings;
}

/* The page contains all warnings, except that it could not be written. */
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
	/* An exploration that ended by itself has a kind and a reason. */
	if (e.verdict == LP_INCONCLUSIVE && !e.kind && lp_interrupt_reason())
		e.reason = lp_interrupt_reason();
	*result = (struct lp_result){ .subject.name = task->file };
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

	if (!r->violation && !r->question.ignored_count)
		return;
	lp_native_files(&task->native, add_file, &files);
	struct lp_result_file *kept = lp_arena_alloc(&task->arena, sizeof *kept * (files.count + 1));
	for (uint32_t i = 0; i < files.count; i++)
		kept[i] = files.at[i];
	lp_free(files.at);
	r->subject.files = kept;
	r->subject.file_count = files.count;
}

/* Some programs race on purpose. */
static void hint_at_races(const struct lp_task *task, struct lp_result *r)
{
	if (r->verdict != LP_RESULT_VIOLATION || r->error != LP_ERROR_RACE)
		return;
	r->aside = lp_model_class_of(task->explore.model)->by_hb ?
		"if the race is intended: `--model sc --races ignore` continues after it" :
		"if the race is intended: `--races ignore` continues after it";
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
	lp_checkpoint_show(task->checkpoint, result);
	result->question.scope = task->scope;
	result->question.scope_count = task->scope_count;
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
