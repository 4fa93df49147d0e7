/* test_report.c -- results written by hand, and what must be printed for them. */
#include "report/formats/json.h"
#include "report/result.h"
#include "report/text/progress.h"
#include "report/text/terminal.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

static void expect(const char *what, const char *got, const char *want)
{
	if (strcmp(got, want)) {
		printf("%s\n--- got\n%s\n--- want\n%s\n---\n", what, got, want);
		failures++;
	}
}

/* What a writer prints; the caller frees it. */
static char *printed(const struct lp_result *r, unsigned columns, bool json, bool quiet,
		     bool verbose)
{
	char *text = NULL;
	size_t size;
	struct lp_terminal t = { .columns = columns, .quiet = quiet, .verbose = verbose };

	t.out = open_memstream(&text, &size);
	if (json)
		lp_json_result(t.out, r);
	else
		lp_terminal_result(&t, r);
	fclose(t.out);
	return text;
}

static void expect_text(const char *what, const struct lp_result *r, unsigned columns,
			const char *want)
{
	char *text = printed(r, columns, false, false, false);
	expect(what, text, want);
	free(text);
}

static void expect_json(const char *what, const struct lp_result *r, const char *want)
{
	char *text = printed(r, 80, true, false, false);
	expect(what, text, want);
	free(text);
}

static void test_json_strings(void)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "plain", "\"plain\"" },
		{ "", "\"\"" },
		{ NULL, "null" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\t\r\x01\x7f", "\"\\n\\t\\u000d\\u0001\\u007f\"" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "a\xff" "b", "\"a\\ufffdb\"" },
		{ "\xc3", "\"\\ufffd\"" },                     /* cut off */
		{ "\xe2\x82", "\"\\ufffd\\ufffd\"" },
		{ "\xc0\x80", "\"\\ufffd\\ufffd\"" },           /* overlong */
		{ "\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" }, /* too large */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);
		struct lp_json j = lp_json_on(out);

		lp_json_text(&j, NULL, cases[i].text);
		fclose(out);
		expect("a JSON string", text, cases[i].want);
		free(text);
	}
}

static void test_json_nesting(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct lp_json j = lp_json_on(out);

	lp_json_begin(&j, NULL, '{');
	lp_json_number(&j, "n", UINT64_MAX);
	lp_json_begin(&j, "list", '[');
	lp_json_bool(&j, NULL, true);
	lp_json_begin(&j, NULL, '{');
	lp_json_end(&j);
	lp_json_real(&j, NULL, 0.25);
	lp_json_real(&j, NULL, 1.0 / 0.0);
	lp_json_end(&j);
	lp_json_text(&j, "last", "x");
	lp_json_end(&j);
	fclose(out);
	expect("nested JSON", text,
	       "{\"n\":18446744073709551615,\"list\":[true,{},0.25,null],\"last\":\"x\"}");
	free(text);
}

static void test_values(void)
{
	static const struct {
		struct lp_value value;
		unsigned size;
		const char *want;
	} cases[] = {
		{ { 0, 0 }, 4, "0" },
		{ { 65535, 0 }, 4, "65535" },
		{ { 65536, 0 }, 4, "0x10000" },
		{ { 0xff, 0 }, 1, "255" },
		{ { 0xffff, 0 }, 2, "65535" },
		{ { 0xffffffff, 0 }, 4, "-1" },
		{ { 0xffffffff, 0 }, 8, "0xffffffff" },
		{ { UINT64_MAX - 1, 0 }, 8, "-2" },
		{ { UINT64_MAX, 0 }, 16, "0xffffffffffffffff" },
		{ { 0x7f0000001234, 0 }, 8, "0x7f0000001234" },
		{ { 5, 1 }, 16, "0x10000000000000005" },
	};
	char text[LP_RESULT_VALUE_ROOM];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		lp_result_value(text, cases[i].value, cases[i].size);
		expect("a value", text, cases[i].want);
	}
}

