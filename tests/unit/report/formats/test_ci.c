/* test_ci.c -- JUnit, SARIF, marks and tables of several, for results written by hand. */
#include "report/formats/github.h"
#include "report/formats/junit.h"
#include "report/formats/sarif.h"
#include "report/result.h"
#include "report/results/object_table.h"
#include "report/source_place.h"
#include "report/text/headline.h"
#include "report/text/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(const char *what, const char *got, const char *want)
{
	if (strcmp(got, want)) {
		printf("%s\n--- got\n%s\n--- want\n%s\n---\n", what, got, want);
		failures++;
	}
}

static void expect_part(const char *what, const char *got, const char *part)
{
	if (!strstr(got, part)) {
		printf("%s\n--- got\n%s\n--- which lacks\n%s\n---\n", what, got, part);
		failures++;
	}
}

/* A file to write to, whose text is then looked at. */
static char *text;
static size_t size;

static FILE *begin(void)
{
	free(text);
	text = NULL;
	return open_memstream(&text, &size);
}

static const struct lp_result_file files[] = {
	{ "queue.h", "/nowhere/lib/queue.h" },
	{ "queue.c", "/elsewhere/queue.c" },
	{ "list.h", "/top/of/it/a b/list.h" },
};

static const struct lp_result_step steps[] = {
	{ .thread = 2, .action = "store", .location = "x", .order = "relaxed", .has_wrote = true,
	  .wrote = { 1, 0 }, .size = 4, .reads_from = LP_RESULT_NO_STEP,
	  .overwrites = LP_RESULT_INITIAL, .where = "queue.h:7", .function = "put" },
	{ .thread = 1, .action = "load", .location = "x", .order = "relaxed", .has_read = true,
	  .read = { 1, 0 }, .size = 4, .reads_from = 0, .overwrites = LP_RESULT_NO_STEP },
	{ .thread = 2, .action = "fence", .reads_from = LP_RESULT_NO_STEP,
	  .overwrites = LP_RESULT_NO_STEP, .where = "unknown.h:3" },
};

static const struct lp_result_violation violation = {
	.thread = 3, .where = "list.h:9", .other_where = "queue.h:7", .function = "take",
	.steps = steps, .step_count = 3,
};

static const struct lp_result race = {
	.verdict = LP_RESULT_VIOLATION, .subject.name = "/nowhere/else/queue.c", .kind = "race", .error = LP_ERROR_RACE,
	.text = "read & \"write\" <x>\x01\xff", .question.model = "rc11", .subject.files = files, .subject.file_count = 3,
	.violation = &violation, .seconds = 0.25,
};

static const struct lp_result late = {
	.verdict = LP_RESULT_INCONCLUSIVE, .subject.name = "/nowhere/slow.c",
	.reason = "time limit reached", .question.model = "rc11",
};

static const struct lp_result broken = {
	.verdict = LP_RESULT_ERROR, .subject.name = "/nowhere/broken.c", .text = "100%\nwrong",
};

static const struct lp_result fine = {
	.verdict = LP_RESULT_VERIFIED, .subject.name = "/nowhere/fine.c", .question.prop = "no errors",
	.question.model = "sc", .counts.executions = 1234, .seconds = 0.5,
};

static void test_places(void)
{
	static const struct {
		const char *where, *root, *path;
		unsigned long line;
		bool relative;
	} cases[] = {
		{ "queue.h:31", "/nowhere", "lib/queue.h", 31, true },
		{ "queue.h:31", "/now", "/nowhere/lib/queue.h", 31, false },
		{ "queue.h:31", "/", "/nowhere/lib/queue.h", 31, false },
		{ "queue.c:1", "/elsewhere", "/nowhere/else/queue.c", 1, false }, /* the subject */
		{ NULL, "/nowhere", "else/queue.c", 1, true },
		{ "list.h:2", "/top/of/it", "a b/list.h", 2, true },
	};
	static const char *const none[] = { "queue.h", "queue.h:", ":3", "queue.h:x", "queue.h:0",
					    "ueue.h:3", "0x1234", "" };
	struct lp_source_place place;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (!lp_place_find(&race, cases[i].where, cases[i].root, &place)) {
			printf("no place: %s\n", cases[i].where);
			failures++;
			continue;
		}
		expect("a path", place.path, cases[i].path);
		failures += place.line != cases[i].line || place.relative != cases[i].relative;
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		if (lp_place_find(&race, none[i], "/nowhere", &place)) {
			printf("a place: %s\n", none[i]);
			failures++;
		}
	}
	if (lp_place_find(&(struct lp_result){ .subject.name = NULL }, NULL, "/", &place))
		failures++;
}

