/* history_jobs.h -- several files at a time: `linchpin history -j`, and over ranks (ranks/jobs.h).
 *
 * Other processes check the files and give short answers.  If the answer is "right" or "undecided", the file is done.  A file that is wrong or
 * cannot be read is checked again by this process, which writes the report; there is seldom more than one.  If one of the other processes
 * ends prematurely, this process checks its files.
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
	enum lp_result_verdict verdict; /* verified, or inconclusive; else the parent must check the file itself */
	char text[256], method[96];
	uint64_t calls, pending, threads, parts, steps;
	double seconds;
};
typedef void lp_history_work(void *closure, uint32_t i, struct lp_history_done *);

/* Starts the jobs: work(closure, i, &done) for each i below `count`, in `processes` processes on each rank.  If the ranks are NULL, there
 * is only this one.  All ranks call this function, and it returns on rank 0 only. */
struct lp_history_jobs *lp_history_jobs_open(struct lp_ranks *, uint32_t processes, uint32_t count, lp_history_work *, void *closure);
void lp_history_jobs_close(struct lp_history_jobs *); /* NULL is fine */

/* Gives out jobs and takes results.  If `wait` is set and nothing happens, waits for a tenth of a second. */
void lp_history_jobs_turn(struct lp_history_jobs *, bool wait);

/* How many files are settled?  Is the i-th file settled?  lp_history_jobs_answer() returns the answer for a settled file, or NULL if this
 * process must check it. */
uint32_t lp_history_jobs_settled(const struct lp_history_jobs *);
bool lp_history_jobs_is_settled(const struct lp_history_jobs *, uint32_t i);
const struct lp_history_done *lp_history_jobs_answer(const struct lp_history_jobs *, uint32_t i);

#endif
