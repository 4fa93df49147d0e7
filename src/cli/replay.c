/* replay.c -- `linchpin replay` runs exactly the execution of a trace; `linchpin report` also writes it as a web
 * page.
 *
 * The trace contains the command line that found the execution.  The program is compiled and loaded in
 * the same way, and made to follow the steps.  With --gdb, this is repeated in gdb: debugger.h.
 */
#include "cli/commands.h"
#include "cli/gdb/debugger.h"
#include "cli/states/states.h"
#include "verify/task/check_object.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"
#include "report/trace.h"
#include "runtime/coroutines/debug.h"

static bool kind_named(const char *name, uint8_t *kind)
{
	for (uint8_t k = 0; k < LP_OP_NAMES; k++) {
		if (!strcmp(name, lp_op_names[k])) {
			*kind = k;
			return true;
		}
	}
	return false;
}

static bool steps_of(const struct lp_trace *t, struct lp_arena *arena, struct lp_step **steps,
		     struct lp_error *error)
{
	uint32_t events[128] = { 0 };

	*steps = lp_arena_alloc(arena, sizeof **steps * (t->step_count + 1));
	for (uint32_t i = 0; i < t->step_count; i++) {
		const struct lp_trace_step *from = &t->steps[i];
		struct lp_step *s = &(*steps)[i];
		if (!kind_named(from->operation, &s->op.kind))
			return lp_fail(error, "step %u of the trace: there is no operation '%s'", i + 1,
				       from->operation);
		s->op.order = from->plain ? LP_PLAIN : LP_RLX; /* of others only that they are not plain */
		s->thread = from->thread;
		if (s->thread < 128) { /* an RMW is two events */
			s->event = events[s->thread];
			events[s->thread] += s->op.kind == LP_OP_RMW && !from->failed ? 2 : 1;
		}
		s->reads_from = from->reads_from; /* the special numbers are the same */
		s->co_after = from->co_after;
		s->answer.value.lo = from->value[0];
		s->answer.value.hi = from->value[1];
		s->answer.failed = from->failed;
		if (s->op.kind == LP_OP_RETURN || s->op.kind == LP_OP_POINT)
			s->op.operand = s->answer.value;
		s->blocked = from->blocked;
	}
	return true;
}

static bool client_of(const struct lp_trace *t, const struct lp_harness *h,
		      struct lp_plan_client *out, struct lp_error *error)
{
	*out = (struct lp_plan_client){ .client.threads = 1 };
	if (t->call_count > LP_CLIENT_CALLS)
		return lp_fail(error, "the trace has more than %d calls", LP_CLIENT_CALLS);
	for (uint32_t i = 0; i < t->call_count; i++) {
		const struct lp_trace_call *c = &t->calls[i];
		const uint32_t m = lp_harness_method(h, c->method, strlen(c->method));
		if (m == UINT32_MAX || c->thread > LP_CLIENT_CALLS || c->needs >= t->call_count ||
		    c->when > LP_CALL_AFTER_TRUE || (i && c->thread < t->calls[i - 1].thread))
			return lp_fail(error, "call %u of the trace makes no sense: %s", i + 1, c->method);
		out->method[i] = m;
		out->client.call[i] = (struct lp_client_call){
			.body = h->methods.at[m].body, .thread = c->thread, .when = (uint8_t)c->when,
			.needs = c->needs,
		};
		memcpy(out->client.call[i].arg, c->arg, sizeof c->arg);
		out->client.calls++;
		out->client.threads = c->thread + 1;
		out->pre += !c->thread;
	}
	for (uint32_t i = 0; i < t->like_count; i++)
		if (t->likes[i][0] < out->client.threads && t->likes[i][1] < t->likes[i][0])
			out->client.like[t->likes[i][0]] = 1 + t->likes[i][1];
	return true;
}

