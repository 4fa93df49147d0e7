/* study_job.h -- a row of a study as a job of ranks/jobs.h, which becomes linchpin.
 *
 * Its description is the command, word by word, so that a rank need not have the tables.
 */
#ifndef LP_CLI_STUDY_STUDY_JOB_H
#define LP_CLI_STUDY_STUDY_JOB_H

#include "cli/study/study_answer.h"
#include "ranks/jobs.h"

/* `linchpin WORDS...`; `words` ends in NULL. */
void lp_study_job_describe(struct lp_bytes *, const struct lp_study_words *words);

/* Becomes that command.  Standard error is discarded: the verdict contains the reason, and a row that does not
 * match is shown with its command line.  The closure is not used. */
lp_job_work lp_study_job_work;

void lp_study_job_answer(struct lp_study_answer *, const struct lp_job_result *);

/* May another rank have failed where this one would not?  It may have no compiler, or not the files. */
bool lp_study_job_is_to_repeat(const struct lp_study_answer *, const struct lp_job_result *);

#endif
