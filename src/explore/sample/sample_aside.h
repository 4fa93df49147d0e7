/* sample_aside.h -- estimates the number of executions while they are explored.
 *
 * The walk's own estimate assumes that the unvisited alternatives of a choice are as large as the visited ones, and is often
 * off by orders of magnitude.  So another process samples the tree (estimate.c).  It does so after the first second, and again
 * whenever the time of the exploration has doubled, each time for 0.5 % of that time, but at least for 0.1 seconds.  In a long
 * exploration, all samples together cost about 1 %. Their estimates are averaged, weighted by the time that they took.
 *
 * The process is forked in the middle of the exploration, only samples, and ends, so it does not affect the exploration.  It
 * does not judge executions, so it neither finds violations nor talks to other processes.
 */
#ifndef LP_EXPLORE_SAMPLE_SAMPLE_ASIDE_H
#define LP_EXPLORE_SAMPLE_SAMPLE_ASIDE_H

#include <sys/types.h>

#include "explore/explore.h"

/* The samples of one exploration; all zero at its beginning. */
struct lp_sample_aside {
	pid_t process;            /* the process that takes a sample; 0: there is none */
	int out;                  /* the file descriptor from which its result is read */
	double budget, started;   /* the seconds that it may take, and the time when it began */
	double next;              /* the next sample is taken after this many seconds of the exploration; 0: no sample
	                           * was taken yet */
	uint32_t taken;
	bool over;                /* no more samples: one took too long, or no process could be
	                           * created */
	double effort;            /* the sum of the seconds of all samples that have ended */
	double executions, variance; /* the combined estimate of these samples */
};

/* Starts a sample if one is due.  If a sample has ended, takes its result and returns true.  `seconds` is the
 * time of the exploration so far. */
bool lp_sample_aside_turn(struct lp_sample_aside *, struct lp_program *, const struct lp_explore_options *, double seconds);

/* Adds an estimate that took that many seconds of work. */
void lp_sample_aside_add(struct lp_sample_aside *, const struct lp_estimate *, double seconds);

/* The estimated number of all executions, from samples.  It is the walk's own estimate if samples failed, or
 * if they were too low and the walk's estimate is at most twice the number explored so far. 0: there is no
 * estimate. */
double lp_sample_aside_estimate(const struct lp_sample_aside *, const struct lp_progress *walk);

/* The exploration has ended. */
void lp_sample_aside_end(struct lp_sample_aside *);

/* The range in which the true number nearly always is.  The computation assumes that the logarithm of the
 * estimate has a normal distribution. */
struct lp_estimate_range { double low, high; };
struct lp_estimate_range lp_estimate_range(double about, double variance);

#endif
