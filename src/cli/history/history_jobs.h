/* history_jobs.h -- checks several files at a time: `linchpin history -j`, or on several ranks (ranks/jobs.h).
 *
 * Other processes check the files and send short answers.  If the verdict is "verified" or "inconclusive", the
 * file is done.  If a file is wrong or cannot be read, which is rare, this process checks it again and writes the report.  If one of
 * the other processes ends prematurely, this process checks the files of that process.
 *
 * If there are very many files, a job consists of several files, since starting a process takes longer than checking a short history.
 */
#ifndef LP_CLI_HISTORY_HISTORY_JOBS_H
#define LP_CLI_HISTORY_HISTORY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/result.h"

struct lp_history_jobs;
struct lp_ranks;

struct lp_history_done {
	enum lp_result_verdict verdict; /* verified or inconclusive; with any other verdict, rank 0 must check the
					 * file itself */
	char text[256], method[96];
	uint64_t calls, pending, threads, parts, steps;
	double seconds;
};
typedef void lp_history_work(void *closure, uint32_t i, struct lp_history_done *);

/* Starts the jobs: work(closure, i, &done) for each i below `count`, in `processes` processes on each rank.  If `ranks`
 * is NULL, this process is the only rank.  All ranks call this function, and it returns on rank 0 only. */
struct lp_history_jobs *lp_history_jobs_open(struct lp_ranks *, uint32_t processes, uint32_t count, lp_history_work *, void *closure);
void lp_history_jobs_close(struct lp_history_jobs *); /* NULL is fine */

/* Hands out jobs and receives results.  If `wait` is set and no result has arrived, waits up to a tenth of a
 * second for one. */
void lp_history_jobs_turn(struct lp_history_jobs *, bool wait);

/* A file is settled if an answer about it has arrived, or if this process must check it.  lp_history_jobs_settled()
 * returns the number of settled files, and lp_history_jobs_is_settled() whether the i-th file is settled.
 * lp_history_jobs_answer() returns the answer about a settled file, or NULL if this process must check the file. */
uint32_t lp_history_jobs_settled(const struct lp_history_jobs *);
bool lp_history_jobs_is_settled(const struct lp_history_jobs *, uint32_t i);
const struct lp_history_done *lp_history_jobs_answer(const struct lp_history_jobs *, uint32_t i);

#endif