static void test_words(void)
{
	char text[LP_WORDS_ROOM];

	lp_words_count(text, 0);
	expect("count", text, "0");
	lp_words_count(text, 999);
	expect("count", text, "999");
	lp_words_count(text, 1680);
	expect("count", text, "1,680");
	lp_words_count(text, UINT64_MAX);
	expect("count", text, "18,446,744,073,709,551,615");
	lp_words_about(text, 2.44e6);
	expect("about", text, "2.44 million");
	lp_words_about(text, 3e21);
	expect("about", text, "3e+21");
	lp_words_duration(text, 0.041);
	expect("duration", text, "0.04 s");
	lp_words_duration(text, 200.9);
	expect("duration", text, "3 min 20 s");
	lp_words_duration(text, 3600 * 5 + 125);
	expect("duration", text, "5 h 2 min");
	lp_words_duration(text, 1e300);
	expect("duration", text, "11574074 days");
	lp_words_memory(text, 12595);
	expect("memory", text, "12.3 MB");
}

/* Estimates of an exploration go up and down by orders of magnitude; what is said of the time left does not. */
static void test_time_left(void)
{
	const double estimates[] = { 3, 9000, 2, 0, 40000, 7, 0.5, 100000, 12 };
	double said = 0;

	for (unsigned i = 0; i < 900; i++) {
		const double before = said, estimate = estimates[i % 9];
		said = lp_progress_left(said, 0.1, estimate);
		const double most = 0.1 * (3 + before / 4) + 1e-9;
		if (before > 0 && (said > before + most || said < before - most)) {
			printf("after %g s left comes %g\n", before, said);
			failures++;
		}
	}
	/* A steady one is reached. */
	for (unsigned i = 0; i < 3000; i++)
		said = lp_progress_left(said, 0.1, 600);
	if (said < 590 || said > 610) {
		printf("600 s are left, and %g are said\n", said);
		failures++;
	}
}

static void test_progress(void)
{
	struct lp_progress_line line = { .unit = "executions", .columns = 80 };
	char text[256];

	lp_progress_line_text(&line, &(struct lp_progress_made){ 0, 0, 0, 0 }, text, sizeof text);
	expect("progress", text, "0 executions");
	lp_progress_line_text(&line, &(struct lp_progress_made){ 12345, 67, 0, 2 }, text, sizeof text);
	expect("progress", text, "12,345 executions (67 blocked), 6,173 a second");
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text,
	       "10,000 executions, 10,000 a second, of about 2.4 million, 3 min 59 s left");
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 9000, 1 }, text, sizeof text); /* overtaken */
	expect("progress", text, "10,000 executions, 10,000 a second");
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 9000, 1 }, text, 12); /* cut, not overrun */
	expect("progress", text, "10,000 exec");

	/* The less room there is, the less is said. */
	line.memory_kb = 9000;
	snprintf(line.phase, sizeof line.phase, "client 9 of 14, 4 calls");
	line.columns = 130;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 67, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "client 9 of 14, 4 calls: 10,000 executions (67 blocked), 10,000 a second, "
	       "of about 2.4 million, 3 min 59 s left, 8.8 MB");
	line.columns = 110;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 67, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "client 9 of 14, 4 calls: 10,000 executions, 10,000 a second, "
	       "of about 2.4 million, 3 min 59 s left, 8.8 MB");
	line.columns = 100;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 67, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "client 9 of 14, 4 calls: 10,000 executions, 10,000/s, of 2.4 million, "
	       "3 min 59 s left, 8.8 MB");
	line.columns = 90;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 67, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "client 9 of 14, 4 calls: 10,000 executions, of 2.4 million, 3 min 59 s left, "
	       "8.8 MB");

	/* Core hours, of all processes and phases. */
	line = (struct lp_progress_line){ .unit = "executions", .columns = 130, .processes = 3, .before = 360 };
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "10,000 executions, 10,000 a second, of about 2.4 million, 3 min 59 s left, 0.5 core hours in all");
	line.columns = 80;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "10,000 executions, 10,000/s, of 2.4 million, 3 min 59 s left, 0.5 core h");
	line.columns = 70;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 2.4e6, 1 }, text, sizeof text);
	expect("progress", text, "10,000 executions, 10,000/s, of 2.4 million, 3 min 59 s left");
	line.before = 0;
	line.processes = 0;
	line.columns = 130;
	lp_progress_line_text(&line, &(struct lp_progress_made){ 10000, 0, 2.4e6, 1 }, text, sizeof text); /* too little to matter */
	expect("progress", text, "10,000 executions, 10,000 a second, of about 2.4 million, 3 min 59 s left");
}

/* A violation takes one page of a screen, whatever the number of its steps; verbose, and
 * where there is no screen, it is shown as a whole. */
