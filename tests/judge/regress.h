/* regress.h -- programs that are kept: every one, with every set of reductions. */
#ifndef LP_JUDGE_REGRESS_H
#define LP_JUDGE_REGRESS_H

#include <stdbool.h>

#include "explore/explore.h"

/* Is the program of the file judged rightly, with the set or, if that is NULL, with every set?  Says what is
 * not if `loud`. */
bool regress_file(const char *path, enum lp_model, const unsigned *set, bool loud);

/* Judges all *.txt files of the folder under the model, or under every one if it is negative, and returns how many answers
 * are not as they should be: right, or, if the line `NAME MODEL` is in known.txt, wrong. */
unsigned regress_folder(const char *path, int model);

#endif
