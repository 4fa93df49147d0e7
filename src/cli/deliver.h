/* deliver.h -- where results go: the terminal or --json, and --junit, --sarif, --lcov, and the marks
 * of a CI service where the environment says that it is one.
 */
#ifndef LP_CLI_DELIVER_H
#define LP_CLI_DELIVER_H

#include "cli/commands.h"
#include "report/results/object_table.h"

struct lp_error;

/* One of several results, to be combined with the others.  A file is NULL if it was not asked
 * for. */
struct lp_result_piece {
	struct lp_object_row *row;
	FILE *json, *junit, *sarif, *lcov;
};

/* Creates the files of --junit, --sarif and --lcov, empty: so a file that cannot be written is reported
 * before the work is done, and no report of an earlier run remains. */
bool lp_deliver_open(const struct lp_options *, struct lp_error *);

/* Writes the result in all forms that were asked for; returns the exit status. */
int lp_deliver(const struct lp_options *, const struct lp_result *);

/* The same for an error, if there is no result. */
int lp_deliver_error(const struct lp_options *, const struct lp_error *);

/* The reports of several objects, made from their pieces (for each form, a text per object; NULL
 * if it was not asked for). */
struct lp_pieces {
	const struct lp_object_row *rows;
	const char *const *json, *const *junit, *const *sarif, *const *lcov;
	uint32_t count;
	double seconds;
};
int lp_deliver_all(const struct lp_options *, const struct lp_pieces *);

/* Parts of the above, for commands that show their results in their own way.  Writes the files;
 * false, after a message, if one could not be written. */
bool lp_deliver_files(const struct lp_options *, const struct lp_pieces *);
/* A text for them, `report` as of lp_junit_case().  The caller frees it. */
char *lp_deliver_text(const struct lp_options *, const struct lp_result *, const char *root,
		      bool sarif, const char *report);
void lp_deliver_marks(const struct lp_result *, const char *root);
/* Were files or annotations asked for? */
bool lp_deliver_wanted(const struct lp_options *);

#endif
