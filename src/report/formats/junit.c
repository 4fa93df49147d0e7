/* junit.c -- results as JUnit's XML, which every CI server reads. */
#include "report/formats/junit.h"
#include "base/alloc.h"
#include "report/text/headline.h"
#include "report/result.h"
#include "report/text/terminal.h"
#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 120 };

/* XML has no way at all to write most control characters, not even as references. */
static void put_xml(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		const size_t length = lp_utf8_length(s);
		const bool noncharacter = length == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe;

		if (!length || noncharacter || (*s < ' ' && !strchr("\t\n", *s)))
			fputs("\xef\xbf\xbd", out); /* U+FFFD */
		else if (*s == '&')
			fputs("&amp;", out);
		else if (*s == '<')
			fputs("&lt;", out);
		else if (*s == '>')
			fputs("&gt;", out);
		else if (*s == '"')
			fputs("&quot;", out);
		else
			fwrite(s, 1, length, out);
		s += length ? length : 1;
	}
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	put_xml(out, value);
	fputc('"', out);
}

/* The report: as given, or as on a screen of some width. */
static void put_report(FILE *out, const struct lp_result *r, const char *report)
{
	char *text = NULL;
	size_t size;
	struct lp_terminal terminal = { .columns = COLUMNS };

	if (report)
		put_xml(out, report);
	else
		terminal.out = open_memstream(&text, &size);
	if (!terminal.out)
		return;
	lp_terminal_result(&terminal, r);
	fclose(terminal.out);
	put_xml(out, text);
	free(text);
}

static void put_problem(FILE *out, const struct lp_result *r, const char *report)
{
	const char *element = r->verdict == LP_RESULT_VIOLATION ? "failure" : "error";
	char *text = lp_headline(r);

	fprintf(out, "      <%s", element);
	put_attribute(out, "type", r->verdict == LP_RESULT_VIOLATION ? r->kind :
			   lp_result_verdict_name(r->verdict));
	put_attribute(out, "message", text);
	fputc('>', out);
	put_report(out, r, report);
	fprintf(out, "</%s>\n", element);
	lp_free(text);
}

void lp_junit_begin(FILE *out, const char *suite, const struct lp_junit_sums *sums)
{
	static const char *const elements[] = { "testsuites", "testsuite" };

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	for (int i = 0; i < 2; i++) {
		fprintf(out, "%*s<%s", 2 * i, "", elements[i]);
		put_attribute(out, "name", suite);
		/* Jenkins accepts the attribute "skipped" only on the inner element, and rejects it elsewhere. */
		fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\"%s time=\"%.3f\">\n",
			sums->cases, sums->failures, sums->errors, i ? " skipped=\"0\"" : "", sums->seconds);
	}
}

void lp_junit_case(FILE *out, const char *suite, const struct lp_result *r, const char *report)
{
	fputs("    <testcase", out);
	put_attribute(out, "name", r->subject.name ? r->subject.name : "?");
	put_attribute(out, "classname", suite);
	fprintf(out, " time=\"%.3f\">\n", r->seconds);
	if (r->verdict == LP_RESULT_VERIFIED) {
		fputs("      <system-out>", out);
		put_report(out, r, report);
		fputs("</system-out>\n", out);
	} else {
		put_problem(out, r, report);
	}
	fputs("    </testcase>\n", out);
}

void lp_junit_end(FILE *out)
{
	fputs("  </testsuite>\n</testsuites>\n", out);
}
