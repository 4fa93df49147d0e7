/* named_sets.h -- a monitor whose sets can be told to another process.
 *
 * The numbers of a monitor's sets depend on the order in which sets are met.  Here sets are numbered in the order in which the
 * search meets them, and for each it is kept how it came about: by which step, from which set.  Another
 * process takes the same step from the same set.
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
	struct { LP_VEC(uint32_t); } outside; /* the other way round: 1 + set, 0 if there is none */
	struct { LP_VEC(struct lp_set_origin); } origins; /* by set */
	struct lp_set_origin learnt; /* the last step from which the monitor has learnt something */
	bool has_learnt;
};

void lp_named_sets_open(struct lp_named_sets *, const struct lp_state_monitor *inner);
void lp_named_sets_close(struct lp_named_sets *);
/* Takes a step: a set, or one of the monitor's marks. */
uint32_t lp_named_sets_take(struct lp_named_sets *, const struct lp_set_origin *);

#endif