/* Parses the options of the trace.  Options about output are those of the replay. */
static bool options_of(const struct lp_trace *t, const struct lp_options *now, enum lp_cli_command_id command,
		       struct lp_options *then, struct lp_error *error)
{
	static const enum lp_option_id shown[] = { LP_OPT_ECHO, LP_OPT_JSON, LP_OPT_QUIET,
						   LP_OPT_VERBOSE, LP_OPT_LIST_STEPS };
	static const enum lp_option_id dropped[] = { LP_OPT_TRACE, LP_OPT_TIME, LP_OPT_EXECUTIONS,
						     LP_OPT_EMIT_TEST, LP_OPT_RANDOM, LP_OPT_SEED,
						     LP_OPT_PCT, LP_OPT_PREEMPTIONS, LP_OPT_DELAYS,
						     LP_OPT_ROUNDS, LP_OPT_JOBS, LP_OPT_HTML,
#define LP_FORM(NAME, one, file) LP_OPT_##NAME,
#include "cli/forms.def"
#undef LP_FORM
	};

	if (!lp_options_parse(command, (int)t->word_count, t->words, then, error))
		return false;
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		then->at[dropped[i]] = (struct lp_option_value){ 0 };
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		then->at[shown[i]] = now->at[shown[i]];
	return true;
}

/* Has the source changed since?  Then the trace may lead elsewhere. */
static void compare_sources(const struct lp_trace *t, bool json)
{
	char hash[33];

	for (uint32_t i = 0; !json && i < t->source_count; i++) {
		const struct lp_trace_source *s = &t->sources[i];
		if (!lp_trace_hash(s->file, hash) || strcmp(hash, s->hash))
			fprintf(stderr, "note: '%s' has changed since the trace was written\n", s->file);
	}
}

static bool tell_debugger(void *closure, uint32_t step)
{
	const struct lp_step *steps = closure;

	lp_debug_step(steps[step].thread, steps[step].event);
	return true;
}

/* Leads the program through the steps; in front of a debugger if we are the process that it
 * runs. */
static void lead(struct lp_task *task, struct lp_step *steps, uint32_t count,
		 struct lp_exploration *out)
{
	const bool shown = task->options->compiled;

	if (shown)
		lp_debug_begin();
	const struct lp_replay replay = { .steps = steps, .count = count, .watch = shown ? tell_debugger : NULL, .closure = steps };
	lp_explore_replay(task->native.program, &task->explore, &replay, &task->arena, out);
	if (shown)
		lp_debug_end();
	if (shown && out->verdict != LP_VIOLATION)
		fprintf(stderr, "note: the execution went another way: %s\n",
			out->text ? out->text : "nothing went wrong");
}

enum { DIFFERS = 100 }; /* a status besides those of commands.h */

/* Finds the kind of a violation by its name in a trace. */
static bool error_named(const char *name, enum lp_error_kind *kind)
{
	for (*kind = LP_ERROR_NONE + 1; !lp_error_is_limit(*kind); ++*kind)
		if (!strcmp(name, lp_error_name(*kind)))
			return true;
	return false;
}

/* Should the result be shown?  If not, `*status` is set. */
static bool is_shown(const struct lp_trace *t, const struct lp_options *options,
		     const struct lp_exploration *e, int *status)
{
	uint32_t more = 0, less = 0; /* steps; threads end when they can, and plain accesses need not be operations */
	enum lp_error_kind expected;

	for (uint32_t i = 0; i < e->step_count; i++)
		more += e->steps[i].op.kind != LP_OP_END && !lp_step_is_plain(&e->steps[i]);
	for (uint32_t i = 0; i < t->step_count; i++)
		less += strcmp(t->steps[i].operation, lp_op_names[LP_OP_END]) != 0 && !t->steps[i].plain;
	const bool same =
		e->verdict == LP_VIOLATION && error_named(t->kind, &expected) && expected == e->kind && more == less;

	*status = options->compiled ? 0 : DIFFERS;
	return !options->compiled && (same || !options->unoptimised);
}

/* A thread whose last step was done ends when it can; in the execution of the trace it may not have
 * come to that. */
static bool is_traced(const struct lp_step *s, const void *closure)
{
	const struct lp_trace *t = closure;

	for (uint32_t i = 0; s->op.kind == LP_OP_END && i < t->step_count; i++)
		if (t->steps[i].thread == s->thread &&
		    !strcmp(t->steps[i].operation, lp_op_names[LP_OP_END]))
			return true;
	return s->op.kind != LP_OP_END;
}