static void test_github(void)
{
	FILE *out = begin();

	lp_github_annotation(out, &race, "/top/of/it");
	lp_github_annotation(out, &fine, "/nowhere");
	lp_github_annotation(out, &late, "/nowhere");
	lp_github_annotation(out, &broken, "/");
	fclose(out);
	expect("marks", text,
	       "::error file=a b/list.h,line=9,title=linchpin%3A race::race: read & \"write\" <x>\x01\xff\n"
	       "::warning file=slow.c,line=1,title=linchpin%3A inconclusive::not verified: time limit reached\n"
	       "::error file=/nowhere/broken.c,line=1,title=linchpin%3A error::100%25%0Awrong\n");
}

static void test_junit(void)
{
	FILE *out = begin();

	lp_junit_begin(out, "a \"suite\"", &(struct lp_junit_sums){ 3, 1, 2, 1.5 });
	lp_junit_case(out, "c", &race, NULL);
	lp_junit_case(out, "c", &late, NULL);
	lp_junit_case(out, "c", &fine, NULL);
	lp_junit_case(out, "c", &fine, "by & by");
	lp_junit_end(out);
	fclose(out);
	expect_part("the sums", text,
		    "<testsuites name=\"a &quot;suite&quot;\" tests=\"3\" failures=\"1\" errors=\"2\" "
		    "time=\"1.500\">\n  <testsuite name=\"a &quot;suite&quot;\" ");
	expect_part("a failure", text,
		    "<testcase name=\"/nowhere/else/queue.c\" classname=\"c\" time=\"0.250\">\n"
		    "      <failure type=\"race\" message=\"race: read &amp; &quot;write&quot; "
		    "&lt;x&gt;\xef\xbf\xbd\xef\xbf\xbd\">violation: race at list.h:9 (T3)");
	expect_part("an error", text,
		    "<error type=\"inconclusive\" message=\"not verified: time limit reached\">"
		    "inconclusive: time limit reached\n");
	expect_part("a success", text, "<system-out>verified: no errors in any execution of "
				       "'/nowhere/fine.c'\n");
	expect_part("a report of one's own", text, "<system-out>by &amp; by</system-out>");
	expect_part("its end", text, "  </testsuite>\n</testsuites>\n");
}

#define AT(path, line)                                                                      \
	"\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"" path                       \
	"\",\"uriBaseId\":\"SRCROOT\"},\"region\":{\"startLine\":" line "}}"

