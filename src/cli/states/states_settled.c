/* states_settled.c -- the monitor of `linchpin states` for sequential and quiescent consistency. */
#include "cli/states/states_settled.h"

#include "check/product/settled.h"

_Static_assert(LP_SETTLED_WRONG == LP_MONITOR_WRONG, "what is wrong is the same");
_Static_assert(LP_SETTLED_BARRED == LP_MONITOR_BARRED, "and what is not allowed");

static uint32_t settled_begin(void *j) { return lp_settled_begin(j); }
static void settled_again(void *j) { (void)j; } /* it learns nothing */

static uint32_t settled_calls(void *j, uint32_t set, uint32_t process, uint32_t call)
{
	return lp_settled_calls(j, set, process, call);
}

static uint32_t settled_returns(void *j, uint32_t set, uint32_t process, int64_t result)
{
	return lp_settled_returns(j, set, process, result);
}

static uint32_t settled_rename(void *j, uint32_t set, const uint8_t *to)
{
	return lp_settled_rename(j, set, to);
}

static uint64_t settled_look(void *j, uint32_t set, uint32_t process)
{
	return lp_settled_look(j, set, process);
}

static bool settled_within(void *j, uint32_t a, uint32_t b)
{
	(void)j;
	return a == b;
}

static bool settled_may_wait(void *j, uint32_t set, uint32_t process)
{
	return lp_settled_may_wait(j, set, process);
}

struct lp_state_monitor lp_states_settled(struct lp_settled *judged)
{
	return (struct lp_state_monitor){
		judged, settled_begin, settled_calls, settled_returns, settled_rename, settled_look,
		settled_within, settled_may_wait, settled_again, NULL, NULL, NULL,
	};
}
