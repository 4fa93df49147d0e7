/* sample_aside.h -- estimates the number of executions while they are explored.
 *
 * The walk's own estimate assumes that the unvisited alternatives of a choice are as large as the visited ones, and is often
 * off by orders of magnitude.  So another process samples the tree (estimate.c): after the first second, and again whenever the
 * time of the exploration has doubled.  Each sample takes 0.5 % of the time of the exploration so far, but at least 0.1 seconds.
 * In a long exploration, all samples together cost about 1 %. Their estimates are averaged, weighted by the time that they took.
 *
 * The process is forked in the middle of the exploration, takes one sample, and ends, so it does not affect the exploration.  It
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
	double budget, started;   /* the seconds that the sample may take, and the time when it began */
	double next;              /* the next sample is taken after this many seconds of the exploration; 0: no sample
	                           * was taken yet */
	uint32_t taken;           /* the number of samples that were begun */
	bool over;                /* no more samples: one failed or took too long, or no process could
	                           * be created */
	double effort;            /* the sum of the seconds of all samples that have ended */
	double executions, variance; /* the combined estimate of these samples */
};

/* Starts a sample if one is due.  If a sample has ended with an estimate, adds the estimate and returns true.  `seconds` is
 * the time of the exploration so far. */
bool lp_sample_aside_turn(struct lp_sample_aside *, struct lp_program *, const struct lp_explore_options *, double seconds);

/* Adds an estimate that took that many seconds of work. */
void lp_sample_aside_add(struct lp_sample_aside *, const struct lp_estimate *, double seconds);

/* Returns the estimated number of all executions, or 0 for no estimate:
 *   - the estimate of the samples, if it is above the number explored so far;
 *   - if the estimate of the samples is lower: the walk's own estimate, if this is at most twice the number explored so far,
 *     and otherwise 0;
 *   - if no sample has given an estimate: 0 as long as samples are taken, and then the walk's own estimate. */
double lp_sample_aside_estimate(const struct lp_sample_aside *, const struct lp_progress *walk);

/* To be called when the exploration has ended: ends a sample that is being taken. */
void lp_sample_aside_end(struct lp_sample_aside *);

/* The range in which the true number nearly always lies, for the estimate `about`.  The computation assumes that the logarithm of
 * the estimate has a normal distribution. */
struct lp_estimate_range { double low, high; };
struct lp_estimate_range lp_estimate_range(double about, double variance);

#endif
