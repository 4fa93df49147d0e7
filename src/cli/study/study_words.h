/* study_words.h -- a row of a study in words: what it expects, and what was found. */
#ifndef LP_CLI_STUDY_STUDY_WORDS_H
#define LP_CLI_STUDY_STUDY_WORDS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/study/study_answer.h"

enum { LP_STUDY_SAY_ROOM = 192 };

/* Write the expected or the actual answer: "not linearizable, 3 calls". */
void lp_study_say_expected(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *);
void lp_study_say_found(char out[LP_STUDY_SAY_ROOM], const struct lp_study_answer *);

/* Writes for each figure of the row a text such as "paper 24.76 s, here 0.08 s"; "" if the row has no figure of a
 * paper. */
void lp_study_say_paper(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *, const struct lp_study_answer *);

/* Prints the command line of a row for a shell.  With `short_form`, leaves out the options that all rows have. */
void lp_study_put_command(FILE *out, const struct lp_study_row *, const char *zoo,
			  struct lp_arena *, bool short_form);

#endif
