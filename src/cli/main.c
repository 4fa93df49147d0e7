/* main.c -- parses the command line, and calls the command. */
#include "cli/commands.h"

#include "base/error.h"
#include "cli/deliver.h"
#include "cli/machines/machines.h"
#include "cli/manual/manual.h"
#include "ranks/ranks.h"
#include "report/formats/json.h"
#include "report/result.h"
#include "report/text/terminal.h"
#include "verify/checkpoint/checkpoint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct lp_cli_command lp_cli_commands[LP_COMMAND_COUNT] = {
#define LP_COMMAND(name, text, operands, help, function) { text, operands, help, function },
#include "cli/commands.def"
#undef LP_COMMAND
};

int lp_cli_refuse(bool json, const struct lp_error *error)
{
	const struct lp_terminal terminal = lp_terminal_on(stderr);
	const struct lp_result result = {
		.verdict = LP_RESULT_ERROR,
		.text = error->text,
		.hint = error->hint[0] ? error->hint : NULL,
	};

	lp_terminal_result(&terminal, &result);
	if (json)
		lp_json_result(stdout, &result);
	return LP_EXIT_USAGE;
}

int lp_cli_exit_status(enum lp_result_verdict verdict)
{
	switch (verdict) {
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

static void put_help(void)
{
	puts("linchpin -- verifies concurrent C and C++ programs under weak memory models\n\n"
	     "usage:");
	for (int i = 0; i < LP_COMMAND_COUNT; i++)
		printf("  linchpin %s %s\n      %s\n", lp_cli_commands[i].name, lp_cli_commands[i].operands,
		       lp_cli_commands[i].help);
	puts("  linchpin COMMAND --help    the options of a command\n"
	     "  linchpin --version\n\n"
	     "exit status: 0 verified within the scope that is printed, 1 violation found,\n"
	     "2 bad usage or input, 3 inconclusive (a limit was reached), 70 internal error");
}

static void put_command_help(enum lp_cli_command_id command)
{
	const struct lp_cli_command *c = &lp_cli_commands[command];

	printf("usage: linchpin %s [OPTIONS] %s\n\n%s\n\noptions:\n", c->name, c->operands, c->help);
	lp_options_help(command, stdout);
}

/* Returns false if there is no command of that name. */
static bool put_help_of(const char *name)
{
	for (int i = 0; i < LP_COMMAND_COUNT; i++)
		if (!strcmp(name, lp_cli_commands[i].name)) {
			put_command_help((enum lp_cli_command_id)i);
			return true;
		}
	return false;
}

static void put_version(void)
{
	puts("linchpin " LP_VERSION);
}

/* `linchpin cc`: all words are for the compiler, except for a single --help. */
static int run_compiler(bool cplusplus, int argc, const char **argv)
{
	struct lp_options options = { .command = LP_COMMAND_CC, .flags = argv, .flag_count = argc };

	options.at[LP_OPT_BEHIND_CC].text = cplusplus ? "g++" : "gcc";
	if (argc != 1 || strcmp(argv[0], "--help"))
		return lp_cli_cc(&options);
	put_command_help(LP_COMMAND_CC);
	return 0;
}

static int run_command(enum lp_cli_command_id command, struct lp_machines *machines, int argc, const char **argv)
{
	const bool json = lp_options_want_json(argc, argv);
	struct lp_options options;
	struct lp_error error = { .hint = "" };
	int status = 0;

	if (!lp_options_parse(command, argc, argv, &options, &error))
		status = lp_cli_refuse(json, &error);
	else if (options.at[LP_OPT_HELP].given)
		put_command_help(command);
	else if (options.at[LP_OPT_VERSION].given)
		put_version();
	else if (!lp_machines_is_silent(machines) && !lp_deliver_open(&options, &error))
		status = lp_cli_refuse(json, &error);
	else {
		lp_machines_give(machines, &options);
		status = lp_cli_commands[command].run(&options);
	}
	lp_options_close(&options);
	return status;
}

/* Alone, or with the other ranks of a job. */
static int start_command(enum lp_cli_command_id command, int argc, char **argv)
{
	struct lp_machines *machines;
	struct lp_error error = { .hint = "" };

	if (!lp_machines_open(lp_cli_commands[command].name, lp_checkpoint_wants(argc, argv), argv, &machines, &error))
		return error.text[0] ? lp_cli_refuse(false, &error) : LP_EXIT_USAGE;
	return lp_machines_close(machines, run_command(command, machines, argc - 2, (const char **)argv + 2));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	struct lp_error error = { .hint = "'linchpin --help' lists the commands" };

	/* By these names we are `linchpin cc`, for builds that want a compiler in one word. */
	const char *name = argc ? base_name(argv[0]) : "";
	if (!strcmp(name, "linchpin-cc") || !strcmp(name, "linchpin-c++"))
		return run_compiler(!strcmp(name, "linchpin-c++"), argc - 1, (const char **)argv + 1);
	if (!word) {
		snprintf(error.text, sizeof error.text, "no command given");
		return lp_cli_refuse(false, &error);
	}
	if (!strcmp(word, lp_cli_commands[LP_COMMAND_REPLAY].name) || !strcmp(word, lp_cli_commands[LP_COMMAND_STATES].name) ||
	    lp_checkpoint_wants(argc, argv))
		lp_cli_settle_addresses(argv);
	const bool asks = !strcmp(word, "help");
	if (asks && argc > 2 && put_help_of(argv[2]))
		return 0;
	if (asks && argc > 2)
		word = argv[2]; /* no command */
	else if (asks || !strcmp(word, "--help") || !strcmp(word, "-h")) {
		put_help();
		return 0;
	}
	if (!strcmp(word, "--version")) {
		put_version();
		return 0;
	}
	if (!strcmp(word, "--manual") && lp_manual_print(argc > 2 ? argv[2] : NULL))
		return 0;
	if (!strcmp(word, "--completion") && lp_completion_print(argc > 2 ? argv[2] : ""))
		return 0;
	if (!strcmp(word, lp_cli_commands[LP_COMMAND_CC].name))
		return run_compiler(false, argc - 2, (const char **)argv + 2);
	for (int i = 0; i < LP_COMMAND_COUNT; i++)
		if (!strcmp(word, lp_cli_commands[i].name))
			return start_command((enum lp_cli_command_id)i, argc, argv);
	if (!lp_ranks_is_first())
		return LP_EXIT_USAGE; /* rank 0 says why */
	struct lp_nearest nearest = { .word = word, .length = strlen(word) };
	for (int i = 0; i < LP_COMMAND_COUNT; i++)
		lp_nearest_offer(&nearest, lp_cli_commands[i].name, strlen(lp_cli_commands[i].name));
	lp_nearest_hint(&nearest, &error);
	snprintf(error.text, sizeof error.text, "unknown command '%s'", word);
	return lp_cli_refuse(lp_options_want_json(argc, (const char *const *)argv), &error);
}
