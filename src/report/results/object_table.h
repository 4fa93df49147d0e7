/* object_table.h -- the results of several objects, as a table. */
#ifndef LP_REPORT_RESULTS_OBJECT_TABLE_H
#define LP_REPORT_RESULTS_OBJECT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/result.h"

struct lp_terminal;

/* One object.  The row contains its texts, because another process may fill it in. */
struct lp_object_row {
	bool done;           /* the row is filled in */
	enum lp_result_verdict verdict;
	char subject[256];   /* the path; of a longer path its end */
	char what[256];      /* the kind of a violation, or why there is no verdict; or "" */
	uint64_t executions, blocked;
	double seconds;
	uint64_t peak_rss_kb;
};

void lp_object_row_fill(struct lp_object_row *, const struct lp_result *);

/* Returns the verdict for all objects: an error takes precedence over a violation, and a violation over
 * "inconclusive". */
enum lp_result_verdict lp_objects_verdict(const struct lp_object_row *, uint32_t count);

/* Prints the sums, and a line for each object. */
void lp_terminal_objects(const struct lp_terminal *, const struct lp_object_row *, uint32_t count,
			 double seconds);

/* Prints the line of one object. */
void lp_terminal_object(const struct lp_terminal *, const struct lp_object_row *, int width);

/* Prints one JSON object; `results` are the results of the objects as JSON texts. */
void lp_json_objects(FILE *out, const struct lp_object_row *, const char *const *results,
		     uint32_t count, double seconds);

#endif
