/* clock.h -- the time in seconds, for limits, from a clock that never goes back. */
#ifndef LP_EXPLORE_CLOCK_H
#define LP_EXPLORE_CLOCK_H

#include <time.h>

static inline double lp_clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
