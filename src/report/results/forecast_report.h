/* forecast_report.h -- what an exploration will cost, as plain data, and the writers for it (--plan). */
#ifndef LP_REPORT_RESULTS_FORECAST_REPORT_H
#define LP_REPORT_RESULTS_FORECAST_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An estimate, and the range in which the number probably is. */
struct lp_forecast_number {
	double about, low, high;
};

struct lp_forecast_report {
	const char *subject;
	bool exact;                /* the exploration has ended, so the numbers are exact */
	struct lp_forecast_number executions, seconds; /* with one process */
	double rate;               /* executions a second, in one process */
	uint32_t jobs;             /* the number of processes */
	bool by_ranks;             /* the processes are those of a job of several ranks; false: they are those of
				    * -j */
	uint64_t memory_kb;        /* the memory of one process */
	uint64_t clients, sampled; /* the number of clients, and how many of them were sampled; both are 0 for a
				    * program */
	bool more_clients;         /* there are more clients than were counted */
	const char *error;         /* an error that was already found, at which the exploration will end; or NULL */
	const char *reason;        /* why there is no estimate; or NULL */
	double took;               /* the time that the estimate took, in seconds */
};

void lp_forecast_report_text(FILE *, const struct lp_forecast_report *);
void lp_forecast_report_json(FILE *, const struct lp_forecast_report *);

#endif
