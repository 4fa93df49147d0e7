/* progress.h -- one line on standard error that shows the progress.
 *
 * The line is written only if standard error is a terminal, so it does not appear in logs and pipes.  It is rewritten
 * in place, and erased at the end.  Commands that take less than a second do not show it.
 *
 * In a job of several ranks standard error is not a terminal, because mpirun and srun forward the output of the ranks.
 * Such a job writes whole lines instead: the first after ten seconds, and then one each minute.
 */
#ifndef LP_REPORT_TEXT_PROGRESS_H
#define LP_REPORT_TEXT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_progress_line {
	bool shown;   /* showing the line is allowed */
	bool dirty;   /* something is on the screen */
	const char *unit; /* what is counted: "executions" */
	unsigned columns;
	char phase[64];     /* set by the caller: "client 12 of 40, 3 calls"; or empty */
	double before;      /* set by the caller: the seconds before this phase */
	uint64_t memory_kb; /* set by the caller; 0: not known */
	unsigned processes; /* set by the caller: the number of processes; 0 means one */
	uint64_t disk_kb;   /* set by the caller: the size of files; 0: there are none */
	double more;        /* set by the caller: the least number of seconds that later phases take; negative: not
	                     * known, and then the line does not show the time left */
	double apart, next; /* for whole lines: the seconds between two lines, and when the next one is due; `apart` is
			     * 0 if the line is rewritten in place */
	double left, at;    /* the time left that was shown last, and when it was shown; 0: it has not been shown yet */
};

/* The progress in this phase. */
struct lp_progress_made {
	uint64_t executions, blocked;
	double estimate; /* the estimated number of executions; 0: not known */
	double seconds;
};

struct lp_progress_line lp_progress_line_open(bool wanted);

/* Writes whole lines from now on, if standard error is not a terminal. */
void lp_progress_line_log(struct lp_progress_line *);

/* "client 12 of 40, 3 calls: 12,345 executions, 45,000 a second, of about 2.4 million, 2 h 10 min left, 17.3 core hours
 * in all, 9.1 MB".  "Core hours" are those of the whole task, and are only shown for long tasks.  Parts that do not fit
 * on the screen are shortened or left out. */
void lp_progress_line_text(const struct lp_progress_line *, const struct lp_progress_made *, char *out, size_t size);
void lp_progress_line_show(struct lp_progress_line *, const struct lp_progress_made *);

/* Returns the number of seconds left that should be shown.  `passed` seconds ago, `said` seconds were shown (0: nothing
 * was shown yet), and the current estimate is `estimate`.  Since estimates jump, the result is not simply the estimate:
 * it is `said` minus `passed`, moved towards the estimate by at most two seconds plus a quarter of `said` for each
 * second that has passed. */
double lp_progress_left(double said, double passed, double estimate);

/* Shows the given text instead of the progress. */
void lp_progress_line_write(struct lp_progress_line *, const char *text);

void lp_progress_line_erase(struct lp_progress_line *);

#endif
