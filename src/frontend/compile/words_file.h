/* words_file.h -- command lines of compilers: words, and response files (@FILE) with more of them. */
#ifndef LP_FRONTEND_COMPILE_WORDS_FILE_H
#define LP_FRONTEND_COMPILE_WORDS_FILE_H

#include <stdbool.h>

#include "base/vec.h"

struct lp_error;

struct lp_words {
	LP_VEC(char *);
};

/* Returns the next word of `*text`, and moves `*text` past it; NULL if there are no more words.  Words are unquoted in
 * place, so the text is overwritten. */
char *lp_words_next(char **text);

/* Copies the words, and replaces @FILE by the words in that file.  As in gcc, the words in a file are separated by
 * blanks and may be quoted, and a backslash quotes the next character. */
bool lp_words_expand(struct lp_words *, const char *const *words, int count, struct lp_error *);
void lp_words_drop(struct lp_words *);

#endif
