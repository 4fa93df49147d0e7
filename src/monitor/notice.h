/* notice.h -- reports at once when checking pauses (a loss), and when it continues (a recovery).
 *
 * The user's callback is called for every loss and every recovery, but not every one is printed, so that a host that is overloaded
 * for hours is not flooded.  A line is printed for the first loss, and one for its recovery.  Then there is a silence: for one
 * second, nothing is printed.  The next recovery that is printed is followed by a silence of two seconds, the one after it by a
 * silence of four seconds, and so on, up to 64.  The first line after a silence says how many losses there were during the silence.
 *
 * Only the checker thread uses this.
 */
#ifndef LP_MONITOR_NOTICE_H
#define LP_MONITOR_NOTICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "linchpin/monitor.h"

struct lp_notices {
	const struct lp_monitor_config *config;
	const char *name;     /* the name of the specification */
	bool pausing;         /* a loss was reported, but not its recovery */
	double since;         /* when this loss was reported */
	uint64_t not_checked; /* the number of calls before the loss that were not checked */
	uint64_t losses;      /* the number of losses for which no line was printed */
	double silent_until, pause;
};

/* To be called from time to time.  `why`: the reason of a loss since the last call; NULL if there was none.  `checking`: calls are
 * checked now.  `not_checked`: the number of calls so far that were not checked. */
void lp_notices_tell(struct lp_notices *n, const char *why, bool checking, uint64_t not_checked,
		     double now);

#endif
