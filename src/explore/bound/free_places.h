/* free_places.h -- inside the bounded explorer: where threads can be left freely, that is, where a
 * switch to another thread does not count (bound.h). */
#ifndef LP_EXPLORE_BOUND_FREE_PLACES_H
#define LP_EXPLORE_BOUND_FREE_PLACES_H

#include "explore/bound/schedule.h"

struct lp_explorer;

/* Fills in `leave` of the schedule (schedule.h), for each event of its graph. */
void lp_bound_find_places(const struct lp_explorer *, struct lp_schedule *);

#endif
