/* completion.c -- completion scripts for shells, generated from the tables.
 *
 * The scripts contain all words, so that completion does not run linchpin.
 */
#include "cli/manual/manual.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/option_table.h"
#include "spec/spec.h"

/* The length of the first word of a choice; `*next` is the one after it, or NULL. */
static size_t word_of(const char *argument, const char **next)
{
	const size_t length = strcspn(argument, "|");

	*next = argument[length] ? argument + length + 1 : NULL;
	return length;
}

/* "sc tso ra rc11": the words of a choice, each up to its colon. */
static void put_choices(const struct lp_option_entry *o)
{
	for (const char *next = o->argument; next;) {
		const char *word = next;
		const size_t length = word_of(word, &next), colon = strcspn(word, ":|");
		printf("%.*s%s", (int)(colon < length ? colon + 1 : length), word, next ? " " : "");
	}
}

static void put_kinds(void)
{
	for (uint32_t i = 0; i < lp_kind_count(); i++)
		printf("%s%s", i ? " " : "", lp_kind_at(i)->name);
}

static bool is_spec(const struct lp_option_entry *o)
{
	return o == &lp_option_table[LP_OPT_SPEC];
}

/* Is what it takes the name of a file? */
static bool takes_file(const struct lp_option_entry *o)
{
	return o->argument && !strncmp(o->argument, "FILE", 4);
}

/* "	check:-j|check:--jobs|run:-j|run:--jobs) ": one name may mean different things in different commands. */
static void put_bash_case(const struct lp_option_entry *o)
{
	const char *separator = "	";

	for (int c = 0; c < LP_COMMAND_COUNT; c++) {
		if (!lp_option_is_of(o, (enum lp_cli_command_id)c))
			continue;
		if (o->letter)
			printf("%s%s:%s|%s:%s", separator, lp_cli_commands[c].name, o->letter, lp_cli_commands[c].name, o->name);
		else
			printf("%s%s:%s", separator, lp_cli_commands[c].name, o->name);
		separator = "|";
	}
	fputs(") ", stdout);
}

/* What follows an option, and which options a command has. */
static void put_bash(void)
{
	puts("# bash completion for linchpin\n"
	     "_linchpin_files() # names may have blanks\n"
	     "{\n"
	     "	mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
	     "}\n"
	     "_linchpin()\n"
	     "{\n"
	     "	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i options\n"
	     "	COMPREPLY=()\n"
	     "	for ((i = 1; i < COMP_CWORD; i++)); do\n"
	     "		if [[ ${COMP_WORDS[i]} == -- ]]; then # the compiler's\n"
	     "			_linchpin_files \"$word\"\n"
	     "			return\n"
	     "		fi\n"
	     "	done\n"
	     "	if [[ $word == = ]]; then # --option=\n"
	     "		word=\n"
	     "	elif [[ $before == = ]]; then # --option=word\n"
	     "		before=${COMP_WORDS[COMP_CWORD-2]}\n"
	     "	fi\n"
	     "	case ${COMP_WORDS[1]}:$before in");
	for (int i = 0; i < LP_OPTION_COUNT; i++) {
		const struct lp_option_entry *o = &lp_option_table[i];

		if (o->kind == LP_TAKES_FLAG)
			continue;
		put_bash_case(o);
		if (o->kind == LP_TAKES_CHOICE || is_spec(o)) {
			fputs("COMPREPLY=($(compgen -W '", stdout);
			if (is_spec(o))
				put_kinds();
			else
				put_choices(o);
			fputs("' -- \"$word\")); ", stdout);
		} else if (takes_file(o)) {
			fputs("_linchpin_files \"$word\"; ", stdout);
		}
		puts("return ;;");
	}
	puts("	esac\n"
	     "	case ${COMP_WORDS[1]} in");
	for (int c = 0; c < LP_COMMAND_COUNT; c++) {
		printf("	%s) options='", lp_cli_commands[c].name);
		for (int i = 0, some = 0; i < LP_OPTION_COUNT; i++)
			if (lp_option_is_of(&lp_option_table[i], (enum lp_cli_command_id)c))
				printf("%s%s", some++ ? " " : "", lp_option_table[i].name);
		puts("' ;;");
	}
	fputs("	*) options='--help --version' ;;\n"
	      "	esac\n"
	      "	if ((COMP_CWORD == 1)); then\n"
	      "		COMPREPLY=($(compgen -W '", stdout);
	for (int c = 0; c < LP_COMMAND_COUNT; c++)
		printf("%s ", lp_cli_commands[c].name);
	fputs("--help --version' -- \"$word\"))\n"
	      "	elif [[ $word == -* ]]; then\n"
	      "		COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
	      "	elif [[ ${COMP_WORDS[1]} == specs ]]; then\n"
	      "		COMPREPLY=($(compgen -W '", stdout);
	put_kinds();
	puts("' -- \"$word\"))\n"
	     "	else\n"
	     "		_linchpin_files \"$word\"\n"
	     "	fi\n"
	     "}\n"
	     "complete -o filenames -F _linchpin linchpin");
}

