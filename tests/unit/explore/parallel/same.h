/* same.h -- are two explorations the same, to the last step? */
#ifndef LP_TEST_SAME_H
#define LP_TEST_SAME_H

#include <stdbool.h>

#include "explore/explore.h"

/* Says where they differ, if they do. */
bool same_exploration(const struct lp_exploration *a, const struct lp_exploration *b);

/* Some scripts, by number, with a few thousand executions at most; NULL beyond the last.
 * The caller frees the text. */
char *sample_script(unsigned number);

struct lp_script;
struct lp_script *parse_or_die(const char *text);

#endif
