/* check_command.c -- the `linchpin check` command line that reproduces a result of another command. */
#include "cli/check_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/words.h"
#include "verify/task/task.h"

const char *lp_check_command(struct lp_task *task, const char *option, const char *text)
{
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	fputs("linchpin check ", out);
	lp_words_shell(out, task->file);
	lp_options_shell(out, task->options, LP_COMMAND_CHECK);
	fprintf(out, " %s ", option);
	lp_words_shell(out, text);
	lp_options_shell_flags(out, task->options);
	fclose(out);
	const char *kept = lp_arena_strdup(&task->arena, words);
	free(words);
	return kept;
}
