/* recheck.h -- checks a few calls again, with the checker for whole histories.
 *
 * This is used for small parts of a history, such as the core of a violation.  It usually takes microseconds.
 */
#ifndef LP_MONITOR_RECHECK_H
#define LP_MONITOR_RECHECK_H

#include "check/history/history_check.h"
#include "history/history.h"
#include "monitor/live/live_checker.h"

struct lp_recheck {
	struct lp_history history;
};

void lp_recheck_open(struct lp_recheck *r);
void lp_recheck_close(struct lp_recheck *r);
/* Adds a call with at most one argument.  LP_VOID stands for no argument, or no result. */
void lp_recheck_add(struct lp_recheck *r, struct lp_monitor_op op);

/* Checks the calls, for at most a second.  If they are wrong and `live` is not NULL, stores
 * the core there. */
enum lp_finding lp_recheck_decide(struct lp_recheck *r, const struct lp_spec *spec,
				  struct lp_live *live);

/* Does the checker for whole histories find the core of the violation of `live` wrong, too? */
bool lp_recheck_confirms(const struct lp_live *live);

#endif
