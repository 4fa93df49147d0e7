/* test_histories.c -- the picture of intervals, at several widths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/results/histories.h"
#include "report/text/terminal.h"

static int failures;

static const struct lp_recorded_call calls[] = {
	{ .thread = 0, .start = 1, .end = 5, .call = "enqueue(1)", .result = "", .where = "h:1" },
	{ .thread = 1, .start = 2, .end = 3, .call = "dequeue()", .result = "2", .where = "h:2" },
	{ .thread = 1, .start = 3, .end = 9, .call = "dequeue()", .result = "empty", .where = "h:3" },
	{ .thread = 7, .start = 6, .end = 9, .pending = true, .call = "enqueue(\xc3\xa9\x1b)",
	  .result = "?", .where = "h:4" },
};

static char *draw(const struct lp_history_violation *v, unsigned columns, bool verbose)
{
	char *text = NULL;
	size_t size;
	const struct lp_terminal t = { .out = open_memstream(&text, &size), .columns = columns,
				       .verbose = verbose };

	lp_terminal_intervals(&t, v);
	fclose(t.out);
	return text;
}

static void expect(unsigned columns, const char *expected)
{
	const struct lp_history_violation v = { .calls = calls, .call_count = 4 };
	char *text = draw(&v, columns, false);

	if (strcmp(text, expected)) {
		fprintf(stderr, "%u columns: expected\n%snot\n%s", columns, expected, text);
		failures++;
	}
	free(text);
}

/* Many calls: folded, no line too long, each number there. */
static void many(uint32_t count, unsigned columns)
{
	struct lp_recorded_call *row = calloc(count, sizeof *row);
	const struct lp_history_violation v = { .calls = row, .call_count = count };

	for (uint32_t i = 0; i < count; i++)
		row[i] = (struct lp_recorded_call){ .thread = i % 3, .start = i, .end = i + 2,
						  .call = "push(1)", .result = "", .where = "h:1" };
	char *text = draw(&v, columns, true);
	bool list = false;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		list |= strstr(line, "push") != NULL;
		if (!list && strlen(line) > columns) {
			fprintf(stderr, "%u calls, %u columns: '%s'\n", count, columns, line);
			failures++;
		}
	}
	if (!list)
		failures++;
	free(text);
	free(row);
}

int main(void)
{
	expect(80, "  T0    [---enqueue(1)---]\n"
		   "  T1     [dequeue() -> 2]\n"
		   "          [dequeue() -> empty]\n"
		   "  T7                       [enqueue(\xc3\xa9?)->\n");
	expect(40, "  T0    [-----1-----]\n"
		   "  T1       [--2--]\n"
		   "              [------3-------]\n"
		   "  T7                      [---4---->\n"
		   "\n"
		   "      1  T0    enqueue(1)  h:1\n"
		   "      2  T1    dequeue() -> 2  h:2\n"
		   "      3  T1    dequeue() -> empty  h:3\n"
		   "      4  T7    enqueue(\xc3\xa9?)  h:4\n");
	many(50, 80);
	many(1000, 80);
	many(30, 32);
	const struct lp_history_violation v = { .calls = calls, .call_count = 201 };
	char *text = draw(&v, 80, false);
	if (strcmp(text, "  201 calls are too many to draw (--verbose does)\n"))
		failures++;
	free(text);
	return failures != 0;
}
