/* report.c -- violations and summaries for people. */
#include "monitor/report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/dump.h"

static int by_start(const void *a, const void *b)
{
	const struct lp_monitor_op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static void list(char *text, size_t size, const int64_t *values, uint32_t count)
{
	char value[24];

	text[0] = '\0';
	for (uint32_t i = 0; i < count; i++) {
		const size_t used = strlen(text);
		snprintf(text + used, size - used, "%s%s", i ? ", " : "", lp_dump_value(values[i], value));
	}
}

static size_t describe_words(const struct lp_monitor_op *op, char *text, size_t size)
{
	char args[128], results[512];
	const uint32_t count = op->word_count - op->arg_count;

	list(args, sizeof args, op->words, op->arg_count);
	list(results, sizeof results, op->words + op->arg_count, count);
	const int wrote = snprintf(text, size, "    thread %-3" PRIu32 " %s(%s)%s%s   [%" PRIu64 " .. %" PRIu64 "]\n",
				   op->thread, op->method, args, count ? " -> " : "", results, op->start,
				   op->end);
	return wrote < 0 ? 0 : (size_t)wrote;
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
	if (op->words)
		return describe_words(op, text, size);
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
	if (live->has_base && used < size)
		used += describe(&(struct lp_monitor_op){ .arg = live->base }, text + used, size - used);
	for (uint32_t i = 0; i < live->core_count && used < size; i++)
		used += describe(&live->core[i], text + used, size - used);
	if (used < size)
		snprintf(text + used, size - used, "%s",
			 confirmed ? "  these calls are enough for the violation\n" :
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
			"  inconclusive: lost track of the contents %" PRIu64 " times without loss, last since: %s\n",
			stats->forgotten, stats->forgotten_why);
	if (stats->ignored || stats->unclear)
		fprintf(to,
			"  left out: %" PRIu64 " that are not checked live, %" PRIu64
			" on values that were there twice\n",
			stats->ignored, stats->unclear);
	if (stats->stopped)
		fprintf(to, "  at the end nothing was checked: out of memory, or more threads than rings\n");
}

size_t lp_report_metrics(const struct lp_monitor_stats *stats, const char *spec, char *text, size_t size)
{
	static const struct {
		const char *name, *type, *help;
		size_t at;
	} all[] = {
#define METRIC(field, name, type, help) { name, type, help, offsetof(struct lp_monitor_stats, field) }
		METRIC(calls, "calls_total", "counter", "Calls that were recorded and looked at"),
		METRIC(checked, "checked_total", "counter", "Calls that took part in the check"),
		METRIC(unchecked, "unchecked_total", "counter", "Calls beside others that were lost"),
		METRIC(ignored, "ignored_total", "counter", "Calls of sorts that are not checked live"),
		METRIC(unclear, "unclear_total", "counter", "Calls on values that were there twice"),
		METRIC(lost, "lost_total", "counter", "Calls that were not recorded: no room, or left"),
		METRIC(skipped, "skipped_total", "counter", "Calls while recording was off"),
		METRIC(muted, "pauses_total", "counter", "Times that recording was off"),
		METRIC(gaps, "gaps_total", "counter", "Times that the check began without knowledge"),
		METRIC(forgotten, "forgotten_total", "counter", "Gaps in which nothing was lost"),
		METRIC(violations, "violations_total", "counter", "Violations found"),
		METRIC(threads, "threads_total", "counter", "Threads that ever called"),
		METRIC(bytes, "memory_bytes", "gauge", "Memory held by the monitor"),
#undef METRIC
	};
	size_t used = 0;

	for (size_t i = 0; i <= sizeof all / sizeof *all; i++) {
		const bool last = i == sizeof all / sizeof *all;
		uint64_t value = stats->stopped;
		if (!last)
			memcpy(&value, (const char *)stats + all[i].at, sizeof value);
		const char *name = last ? "stopped" : all[i].name;
		const int wrote = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0,
					   "# HELP linchpin_monitor_%s %s\n# TYPE linchpin_monitor_%s %s\n"
					   "linchpin_monitor_%s{spec=\"%s\"} %" PRIu64 "\n",
					   name, last ? "Nothing is checked at the moment" : all[i].help, name,
					   last ? "gauge" : all[i].type, name, spec, value);
		used += wrote < 0 ? 0 : (size_t)wrote;
	}
	return used;
}
