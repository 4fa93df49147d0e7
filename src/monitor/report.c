/* report.c -- violations and summaries for people. */
#include "monitor/report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "monitor/dump.h"

static int by_start(const void *a, const void *b)
{
	const struct lp_monitor_op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static size_t describe(const struct lp_monitor_op *op, char *text, size_t size)
{
	char arg[24], result[24], when[64];
	int wrote;

	if (!op->method) {
		wrote = snprintf(text, size, "    before    %s was there\n",
				 lp_dump_value(op->arg, arg));
		return wrote < 0 ? 0 : (size_t)wrote;
	}
	if (op->end == LP_LIVE_NEVER)
		snprintf(when, sizeof when, "%" PRIu64 " ..", op->start);
	else
		snprintf(when, sizeof when, "%" PRIu64 " .. %" PRIu64, op->start, op->end);
	wrote = snprintf(text, size, "    thread %-3" PRIu32 " %s(%s)%s%s   [%s]\n", op->thread,
			 op->method, op->arg == LP_VOID ? "" : lp_dump_value(op->arg, arg),
			 op->result == LP_VOID ? "" : " -> ",
			 op->result == LP_VOID ? "" : lp_dump_value(op->result, result), when);
	return wrote < 0 ? 0 : (size_t)wrote;
}

void lp_report_violation(struct lp_live *live, uint64_t number, bool confirmed, char *text,
			 size_t size)
{
	size_t used;

	qsort(live->core, live->core_count, sizeof *live->core, by_start);
	const int wrote = snprintf(text, size,
				   "linchpin monitor: violation %" PRIu64 ": %s is not linearizable\n"
				   "  %s\n",
				   number, live->spec->kind->name, live->why);
	used = wrote < 0 ? 0 : (size_t)wrote;
	for (uint32_t i = 0; i < live->core_count && used < size; i++)
		used += describe(&live->core[i], text + used, size - used);
	if (used < size)
		snprintf(text + used, size - used, "%s",
			 confirmed ? "  these calls are wrong by themselves\n" :
				     "  calls that are no longer kept are part of it\n");
}

void lp_report_summary(const struct lp_monitor_stats *stats, const char *spec, FILE *to)
{
	fprintf(to,
		"linchpin monitor: %s: %" PRIu64 " calls of %" PRIu64 " threads, %" PRIu64
		" checked, %" PRIu64 " violations\n",
		spec, stats->calls, stats->threads, stats->checked, stats->violations);
	const uint64_t not_seen = stats->lost + stats->skipped;
	if (not_seen || stats->unchecked || stats->muted)
		fprintf(to,
			"  not checked: %" PRIu64 " lost and %" PRIu64 " in %" PRIu64
			" pauses, %.1f %% of all; %" PRIu64 " beside those; begun again %" PRIu64 " times\n",
			stats->lost, stats->skipped, stats->muted,
			100 * (double)not_seen / (double)(not_seen + stats->calls + !stats->calls),
			stats->unchecked, stats->gaps);
	if (stats->forgotten)
		fprintf(to,
			"  inconclusive: forgot what was there %" PRIu64 " times without loss, last since: %s\n",
			stats->forgotten, stats->forgotten_why);
	if (stats->ignored || stats->unclear)
		fprintf(to,
			"  left out: %" PRIu64 " that are not checked live, %" PRIu64
			" on values that were there twice\n",
			stats->ignored, stats->unclear);
	if (stats->stopped)
		fprintf(to, "  at the end nothing was checked: out of memory, or more threads than rings\n");
}