/* Text between quotes in zsh, within a specification of _arguments. */
static void put_zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

/* '(-j --jobs)'{-j+,--jobs=}'[help]:N:' */
static void put_zsh_option(const struct lp_option_entry *o)
{
	const bool flag = o->kind == LP_TAKES_FLAG;

	fputs("		", stdout);
	if (o->letter)
		printf("'(%s %s)'{%s%s,%s%s}'[", o->letter, o->name, o->letter, flag ? "" : "+", o->name,
		       flag ? "" : "=");
	else
		printf("'%s%s[", o->name, flag ? "" : "=");
	put_zsh_text(o->help);
	putchar(']');
	if (!flag) {
		putchar(':');
		put_zsh_text(o->kind == LP_TAKES_CHOICE ? "word" : o->argument);
		putchar(':');
		if (o->kind == LP_TAKES_CHOICE || is_spec(o)) {
			putchar('(');
			if (is_spec(o))
				put_kinds();
			else
				put_choices(o);
			putchar(')');
		} else if (takes_file(o)) {
			fputs("_files", stdout);
		}
	}
	puts("' \\");
}

static void put_zsh(void)
{
	puts("#compdef linchpin\n"
	     "_linchpin() {\n"
	     "	local -a commands\n"
	     "	commands=(");
	for (int c = 0; c < LP_COMMAND_COUNT; c++) {
		printf("		'%s:", lp_cli_commands[c].name);
		put_zsh_text(lp_cli_commands[c].help);
		puts("'");
	}
	puts("	)\n"
	     "	if (( CURRENT == 2 )); then\n"
	     "		_describe -t commands command commands\n"
	     "		_arguments '--help[print a summary]' '--version[print the version]'\n"
	     "		return\n"
	     "	fi\n"
	     "	if (( ${words[(i)--]} < CURRENT )); then # the compiler's\n"
	     "		_files\n"
	     "		return\n"
	     "	fi\n"
	     "	local command=$words[2]\n"
	     "	shift words\n"
	     "	(( CURRENT-- ))\n"
	     "	case $command in");
	for (int c = 0; c < LP_COMMAND_COUNT; c++) {
		printf("	%s)\n		_arguments \\\n", lp_cli_commands[c].name);
		for (int i = 0; i < LP_OPTION_COUNT; i++)
			if (lp_option_is_of(&lp_option_table[i], (enum lp_cli_command_id)c))
				put_zsh_option(&lp_option_table[i]);
		if (c == LP_COMMAND_SPECS) {
			fputs("		'*:kind:(", stdout);
			put_kinds();
			puts(")' ;;");
		} else {
			puts("		'*:file:_files' ;;");
		}
	}
	puts("	esac\n"
	     "}\n"
	     "_linchpin \"$@\"");
}

bool lp_completion_print(const char *shell)
{
	if (!strcmp(shell, "bash"))
		put_bash();
	else if (!strcmp(shell, "zsh"))
		put_zsh();
	else
		return false;
	return true;
}
