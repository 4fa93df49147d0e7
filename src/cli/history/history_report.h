/* history_report.h -- writes the results of histories for CI servers. */
#ifndef LP_CLI_HISTORY_HISTORY_REPORT_H
#define LP_CLI_HISTORY_HISTORY_REPORT_H

#include "cli/options.h"
#include "report/results/histories.h"

/* Writes the files of --junit and --sarif, and also annotations if the environment says that a CI
 * service reads them.  If a file cannot be written, prints a message and returns false. */
bool lp_history_deliver(const struct lp_options *, const struct lp_histories_result *);

#endif
