/* job_process.h -- inside ranks/: the process of one job (jobs.h), and what it writes.
 *
 * The process has ended when its standard output has.
 */
#ifndef LP_RANKS_JOB_PROCESS_H
#define LP_RANKS_JOB_PROCESS_H

#include <sys/types.h>

#include "ranks/jobs.h"

struct lp_job_process {
	pid_t process;            /* 0: there is none */
	int out;                  /* the read end of its standard output */
	double started, deadline; /* by lp_jobs_now() */
	struct lp_bytes text;     /* what it has written so far; kept until the next one starts */
	struct lp_job_result result;
};

/* False, with errno, if there can be no process. */
bool lp_job_process_start(struct lp_job_process *, const struct lp_rank_job *, lp_job_work *, void *closure);

/* Tells it to end.  One that was told and does not end is killed later. */
void lp_job_process_stop(struct lp_job_process *);

/* Takes what it has written, without waiting, and tells it to end if its time is over.  True if it has ended: then its result is
 * there, and the place is free again. */
bool lp_job_process_ended(struct lp_job_process *);

#endif
