/* study_job.h -- runs a row of a study as a job (ranks/jobs.h): the process of the job executes
 * linchpin.
 *
 * The description of the job consists of the words of the command, so a rank does not need the tables of the study.
 */
#ifndef LP_CLI_STUDY_STUDY_JOB_H
#define LP_CLI_STUDY_STUDY_JOB_H

#include "cli/study/study_answer.h"
#include "ranks/jobs.h"

/* Describes the job `linchpin WORDS...`; `words` ends with NULL. */
void lp_study_job_describe(struct lp_bytes *, const struct lp_study_words *words);

/* Executes the described command in the process of the job.  Standard error is discarded, because the
 * verdict contains the reason, and a row that does not match is shown with its command line.  The closure
 * is not used. */
lp_job_work lp_study_job_work;

void lp_study_job_answer(struct lp_study_answer *, const struct lp_job_result *);

/* Returns true if rank 0 should repeat the job: another rank may have failed because it has no compiler,
 * or lacks files. */
bool lp_study_job_is_to_repeat(const struct lp_study_answer *, const struct lp_job_result *);

#endif
