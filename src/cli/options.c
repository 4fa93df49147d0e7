/* options.c -- the command line, parsed by the table in options.def. */
#include "cli/options.h"
#include "cli/commands.h"
#include "cli/option_table.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/models.h"
#include "report/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct lp_option_entry lp_option_table[LP_OPTION_COUNT] = {
#define ON(command) (1u << LP_COMMAND_##command)
#define LP_OPTION(name, text, letter, kind, argument, least, most, commands, help) \
	{ text, letter, LP_TAKES_##kind, argument, least, most, commands, help },
#include "cli/options.def"
#undef LP_OPTION
#undef ON
};

/* Options that were renamed are still accepted under their old names. */
static const char *present_name(const char *word)
{
	static const struct {
		const char *name;
		enum lp_option_id id;
	} former[] = {
		{ "--no-idle", LP_OPT_NO_SILENT_RMW },
		{ "--no-vain", LP_OPT_NO_REREADS },
		{ "--no-tail", LP_OPT_NO_FINAL_JOINS },
	};

	for (size_t i = 0; i < sizeof former / sizeof *former; i++)
		if (!strcmp(word, former[i].name))
			return lp_option_table[former[i].id].name;
	return word;
}

/* The option that `word` begins with, of this command if it has one of that name;
 * `*argument` is what is glued to it (after the = of a long one, after the letter of a
 * short one), or NULL. */
static const struct lp_option_entry *find_option(enum lp_cli_command_id command, const char *word,
						 const char **argument)
{
	const struct lp_option_entry *found = NULL;

	word = present_name(word);
	const size_t length = strcspn(word, "=");

	for (int i = 0; i < LP_OPTION_COUNT && !(found && lp_option_is_of(found, command)); i++) {
		const struct lp_option_entry *o = &lp_option_table[i];

		if (strlen(o->name) == length && !strncmp(word, o->name, length)) {
			*argument = word[length] ? word + length + 1 : NULL;
			found = o;
		} else if (o->letter && word[1] == o->letter[1] &&
			   (!word[2] || o->kind != LP_TAKES_FLAG)) {
			*argument = word[2] ? word + 2 : NULL;
			found = o;
		}
	}
	return found;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool parse_count(const struct lp_option_entry *o, const char *text,
			struct lp_option_value *value, struct lp_error *error)
{
	char *end = NULL;

	errno = 0;
	value->count = is_digit(*text) ? strtoull(text, &end, 10) : 0;
	if (!end || *end)
		return lp_fail(error, "%s takes a whole number, not '%s'", o->name, text);
	if (errno || value->count < o->least || value->count > o->most)
		return lp_fail(error, "%s takes a number from %llu to %llu, not '%s'", o->name,
			       (unsigned long long)o->least, (unsigned long long)o->most, text);
	return true;
}

static bool parse_seconds(const struct lp_option_entry *o, const char *text,
			  struct lp_option_value *value, struct lp_error *error)
{
	char *end = NULL;

	value->seconds = is_digit(*text) || *text == '.' ? strtod(text, &end) : 0;
	if (!end || end == text || *end || !isfinite(value->seconds) || value->seconds <= 0)
		return lp_fail(error, "%s takes a number of seconds above 0, not '%s'", o->name, text);
	return true;
}

/* Is `text` the word, which has `length` letters? */
static bool is_choice(const char *word, size_t length, const char *text)
{
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '-' && *text != '-')
			continue;
		if (word[i] != *text++)
			return false;
		if (word[i] == ':')
			return true;
	}
	return !*text;
}

static bool parse_choice(const struct lp_option_entry *o, const char *text,
			 struct lp_option_value *value, struct lp_error *error)
{
	const char *word = o->argument;
	struct lp_nearest nearest = { .word = text, .length = strlen(text) };

	for (value->count = 0;; value->count++) {
		const size_t length = strcspn(word, "|");

		if (is_choice(word, length, text))
			return true;
		if (!memchr(word, ':', length)) /* else it is a pattern */
			lp_nearest_offer(&nearest, word, length);
		if (!word[length]) {
			lp_fail(error, "%s takes one of %s, not '%s'", o->name, o->argument, text);
			return lp_nearest_hint(&nearest, error);
		}
		word += length + 1;
	}
}

static bool parse_range(const struct lp_option_entry *o, const char *text,
			struct lp_option_value *value, struct lp_error *error)
{
	char *end = NULL;
	bool good;

	errno = 0;
	value->low = strtoll(text, &end, 10);
	good = end != text && !strncmp(end, "..", 2);
	if (good) {
		const char *high = end + 2;
		value->high = strtoll(high, &end, 10);
		good = end != high && !*end && !errno && value->low <= value->high;
	}
	return good || lp_fail(error, "%s takes LO..HI with LO <= HI, not '%s'", o->name, text);
}

