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

/* Write the parts of the file: lp_junit_begin(), then a case for each result, then lp_junit_end().
 * Since the first part needs the sums, cases can be written to another file first.  `report` is the
 * text about a result; NULL: the text that the terminal shows. */
void lp_junit_begin(FILE *out, const char *suite, const struct lp_junit_sums *);
void lp_junit_case(FILE *out, const char *suite, const struct lp_result *, const char *report);
void lp_junit_end(FILE *out);

#endif
