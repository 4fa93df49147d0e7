/* sarif.h -- results as a log of static analysis: SARIF 2.1.0 (OASIS, 2020).
 *
 * A violation is a result of level "error" whose code flow is the execution: a thread flow for
 * each thread, numbered by the order in which the steps of all of them happened.  An
 * inconclusive answer is a result of level "warning", since an empty log would mean that nothing is wrong.
 * "Verified" has no result.  Files that cannot be examined are notifications of the
 * tool, and make the invocation unsuccessful.
 */
#ifndef LP_REPORT_FORMATS_SARIF_H
#define LP_REPORT_FORMATS_SARIF_H

#include <stdint.h>
#include <stdio.h>

struct lp_result;

/* Elements of the log's `results`, with commas between them, or nothing.  Findings that were ignored are results that are
 * suppressed. */
void lp_sarif_result(FILE *out, const struct lp_result *, const char *root);

struct lp_sarif_log {
	const char *version;        /* of linchpin */
	const char *root;           /* what paths are relative to */
	const char *const *results; /* texts of lp_sarif_result(); "" and NULL are left out */
	uint32_t result_count;
	const char *const *errors;  /* why files could not be examined */
	uint32_t error_count;
};

void lp_sarif_write(FILE *out, const struct lp_sarif_log *);

#endif
