/* study_child.h -- runs linchpin as a child process, one for each row. */
#ifndef LP_CLI_STUDY_STUDY_CHILD_H
#define LP_CLI_STUDY_STUDY_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "cli/study/study_answer.h"

struct lp_study_child {
	pid_t process;    /* 0: there is none */
	int out;          /* the read end of its standard output */
	uint32_t row;
	double started, deadline; /* by lp_study_now() */
	bool told, late;  /* to stop; and because its time was over */
	struct {
		LP_VEC(char);
	} text;           /* what it has printed so far */
};

double lp_study_now(void);

/* Starts `linchpin WORDS...`; `words` ends in NULL.  A child that does not stop by itself
 * within `seconds` is told to, and killed later. */
bool lp_study_child_start(struct lp_study_child *, const struct lp_study_words *words,
			  uint32_t row, double seconds, struct lp_error *);

/* Waits until one of the children has printed or ended, or for a tenth of a second. */
void lp_study_children_wait(struct lp_study_child *children, uint32_t count);

/* True if it has ended; then there is its answer, and the child is free again. */
bool lp_study_child_ended(struct lp_study_child *, struct lp_study_answer *);

/* Asks it to stop. */
void lp_study_child_stop(struct lp_study_child *);

#endif
