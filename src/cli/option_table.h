/* option_table.h -- options.def as data, for the parser, the help, the manual pages and the
 * completion of shells.
 */
#ifndef LP_CLI_OPTION_TABLE_H
#define LP_CLI_OPTION_TABLE_H

#include "cli/options.h"

enum lp_option_kind {
	LP_TAKES_FLAG, /* no argument */
	LP_TAKES_COUNT,
	LP_TAKES_SECONDS,
	LP_TAKES_CHOICE,
	LP_TAKES_RANGE,
	LP_TAKES_TEXT,
};

struct lp_option_entry {
	const char *name, *letter;
	enum lp_option_kind kind;
	const char *argument;
	uint64_t least, most;
	unsigned commands; /* bits of enum lp_cli_command_id */
	const char *help;
};

extern const struct lp_option_entry lp_option_table[LP_OPTION_COUNT];

static inline bool lp_option_is_of(const struct lp_option_entry *o, enum lp_cli_command_id command)
{
	return o->commands >> command & 1;
}

#endif
