/* coverage_report.h -- which parts of a program were reached, and what its operations and methods were seen to do.
 *
 * In the counts, a branch is one way out of a condition or a switch, so `if (x)` has two.  Lines and branches that can
 * only end in an error, such as a failed assertion, are not counted, because they are not meant to be reached.
 *
 * Files are sorted by path; lines, functions and branches by their place.
 */
#ifndef LP_REPORT_RESULTS_COVERAGE_REPORT_H
#define LP_REPORT_RESULTS_COVERAGE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lp_json;
struct lp_terminal;

struct lp_cover_line {
	uint32_t line;
	bool reached, fails; /* fails: the line can only end in an error */
};

struct lp_cover_function {
	const char *name;
	uint32_t line, last; /* the first and the last line of the function */
	bool reached;
};

struct lp_cover_way {
	const char *label; /* of a condition: where the way leads, "line 31" or "end"; of a switch: "case 3" or
			    * "default" */
	bool reached, fails; /* fails: the way can only end in an error */
};

/* A condition or a switch, with its ways out. */
struct lp_cover_branch {
	uint32_t function;   /* its index in the file */
	uint32_t line, column;
	const struct lp_cover_way *ways;
	uint32_t way_count;
	bool reached;        /* the condition was evaluated at least once */
};

struct lp_cover_file {
	const char *name, *path; /* "queue.c" */
	const struct lp_cover_line *lines;
	const struct lp_cover_function *functions;
	const struct lp_cover_branch *branches;
	uint32_t line_count, function_count, branch_count;
};

/* A behaviour of an operation or a loop that no execution has shown. */
struct lp_cover_fact {
	const char *file;      /* its path */
	uint32_t line;
	const char *where;     /* "queue.c:44#2" */
	const char *what;      /* "compare-exchange q->tail", "load q->head (acquire)", "loop" */
	const char *never;     /* "failed", "read what another thread released" */
};

/* A method, with the values that its arguments and results had. */
struct lp_cover_method {
	const char *name;
	const char *const *arguments; /* for each argument, its values: "1, 2, 3" */
	uint32_t argument_count;
	const char *results;          /* "empty, 1, 2"; "" if the method has no result; NULL if no call returned */
};

struct lp_cover {
	const struct lp_cover_file *files;
	uint32_t file_count;
	const struct lp_cover_fact *facts;
	uint32_t fact_count;
	const char *unknown;          /* which facts about operations are not known, and why; or NULL */
	const struct lp_cover_method *methods;
	uint32_t method_count;
};

/* Sums over all files: how many lines, branches and functions there are, and how many of them were reached. */
struct lp_cover_sums {
	uint32_t lines, lines_reached, branches, branches_reached, functions, functions_reached;
};
struct lp_cover_sums lp_cover_sums(const struct lp_cover *);

/* Returns true if the way out of the condition is missed: the function that contains it was reached, the way was not,
 * and the way can also end without an error. */
bool lp_cover_missed(const struct lp_cover_file *, const struct lp_cover_branch *, const struct lp_cover_way *);

/* Writes which branches were missed: "3 branches of dequeue, 1 of enqueue".  Functions that were never called are left
 * out.  Returns false if there are no missed branches. */
bool lp_cover_say_missed(const struct lp_cover *, char *out, size_t size);

void lp_terminal_coverage(const struct lp_terminal *, const struct lp_cover *);
void lp_json_coverage(struct lp_json *, const char *name, const struct lp_cover *);
/* For a page: writes the text of the source files as an array of { "file", "lines" }. */
void lp_json_covered_sources(struct lp_json *, const char *name, const struct lp_cover *);
/* Writes a record for each file, in the format of geninfo(1).  As for gcov, all lines and branches count here,
 * including those that can only end in an error. */
void lp_lcov_coverage(FILE *, const struct lp_cover *);

#endif
