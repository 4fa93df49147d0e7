/* study_reports.h -- reports of a study for CI servers: --junit, --sarif, annotations.
 *
 * A row is a test case, at its line of the table.  A row that does not match is a failure,
 * with any verdict; a row that did not finish is inconclusive.
 */
#ifndef LP_CLI_STUDY_STUDY_REPORTS_H
#define LP_CLI_STUDY_STUDY_REPORTS_H

#include <stdbool.h>

#include "cli/study/study_answer.h"

struct lp_options;

struct lp_study_found {
	const char *zoo;
	const struct lp_study_rows *rows;
	const struct lp_study_answer *answers; /* for each row, if it is `done` */
	const bool *done;
	double seconds;
};

/* Writes the reports that were asked for.  If one cannot be written, prints a message and
 * returns false. */
bool lp_study_reports(const struct lp_options *, const struct lp_study_found *,
		      struct lp_arena *);

#endif
