/* check_command.c -- the command that shows what another command tells of. */
#include "cli/check_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "verify/task/task.h"

static void put_word(FILE *out, const char *word)
{
	const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
						       "_-./=:,#+")];

	putc(' ', out);
	if (plain) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, out);
	putc('\'', out);
}

/* How long it may take, and how it is shown, is another matter. */
static bool is_about_clients(int option)
{
	static const enum lp_option_id others[] = { LP_OPT_JSON, LP_OPT_QUIET, LP_OPT_VERBOSE, LP_OPT_TIME, LP_OPT_MEMORY,
						    LP_OPT_JOBS };

	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		if ((int)others[k] == option)
			return false;
	return lp_option_is_of(&lp_option_table[option], LP_COMMAND_CHECK);
}

const char *lp_check_command(struct lp_task *task, const char *option, const char *text)
{
	const struct lp_options *options = task->options;
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	fputs("linchpin check", out);
	put_word(out, task->file);
	for (int i = 0; i < LP_OPTION_COUNT; i++) {
		if (!options->at[i].given || !is_about_clients(i))
			continue;
		put_word(out, lp_option_table[i].name);
		if (options->at[i].text)
			put_word(out, options->at[i].text);
	}
	put_word(out, option);
	put_word(out, text);
	for (int i = 0; i < options->flag_count; i++) {
		if (!i)
			fputs(" --", out);
		put_word(out, options->flags[i]);
	}
	fclose(out);
	const char *kept = lp_arena_strdup(&task->arena, words);
	free(words);
	return kept;
}
