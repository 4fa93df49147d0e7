/* study_job.h -- runs a row of a study as a job of ranks/jobs.h, whose process executes linchpin.
 *
 * The description of the job consists of the words of the command, so a rank need not have the tables.
 */
#ifndef LP_CLI_STUDY_STUDY_JOB_H
#define LP_CLI_STUDY_STUDY_JOB_H

#include "cli/study/study_answer.h"
#include "ranks/jobs.h"

/* Describes the job `linchpin WORDS...`; `words` ends with NULL. */
void lp_study_job_describe(struct lp_bytes *, const struct lp_study_words *words);

/* Executes that command in the process of the job.  Standard error is discarded: the verdict contains the
 * reason, and a row that does not match is shown with its command line.  The closure is not used. */
lp_job_work lp_study_job_work;

void lp_study_job_answer(struct lp_study_answer *, const struct lp_job_result *);

/* Should rank 0 repeat the job?  Another rank may fail because it has no compiler, or not all files. */
bool lp_study_job_is_to_repeat(const struct lp_study_answer *, const struct lp_job_result *);

#endif