static bool parse_argument(const struct lp_option_entry *o, const char *text,
			   struct lp_option_value *value, struct lp_error *error)
{
	value->text = text;
	switch (o->kind) {
	case LP_TAKES_COUNT:
		return parse_count(o, text, value, error);
	case LP_TAKES_SECONDS:
		return parse_seconds(o, text, value, error);
	case LP_TAKES_CHOICE:
		return parse_choice(o, text, value, error);
	case LP_TAKES_RANGE:
		return parse_range(o, text, value, error);
	case LP_TAKES_TEXT:
		return *text || lp_fail(error, "%s takes an argument that is not empty", o->name);
	case LP_TAKES_FLAG:
		break;
	}
	return true;
}

/* Is the word one for compilers, as far as its first letters tell? */
static bool is_compiler_flag(const char *word)
{
	static const char *const begin[] = { "-D", "-U", "-I", "-L", "-l", "-O", "-f", "-m", "-W", "-g", "-std=", "-pthread",
					     "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-nostd", "-pedantic",
					     "-ansi", "-X" };

	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
		if (!strncmp(word, begin[i], strlen(begin[i])))
			return true;
	return false;
}

static bool takes_flags(enum lp_cli_command_id command)
{
	return strstr(lp_cli_commands[command].operands, "COMPILER FLAGS");
}

/* Says what may have been meant by it. */
static bool refuse_unknown(enum lp_cli_command_id command, const char *word, struct lp_error *error)
{
	const char *name = lp_cli_commands[command].name, *letters = word + strspn(word, "-");
	struct lp_nearest nearest = { .word = letters, .length = strcspn(letters, "=") };

	for (int i = 0; i < LP_OPTION_COUNT; i++)
		if (lp_option_is_of(&lp_option_table[i], command))
			lp_nearest_offer(&nearest, lp_option_table[i].name + 2, strlen(lp_option_table[i].name) - 2);
	lp_fail(error, "unknown option '%s'", word);
	if (takes_flags(command) && is_compiler_flag(word) && (!nearest.best[0] || nearest.distance))
		snprintf(error->hint, sizeof error->hint, "compiler flags go after `--`: linchpin %s ... -- %s", name, word);
	else if (nearest.best[0])
		snprintf(error->hint, sizeof error->hint, "did you mean '--%s'?", nearest.best);
	else
		snprintf(error->hint, sizeof error->hint, "'linchpin %s --help' lists the options", name);
	return false;
}

/* Parses the option at argv[*at], and moves past its argument if that is a word
 * of its own. */
static bool parse_option(enum lp_cli_command_id command, int argc, const char **argv, int *at,
			 struct lp_options *out, struct lp_error *error)
{
	const char *name = lp_cli_commands[command].name;
	const char *argument = NULL;
	const struct lp_option_entry *o = find_option(command, argv[*at], &argument);

	if (!o)
		return refuse_unknown(command, argv[*at], error);
	if (!lp_option_is_of(o, command))
		return lp_fail(error, "option '%s' is not supported by 'linchpin %s'", o->name, name);
	if (o->kind == LP_TAKES_FLAG && argument)
		return lp_fail(error, "option '%s' takes no argument", o->name);
	if (o->kind != LP_TAKES_FLAG && !argument) {
		if (*at + 1 >= argc || !strcmp(argv[*at + 1], "--"))
			return lp_fail(error, "option '%s' takes an argument: %s", o->name, o->argument);
		argument = argv[++*at];
		const char *ignored;
		if (!strncmp(argument, "--", 2) && find_option(command, argument, &ignored))
			return lp_fail(error, "option '%s' takes an argument: %s; '%s' is an option", o->name, o->argument, argument);
	}

	struct lp_option_value *value = &out->at[o - lp_option_table];
	*value = (struct lp_option_value){ .given = true };
	return parse_argument(o, argument, value, error);
}

bool lp_options_parse(enum lp_cli_command_id command, int argc, const char **argv,
		      struct lp_options *out, struct lp_error *error)
{
	int at, operands = 0;

	*out = (struct lp_options){ .command = command, .operands = argv, .word_count = argc };
	out->words = lp_alloc(sizeof *out->words * ((size_t)argc + 1));
	for (int i = 0; i < argc; i++)
		out->words[i] = argv[i];
	for (at = 0; at < argc && strcmp(argv[at], "--"); at++) {
		if (argv[at][0] != '-' || !argv[at][1]) /* "-" alone is not an option */
			argv[operands++] = argv[at];
		else if (!parse_option(command, argc, argv, &at, out, error))
			return false;
	}
	out->operand_count = operands;
	if (at < argc) {
		out->flags = argv + at + 1;
		out->flag_count = argc - at - 1;
	}
	return true;
}

