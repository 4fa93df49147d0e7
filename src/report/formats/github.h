/* github.h -- results as annotations of source lines in a pull request.
 *
 * GitHub Actions recognises lines of this form in the output of a job:
 *
 *     ::error file=src/queue.c,line=31,title=linchpin%3A race::queue.c:31: ...
 */
#ifndef LP_REPORT_FORMATS_GITHUB_H
#define LP_REPORT_FORMATS_GITHUB_H

#include <stdio.h>

struct lp_result;

/* Prints one line: an annotation of level "error" for a violation or an error, of level "warning" for an inconclusive
 * result.  Prints nothing if the verdict is "verified".  `root` is as for lp_place_find(). */
void lp_github_annotation(FILE *out, const struct lp_result *, const char *root);

#endif
