/* usage.h -- time and memory used so far. */
#ifndef LP_VERIFY_USAGE_H
#define LP_VERIFY_USAGE_H

#include <stdint.h>

double lp_usage_seconds(void);       /* of a monotonic clock */
uint64_t lp_usage_peak_rss_kb(void); /* of this process */
uint64_t lp_usage_available_kb(void); /* that could be had without harm to others; 0: not known */

#endif
