/* compiler_flags.c -- the compiler's flags: the project's, then those of the command line. */
#include "verify/task/task.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "frontend/compile/database.h"

/* Do the flags define the macro?  The last one counts. */
static bool is_defined(const char *const *flags, const char *macro)
{
	const size_t length = strlen(macro);
	bool defined = false;

	for (; *flags; flags++) {
		const char *word = *flags;
		if (strncmp(word, "-D", 2) && strncmp(word, "-U", 2))
			continue;
		const char *name = word[2] || !flags[1] ? word + 2 : *++flags;
		if (!strncmp(name, macro, length) && (!name[length] || name[length] == '='))
			defined = word[1] == 'D';
	}
	return defined;
}

/* What flags leave out, or bring in unasked, belongs to the verdict. */
static void fill_scope(struct lp_task *task, const char *used)
{
	if (used[0])
		lp_task_scope(task, "flags", "also those of '%s'", used);
	if (task->runtime.flags && is_defined(task->runtime.flags, "NDEBUG"))
		lp_task_scope(task, "assertions", "left out: NDEBUG is defined");
}

bool lp_task_take_flags(struct lp_task *task, struct lp_error *error)
{
	const struct lp_options *o = task->options;
	const char *folder = o->at[LP_OPT_COMPILE_COMMANDS].text;
	struct lp_words flags = { 0 };
	const bool wanted = !task->runtime.compiled && !lp_task_follows(task) && !(folder && !strcmp(folder, "none"));
	char used[PATH_MAX] = "";

	task->runtime.flags = o->flags; /* argv ends in NULL, and so do they */
	const bool good = !wanted || lp_database_flags(task->file, folder, &flags, used, error);
	if (good && used[0]) {
		const char **all = lp_arena_alloc(&task->arena, sizeof *all * (flags.count + (uint32_t)o->flag_count + 1));
		for (uint32_t i = 0; i < flags.count; i++)
			all[i] = lp_arena_strdup(&task->arena, flags.at[i]);
		for (int i = 0; i < o->flag_count; i++)
			all[flags.count + (uint32_t)i] = o->flags[i];
		all[flags.count + (uint32_t)o->flag_count] = NULL;
		task->runtime.flags = all;
	}
	if (good)
		fill_scope(task, used);
	if (good && wanted && lp_task_given(task, LP_OPT_VERBOSE) && (used[0] || folder))
		fprintf(stderr, "note: %s%s%s '%s'\n", used[0] ? "flags from '" : "no flags from '", used[0] ? used : folder,
			used[0] ? "' for" : "', which does not have", task->file);
	lp_words_drop(&flags);
	return good;
}
