/* free_places.h -- inside bound.h: where threads can be left freely. */
#ifndef LP_EXPLORE_BOUND_FREE_PLACES_H
#define LP_EXPLORE_BOUND_FREE_PLACES_H

#include "explore/bound/schedule.h"

struct lp_explorer;

/* Fills in `leave` of the schedule. */
void lp_bound_find_places(const struct lp_explorer *, struct lp_schedule *);

#endif