static void test_sarif(void)
{
	FILE *out = begin();

	lp_sarif_result(out, &race, "/nowhere");
	fclose(out);
	/* Threads in the order of their first steps, the one of the error at the end. */
	expect("a result", text,
	       "{\"ruleId\":\"race\",\"ruleIndex\":1,\"level\":\"error\",\"message\":{\"text\":"
	       "\"race: read & \\\"write\\\" <x>\\u0001\\ufffd\"},\"locations\":[{\"physicalLocation\":"
	       "{\"artifactLocation\":{\"uri\":\"file:///top/of/it/a%20b/list.h\"},\"region\":"
	       "{\"startLine\":9}},\"logicalLocations\":[{\"name\":\"take\",\"kind\":\"function\"}]}],"
	       "\"relatedLocations\":[{" AT("lib/queue.h", "7") ",\"message\":{\"text\":"
	       "\"the other access\"}}],\"codeFlows\":[{\"message\":{\"text\":\"the execution: one flow "
	       "a thread, steps in the order of executionOrder\"},\"threadFlows\":["
	       "{\"id\":\"T2\",\"locations\":[{\"location\":{" AT("lib/queue.h", "7")
	       ",\"logicalLocations\":[{\"name\":\"put\",\"kind\":\"function\"}],\"message\":{\"text\":"
	       "\"store x = 1 (relaxed)\"}},\"executionOrder\":1},{\"location\":{\"message\":{\"text\":"
	       "\"fence\"}},\"executionOrder\":3}]},"
	       "{\"id\":\"T1\",\"locations\":[{\"location\":{\"message\":{\"text\":"
	       "\"load x = 1 (relaxed)  <- step 1\"}},\"executionOrder\":2}]},"
	       "{\"id\":\"T3\",\"locations\":[{\"location\":{\"physicalLocation\":{\"artifactLocation\":"
	       "{\"uri\":\"file:///top/of/it/a%20b/list.h\"},\"region\":{\"startLine\":9}},"
	       "\"logicalLocations\":[{\"name\":\"take\",\"kind\":\"function\"}],\"message\":{\"text\":"
	       "\"race\"}},\"executionOrder\":4}]}]}]}");
	out = begin();
	lp_sarif_result(out, &fine, "/nowhere");
	lp_sarif_result(out, &broken, "/nowhere");
	fclose(out);
	expect("no results", text, "");
	out = begin();
	lp_sarif_write(out, &(struct lp_sarif_log){
		.version = "1", .root = "/no where",
		.results = (const char *const[]){ "", "{\"a\":1}", NULL, "{}" }, .result_count = 4,
		.errors = (const char *const[]){ "bad" }, .error_count = 1 });
	fclose(out);
	expect_part("the results of a log", text, "\"results\":[{\"a\":1},{}]}]}\n");
	expect_part("its root", text, "{\"SRCROOT\":{\"uri\":\"file:///no%20where/\"}}");
	expect_part("an error", text, "\"executionSuccessful\":false,\"toolExecutionNotifications\":"
				      "[{\"level\":\"error\",\"message\":{\"text\":\"bad\"}}]");
}

static void test_objects(void)
{
	const struct lp_result *const results[] = { &fine, &race, &late, &broken };
	static const char *const json[] = { "{}", "{\"x\":1}", "{}", "{}" };
	struct lp_object_row rows[4];
	struct lp_terminal t = { .columns = 80 };
	char longest[600];

	for (int i = 0; i < 4; i++)
		lp_object_row_fill(&rows[i], results[i]);
	/* fine; fine and late; and so on: the worst counts, wherever it is. */
	failures += lp_objects_verdict(rows, 1) != LP_RESULT_VERIFIED;
	failures += lp_objects_verdict(rows, 2) != LP_RESULT_VIOLATION;
	failures += lp_objects_verdict(rows, 4) != LP_RESULT_ERROR;
	failures += lp_objects_verdict(rows + 1, 2) != LP_RESULT_VIOLATION;
	failures += lp_objects_verdict(rows + 2, 1) != LP_RESULT_INCONCLUSIVE;
	t.out = begin();
	lp_terminal_objects(&t, rows, 4, 2);
	fclose(t.out);
	expect("a table", text,
	       "\n4 objects: 1 verified, 1 in violation, 1 inconclusive, 1 in error; 2.00 s\n"
	       "  verified     /nowhere/fine.c        1,234 executions, 0.50 s\n"
	       "  violation    /nowhere/else/queue.c  race, 0.25 s\n"
	       "  inconclusive /nowhere/slow.c        time limit reached, 0.00 s\n"
	       "  error        /nowhere/broken.c      100%?wrong\n");
	FILE *out = begin();
	lp_json_objects(out, rows, json, 2, 0.75);
	fclose(out);
	expect("their JSON", text,
	       "{\"verdict\":\"violation\",\"subject\":\"/nowhere/else/queue.c\",\"kind\":\"race\","
	       "\"executions\":1234,\"blocked\":0,\"scope\":{\"objects\":2},\"seconds\":0.75,"
	       "\"peak_rss_kb\":0,\"files\":[{},{\"x\":1}]}\n");
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 2] = 'z';
	longest[sizeof longest - 1] = '\0';
	lp_object_row_fill(&rows[0], &(struct lp_result){ .verdict = LP_RESULT_ERROR,
							  .subject.name = longest, .text = longest });
	failures += strlen(rows[0].subject) != 255 || rows[0].subject[254] != 'z' ||
		    strlen(rows[0].what) != 255;
}

int main(void)
{
	test_places();
	test_github();
	test_junit();
	test_sarif();
	test_objects();
	free(text);
	if (!failures)
		puts("ok");
	return failures != 0;
}
