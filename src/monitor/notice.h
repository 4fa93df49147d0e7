/* notice.h -- says at once that calls are no longer checked, and that they are again.
 *
 * The callback hears of every loss and every recovery.  A line is printed for the first loss
 * and its recovery; while losses go on, one line for all of them after a second, then after two, four,
 * ... up to a minute, so that a host that is overloaded for hours is not flooded.
 *
 * Belongs to the checker thread.
 */
#ifndef LP_MONITOR_NOTICE_H
#define LP_MONITOR_NOTICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "linchpin/monitor.h"

struct lp_notices {
	const struct lp_monitor_config *config;
	const char *name;     /* of the specification */
	bool pausing;         /* a loss was told, and no recovery yet */
	double since;         /* when that was */
	uint64_t not_checked; /* until then */
	uint64_t losses;      /* that no line told of */
	double silent_until, pause;
};

/* `why` (NULL: nothing) was something lost; `checking`: calls are checked now.  `not_checked` is
 * how many were not, so far. */
void lp_notices_tell(struct lp_notices *n, const char *why, bool checking, uint64_t not_checked,
		     double now);

#endif
