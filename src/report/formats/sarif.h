/* sarif.h -- results as a log of static analysis: SARIF 2.1.0 (OASIS, 2020).
 *
 * A violation is a result of level "error" whose code flow is the execution: one thread flow for each thread.  Each
 * step in a thread flow has its number in the order of the whole execution.  An inconclusive answer is a result of
 * level "warning", because an empty log would mean that the object was verified.  For "verified", the log has no
 * result.  A file that cannot be examined becomes a notification of the tool, and makes the invocation unsuccessful.
 */
#ifndef LP_REPORT_FORMATS_SARIF_H
#define LP_REPORT_FORMATS_SARIF_H

#include <stdint.h>
#include <stdio.h>

struct lp_result;

/* Writes what the array `results` of the log has about one result: no, one or several elements, with commas between
 * them. Findings that were ignored become suppressed results. */
void lp_sarif_result(FILE *out, const struct lp_result *, const char *root);

struct lp_sarif_log {
	const char *version;        /* the version of linchpin */
	const char *root;           /* the folder to which paths are relative */
	const char *const *results; /* texts written by lp_sarif_result(); "" and NULL are left out */
	uint32_t result_count;
	const char *const *errors;  /* why files could not be examined */
	uint32_t error_count;
};

void lp_sarif_write(FILE *out, const struct lp_sarif_log *);

#endif
