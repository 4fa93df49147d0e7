/* decisive.h -- which steps of an execution tell most about what went wrong.
 *
 * Threads work by themselves most of the time.  What one wants to see are the steps in which they
 * meet, and above all those that read an old value, although the new one was there.
 */
#ifndef LP_REPORT_TEXT_DECISIVE_H
#define LP_REPORT_TEXT_DECISIVE_H

#include <stdint.h>

struct lp_result_violation;

enum lp_step_weight {
	LP_STEP_OWN,   /* of no concern to other threads, as far as one can see */
	LP_STEP_MEETS, /* reads what another thread has written, or overwrites it unseen */
	LP_STEP_OLD,   /* reads what was overwritten before */
	LP_STEP_LAST,  /* where the execution ends, or its thread goes wrong */
};

enum lp_step_weight lp_step_weight(const struct lp_result_violation *, uint32_t step);

/* The step above it, by another thread, that has overwritten what the step reads; LP_RESULT_NO_STEP
 * if there is none, which is usual. */
uint32_t lp_step_missed(const struct lp_result_violation *, uint32_t step);

#endif