static unsigned lines_on(const struct lp_result *r, unsigned rows, bool verbose, bool *ends)
{
	char *text = NULL;
	size_t size;
	unsigned lines = 0;
	struct lp_terminal t = { .columns = 80, .rows = rows, .verbose = verbose };

	t.out = open_memstream(&text, &size);
	lp_terminal_result(&t, r);
	fclose(t.out);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	*ends = strstr(text, "=> race") && strstr(text, "store x = 59");
	free(text);
	return lines;
}

static void test_screen(void)
{
	struct lp_result_step steps[60];
	const struct lp_result_violation v = { .where = "x.c:1", .steps = steps, .step_count = 60 };
	const struct lp_result_scope scope[] = { { "races", "are errors" }, { "inputs", "none" } };
	const struct lp_result r = { .verdict = LP_RESULT_VIOLATION, .kind = "race", .question.model = "sc",
				     .question.one_memory = true,
				     .text = "why", .question.scope = scope, .question.scope_count = 2, .violation = &v };
	bool ends;

	for (uint32_t i = 0; i < 60; i++)
		steps[i] = (struct lp_result_step){
			.thread = 1, .event = i, .action = "store", .location = "x", .has_wrote = true,
			.wrote = { i, 0 }, .size = 4, .where = "x.c:1", .reads_from = LP_RESULT_NO_STEP,
			.overwrites = i ? i - 1 : LP_RESULT_INITIAL,
		};
	for (unsigned rows = 18; rows < 60; rows++)
		if (lines_on(&r, rows, false, &ends) != rows - 1 || !ends) {
			printf("a screen of %u rows: %u lines\n", rows, lines_on(&r, rows, false, &ends));
			failures++;
		}
	/* Not fewer than some steps, however small the screen. */
	if (lines_on(&r, 3, false, &ends) < 10 || !ends)
		failures++;
	const unsigned all = lines_on(&r, 0, false, &ends);
	if (all < 66 || lines_on(&r, 24, true, &ends) != all || lines_on(&r, 500, false, &ends) > all) {
		printf("no screen: %u lines\n", all);
		failures++;
	}
}

/* Message passing that goes wrong, as an explorer would hand it over. */
static const struct lp_result_step mp_steps[] = {
	{ .thread = 0, .event = 0, .action = "start T1", .where = "mp.c:30", .function = "main",
	  .reads_from = LP_RESULT_NO_STEP, .overwrites = LP_RESULT_NO_STEP },
	{ .thread = 1, .event = 0, .action = "store", .location = "data", .order = "relaxed",
	  .has_wrote = true, .wrote = { 42, 0 }, .size = 4, .where = "mp.c:9",
	  .function = "writer", .reads_from = LP_RESULT_NO_STEP,
	  .overwrites = LP_RESULT_INITIAL },
	{ .thread = 1, .event = 1, .action = "fetch_add",
	  .location = "flag+8 (allocated at mp.c:28)", .order = "release", .has_read = true,
	  .has_wrote = true, .wrote = { 1, 0 }, .size = 4, .where = "mp.c:10",
	  .function = "writer", .reads_from = LP_RESULT_INITIAL,
	  .overwrites = LP_RESULT_INITIAL },
	{ .thread = 2, .event = 0, .action = "load", .location = "flag+8 (allocated at mp.c:28)",
	  .order = "relaxed", .has_read = true, .read = { 1, 0 }, .size = 4,
	  .where = "mp.c:16", .function = "reader", .reads_from = 2,
	  .overwrites = LP_RESULT_NO_STEP },
	{ .thread = 2, .event = 1, .action = "store", .location = "data", .order = "relaxed",
	  .has_wrote = true, .wrote = { 7, 0 }, .size = 4, .where = "mp.c:17",
	  .function = "reader", .reads_from = LP_RESULT_NO_STEP,
	  .overwrites = LP_RESULT_INITIAL },
};
static const struct lp_result_violation mp_violation = {
	.thread = 2, .where = "mp.c:18", .function = "reader", .steps = mp_steps, .step_count = 5,
	.output = "one\n\033two",
};
static const struct lp_result_scope scope[] = { { "races", "are errors" } };
static const struct lp_result mp_bad = {
	.verdict = LP_RESULT_VIOLATION, .subject.name = "mp.c", .kind = "assertion",
	.text = "assertion 'data == 42' failed", .question.model = "rc11", .question.prop = "no errors",
	.question.scope = scope, .question.scope_count = 1, .counts.executions = 2, .counts.blocked = 1,
	.counts.abandoned = 3, .counts.estimate = 4,
	.seconds = 0.5, .peak_rss_kb = 2048, .violation = &mp_violation,
};

