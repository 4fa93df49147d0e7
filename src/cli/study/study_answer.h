/* study_answer.h -- what a run of linchpin says about a row. */
#ifndef LP_CLI_STUDY_STUDY_ANSWER_H
#define LP_CLI_STUDY_STUDY_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/study/study_table.h"

struct lp_study_answer {
	char verdict[16]; /* "verified", ..., or "none" if it did not come to one */
	char kind[64];    /* "" if there is none */
	char text[160];   /* why there is no verdict, or it is not about the object */
	uint64_t calls;   /* of the smallest client; 0: it was not said */
	uint64_t executions, states;
	double seconds;   /* by the clock, with the compiler's */
	double figure;    /* what the command itself has measured; 0: nothing */
};

/* Takes the verdict from the JSON that linchpin printed. */
void lp_study_answer_read(struct lp_study_answer *, const char *json);

/* Is it what the row expects? */
bool lp_study_answer_is_expected(const struct lp_study_answer *, const struct lp_study_row *);

#endif
