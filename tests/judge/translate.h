/* translate.h -- scripts as C, to be compiled and explored like a user's program. */
#ifndef LP_JUDGE_TRANSLATE_H
#define LP_JUDGE_TRANSLATE_H

#include <stdbool.h>
#include <stdio.h>

#include "program/script.h"

/* What all translated scripts of one file need in front. */
extern const char translate_head[];

/* Can the script be written as C that does the same?  Not if a local variable's scope ends before its function does,
 * a lock is accessed by other means, or addresses are more than compared and followed. */
bool can_translate(const struct lp_script *);

/* Do its results contain no addresses, so that they are the same in both? */
bool translates_results(const struct lp_script *);

/* Functions and variables with names that end in _`number`; int main_`number`(void) is the program.  It says its outcome,
 * the registers that the script's outcome names, as numbers with a space after each. */
void translate(const struct lp_script *, unsigned number, FILE *out);

#endif
