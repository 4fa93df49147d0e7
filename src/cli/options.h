/* options.h -- the command line, parsed according to the table in options.def.
 *
 * An option that a command does not support is an error: none is silently ignored.
 * If an option is given twice, the last one counts.  Strings point into argv.
 */
#ifndef LP_CLI_OPTIONS_H
#define LP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lp_error;

enum lp_cli_command_id {
#define LP_COMMAND(name, text, operands, help, function) LP_COMMAND_##name,
#include "cli/commands.def"
#undef LP_COMMAND
	LP_COMMAND_COUNT
};

enum lp_option_id {
#define LP_OPTION(name, text, letter, kind, argument, least, most, commands, help) LP_OPT_##name,
#include "cli/options.def"
#undef LP_OPTION
	LP_OPTION_COUNT
};

struct lp_option_value {
	bool given;
	uint64_t count;      /* of a COUNT: the number; of a CHOICE: the index of the word, from 0 */
	double seconds;      /* SECONDS */
	int64_t low, high;   /* RANGE */
	const char *text;    /* the argument as given */
};

struct lp_kind;
struct lp_load_place;
struct lp_ranks;
struct lp_result_piece;
struct lp_team;

struct lp_options {
	enum lp_cli_command_id command;
	struct lp_option_value at[LP_OPTION_COUNT];
	const char *const *operands;
	int operand_count;
	const char *const *flags; /* the words after `--`: flags for the compiler */
	int flag_count;
	const char **words;       /* all words of the command line, as given */
	int word_count;
	struct lp_result_piece *piece;   /* where to write the result if there are several objects; or NULL */
	const char *folder;       /* the folder of a debugging session (gdb/debugger.h); or NULL */
	bool compiled;            /* the program is already compiled */
	const char *mutants;      /* the path at which the program is kept for mutants (compile.h); or NULL */
	const struct lp_kind *own; /* the object's own specification, if it is already loaded */
	bool unoptimised;         /* compile without optimisation, for debuggers; the result is only used if the
				   * execution stays the same */
	/* The ranks of the mpirun or srun job to which this process belongs (machines/machines.h).  `searching` is NULL
	 * unless all ranks search states together, and `working` is NULL unless each rank takes jobs. */
	struct lp_ranks *searching, *working;
	/* `team` and `ranks` are set if several machines explore together (machines/machines.h), else NULL.
	 * `ranks_here` is the number of the job's ranks on this machine; 0: there is no job. */
	struct lp_team *team;
	struct lp_ranks *ranks;
	uint32_t ranks_here;
	struct lp_load_place *place; /* where the object is loaded (frontend/load/load_place.h); NULL: anywhere */
};

/* Parses what follows the command's name.  `argv` is reordered: operands come
 * first.  Returns false, with the reason, if the command line is not valid. */
bool lp_options_parse(enum lp_cli_command_id, int argc, const char **argv,
		      struct lp_options *, struct lp_error *);

void lp_options_close(struct lp_options *);

/* Returns the command's name: "check". */
const char *lp_options_command(const struct lp_options *);

/* lp_options_shell() prints those of the given options that the command has and that affect what is explored, such as
 * " --model sc --ops 4".  Options for limits and for output are left out.  lp_options_shell_flags() prints the flags for
 * the compiler: " -- -DX". */
void lp_options_shell(FILE *out, const struct lp_options *, enum lp_cli_command_id);
void lp_options_shell_flags(FILE *out, const struct lp_options *);

/* Prints a line such as "option --model sc" for each given option that must be the same when an exploration is resumed (checkpoint.h). */
void lp_options_lines(FILE *out, const struct lp_options *);

/* Prints the help for the options of a command. */
void lp_options_help(enum lp_cli_command_id, FILE *out);

/* Returns true if `--json` is among the words before `--`.  Then errors in the command line are also reported as
 * JSON. */
bool lp_options_want_json(int argc, const char *const *argv);

#endif
