/* junit.h -- results as JUnit's XML, which every CI server reads.
 *
 * Each file is a test case.  A violation becomes a "failure" of the test case, with the report as on
 * the terminal.  If the result is inconclusive, or if the file cannot be examined, the test case has an
 * "error": it has not passed, but nothing wrong was found either.
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

/* Write the parts of the file: lp_junit_begin() first, then lp_junit_case() for each result, then
 * lp_junit_end().  Since the first part needs the sums, the caller may write the cases to another file
 * beforehand.  `report` is the text about a result; NULL: the text that the terminal shows. */
void lp_junit_begin(FILE *out, const char *suite, const struct lp_junit_sums *);
void lp_junit_case(FILE *out, const char *suite, const struct lp_result *, const char *report);
void lp_junit_end(FILE *out);

#endif
