/* write_harness.h -- writes a harness from what was guessed. */
#ifndef LP_CLI_INIT_WRITE_HARNESS_H
#define LP_CLI_INIT_WRITE_HARNESS_H

#include <stdio.h>

struct lp_guess;

/* `headers` are included as they are given; `command` is how to check the harness.  Returns the number of questions. */
unsigned lp_harness_write(FILE *, const struct lp_guess *, const char *const *headers, int count, const char *command);

#endif
