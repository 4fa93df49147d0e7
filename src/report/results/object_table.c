/* object_table.c -- the results of several objects, as a table. */
#include "report/results/object_table.h"
#include "report/formats/json.h"
#include "report/text/step_table.h"
#include "report/text/terminal.h"
#include "report/words.h"

#include <string.h>

void lp_object_row_fill(struct lp_object_row *row, const struct lp_result *r)
{
	const char *subject = r->subject.name ? r->subject.name : "?";
	const char *what = r->verdict == LP_RESULT_VIOLATION    ? r->kind :
			   r->verdict == LP_RESULT_INCONCLUSIVE ? r->reason :
			   r->verdict == LP_RESULT_ERROR        ? r->text :
								  "";
	const size_t length = strlen(subject);

	*row = (struct lp_object_row){ .verdict = r->verdict, .executions = r->counts.executions,
				       .blocked = r->counts.blocked, .seconds = r->seconds,
				       .peak_rss_kb = r->peak_rss_kb };
	if (length >= sizeof row->subject)
		subject += length - sizeof row->subject + 1;
	snprintf(row->subject, sizeof row->subject, "%s", subject);
	snprintf(row->what, sizeof row->what, "%s", what ? what : "");
	row->done = true; /* last: the process may end at any time */
}

enum lp_result_verdict lp_objects_verdict(const struct lp_object_row *row, uint32_t count)
{
	static const enum lp_result_verdict worst_first[] = {
		LP_RESULT_ERROR, LP_RESULT_VIOLATION, LP_RESULT_INCONCLUSIVE,
	};

	for (size_t v = 0; v < sizeof worst_first / sizeof *worst_first; v++)
		for (uint32_t i = 0; i < count; i++)
			if (row[i].verdict == worst_first[v])
				return worst_first[v];
	return LP_RESULT_VERIFIED;
}

void lp_terminal_object(const struct lp_terminal *t, const struct lp_object_row *row, int width)
{
	static const char *const colour[] = { LP_GREEN, LP_RED, LP_YELLOW, LP_RED };
	char number[LP_WORDS_ROOM], time[LP_WORDS_ROOM];
	const int length = (int)strlen(row->subject);

	lp_terminal_colour(t, colour[row->verdict]);
	fprintf(t->out, "%-12s", lp_result_verdict_name(row->verdict));
	lp_terminal_colour(t, LP_NORMAL);
	fputc(' ', t->out);
	lp_terminal_text(t, row->subject);
	fprintf(t->out, "%*s  ", length < width ? width - length : 0, "");
	if (row->what[0]) {
		lp_terminal_text(t, row->what);
	} else {
		lp_words_count(number, row->executions);
		fprintf(t->out, "%s executions", number);
	}
	if (row->verdict != LP_RESULT_ERROR) {
		lp_words_duration(time, row->seconds);
		fprintf(t->out, ", %s", time);
	}
	fputc('\n', t->out);
}

void lp_terminal_objects(const struct lp_terminal *t, const struct lp_object_row *row,
			 uint32_t count, double seconds)
{
	static const char *const words[] = { "verified", "in violation", "inconclusive", "in error" };
	uint32_t by_verdict[4] = { 0 };
	char text[LP_WORDS_ROOM];
	int width = 0;

	for (uint32_t i = 0; i < count; i++) {
		const int length = (int)strlen(row[i].subject);
		by_verdict[row[i].verdict]++;
		width = length > width ? length : width;
	}
	fprintf(t->out, "\n%u objects:", count);
	for (int v = 0, some = 0; v < 4; v++)
		if (by_verdict[v])
			fprintf(t->out, "%s %u %s", some++ ? "," : "", by_verdict[v], words[v]);
	lp_words_duration(text, seconds);
	fprintf(t->out, "; %s\n", text);
	for (uint32_t i = 0; i < count; i++) {
		fputs("  ", t->out);
		lp_terminal_object(t, &row[i], width);
	}
}

void lp_json_objects(FILE *out, const struct lp_object_row *row, const char *const *results,
		     uint32_t count, double seconds)
{
	const enum lp_result_verdict verdict = lp_objects_verdict(row, count);
	struct lp_json j = lp_json_on(out);
	uint64_t executions = 0, blocked = 0, peak_rss_kb = 0;
	uint32_t worst = 0;

	while (worst + 1 < count && row[worst].verdict != verdict)
		worst++;
	for (uint32_t i = 0; i < count; i++) {
		executions += row[i].executions;
		blocked += row[i].blocked;
		peak_rss_kb = row[i].peak_rss_kb > peak_rss_kb ? row[i].peak_rss_kb : peak_rss_kb;
	}
	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "verdict", lp_result_verdict_name(verdict));
	if (verdict != LP_RESULT_VERIFIED) {
		lp_json_text(&j, "subject", row[worst].subject);
		lp_json_text(&j, verdict == LP_RESULT_VIOLATION	   ? "kind" :
				 verdict == LP_RESULT_INCONCLUSIVE ? "reason" :
								     "text", row[worst].what);
	}
	lp_json_number(&j, "executions", executions);
	lp_json_number(&j, "blocked", blocked);
	lp_json_begin(&j, "scope", '{');
	lp_json_number(&j, "objects", count);
	lp_json_end(&j);
	lp_json_real(&j, "seconds", seconds);
	lp_json_number(&j, "peak_rss_kb", peak_rss_kb);
	lp_json_begin(&j, "files", '[');
	for (uint32_t i = 0; i < count; i++)
		lp_json_ready(&j, NULL, results[i]);
	lp_json_end(&j);
	lp_json_end(&j);
	fputc('\n', out);
}
