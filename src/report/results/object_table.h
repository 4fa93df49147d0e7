/* object_table.h -- the results of several objects, side by side. */
#ifndef LP_REPORT_RESULTS_OBJECT_TABLE_H
#define LP_REPORT_RESULTS_OBJECT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/result.h"

struct lp_terminal;

/* One object.  The texts are inside: a row may be filled in by another process. */
struct lp_object_row {
	bool done;           /* filled in */
	enum lp_result_verdict verdict;
	char subject[256];   /* the end of a longer path */
	char what[256];      /* the kind of a violation, why there is no verdict; or "" */
	uint64_t executions, blocked;
	double seconds;
	uint64_t peak_rss_kb;
};

void lp_object_row_fill(struct lp_object_row *, const struct lp_result *);

/* An error beats a violation, which beats what is inconclusive. */
enum lp_result_verdict lp_objects_verdict(const struct lp_object_row *, uint32_t count);

/* The sum, and a line for each. */
void lp_terminal_objects(const struct lp_terminal *, const struct lp_object_row *, uint32_t count,
			 double seconds);

/* A line for one. */
void lp_terminal_object(const struct lp_terminal *, const struct lp_object_row *, int width);

/* One JSON object; `results` are those of the objects, as JSON. */
void lp_json_objects(FILE *out, const struct lp_object_row *, const char *const *results,
		     uint32_t count, double seconds);

#endif
