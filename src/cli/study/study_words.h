/* study_words.h -- a row of a study, what it expects and what was found, in words. */
#ifndef LP_CLI_STUDY_STUDY_WORDS_H
#define LP_CLI_STUDY_STUDY_WORDS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/study/study_answer.h"

enum { LP_STUDY_SAY_ROOM = 192 };

/* "not linearizable, 3 calls" */
void lp_study_say_expected(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *);
void lp_study_say_found(char out[LP_STUDY_SAY_ROOM], const struct lp_study_answer *);

/* "paper 24.76 s, here 0.08 s", one after the other; "" if the row has no paper's figure. */
void lp_study_say_paper(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *, const struct lp_study_answer *);

/* The command line of a row, as for a shell; `short_form` without what all rows have. */
void lp_study_put_command(FILE *out, const struct lp_study_row *, const char *zoo,
			  struct lp_arena *, bool short_form);

#endif
