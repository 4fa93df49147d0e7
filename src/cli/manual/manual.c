/* manual.c -- manual pages, generated from the tables. */
#include "cli/manual/manual.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/option_table.h"

static const char *const exits[][2] = {
	{ "0", "verified within the scope that is printed" },
	{ "1", "a violation was found" },
	{ "2", "bad usage, bad input, or the user's code does not compile" },
	{ "3", "inconclusive: a limit was reached, linchpin was interrupted, or the program executes something "
	       "that linchpin does not model" },
	{ "70", "an internal error of linchpin" },
};

static const char *const variables[][2] = {
	{ "NO_COLOR", "if it is not empty, output to terminals has no colours" },
	{ "GITHUB_ACTIONS", "if it is \"true\", violations and errors are also written to standard error as annotations "
			    "for GitHub" },
	{ "LINCHPIN_CC, LINCHPIN_CXX", "the compilers behind linchpin cc (linchpin-cc) and linchpin-c++, if "
				       "--cc is not given" },
	{ "LINCHPIN_CACHE", "the folder for compiled programs (default: linchpin in $XDG_CACHE_HOME or ~/.cache), or "
			    "\"off\" to keep none" },
	{ "LINCHPIN_CACHE_SIZE", "how many MB the folder of LINCHPIN_CACHE may hold (default: 512)" },
	{ "GITHUB_WORKSPACE", "paths in annotations for GitHub and in SARIF logs are relative to this folder" },
};

static const char *const kinds[][2] = {
#define LP_ERROR(name, kind, meaning) { kind, meaning },
#include "base/errors.def"
#undef LP_ERROR
};

/* Text, in which nothing has a meaning for troff. */
static void put(const char *text)
{
	for (const char *s = text; *s; s++) {
		if (s == text && (*s == '.' || *s == '\''))
			fputs("\\&", stdout);
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else if (*s == '\'' || *s == '`')
			fputs(*s == '`' ? "\\(ga" : "\\(aq", stdout);
		else
			putchar(*s);
		if (*s == '|')
			fputs("\\:", stdout); /* a line may end here */
	}
}

static void put_line(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	put(text);
	puts(after);
}

static void put_header(const char *name, const char *what)
{
	fputs(".TH ", stdout);
	put(name);
	printf(" 1 \"\" \"linchpin %s\" \"User Commands\"\n.SH NAME\n", LP_VERSION);
	put(name);
	fputs(" \\- ", stdout);
	put(what);
	putchar('\n');
}

static void put_list(const char *const (*list)[2], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		put_line(".TP\n\\fB", list[i][0], "\\fR");
		put_line("", list[i][1], ".");
	}
}

static void put_exits(void)
{
	puts(".SH EXIT STATUS");
	put_list(exits, sizeof exits / sizeof *exits);
}

/* ".B linchpin check [OPTIONS] OBJECT.c" */
static void put_synopsis(const struct lp_cli_command *c)
{
	put_line("\\fBlinchpin ", c->name, "\\fR [OPTIONS]");
	put_line("", c->operands, "");
}

static void put_options(enum lp_cli_command_id command)
{
	puts(".SH OPTIONS");
	for (int i = 0; i < LP_OPTION_COUNT; i++) {
		const struct lp_option_entry *o = &lp_option_table[i];

		if (!lp_option_is_of(o, command))
			continue;
		const bool is_long = o->argument && strlen(o->argument) > 60; /* several lines, which are not stretched */
		fputs(is_long ? ".na\n.nh\n.TP\n" : ".TP\n", stdout);
		if (o->letter) {
			fputs("\\fB", stdout);
			put(o->letter);
			fputs("\\fR, ", stdout);
		}
		fputs("\\fB", stdout);
		put(o->name);
		fputs("\\fR", stdout);
		if (o->argument) {
			fputs(" \\fI", stdout);
			put(o->argument);
			fputs("\\fR", stdout);
		}
		put_line(is_long ? "\n.ad\n.hy\n" : "\n", o->help, ".");
	}
}

static void put_command(enum lp_cli_command_id command)
{
	const struct lp_cli_command *c = &lp_cli_commands[command];
	char name[64];

	snprintf(name, sizeof name, "linchpin-%s", c->name);
	put_header(name, c->help);
	puts(".SH SYNOPSIS");
	put_synopsis(c);
	puts(".SH DESCRIPTION");
	put_line("linchpin ", c->name, ":");
	put_line("", c->help, ".");
	if (command == LP_COMMAND_CHECK)
		puts(".PP\nSeveral objects are checked one by one, each in its own process and with its own limits of "
		     "time and memory; a table of all of them follows.  The exit status is that of the worst "
		     "result: 2 is worse than 1, which is worse than 3.");
	if (command == LP_COMMAND_CC)
		puts(".PP\nThe arguments are those of the compiler, which compiles as usual.  In addition each source is "
		     "compiled for linchpin.  The result is stored in the object file, and remains in archives, "
		     "shared objects and executables that are made from it.  The programs linchpin\\-cc and "
		     "linchpin\\-c++ do the same.");
	put_options(command);
	if (command == LP_COMMAND_CC)
		puts(".SH EXIT STATUS\nThat of the compiler; 2 if it cannot be run.");
	else
		put_exits();
	puts(".SH SEE ALSO\n\\fBlinchpin\\fR(1)");
}

static void put_all(void)
{
	put_header("linchpin", "verifies concurrent C and C++ programs under weak memory models");
	puts(".SH SYNOPSIS");
	for (int i = 0; i < LP_COMMAND_COUNT; i++) {
		if (i)
			puts(".br");
		put_synopsis(&lp_cli_commands[i]);
	}
	puts(".SH DESCRIPTION\nlinchpin explores all executions of a program, or all executions of an object with "
	     "every client of bounded size.  Of equivalent executions it explores one.  If all are correct, it "
	     "says so, and prints the scope within which this holds; otherwise it shows an incorrect execution "
	     "step by step.");
	puts(".SH COMMANDS");
	for (int i = 0; i < LP_COMMAND_COUNT; i++) {
		put_line(".TP\n\\fB", lp_cli_commands[i].name, "\\fR");
		put_line("", lp_cli_commands[i].help, ".");
	}
	puts(".PP\n\\fBlinchpin\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR lists the options of a command, "
	     "and so does the manual page of the command.");
	puts(".SH VIOLATIONS");
	put_list(kinds, sizeof kinds / sizeof *kinds);
	put_exits();
	puts(".SH ENVIRONMENT");
	put_list(variables, sizeof variables / sizeof *variables);
	puts(".SH SEE ALSO");
	for (int i = 0; i < LP_COMMAND_COUNT; i++)
		printf("\\fBlinchpin\\-%s\\fR(1)%s\n", lp_cli_commands[i].name,
		       i + 1 < LP_COMMAND_COUNT ? "," : "");
}

bool lp_manual_print(const char *command)
{
	if (!command) {
		put_all();
		return true;
	}
	for (int i = 0; i < LP_COMMAND_COUNT; i++) {
		if (!strcmp(command, lp_cli_commands[i].name)) {
			put_command((enum lp_cli_command_id)i);
			return true;
		}
	}
	return false;
}
