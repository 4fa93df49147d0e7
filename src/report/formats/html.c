/* html.c -- a result as one self-contained HTML page. */
#include "report/formats/html.h"

#include <inttypes.h>
#include <string.h>

#include "report/formats/json.h"
#include "report/result.h"
#include "report/results/coverage_report.h"
#include "report/results/histories.h"
#include "report/sources.h"

/* html.S */
extern const char lp_html_page[], lp_html_style[], lp_html_common[], lp_html_client[],
	lp_html_graph[], lp_html_steps[], lp_html_plots[], lp_html_coverage[], lp_html_history[], lp_html_main[];

/* What there is about recorded calls of a history, by columns: a hundred thousand objects
 * would be ten times as long.  Times count from the first one, which is a text: it may be
 * beyond what readers of JSON take for a number. */
static void put_recorded(struct lp_json *j, const struct lp_history_result *h)
{
	const struct lp_recorded *at = h->recorded;
	const uint32_t n = h->recorded_count;
	int64_t origin = n ? at[0].start : 0;
	char text[32];

	for (uint32_t i = 0; i < n; i++)
		origin = at[i].start < origin ? at[i].start : origin;
	snprintf(text, sizeof text, "%" PRId64, origin);
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "origin", text);
	lp_json_begin(j, "thread", '[');
	for (uint32_t i = 0; i < n; i++)
		lp_json_number(j, NULL, at[i].thread);
	lp_json_end(j);
	lp_json_begin(j, "start", '[');
	for (uint32_t i = 0; i < n; i++)
		lp_json_number(j, NULL, (uint64_t)at[i].start - (uint64_t)origin);
	lp_json_end(j);
	lp_json_begin(j, "end", '['); /* null: pending */
	for (uint32_t i = 0; i < n; i++)
		if (at[i].pending)
			lp_json_text(j, NULL, NULL);
		else
			lp_json_number(j, NULL, (uint64_t)at[i].end - (uint64_t)origin);
	lp_json_end(j);
	lp_json_begin(j, "line", '[');
	for (uint32_t i = 0; i < n; i++)
		lp_json_number(j, NULL, at[i].line);
	lp_json_end(j);
	lp_json_begin(j, "text", '[');
	for (uint32_t i = 0; i < n; i++)
		lp_json_text(j, NULL, at[i].text);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_histories(struct lp_json *j, const void *what)
{
	const struct lp_histories_result *r = what;

	lp_json_put_histories(j, "histories", r);
	lp_json_begin(j, "recorded", '[');
	for (uint32_t i = 0; i < r->count; i++)
		put_recorded(j, &r->at[i]);
	lp_json_end(j);
}

static void put_result(struct lp_json *j, const void *what)
{
	const struct lp_result *r = what;

	lp_json_put_result(j, "result", r);
	lp_json_sources(j, "sources", r);
	if (r->cover)
		lp_json_covered_sources(j, "covered", r->cover);
}

static void put_data(FILE *out, void (*put)(struct lp_json *, const void *), const void *what)
{
	struct lp_json j = lp_json_on(out);

	j.in_html = true;
	lp_json_begin(&j, NULL, '{');
	put(&j, what);
	lp_json_end(&j);
}

/* The page has places for the rest: a line "@name@" each. */
static bool put_page(const char *file, void (*put)(struct lp_json *, const void *),
		     const void *what)
{
	const struct { const char *name, *text; } parts[] = {
		{ "@style@", lp_html_style },   { "@common@", lp_html_common },
		{ "@client@", lp_html_client }, { "@graph@", lp_html_graph },
		{ "@steps@", lp_html_steps },   { "@plots@", lp_html_plots },
		{ "@coverage@", lp_html_coverage }, { "@history@", lp_html_history }, { "@main@", lp_html_main },
		{ "@data@", NULL },
	};
	FILE *out = fopen(file, "w");

	if (!out)
		return false;
	for (const char *line = lp_html_page, *next; *line; line = next) {
		const char *text = line;
		size_t length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (length == strlen(parts[i].name) && !strncmp(line, parts[i].name, length)) {
				text = parts[i].text;
				length = text ? strlen(text) : 0;
			}
		if (text)
			fwrite(text, 1, length, out);
		else
			put_data(out, put, what);
		fputc('\n', out);
	}
	const bool good = !ferror(out);
	return !fclose(out) && good;
}

bool lp_html_result(const char *file, const struct lp_result *r)
{
	return put_page(file, put_result, r);
}

bool lp_html_histories(const char *file, const struct lp_histories_result *r)
{
	return put_page(file, put_histories, r);
}
