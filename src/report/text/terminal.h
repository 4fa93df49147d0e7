/* terminal.h -- a result as plain text.
 *
 * Colours appear on a terminal only, and not if NO_COLOR is set.  Tables are laid
 * out for the width of the screen, or for 80 columns where there is none.  On a
 * screen a violation takes one page of it: the steps that tell most, and of the scope a
 * line.  `verbose`, and whatever is not a screen, gets everything.
 */
#ifndef LP_REPORT_TEXT_TERMINAL_H
#define LP_REPORT_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct lp_result;

struct lp_terminal {
	FILE *out;
	unsigned columns;
	unsigned rows; /* of the screen; 0: no need to save any */
	bool wraps;    /* long sentences are broken at words: on a screen */
	bool brief;    /* rows are scarce: say nothing twice */
	bool colour;
	bool quiet;   /* the verdict only, on one line */
	bool verbose; /* every step of a long execution */
	bool steps;   /* all steps, with their source, instead of the table of them */
};

/* Looks at what `out` is, and at the environment. */
struct lp_terminal lp_terminal_on(FILE *out);

void lp_terminal_result(const struct lp_terminal *, const struct lp_result *);

#endif
