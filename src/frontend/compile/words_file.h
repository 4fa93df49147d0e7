/* words_file.h -- command lines of compilers: words, some of which are in files. */
#ifndef LP_FRONTEND_COMPILE_WORDS_FILE_H
#define LP_FRONTEND_COMPILE_WORDS_FILE_H

#include <stdbool.h>

#include "base/vec.h"

struct lp_error;

struct lp_words {
	LP_VEC(char *);
};

/* The word at `*text`, which moves behind it, is written over what it was read from; NULL if there are no more. */
char *lp_words_next(char **text);

/* Copies the words; in the place of @FILE come those of the file, as gcc reads it: separated
 * by blanks, in quotes or not, with backslashes before what is meant as it stands. */
bool lp_words_expand(struct lp_words *, const char *const *words, int count, struct lp_error *);
void lp_words_drop(struct lp_words *);

#endif
