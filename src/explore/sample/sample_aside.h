/* sample_aside.h -- how many executions there are, estimated while they are explored.
 *
 * The walk's own estimate assumes that the unvisited alternatives of a choice are as large as the visited ones, and is often
 * off by orders of magnitude.  So another process samples the tree (estimate.c): first after a second, for a moment, and again
 * whenever the exploration has taken twice as long, for 0.5 % of that time.  All samples together cost about 1 %, and count by
 * the time they took.
 *
 * The process is forked in the middle of the exploration, does nothing but sample, and ends: nothing that it does is seen here.
 * It does not judge executions, so it neither finds violations nor talks to other processes.
 */
#ifndef LP_EXPLORE_SAMPLE_SAMPLE_ASIDE_H
#define LP_EXPLORE_SAMPLE_SAMPLE_ASIDE_H

#include <sys/types.h>

#include "explore/explore.h"

/* Of one exploration; zero at its beginning. */
struct lp_sample_aside {
	pid_t process;            /* of the sample that is being taken; 0: none is */
	int out;                  /* where its result comes from */
	double budget, started;   /* its seconds, and when it began */
	double next;              /* seconds of the exploration after which the next one is taken; 0: the first one */
	uint32_t taken;
	bool over;                /* one took too long, or there are no processes: no more of them */
	double effort;            /* of those that have ended: the sum of their seconds, */
	double executions, variance; /* and what they say together */
};

/* Starts a sample if one is due, or takes the result of one that has ended; then returns true.  `seconds` is
 * the time of the exploration so far. */
bool lp_sample_aside_turn(struct lp_sample_aside *, struct lp_program *, const struct lp_explore_options *, double seconds);

/* One more estimate, by so many seconds of work. */
void lp_sample_aside_add(struct lp_sample_aside *, const struct lp_estimate *, double seconds);

/* The estimated number of all executions, from samples.  If samples failed, it is the walk's own estimate.
 * So it is if they were too low, and the walk's estimate is at most twice what was explored. 0: there is no
 * estimate. */
double lp_sample_aside_estimate(const struct lp_sample_aside *, const struct lp_progress *walk);

/* The exploration has ended. */
void lp_sample_aside_end(struct lp_sample_aside *);

/* The range in which the truth nearly always is: the logarithm of such an estimate is roughly normal. */
struct lp_estimate_range { double low, high; };
struct lp_estimate_range lp_estimate_range(double about, double variance);

#endif