static int replay_program(const struct lp_trace *t, const struct lp_options *options,
			  struct lp_error *error)
{
	struct lp_task task;
	struct lp_step *steps;
	int status = -1;

	if (lp_task_open(&task, options, false, error) &&
	    steps_of(t, &task.arena, &steps, error)) {
		struct lp_exploration e = { 0 };
		struct lp_result result;
		task.replayed = true;
		lead(&task, steps, t->step_count, &e);
		lp_task_keep_steps(&task, &e, is_traced, t);
		lp_task_result(&task, &e, &result);
		if (is_shown(t, options, &e, &status))
			status = lp_task_show(&task, &result);
	}
	lp_task_close(&task);
	return status;
}

static int replay_object(const struct lp_trace *t, const struct lp_options *options,
			 struct lp_error *error)
{
	struct lp_check c;
	struct lp_step *steps;
	struct lp_plan_client client;
	int status = -1;

	if (lp_check_open(&c, options, error) && client_of(t, &c.harness, &client, error) &&
	    steps_of(t, &c.task.arena, &steps, error)) {
		struct lp_exploration e = { 0 };
		c.task.replayed = true;
		lp_check_client(&c, &client);
		lead(&c.task, steps, t->step_count, &e);
		lp_check_add(&c, &e);
		if (is_shown(t, options, &e, &status))
			status = lp_check_show(&c);
	}
	lp_check_close(&c);
	return status;
}

static int replay_states(const struct lp_trace *t, const struct lp_options *options,
			 struct lp_error *error)
{
	struct lp_arena arena = { 0 };
	struct lp_step *steps;
	struct lp_exploration given = { .text = t->text, .thread = t->thread, .step_count = t->step_count, .loop = t->loop };
	bool same = false;
	int status = -1;

	if (!error_named(t->kind, &given.kind)) {
		lp_fail(error, "the trace has an unknown kind of violation: %s", t->kind);
	} else if (steps_of(t, &arena, &steps, error)) {
		given.steps = steps;
		status = lp_states_run(options, &given, &same);
	}
	lp_arena_close(&arena);
	return status;
}

/* The command that wrote the trace, and how its executions are replayed. */
static const struct replayed {
	const char *name;
	enum lp_cli_command_id command;
	int (*replay)(const struct lp_trace *, const struct lp_options *, struct lp_error *);
} commands[] = {
	{ "check", LP_COMMAND_CHECK, replay_object }, { "run", LP_COMMAND_RUN, replay_program },
	{ "states", LP_COMMAND_STATES, replay_states },
};

/* NULL: there is none of that name. */
static const struct replayed *command_of(const struct lp_trace *t)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(t->command, commands[i].name))
			return &commands[i];
	return NULL;
}

/* A trace of states is a path through states, not an execution that gdb could follow. */
static void refuse_states(const char *name, struct lp_error *error)
{
	lp_fail(error, "'%s': a trace of 'states' cannot be shown in gdb, but that of its client can", name);
	snprintf(error->hint, sizeof error->hint,
		 "'linchpin states ... --emit-test client.c' writes the client, and 'linchpin run client.c --model sc --trace client.trace' the trace to "
		 "replay, with the same compiler flags");
}

/* Where the result goes in addition to the terminal: a page, or gdb's folder. */
struct beside {
	const char *html, *folder;
	bool unoptimised; /* if that gives the same violation; otherwise nothing */
};

