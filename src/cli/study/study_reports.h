/* study_reports.h -- reports of a study for CI servers: --junit, --sarif, annotations.
 *
 * Each row is a test case, whose place is the line of the table.  A row whose verdict is not the
 * expected one is a failure, whatever the verdict is; a row that did not finish is inconclusive.
 */
#ifndef LP_CLI_STUDY_STUDY_REPORTS_H
#define LP_CLI_STUDY_STUDY_REPORTS_H

#include <stdbool.h>

#include "cli/study/study_answer.h"

struct lp_options;

struct lp_study_found {
	const char *zoo;
	const struct lp_study_rows *rows;
	const struct lp_study_answer *answers; /* for each row; valid if `done` is set for the
					        * row */
	const bool *done;
	double seconds;
};

/* Writes the reports that were asked for.  If one cannot be written, prints a message and
 * returns false. */
bool lp_study_reports(const struct lp_options *, const struct lp_study_found *,
		      struct lp_arena *);

#endif
