/* stops.c -- why a thread has stopped: the table. */
#include "explore/stops.h"

#include <stddef.h>

const struct lp_stop_row lp_stops[LP_STOPS] = {
#define LP_STOP(NAME, traits, kind, text) [LP_STOP_##NAME] = { traits, LP_ERROR_##kind, text },
#include "explore/stops.def"
#undef LP_STOP
};
