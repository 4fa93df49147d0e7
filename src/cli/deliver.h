/* deliver.h -- where results go: the terminal or --json, and --junit, --sarif, --lcov, and the marks
 * of a CI service where the environment says that it is one.
 */
#ifndef LP_CLI_DELIVER_H
#define LP_CLI_DELIVER_H

#include "cli/commands.h"
#include "report/results/object_table.h"

struct lp_error;

/* One of several results: it goes here, to be put together with the others.  A file is NULL
 * where nobody asks for it. */
struct lp_result_piece {
	struct lp_object_row *row;
	FILE *json, *junit, *sarif, *lcov;
};

/* Creates the files of --junit, --sarif and --lcov, empty: a name that cannot be written is found
 * before the work is done, and no report of an earlier run is left to be believed. */
bool lp_deliver_open(const struct lp_options *, struct lp_error *);

/* Hands out the result; returns the exit status. */
int lp_deliver(const struct lp_options *, const struct lp_result *);

/* There is none: the error is. */
int lp_deliver_error(const struct lp_options *, const struct lp_error *);

/* The reports of several, made of their pieces (of each kind, a text for each object; NULL
 * where nobody asks for it). */
struct lp_pieces {
	const struct lp_object_row *rows;
	const char *const *json, *const *junit, *const *sarif, *const *lcov;
	uint32_t count;
	double seconds;
};
int lp_deliver_all(const struct lp_options *, const struct lp_pieces *);

/* Parts of the above, for commands that show their results in their own way.  The files;
 * false, having said so, if one could not be written. */
bool lp_deliver_files(const struct lp_options *, const struct lp_pieces *);
/* A text for them, `report` as of lp_junit_case().  The caller frees it. */
char *lp_deliver_text(const struct lp_options *, const struct lp_result *, const char *root,
		      bool sarif, const char *report);
void lp_deliver_marks(const struct lp_result *, const char *root);
/* Does anybody ask for files or marks? */
bool lp_deliver_wanted(const struct lp_options *);

#endif