/* Prints `text` from column 24 on, broken at blanks before column 80. */
static void put_wrapped(FILE *out, const char *text)
{
	enum { INDENT = 24, WIDTH = 80 - INDENT };

	while (strlen(text) > WIDTH) {
		int length = WIDTH;
		while (length && text[length] != ' ')
			length--;
		if (!length)
			break; /* one long word */
		fprintf(out, "%.*s\n%*s", length, text, INDENT, "");
		text += length + 1;
	}
	fprintf(out, "%s\n", text);
}

/* Prints an option with its argument from column 2 on, broken between choices before column 80. */
static void put_choices(FILE *out, const char *text)
{
	enum { WIDTH = 76 };

	while (strlen(text) > WIDTH) {
		int length = WIDTH;
		while (length && text[length - 1] != '|')
			length--;
		if (!length)
			break;
		fprintf(out, "  %.*s\n       ", length, text);
		text += length;
	}
	fprintf(out, "  %s\n", text);
}

void lp_options_help(enum lp_cli_command_id command, FILE *out)
{
	for (int i = 0; i < LP_OPTION_COUNT; i++) {
		const struct lp_option_entry *o = &lp_option_table[i];
		char left[512];

		if (!(o->commands & 1u << command))
			continue;
		snprintf(left, sizeof left, "%s%s%s%s%s", o->letter ? o->letter : "",
			 o->letter ? ", " : "", o->name, o->argument ? " " : "",
			 o->argument ? o->argument : "");
		if (strlen(left) <= 20) {
			fprintf(out, "  %-20s  ", left);
		} else {
			put_choices(out, left);
			fprintf(out, "%24s", "");
		}
		put_wrapped(out, o->help);
	}
}

bool lp_options_want_json(int argc, const char *const *argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], lp_option_table[LP_OPT_JSON].name))
			return true;
	return false;
}

/* Limits, and options about output, do not change what is explored. */
static bool is_about_exploration(int option)
{
	static const enum lp_option_id others[] = {
		LP_OPT_QUIET, LP_OPT_VERBOSE, LP_OPT_TIME, LP_OPT_MEMORY, LP_OPT_JOBS, LP_OPT_EXECUTIONS, LP_OPT_TRACE,
		LP_OPT_EMIT_TEST, LP_OPT_HTML, LP_OPT_NO_SUGGEST, LP_OPT_CHECKPOINT, LP_OPT_EVERY, LP_OPT_RESUME,
		LP_OPT_NO_COMPILE_CACHE,
#define LP_FORM(NAME, one, file) LP_OPT_##NAME,
#include "cli/forms.def"
#undef LP_FORM
	};

	if (option == LP_OPT_LCOV) /* recording coverage switches reductions off */
		return true;
	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		if ((int)others[k] == option)
			return false;
	return true;
}

/* Neither do options about how executions are chosen. */
static bool is_about_program(int option)
{
	static const enum lp_option_id others[] = {
		LP_OPT_RANDOM, LP_OPT_PREEMPTIONS, LP_OPT_DELAYS, LP_OPT_ROUNDS, LP_OPT_SEED, LP_OPT_PCT, LP_OPT_LCOV, LP_OPT_COVERAGE, LP_OPT_ECHO,
	};

	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		if ((int)others[k] == option)
			return false;
	return option == LP_OPT_NO_COMPILE_CACHE || is_about_exploration(option);
}

void lp_options_lines(FILE *out, const struct lp_options *options)
{
	for (int i = 0; i < LP_OPTION_COUNT; i++)
		if (options->at[i].given && is_about_exploration(i))
			fprintf(out, "option %s%s%s\n", lp_option_table[i].name, options->at[i].text ? " " : "",
				options->at[i].text ? options->at[i].text : "");
}

void lp_options_shell(FILE *out, const struct lp_options *options, enum lp_cli_command_id command)
{
	for (int i = 0; i < LP_OPTION_COUNT; i++) {
		if (!options->at[i].given || !is_about_program(i) || !lp_option_is_of(&lp_option_table[i], command))
			continue;
		fprintf(out, " %s", lp_option_table[i].name);
		if (options->at[i].text) {
			putc(' ', out);
			lp_words_shell(out, options->at[i].text);
		}
	}
}

void lp_options_shell_flags(FILE *out, const struct lp_options *options)
{
	for (int i = 0; i < options->flag_count; i++) {
		fputs(i ? " " : " -- ", out);
		lp_words_shell(out, options->flags[i]);
	}
}

const char *lp_options_command(const struct lp_options *options)
{
	return lp_cli_commands[options->command].name;
}

void lp_options_close(struct lp_options *options)
{
	lp_free(options->words);
	*options = (struct lp_options){ 0 };
}
