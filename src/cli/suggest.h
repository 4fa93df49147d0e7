/* suggest.h -- what `check` suggests when an object is wrong: stronger memory orders with which it verifies. */
#ifndef LP_CLI_SUGGEST_H
#define LP_CLI_SUGGEST_H

struct lp_check;

/* Shows what was found, with the smallest fix if one is found soon; returns the exit status. */
int lp_suggest_and_show(struct lp_check *);

#endif
