/* workers.h -- inside explore/parallel: the worker processes of this machine. */
#ifndef LP_EXPLORE_PARALLEL_WORKERS_H
#define LP_EXPLORE_PARALLEL_WORKERS_H

#include <sys/types.h>

#include "explore/parallel/pool.h"
#include "explore/restarts.h"

struct lp_workers {
	struct lp_program *program;
	const struct lp_explore_options *options;
	struct lp_pool *pool;
	LP_VEC(pid_t);        /* 0 if the worker has ended */
	uint32_t left;        /* the number of workers that have not ended */
	struct lp_progress progress; /* as it was at the last call of lp_workers_look_after() */
	bool killed;          /* the workers were killed because they did not stop when they were told to */
	char loss[96];        /* how the last lost worker ended */
};

/* Starts options->jobs workers, or fewer if the system does not allow that many. */
void lp_workers_start(struct lp_workers *);
/* Records which workers have ended, and replaces those that were killed. */
void lp_workers_look_after(struct lp_workers *);
/* Waits until all workers have ended. The pool must have been stopped. */
void lp_workers_await_end(struct lp_workers *);

/* To be called when all workers have ended.  Takes the result of the pass from that pool; on rank 0 of several machines it is the
 * pool of machines. */
enum lp_pass_end lp_workers_conclude(const struct lp_workers *, struct lp_pool *, const struct lp_pass *);

#endif
