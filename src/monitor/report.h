/* report.h -- violations and summaries as text. */
#ifndef LP_MONITOR_REPORT_H
#define LP_MONITOR_REPORT_H

#include "monitor/live/live_checker.h"

/* Describes the violation of `live` in `text`, and sorts its core by the starts of the calls.  `confirmed`: the answer of
 * lp_recheck_confirms(). */
void lp_report_violation(struct lp_live *live, uint64_t number, bool confirmed, char *text,
			 size_t size);
/* Writes the statistics to `text`, as metrics for a monitoring system.  Returns the length of the whole text, like snprintf(). */
size_t lp_report_metrics(const struct lp_monitor_stats *stats, const char *spec, char *text, size_t size);
void lp_report_summary(const struct lp_monitor_stats *stats, const char *spec, FILE *to);

#endif