/* Replays the one operand. */
static int replay(const struct lp_options *options, struct beside beside, const char *usage)
{
	const char *html = beside.html, *session = lp_debugger_session();
	struct lp_arena arena = { 0 };
	struct lp_error error = { .hint = "" };
	struct lp_options then = { 0 };
	struct lp_trace trace;
	int status = -1;

	if (options->operand_count != 1) {
		lp_fail(&error, "one trace is expected: %s", usage);
	} else if (lp_trace_read(&trace, options->operands[0], &arena, &error)) {
		const struct replayed *command = command_of(&trace);
		if (!command)
			lp_fail(&error, "'%s': a trace of '%s' cannot be replayed", options->operands[0],
				trace.command);
		else if (command->command == LP_COMMAND_STATES && (session || beside.folder))
			refuse_states(options->operands[0], &error);
		else if (chdir(trace.folder))
			lp_fail(&error, "cannot go to '%s', where the trace was written", trace.folder);
		else if (options_of(&trace, options, command->command, &then, &error)) {
			then.at[LP_OPT_HTML] = (struct lp_option_value){ .given = html, .text = html };
			then.at[LP_OPT_QUIET].given |= html && !options->at[LP_OPT_VERBOSE].given;
			then.folder = session ? session : beside.folder;
			then.compiled = session;
			then.unoptimised = beside.unoptimised;
			if (!session && (then.unoptimised || !then.folder))
				compare_sources(&trace, options->at[LP_OPT_JSON].given);
			status = command->replay(&trace, &then, &error);
		}
	}
	/* Which line has an order that is a parameter depends on what is inlined (site_orders.h). */
	if (status < 0 && then.unoptimised && then.at[LP_OPT_ORDER].given)
		status = DIFFERS;
	if (status < 0)
		status = lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
	lp_options_close(&then);
	lp_arena_close(&arena);
	return status;
}

/* Runs in its own process, since a loaded program cannot always be unloaded. */
static int replay_apart(const struct lp_options *options, struct beside beside, const char *usage)
{
	int how = 0;

	fflush(NULL);
	const pid_t parent = getpid(), child = fork();
	if (!child) {
		lp_process_end_with(parent);
		const int status = replay(options, beside, usage);
		fflush(NULL);
		_exit(status);
	}
	while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* Replays the execution before gdb is started.  If the violation does not occur again, gdb is not started. */
static int replay_in_gdb(const struct lp_options *options, const char *usage)
{
	struct lp_debugger debugger = { .folder = "" };
	struct lp_error error = { .hint = "" };
	int status = -1;

	if (options->operand_count != 1)
		lp_fail(&error, "one trace is expected: %s", usage);
	else if (options->at[LP_OPT_JSON].given)
		lp_fail(&error, "--gdb and --json exclude each other");
	else if (lp_debugger_open(&debugger, options->operands[0], &error)) {
		struct beside beside = { .folder = debugger.folder, .unoptimised = true };
		status = replay_apart(options, beside, usage);
		beside.unoptimised = false;
		if (status == DIFFERS)
			status = replay_apart(options, beside, usage);
		if (status < 0)
			lp_fail(&error, "the replay did not end");
		if (status == LP_EXIT_VIOLATION)
			status = lp_debugger_run(&debugger, options, &error);
	}
	if (status < 0)
		status = lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
	lp_debugger_close(&debugger);
	return status;
}

int lp_cli_replay(const struct lp_options *options)
{
	const char *usage = "linchpin replay TRACE";
	struct lp_error error = { .hint = "" };

	if (options->at[LP_OPT_GDB].given)
		return replay_in_gdb(options, usage);
	if (!options->flag_count)
		return replay(options, (struct beside){ .html = NULL }, usage);
	lp_fail(&error, "what follows -- is for gdb: give --gdb, too");
	return lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
}

/* The name is relative to the current folder, but the trace is replayed in the folder in which it was written. */
int lp_cli_report(const struct lp_options *options)
{
	const char *name = options->at[LP_OPT_OUTPUT].text, *usage = "linchpin report TRACE -o FILE.html";
	struct lp_error error = { .hint = "" };
	char folder[PATH_MAX], file[2 * PATH_MAX];

	if (!name)
		lp_fail(&error, "where is the page to be written? %s", usage);
	else if (!getcwd(folder, sizeof folder))
		lp_fail(&error, "cannot tell in which folder this is");
	else if (snprintf(file, sizeof file, "%s%s%s", *name == '/' ? "" : folder,
			  *name == '/' ? "" : "/", name) >= (int)sizeof file)
		lp_fail(&error, "the name of the page is too long");
	else
		return replay(options, (struct beside){ .html = file }, usage);
	return lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
}
