/* history_jobs.h -- several files at a time: `linchpin history -j`.
 *
 * Child processes check the files and put short answers into shared memory.  If the answer is "right" or "undecided",
 * the file is done.  A file that is wrong or cannot be read is checked again by the parent, which writes the report;
 * there is seldom more than one.  The parent also checks the files of a child that ended prematurely.
 */
#ifndef LP_CLI_HISTORY_HISTORY_JOBS_H
#define LP_CLI_HISTORY_HISTORY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_history_done {
	bool verified, undecided; /* if neither is set, the parent must check the file itself */
	char text[256], method[96];
	uint64_t calls, pending, threads, parts, steps;
	double seconds;
};

/* Has work(closure, i, &done[i]) called for all i below count, by so many processes; the answers, or NULL if that cannot
 * be done.  `done` is to be given back by the second. */
struct lp_history_done *lp_history_jobs_run(uint32_t jobs, uint32_t count,
					    void (*work)(void *, uint32_t, struct lp_history_done *),
					    void *closure);
void lp_history_jobs_close(struct lp_history_done *done, uint32_t count);

#endif
