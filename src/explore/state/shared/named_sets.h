/* named_sets.h -- a monitor whose sets can be sent to another process.
 *
 * A monitor numbers its sets in the order in which it computes them, so the numbers differ from process to process.  The monitor here wraps
 * another monitor.  It numbers sets in the order in which the search reaches them, and keeps the origin of each set: the step that led to the
 * set, and the set from which that step was taken.  A process that is sent an origin takes the same step, and gets the same set.
 */
#ifndef LP_EXPLORE_STATE_SHARED_NAMED_SETS_H
#define LP_EXPLORE_STATE_SHARED_NAMED_SETS_H

#include "base/vec.h"
#include "explore/state/state.h"

enum lp_set_step { LP_SET_BEGINS, LP_SET_CALLS, LP_SET_RETURNS, LP_SET_POINT, LP_SET_RENAMED };

struct lp_set_origin {
	enum lp_set_step step;
	uint32_t from, process;
	int64_t value; /* the call, or the result */
	uint8_t to[LP_STATE_PROCESSES];
};

struct lp_named_sets {
	const struct lp_state_monitor *inner;
	struct lp_state_monitor monitor; /* what the search uses; its closure is this struct */
	struct { LP_VEC(uint32_t); } inside;  /* by set: the inner monitor's number */
	struct { LP_VEC(uint32_t); } outside; /* the inverse of `inside`: 1 + the set, or 0 if there is none */
	struct { LP_VEC(struct lp_set_origin); } origins; /* by set */
	struct lp_set_origin learnt; /* the last step from which the monitor has learnt something */
	bool has_learnt;
};

void lp_named_sets_open(struct lp_named_sets *, const struct lp_state_monitor *inner);
void lp_named_sets_close(struct lp_named_sets *);
/* Takes a step.  Returns the set to which the step leads, or LP_MONITOR_WRONG or one of the numbers after it (state.h). */
uint32_t lp_named_sets_take(struct lp_named_sets *, const struct lp_set_origin *);

#endif
