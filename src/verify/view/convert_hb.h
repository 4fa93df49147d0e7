/* convert_hb.h -- happens-before, from clocks to the edges that reports draw. */
#ifndef LP_VERIFY_VIEW_CONVERT_HB_H
#define LP_VERIFY_VIEW_CONVERT_HB_H

#include <stdint.h>

struct lp_arena;
struct lp_exploration;
struct lp_result_step;

/* Fills in lp_result_step.after of the steps that are shown.  index[i] is the index of step i among the shown steps;
 * LP_RESULT_NO_STEP if step i is not shown. */
void lp_convert_hb(const struct lp_exploration *, const uint32_t *index, struct lp_arena *,
		   struct lp_result_step *steps);

#endif
