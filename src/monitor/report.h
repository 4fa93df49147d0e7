/* report.h -- violations and summaries as text. */
#ifndef LP_MONITOR_REPORT_H
#define LP_MONITOR_REPORT_H

#include "monitor/live/live_checker.h"

/* Fills `text`; sorts the core of `live` by start. */
void lp_report_violation(struct lp_live *live, uint64_t number, bool confirmed, char *text,
			 size_t size);
/* Returns the length of the whole text, like snprintf(). */
size_t lp_report_metrics(const struct lp_monitor_stats *stats, const char *spec, char *text, size_t size);
void lp_report_summary(const struct lp_monitor_stats *stats, const char *spec, FILE *to);

#endif
