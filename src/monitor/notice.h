/* notice.h -- reports at once when checking pauses (a loss), and when it continues (a recovery).
 *
 * The user's callback is called for every loss and every recovery.  A line is printed for the first loss, and
 * one for its recovery.  After that no line is printed for a second.  After the next recovery that is printed, the silence lasts two
 * seconds, then four, and so on, up to 64, so that a host that is overloaded for hours is not flooded.  The first line after a
 * silence says how many losses there were in the meantime.
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
	double since;         /* when the loss was reported */
	uint64_t not_checked; /* the number of calls not checked before the loss */
	uint64_t losses;      /* the number of losses for which no line was printed */
	double silent_until, pause;
};

/* `why`: the reason of a loss; NULL if there was no loss.  `checking`: calls are checked now.
 * `not_checked`: the number of calls so far that were not checked. */
void lp_notices_tell(struct lp_notices *n, const char *why, bool checking, uint64_t not_checked,
		     double now);

#endif
