/* study_answer.h -- the answer of linchpin for a row of a study. */
#ifndef LP_CLI_STUDY_STUDY_ANSWER_H
#define LP_CLI_STUDY_STUDY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/study/study_table.h"

struct lp_study_answer {
	char verdict[16]; /* "verified", ..., or "none" if linchpin did not reach a
			   * verdict */
	char kind[64];    /* "" if there is none */
	char text[160];   /* why there is no verdict, or why the verdict does not concern the
			   * object */
	uint64_t calls;   /* the number of calls of the smallest client; 0: not known */
	uint64_t executions, states;
	uint64_t transitions; /* between states; 0: not known */
	uint64_t schedules; /* with --schedules: the number of all schedules, explored or not; else
			     * 0 */
	double seconds;   /* the time on the clock, including compilation */
	double figure;    /* a number that the command itself has measured; 0: none */
};

/* Takes the verdict from the JSON that linchpin printed. */
void lp_study_answer_read(struct lp_study_answer *, const char *json);

/* Returns true if the answer is the one that the row expects. */
bool lp_study_answer_is_expected(const struct lp_study_answer *, const struct lp_study_row *);

#endif
