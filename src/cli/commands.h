/* commands.h -- the commands (commands.def).
 *
 * The function of a command gets the parsed options, does all the work, and returns the exit
 * status.  It prints results by the functions of src/report/.
 */
#ifndef LP_CLI_COMMANDS_H
#define LP_CLI_COMMANDS_H

#include "cli/options.h"
#include "report/result.h"

enum lp_exit {
	LP_EXIT_VERIFIED = 0,     /* within the scope that is printed */
	LP_EXIT_VIOLATION = 1,
	LP_EXIT_USAGE = 2,        /* bad usage, bad input, does not compile */
	LP_EXIT_INCONCLUSIVE = 3, /* for example, a limit was reached; the output says why */
};

struct lp_cli_command {
	const char *name, *operands, *help;
	int (*run)(const struct lp_options *);
};
extern const struct lp_cli_command lp_cli_commands[LP_COMMAND_COUNT];

int lp_cli_check(const struct lp_options *);
int lp_cli_run(const struct lp_options *);
int lp_cli_replay(const struct lp_options *);
int lp_cli_report(const struct lp_options *);
int lp_cli_cc(const struct lp_options *);
int lp_cli_history(const struct lp_options *);
int lp_cli_counting(const struct lp_options *);
int lp_cli_figures(const struct lp_options *);
int lp_cli_study(const struct lp_options *);
int lp_cli_specs(const struct lp_options *);
int lp_cli_orders(const struct lp_options *);
int lp_cli_mutants(const struct lp_options *);
int lp_cli_init(const struct lp_options *);
int lp_cli_states(const struct lp_options *);

/* Returns the exit status for a verdict. */
int lp_cli_exit_status(enum lp_result_verdict);

/* Prints the error on one line of standard error (and as JSON on standard
 * output if `json`); returns LP_EXIT_USAGE. */
struct lp_error;
int lp_cli_refuse(bool json, const struct lp_error *);

#endif
