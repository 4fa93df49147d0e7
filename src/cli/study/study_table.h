/* study_table.h -- the tables of expected verdicts: zoo/expected.tsv, zoo/expected.d.
 *
 * Each line is a row, with columns separated by tabs; the first line has the names of the columns.  Lines
 * that are empty or begin with # are skipped.  A column that is empty or "-" means "does not matter" or "the default",
 * depending on the column.  docs/zoo.md says what the columns mean.
 */
#ifndef LP_CLI_STUDY_STUDY_TABLE_H
#define LP_CLI_STUDY_STUDY_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/vec.h"

struct lp_error;

enum lp_study_column {
	LP_STUDY_FILE, /* relative to the folder of the zoo */
	LP_STUDY_FLAGS,
	LP_STUDY_SPEC,
	LP_STUDY_PROPERTY,
	LP_STUDY_SYNC,
	LP_STUDY_MODEL,
	LP_STUDY_OPTIONS, /* may begin with the command, if it is not `check` */
	LP_STUDY_VERDICT,
	LP_STUDY_KIND,
	LP_STUDY_CALLS,
	LP_STUDY_SECONDS, /* fast or slow */
	LP_STUDY_SOURCE,
	LP_STUDY_NOTE,
	LP_STUDY_PAPER, /* the figures in a paper, "1498, 0.36" */
	LP_STUDY_UNIT,  /* the units of these figures, "states, s"; a unit is s, states, calls, executions, schedules, or x for a
			 * factor */
	LP_STUDY_COLUMNS
};

extern const char *const lp_study_column_names[LP_STUDY_COLUMNS];

struct lp_study_row {
	const char *table; /* "expected.d/lists.tsv" */
	uint32_t line;
	const char *at[LP_STUDY_COLUMNS]; /* NULL for "-" */
};

struct lp_study_rows {
	LP_VEC(struct lp_study_row);
};

/* A command line under construction. */
struct lp_study_words {
	LP_VEC(const char *);
};

/* Finds the folder of the tables, starting from the executable. */
bool lp_study_find_zoo(char *out, size_t size, struct lp_error *);

/* Appends the rows of all tables of the folder.  Their texts are in the arena. */
bool lp_study_read(const char *zoo, struct lp_arena *, struct lp_study_rows *, struct lp_error *);

/* Returns true if a column, or the name of the row's table, contains the text.  The text "papers" matches rows with a
 * figure of a paper. */
bool lp_study_matches(const struct lp_study_row *, const char *text);

/* One figure of a paper.  If the figure is given in words, `unit` is NULL. */
struct lp_study_figure {
	const char *text, *unit;
	int length, unit_length;
};

/* Finds the figure with that number, counted from 0, among the figures of the row.  Returns false if the row has fewer
 * figures. */
bool lp_study_figure(const struct lp_study_row *, uint32_t number, struct lp_study_figure *);

bool lp_study_is_slow(const struct lp_study_row *);

/* Makes the words that must follow `linchpin` in the command line that runs the row.  `more` lists further options.
 * Both lists end with NULL. */
bool lp_study_command(const struct lp_study_row *, const char *zoo, const char *const *more,
		      struct lp_arena *, struct lp_study_words *, struct lp_error *);

#endif
