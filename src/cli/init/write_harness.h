/* write_harness.h -- writes a harness from what was guessed. */
#ifndef LP_CLI_INIT_WRITE_HARNESS_H
#define LP_CLI_INIT_WRITE_HARNESS_H

#include <stdio.h>

struct lp_guess;

/* Writes the harness, which includes `headers` as they are given.  `command` is the command line that checks the
 * harness.  Returns the number of questions that the harness contains in comments. */
unsigned lp_harness_write(FILE *, const struct lp_guess *, const char *const *headers, int count, const char *command);

#endif
