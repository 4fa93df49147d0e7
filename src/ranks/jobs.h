/* jobs.h -- runs numbered jobs of a command, each in a process of its own, on this rank and on all others.
 *
 *     struct lp_jobs *jobs = lp_jobs_open(ranks, room, work, closure);
 *     if (lp_jobs_serves(jobs))
 *             lp_jobs_serve(jobs);                      // not rank 0: does not return
 *     while (some are left || lp_jobs_running(jobs)) {
 *             while (some are left && lp_jobs_has_room(jobs, false))
 *                     lp_jobs_give(jobs, &job, false, &error);
 *             while (lp_jobs_next(jobs, &result)) ...   // in the order in which they end
 *             lp_jobs_wait(jobs);
 *     }
 *     lp_jobs_close(jobs);
 *
 * A job is a number and some bytes that describe it.  work() runs in a forked process, does the job, and writes its result to
 * standard output.  Rank 0 gets this output, and the exit status of the process.  So a job that crashes does not affect the
 * others.
 *
 *     rank 0                          another rank
 *              <---------- ASK        has room for this many more jobs
 *     JOB ----------->                forks a process
 *              <---------- DONE       the result; there is room for one more
 *     STOP ---------->                tells its processes to end
 *
 * If `ranks` is NULL, all jobs run in child processes of this process (-j).  Apart from its description, a job may use only data
 * that are equal on all ranks: files, and perhaps the closure.
 */
#ifndef LP_RANKS_JOBS_H
#define LP_RANKS_JOBS_H

#include "base/error.h"
#include "ranks/bytes.h"
#include "ranks/ranks.h"

struct lp_jobs;

struct lp_rank_job {
	uint32_t number;
	double seconds;          /* a limit: after that time the process gets SIGTERM, and 10 s later SIGKILL; 0: no limit */
	const uint8_t *bytes;    /* the description of the job */
	size_t size;
};

struct lp_job_result {
	uint32_t number;
	uint32_t rank;           /* the rank that ran the job */
	bool started;            /* false: that rank could not start a process */
	int status;              /* the status of the job's process, as given by waitpid() */
	double seconds;          /* how long the process ran, by the clock */
	bool told, late;         /* `told`: the process was told to end; `late`: it was told because its time was over */
	const uint8_t *bytes;    /* what the job has written; valid until the next call of lp_jobs_next() or lp_jobs_give() */
	size_t size;
};

/* The function that does a job, in the job's process.  It returns, or ends the process.  Standard input and standard error
 * are /dev/null. */
typedef void lp_job_work(void *closure, const struct lp_rank_job *);

/* Opens the jobs, with up to `room` processes at a time on this rank. */
struct lp_jobs *lp_jobs_open(struct lp_ranks *, uint32_t room, lp_job_work *, void *closure);
void lp_jobs_close(struct lp_jobs *);

/* Is this a rank that works for rank 0? */
bool lp_jobs_serves(const struct lp_jobs *);
_Noreturn void lp_jobs_serve(struct lp_jobs *);

/* The following functions are for rank 0.
 *
 * Can another job be started, on this rank (`here`), or on any rank (not `here`)? */
bool lp_jobs_has_room(const struct lp_jobs *, bool here);
uint32_t lp_jobs_running(const struct lp_jobs *);

/* Starts the job on this rank (`here`), or on any rank that has asked for jobs.  lp_jobs_has_room() must hold.  Returns false, with
 * the error set, if the job cannot be started. */
bool lp_jobs_give(struct lp_jobs *, const struct lp_rank_job *, bool here, struct lp_error *);

/* Stores the result of a job that has ended.  Returns false if there is no such job at the moment. */
bool lp_jobs_next(struct lp_jobs *, struct lp_job_result *);

/* Waits, for at most a tenth of a second, until a job has written output or ended, or until another rank has sent a message. */
void lp_jobs_wait(struct lp_jobs *);

/* Tells all processes to end.  Their results still arrive. */
void lp_jobs_stop(struct lp_jobs *);

/* For work(): writes the result of the job to standard output. */
void lp_job_write(const void *bytes, size_t size);

double lp_jobs_now(void);

#endif
