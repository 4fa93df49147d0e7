/* write_trace.c -- the execution of a violation as a trace, for `linchpin replay`. */
#include "verify/task/task.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "report/trace.h"

const char *const lp_op_names[] = {
	[LP_OP_END] = "end",     [LP_OP_LOAD] = "load",   [LP_OP_STORE] = "store",
	[LP_OP_RMW] = "rmw",     [LP_OP_FENCE] = "fence", [LP_OP_SPAWN] = "spawn",
	[LP_OP_JOIN] = "join",   [LP_OP_CHOOSE] = "choose", [LP_OP_BLOCK] = "block",
	[LP_OP_YIELD] = "yield", [LP_OP_ERROR] = "error", [LP_OP_CALL] = "call",
	[LP_OP_RETURN] = "return", [LP_OP_POINT] = "point", [LP_OP_ALLOC] = "alloc", [LP_OP_FREE] = "free",
};
_Static_assert(sizeof lp_op_names / sizeof *lp_op_names == LP_OP_NAMES, "all have names");

/* The files that a program is made of, while they are collected. */
struct sources {
	LP_VEC(struct lp_trace_source);
	struct lp_arena *arena;
	char main[PATH_MAX];
};

static void add_source(struct sources *sources, const char *path)
{
	char hash[33] = "-";

	lp_trace_hash(path, hash);
	const struct lp_trace_source source = { lp_arena_strdup(sources->arena, path),
						lp_arena_strdup(sources->arena, hash) };
	LP_PUSH(sources, source);
}

/* A file that was included, or belongs to another unit; the system's are left out. */
static void add_other(void *closure, const char *name)
{
	struct sources *sources = closure;
	char path[PATH_MAX];

	if (!realpath(name, path))
		return;
	bool known = !strcmp(path, sources->main) || !strncmp(path, "/usr/", 5);
	for (uint32_t i = 0; i < sources->count; i++)
		known |= !strcmp(path, sources->at[i].file);
	if (!known)
		add_source(sources, path);
}

static void add_sources(struct lp_task *task, struct lp_trace *trace)
{
	struct sources sources = { .arena = &task->arena };

	if (!realpath(task->file, sources.main))
		snprintf(sources.main, sizeof sources.main, "%s", task->file);
	add_source(&sources, task->file);
	lp_native_files(&task->native, add_other, &sources);
	trace->sources = lp_arena_alloc(&task->arena, sizeof *trace->sources * sources.count);
	memcpy(trace->sources, sources.at, sizeof *trace->sources * sources.count);
	trace->source_count = sources.count;
	lp_free(sources.at);
}

void lp_task_trace(struct lp_task *task, const struct lp_exploration *e, struct lp_trace *trace)
{
	const char *name = task->options->at[LP_OPT_TRACE].text;
	struct lp_trace_step *steps = lp_arena_alloc(&task->arena, sizeof *steps * (e->step_count + 1));
	char folder[PATH_MAX] = "-";
	uint32_t count = 0;

	if (!name || e->verdict != LP_VIOLATION)
		return;
	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		const bool result = s->op.kind == LP_OP_RETURN || s->op.kind == LP_OP_POINT;
		const struct lp_value value = result ? s->op.operand : s->answer.value;
		if (s->racing) /* of states: accesses that are next, behind all others */
			continue;
		steps[count++] = (struct lp_trace_step){
			.thread = s->thread, .operation = lp_op_names[s->op.kind],
			.reads_from = s->reads_from, .co_after = s->co_after,
			.value = { value.lo, value.hi },
			.failed = s->answer.failed, .blocked = s->blocked, .plain = lp_step_is_plain(s),
			.where = s->where,
		};
	}
	if (!getcwd(folder, sizeof folder))
		folder[0] = '\0';
	trace->words = task->options->words;
	trace->word_count = (uint32_t)task->options->word_count;
	trace->folder = folder;
	add_sources(task, trace);
	trace->kind = lp_error_name(e->kind);
	trace->text = e->text;
	trace->steps = steps;
	trace->step_count = count;
	trace->loop = e->loop;
	FILE *out = fopen(name, "w");
	if (out)
		lp_trace_write(out, trace);
	task->unwritten = !out || fclose(out);
}
