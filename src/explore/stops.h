/* stops.h -- why a thread has stopped: stops.def as an enum, and what can be asked of it.
 *
 * The last event of a thread remembers the reasons that lie in what the thread has done (lp_note.stop).  Others lie
 * elsewhere: in other threads, in the operation that is pending, or in a mark.  lp_stop_of() (graph/grow.h) puts them together.
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
	LP_STOP_PENDS = 1,                   /* the operation of the last read has not taken place */
	LP_STOP_DROPS = 2,                   /* no execution of the program ends like that */
	LP_STOP_LEAVES = 4 | LP_STOP_DROPS,  /* the same, because a reduction leaves the operation out; the program does not wait */
};

/* The table; `text` is a format that takes the number of the thread. */
struct lp_stop_row {
	uint8_t traits;
	enum lp_error_kind kind;
	const char *text;
};
extern const struct lp_stop_row lp_stops[LP_STOPS];

/* Has the operation of the read that stops its thread like that not taken place? */
static inline bool lp_stop_pends(unsigned stop)
{
	return lp_stops[stop].traits & LP_STOP_PENDS;
}

/* Does no execution of the program end with a thread that has stopped like that? */
static inline bool lp_stop_drops(unsigned stop)
{
	return lp_stops[stop].traits & LP_STOP_DROPS;
}

/* Is an operation left out by a reduction? */
static inline bool lp_stop_leaves(unsigned stop)
{
	return (lp_stops[stop].traits & LP_STOP_LEAVES) == LP_STOP_LEAVES;
}

#endif
