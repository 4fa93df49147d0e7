/* deliver.h -- where results go: the terminal or --json, the files of forms.def (--junit, ...), and annotations
 * if the environment says that linchpin runs on a CI service that reads them.
 */
#ifndef LP_CLI_DELIVER_H
#define LP_CLI_DELIVER_H

#include "cli/commands.h"
#include "report/results/object_table.h"

struct lp_error;

enum lp_form {
#define LP_FORM(name, one, file) LP_FORM_##name,
#include "cli/forms.def"
#undef LP_FORM
	LP_FORMS
};

/* Where a process writes the result of one of several objects.  The results of all objects are combined later.  A file
 * is NULL if its form was not asked for. */
struct lp_result_piece {
	struct lp_object_row *row;
	FILE *file[LP_FORMS];
};

/* Creates empty files for the forms that were asked for.  Thus a file that cannot be written is reported before the
 * work begins, and no report of an earlier run remains.  Returns false if a file cannot be created. */
bool lp_deliver_open(const struct lp_options *, struct lp_error *);

/* Writes the result in all forms that were asked for; returns the exit status. */
int lp_deliver(const struct lp_options *, const struct lp_result *);

/* Writes an error in all forms that were asked for, if the command has no result; returns the exit status. */
int lp_deliver_error(const struct lp_options *, const struct lp_error *);

/* Shows what an exploration would cost, as text or JSON; returns the exit status. */
struct lp_forecast_report;
int lp_deliver_forecast(const struct lp_options *, const struct lp_forecast_report *);

/* The results of several objects. */
struct lp_pieces {
	struct lp_object_row *rows; /* owned by the caller */
	char **text[LP_FORMS];      /* for each form, the texts of the objects; NULL if the form was not asked for */
	uint32_t count;
	double seconds;
};
void lp_pieces_open(struct lp_pieces *, const struct lp_options *, struct lp_object_row *rows, uint32_t count);
void lp_pieces_close(struct lp_pieces *);

/* Fills in the row and the texts of object i.  `report` is passed on to lp_junit_case(). */
void lp_pieces_add(struct lp_pieces *, uint32_t i, const struct lp_options *, const struct lp_result *, const char *report);

/* Writes the results of all objects in all forms that were asked for; returns the exit status. */
int lp_deliver_all(const struct lp_options *, const struct lp_pieces *);

/* Parts of lp_deliver_all(), for commands that show their results in their own way.  lp_deliver_files() writes the
 * files; if it cannot write one of them, it prints a message and returns false.  lp_deliver_marks() prints
 * annotations. */
bool lp_deliver_files(const struct lp_options *, const struct lp_pieces *);
void lp_deliver_marks(const struct lp_result *);
/* Returns true if files were asked for, or if annotations are to be printed. */
bool lp_deliver_wanted(const struct lp_options *);

#endif
