/* terminal.h -- a result as plain text.
 *
 * Colours appear on a terminal only, and not if NO_COLOR is set.  Tables are laid out for the width
 * of the screen; if the output is not a screen, for 80 columns.  On a screen, a violation takes one
 * page: the most informative steps, and one line of the scope.  With `verbose`, or if the output is
 * not a screen, all steps and the whole scope are shown.
 */
#ifndef LP_REPORT_TEXT_TERMINAL_H
#define LP_REPORT_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct lp_result;

struct lp_terminal {
	FILE *out;
	unsigned columns;
	unsigned rows; /* the rows of the screen; 0: there is no limit */
	bool wraps;    /* the output is a screen, so long sentences are broken between words */
	bool brief;    /* the screen has few rows, so nothing is repeated */
	bool colour;
	bool quiet;   /* the verdict only, on one line */
	bool verbose; /* every step of a long execution */
	bool steps;   /* show all steps with their source lines, instead of the table of
		       * steps */
};

/* Fills in the fields from the properties of `out` and the environment. */
struct lp_terminal lp_terminal_on(FILE *out);

void lp_terminal_result(const struct lp_terminal *, const struct lp_result *);

#endif
