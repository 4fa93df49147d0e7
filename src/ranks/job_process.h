/* job_process.h -- for ranks/ only: the process of one job (jobs.h), and its output.
 *
 * The process counts as ended when its standard output is closed.
 */
#ifndef LP_RANKS_JOB_PROCESS_H
#define LP_RANKS_JOB_PROCESS_H

#include <sys/types.h>

#include "ranks/jobs.h"

struct lp_job_process {
	pid_t process;            /* 0: there is none */
	int out;                  /* the read end of its standard output */
	double started, deadline; /* times of lp_jobs_now() */
	struct lp_bytes text;     /* its output so far; valid until the next process starts */
	struct lp_job_result result;
};

/* Returns false, with errno set, if no process can be started. */
bool lp_job_process_start(struct lp_job_process *, const struct lp_rank_job *, lp_job_work *, void *closure);

/* Tells the process to end.  If the process does not end, it is killed later. */
void lp_job_process_stop(struct lp_job_process *);

/* Reads the output so far, without waiting, and tells the process to end if its time is over.  Returns true if the process has
 * ended.  Then `result` is filled in, and the struct can be used for the next process. */
bool lp_job_process_ended(struct lp_job_process *);

#endif
