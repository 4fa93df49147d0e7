/* headline.h -- a result in one line, for lists of results. */
#ifndef LP_REPORT_TEXT_HEADLINE_H
#define LP_REPORT_TEXT_HEADLINE_H

struct lp_result;

/* Returns one line about the result.  Examples: "not linearizable: no order of the calls explains their results: push(1) | pop() -> 2";
 * "not verified: time limit reached".  For "verified", the line says what is verified.
 * The caller frees the string. */
char *lp_headline(const struct lp_result *);

#endif
