/* clock.h -- the time, for limits: seconds since some moment, which never go back. */
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