static void test_violation(void)
{
	expect_text("a violation", &mp_bad, 80,
		    "violation: assertion at mp.c:18 (T2)\n"
		    "  assertion 'data == 42' failed\n"
		    "\n"
		    "the execution, step by step:\n"
		    "    1  T0  mp.c:30  main    start T1\n"
		    "    2  T1  mp.c:9   writer  store data = 42 (relaxed)\n"
		    "    3  T1  mp.c:10  writer  fetch_add flag+8: 0 -> 1 (release)  <- initial value\n"
		    "    4  T2  mp.c:16  reader  load flag+8 = 1 (relaxed)  <- step 3\n"
		    "    5  T2  mp.c:17  reader  store data = 7 (relaxed), before all others\n"
		    "       T2  mp.c:18  reader  => assertion\n"
		    "\n"
		    "locations:\n"
		    "  flag+8 (allocated at mp.c:28)\n"
		    "\n"
		    "what the program printed:\n"
		    "  | one\n"
		    "  | ?two\n"
		    "\n"
		    "explored:\n"
		    "  model        rc11\n"
		    "  races        are errors\n"
		    "  executions   2 complete so far; 1 blocked; 3 given up early; about 4 in all\n"
		    "  cost         0.50 s, 2.0 MB\n");
	expect_json("a violation as JSON", &mp_bad,
		    "{\"verdict\":\"violation\",\"subject\":\"mp.c\",\"kind\":\"assertion\","
		    "\"text\":\"assertion 'data == 42' failed\",\"executions\":2,\"blocked\":1,\"abandoned\":3,"
		    "\"estimate\":4,\"scope\":{\"races\":\"are errors\"},\"model\":\"rc11\","
		    "\"prop\":\"no errors\",\"seconds\":0.5,\"peak_rss_kb\":2048,"
		    "\"violation\":{\"thread\":2,\"where\":\"mp.c:18\",\"function\":\"reader\","
		    "\"output\":\"one\\n\\u001btwo\",\"steps\":["
		    "{\"thread\":0,\"event\":0,\"where\":\"mp.c:30\",\"function\":\"main\","
		    "\"action\":\"start T1\"},"
		    "{\"thread\":1,\"event\":0,\"where\":\"mp.c:9\",\"function\":\"writer\","
		    "\"action\":\"store\",\"location\":\"data\",\"order\":\"relaxed\",\"wrote\":\"42\","
		    "\"overwrites\":\"initial\"},"
		    "{\"thread\":1,\"event\":1,\"where\":\"mp.c:10\",\"function\":\"writer\","
		    "\"action\":\"fetch_add\",\"location\":\"flag+8 (allocated at mp.c:28)\","
		    "\"order\":\"release\",\"read\":\"0\",\"wrote\":\"1\",\"reads_from\":\"initial\","
		    "\"overwrites\":\"initial\"},"
		    "{\"thread\":2,\"event\":0,\"where\":\"mp.c:16\",\"function\":\"reader\","
		    "\"action\":\"load\",\"location\":\"flag+8 (allocated at mp.c:28)\","
		    "\"order\":\"relaxed\",\"read\":\"1\",\"reads_from\":2},"
		    "{\"thread\":2,\"event\":1,\"where\":\"mp.c:17\",\"function\":\"reader\","
		    "\"action\":\"store\",\"location\":\"data\",\"order\":\"relaxed\",\"wrote\":\"7\","
		    "\"overwrites\":\"initial\"}],"
		    "\"decisive\":{\"step\":3,\"why\":\"reads what T1 has written\"}}}\n");

	char *text = printed(&mp_bad, 80, false, true, false);
	expect("quiet", text, "violation: assertion at mp.c:18 (T2)\n");
	free(text);
}

