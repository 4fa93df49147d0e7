/* jobs.h -- numbered jobs of a command, each in a process of its own: in this rank, and in all others.
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
 * A job is a number and some bytes that describe it.  work() does it, in a forked process, and writes its result to standard
 * output.  That is all that rank 0 gets, with the way in which the process ended: a job that crashes does not affect the others.
 *
 *     rank 0                          another rank
 *              <---------- ASK        has room for so many more jobs
 *     JOB ----------->                forks a process
 *              <---------- DONE       the result; there is room for one more
 *     STOP ---------->                tells its processes to end
 *
 * Without other ranks (NULL) there are only the processes of this one: -j.  What a job needs besides its description it must find in any rank:
 * files, and a closure that is the same there, if it is used.
 */
#ifndef LP_RANKS_JOBS_H
#define LP_RANKS_JOBS_H

#include "base/error.h"
#include "ranks/bytes.h"
#include "ranks/ranks.h"

struct lp_jobs;

struct lp_rank_job {
	uint32_t number;
	double seconds;          /* then it is told to end by SIGTERM, and killed 10 s later; 0: no limit */
	const uint8_t *bytes;    /* its description */
	size_t size;
};

struct lp_job_result {
	uint32_t number;
	uint32_t rank;           /* where it was done */
	bool started;            /* or no process could be started there */
	int status;              /* of its process, as waitpid() gives it */
	double seconds;          /* by the clock */
	bool told, late;         /* to end; and because its time was over */
	const uint8_t *bytes;    /* what it wrote; until the next call of lp_jobs_next() */
	size_t size;
};

/* In the process of the job; returns, or ends the process.  Standard input and standard error are /dev/null. */
typedef void lp_job_work(void *closure, const struct lp_rank_job *);

/* Up to `room` processes at a time in this rank. */
struct lp_jobs *lp_jobs_open(struct lp_ranks *, uint32_t room, lp_job_work *, void *closure);
void lp_jobs_close(struct lp_jobs *);

/* Is this a rank that works for rank 0? */
bool lp_jobs_serves(const struct lp_jobs *);
_Noreturn void lp_jobs_serve(struct lp_jobs *);

/* All that follow are for rank 0.  `here`: in this rank. */
bool lp_jobs_has_room(const struct lp_jobs *, bool here);
uint32_t lp_jobs_running(const struct lp_jobs *);

/* Starts the job, in this rank or in one that has asked; there is room.  False, with the error, if that cannot be. */
bool lp_jobs_give(struct lp_jobs *, const struct lp_rank_job *, bool here, struct lp_error *);

/* A job that has ended.  False if there is none at the moment. */
bool lp_jobs_next(struct lp_jobs *, struct lp_job_result *);

/* Waits until something may have changed, or for a tenth of a second. */
void lp_jobs_wait(struct lp_jobs *);

/* Tells all processes to end; their results still come. */
void lp_jobs_stop(struct lp_jobs *);

/* Writes the result of a job, to standard output. */
void lp_job_write(const void *bytes, size_t size);

double lp_jobs_now(void);

#endif
