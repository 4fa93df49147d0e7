/* states_points.c -- the monitor of `linchpin states` for objects that mark linearization
 * points. */
#include "cli/states/states_points.h"

#include "check/product/points.h"

_Static_assert(LP_POINTS_WRONG == LP_MONITOR_WRONG, "what is wrong is the same");

static uint32_t points_begin(void *p) { return lp_points_begin(p); }
static void points_again(void *p) { (void)p; } /* it learns nothing */

static uint32_t points_calls(void *p, uint32_t set, uint32_t process, uint32_t call)
{
	return lp_points_calls(p, set, process, call);
}

static uint32_t points_point(void *p, uint32_t set, uint32_t process, int64_t result)
{
	return lp_points_point(p, set, process, result);
}

static uint32_t points_returns(void *p, uint32_t set, uint32_t process, int64_t result)
{
	return lp_points_returns(p, set, process, result);
}

static uint32_t points_rename(void *p, uint32_t set, const uint8_t *to)
{
	return lp_points_rename(p, set, to);
}

static uint64_t points_look(void *p, uint32_t set, uint32_t process)
{
	return lp_points_look(p, set, process);
}

static bool points_within(void *p, uint32_t a, uint32_t b)
{
	return lp_points_within(p, a, b);
}

static bool points_may_wait(void *p, uint32_t set, uint32_t process)
{
	return lp_points_may_wait(p, set, process);
}

struct lp_state_monitor lp_states_points(struct lp_points *points)
{
	return (struct lp_state_monitor){
		points, points_begin, points_calls, points_returns, points_rename, points_look,
		points_within, points_may_wait, points_again, points_point, NULL, NULL,
	};
}
