/* workers.h -- inside explore/parallel: the processes of this machine. */
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
	uint32_t left;        /* workers that have not ended */
	struct lp_progress progress; /* as of the last look */
	bool killed;          /* we have killed workers that did not stop when told to */
	char loss[96];        /* how the last lost worker ended */
};

/* Starts options->jobs workers; fewer, if the system does not allow that many. */
void lp_workers_start(struct lp_workers *);
/* Records which workers have ended, and replaces those that were killed. */
void lp_workers_look_after(struct lp_workers *);
/* Waits until all workers have ended; the pool has been stopped. */
void lp_workers_await_end(struct lp_workers *);

/* The result of a pass from the pool, once all are gone; it may be another pool than that of these workers. */
enum lp_pass_end lp_workers_conclude(const struct lp_workers *, struct lp_pool *, const struct lp_pass *);

#endif
