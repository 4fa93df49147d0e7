/* history_report.h -- results of histories for CI servers. */
#ifndef LP_CLI_HISTORY_HISTORY_REPORT_H
#define LP_CLI_HISTORY_HISTORY_REPORT_H

#include "cli/options.h"
#include "report/results/histories.h"

/* Writes the files of --junit and --sarif, and marks where the environment asks for them.
 * Returns false, after a message, if a file could not be written. */
bool lp_history_deliver(const struct lp_options *, const struct lp_histories_result *);

#endif
