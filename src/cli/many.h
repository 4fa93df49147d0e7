/* many.h -- runs a command for several files, one after the other. */
#ifndef LP_CLI_MANY_H
#define LP_CLI_MANY_H

#include "cli/commands.h"

/* Runs `one` for each operand, each in its own process, and then shows a table with a row for each.  Returns the worst
 * exit status. */
int lp_many(const struct lp_options *, int (*one)(const struct lp_options *));

#endif
