/* whole.h -- how the makers of whole programs begin and end a script. */
#ifndef LP_JUDGE_WHOLE_H
#define LP_JUDGE_WHOLE_H

#include <stdio.h>

/* A stream whose text is in *text once it is closed; the caller frees it. */
FILE *open_text(char **text);

/* The last lines of a script.  Main loads the locations `locs`, a letter each, into r0 and the registers after it.  The
 * outcome consists of these, and of the registers `regs`, a hexadecimal digit each, of threads 1 to `threads`. */
void put_end(FILE *, const char *locs, unsigned threads, const char *regs);

#endif
