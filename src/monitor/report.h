/* report.h -- violations and summaries for people. */
#ifndef LP_MONITOR_REPORT_H
#define LP_MONITOR_REPORT_H

#include "monitor/live/live_checker.h"

/* Fills `text`; the core of `live` gets sorted by start. */
void lp_report_violation(struct lp_live *live, uint64_t number, bool confirmed, char *text,
			 size_t size);
/* As for snprintf(). */
size_t lp_report_metrics(const struct lp_monitor_stats *stats, const char *spec, char *text, size_t size);
void lp_report_summary(const struct lp_monitor_stats *stats, const char *spec, FILE *to);

#endif
