/* stops.h -- why a thread has stopped: the rows of stops.def as an enum, and predicates on them.
 *
 * Some reasons follow from what the thread itself has done, such as a redundant iteration.  Such a reason is stored in the note of
 * the thread's last event (lp_note.stop).  Other reasons depend on other threads, on the pending operation, or on a mark (park.h).
 * lp_stop_of() in graph/grow.h takes all reasons into account.
 */
#ifndef LP_EXPLORE_STOPS_H
#define LP_EXPLORE_STOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"

enum lp_stop {
#define LP_STOP(NAME, traits, kind, text) LP_STOP_##NAME,
#include "explore/stops.def"
#undef LP_STOP
	LP_STOPS
};

enum lp_stop_traits {
	LP_STOP_PENDS = 1,                   /* the thread's last event is a read whose operation has not been performed: the thread
	                                      * has not continued with the value */
	LP_STOP_DROPS = 2,                   /* the stop belongs to the exploration: no execution of the program ends with a
	                                      * thread that has stopped for this reason */
	LP_STOP_LEAVES = 4 | LP_STOP_DROPS,  /* the thread has stopped because a reduction leaves its operation out; in the
	                                      * program the thread would not wait there */
};

/* The table; `text` is a format that takes the number of the thread. */
struct lp_stop_row {
	uint8_t traits;
	enum lp_error_kind kind;
	const char *text;
};
extern const struct lp_stop_row lp_stops[LP_STOPS];

/* Is the last event of a thread with this stop a read whose operation has not been performed? */
static inline bool lp_stop_pends(unsigned stop)
{
	return lp_stops[stop].traits & LP_STOP_PENDS;
}

/* Can no execution of the program end with a thread that has stopped for this reason? */
static inline bool lp_stop_drops(unsigned stop)
{
	return lp_stops[stop].traits & LP_STOP_DROPS;
}

/* Has the thread stopped because a reduction leaves its operation out? */
static inline bool lp_stop_leaves(unsigned stop)
{
	return (lp_stops[stop].traits & LP_STOP_LEAVES) == LP_STOP_LEAVES;
}

#endif
