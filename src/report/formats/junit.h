/* junit.h -- results as JUnit's XML, which every CI server reads.
 *
 * A file that was examined is a test case.  A violation is its failure, with the report as on
 * the terminal.  A result that is inconclusive, or a file that cannot be examined, is its error: it has
 * not passed, but it is not a finding either.
 */
#ifndef LP_REPORT_FORMATS_JUNIT_H
#define LP_REPORT_FORMATS_JUNIT_H

#include <stdint.h>
#include <stdio.h>

struct lp_result;

struct lp_junit_sums {
	uint32_t cases, failures, errors;
	double seconds;
};

/* The file is lp_junit_begin(), a case for each result, lp_junit_end(); the cases can be
 * written elsewhere before the sums are known.  `report` is what is said about it; NULL: as
 * on the terminal. */
void lp_junit_begin(FILE *out, const char *suite, const struct lp_junit_sums *);
void lp_junit_case(FILE *out, const char *suite, const struct lp_result *, const char *report);
void lp_junit_end(FILE *out);

#endif
