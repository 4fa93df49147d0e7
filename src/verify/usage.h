/* usage.h -- time and memory used so far. */
#ifndef LP_VERIFY_USAGE_H
#define LP_VERIFY_USAGE_H

#include <stdint.h>

double lp_usage_seconds(void);       /* the time of a monotonic clock */
uint64_t lp_usage_peak_rss_kb(void); /* the largest resident set of this process so far */
uint64_t lp_usage_available_kb(void); /* the memory that the system can provide without swapping; 0: not known */

#endif