static void test_race(void)
{
	const struct lp_result_violation v = {
		.thread = 1, .where = "a.c:3", .other_where = "a.c:8",
	};
	const struct lp_result r = {
		.verdict = LP_RESULT_VIOLATION, .subject.name = "a.c", .kind = "race", .violation = &v,
	};
	char *text = printed(&r, 80, false, true, false);
	expect("a race", text, "violation: race at a.c:3 (T1) with a.c:8\n");
	free(text);
}

static void test_verified(void)
{
	static const struct lp_result_outcome outcomes[] = { { "r1=0 r2=0", 1680 }, { "bad\033[2J", 1 } };
	static const char *const warnings[] = { "'qsort' is not modelled" };
	const struct lp_result r = {
		.verdict = LP_RESULT_VERIFIED, .subject.name = "sb.c", .question.model = "sc",
		.question.prop = "no errors", .question.scope = scope, .question.scope_count = 1, .counts.executions = 1681,
		.counts.estimate = 1681, .seconds = 0.011, .peak_rss_kb = 900, .counts.outcomes = outcomes,
		.counts.outcome_count = 2, .warnings = warnings, .warning_count = 1,
	};

	expect_text("verified", &r, 80,
		    "verified: no errors in any execution of 'sb.c'\n"
		    "  model        sc\n"
		    "  races        are errors\n"
		    "  executions   1,681 complete, which is all of them\n"
		    "  cost         0.01 s, 900 kB\n"
		    "\n"
		    "outcomes, and the number of executions that have them:\n"
		    "         1,680  r1=0 r2=0\n"
		    "             1  bad?[2J\n"
		    "warning: 'qsort' is not modelled\n");
	expect_json("verified as JSON", &r,
		    "{\"verdict\":\"verified\",\"subject\":\"sb.c\",\"executions\":1681,\"blocked\":0,\"abandoned\":0,"
		    "\"estimate\":1681,\"scope\":{\"races\":\"are errors\"},\"model\":\"sc\","
		    "\"prop\":\"no errors\",\"seconds\":0.011,\"peak_rss_kb\":900,"
		    "\"outcomes\":[{\"text\":\"r1=0 r2=0\",\"executions\":1680},"
		    "{\"text\":\"bad\\u001b[2J\",\"executions\":1}],"
		    "\"warnings\":[\"'qsort' is not modelled\"]}\n");
}

static void test_inconclusive(void)
{
	const struct lp_result r = {
		.verdict = LP_RESULT_INCONCLUSIVE, .subject.name = "a.c",
		.reason = "the time limit was reached", .question.model = "tso", .question.prop = "no errors",
		.counts.executions = 10, .counts.estimate = 5e6, .seconds = 3, .peak_rss_kb = 900,
	};

	expect_text("inconclusive", &r, 80,
		    "inconclusive: the time limit was reached\n"
		    "  no error was found in the part that was explored\n"
		    "\n"
		    "explored:\n"
		    "  model        tso\n"
		    "  executions   10 complete so far; about 5 million in all\n"
		    "  cost         3.00 s, 900 kB\n");
}

static void test_error(void)
{
	const struct lp_result r = {
		.verdict = LP_RESULT_ERROR, .text = "unknown option '--x'", .hint = "see --help",
	};

	expect_text("an error", &r, 80, "linchpin: unknown option '--x'\nhint: see --help\n");
	expect_json("an error as JSON", &r,
		    "{\"verdict\":\"error\",\"text\":\"unknown option '--x'\",\"hint\":\"see --help\"}\n");
}

/* Source lines: beside the steps on a wide screen, below on a narrow one; found
 * beside the subject when the name alone does not lead anywhere. */
