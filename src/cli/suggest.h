/* suggest.h -- after `check` has found a violation, suggests stronger memory orders with which the object is verified. */
#ifndef LP_CLI_SUGGEST_H
#define LP_CLI_SUGGEST_H

struct lp_check;

/* Shows the result of `check`.  If the result is a violation, first searches for a short time for the smallest set of
 * stronger memory orders that fixes it; a set that is found is shown, too.  Returns the exit status. */
int lp_suggest_and_show(struct lp_check *);

#endif