static void test_source(void)
{
	char folder[] = "/tmp/lp-report-XXXXXX", path[64], text[80];
	const struct lp_result_step steps[] = {
		{ .action = "load", .location = "x", .where = "s.c:3",
		  .reads_from = LP_RESULT_NO_STEP, .overwrites = LP_RESULT_NO_STEP },
		{ .action = "fence", .order = "seq_cst", .where = "s.c:1",
		  .reads_from = LP_RESULT_NO_STEP, .overwrites = LP_RESULT_NO_STEP },
	};
	const struct lp_result_violation v = { .where = "s.c:3", .steps = steps, .step_count = 2 };
	const struct lp_result r = {
		.verdict = LP_RESULT_VIOLATION, .subject.name = path, .kind = "race", .violation = &v,
	};

	if (!mkdtemp(folder)) {
		perror(folder);
		exit(1);
	}
	snprintf(path, sizeof path, "%s/s.c", folder);
	FILE *file = fopen(path, "w");
	fputs("first;\n\n\tr\t= x;  \nlast", file);
	fclose(file);

	static const struct { const char *where; const char *want; } cases[] = {
		{ "s.c:1", "first;" }, { "s.c:3", "r = x;" }, { "s.c:4", "last" },
		{ "s.c:2", NULL }, { "s.c:5", NULL }, { "s.c:0", NULL }, { "s.c:", NULL },
		{ "s.c", NULL }, { "none.c:1", NULL }, { ":1", NULL }, { "s.c:1x", NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bool found = lp_words_source(cases[i].where, path, text, sizeof text);
		expect(cases[i].where, found ? text : "(none)", cases[i].want ? cases[i].want : "(none)");
	}

	char *wide = printed(&r, 120, false, false, false);
	char *narrow = printed(&r, 50, false, false, false);
	static const char wide_want[] =
		"the execution, step by step:\n"
		"    1  T0  s.c:3  load x           r = x;\n"
		"    2  T0  s.c:1  fence (seq_cst)  first;\n"
		"       T0  s.c:3  => race          r = x;\n"
		"\nexplored:\n";
	static const char narrow_want[] =
		"the execution, step by step:\n"
		"    1  T0  s.c:3  load x\n"
		"    2  T0  s.c:1  fence (seq_cst)\n"
		"       T0  s.c:3  => race\n"
		"\nsource:\n"
		"  s.c:1  first;\n"
		"  s.c:3  r = x;\n"
		"\nexplored:\n";
	if (!strstr(wide, wide_want))
		expect("source beside", wide, wide_want);
	if (!strstr(narrow, narrow_want))
		expect("source below", narrow, narrow_want);
	free(wide);
	free(narrow);
	unlink(path);
	rmdir(folder);
}

/* The beginning of a long execution is left out, and what is read from there is
 * named; --verbose shows all. */
static void test_long(void)
{
	enum { N = 100 };
	struct lp_result_step steps[N];
	const struct lp_result_violation v = { .steps = steps, .step_count = N };
	const struct lp_result r = {
		.verdict = LP_RESULT_VIOLATION, .subject.name = "a.c", .kind = "deadlock", .violation = &v,
	};

	for (uint32_t i = 0; i < N; i++)
		steps[i] = (struct lp_result_step){
			.thread = i % 3, .action = "load", .location = "x", .where = "none.c:7",
			.reads_from = i ? 1 : LP_RESULT_INITIAL, .overwrites = LP_RESULT_NO_STEP,
		};

	char *text = printed(&r, 80, false, false, false);
	char *full = printed(&r, 80, false, false, true);
	if (!strstr(text, "   ... 20 steps before these; --verbose shows them\n"
			  "   21  T2  none.c:7  load x  <- step 2 (T1 none.c:7)\n"))
		expect("a long execution", text, "(cut)");
	if (!strstr(full, "step by step:\n    1  T0  none.c:7  load x  <- initial value\n"
			  "    2  T1  none.c:7  load x  <- step 2\n"))
		expect("a long execution, whole", full, "(whole)");
	free(text);
	free(full);
}

/* Colours only where asked for: never in a pipe, never with NO_COLOR. */
static void test_colours(void)
{
	FILE *file = tmpfile();
	struct lp_terminal t = lp_terminal_on(file);

	if (t.colour || t.columns != 80)
		expect("a file", "a terminal", "no terminal");
	fclose(file);

	char *text = NULL;
	size_t size;
	t = (struct lp_terminal){ .columns = 80, .colour = true, .quiet = true };
	t.out = open_memstream(&text, &size);
	lp_terminal_result(&t, &mp_bad);
	fclose(t.out);
	expect("colours", text, "\033[1;31mviolation:\033[0m assertion at mp.c:18 (T2)\n");
	free(text);
}

int main(void)
{
	test_json_strings();
	test_json_nesting();
	test_values();
	test_words();
	test_progress();
	test_time_left();
	test_screen();
	test_violation();
	test_race();
	test_verified();
	test_inconclusive();
	test_error();
	test_source();
	test_long();
	test_colours();
	printf(failures ? "%d failures\n" : "ok\n", failures);
	return failures != 0;
}
