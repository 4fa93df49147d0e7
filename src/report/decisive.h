/* decisive.h -- the most informative steps of an execution.
 *
 * Most steps do not concern other threads.  The interesting ones are those in which threads
 * interact, and above all reads of an old value although a newer one was already written.
 */
#ifndef LP_REPORT_DECISIVE_H
#define LP_REPORT_DECISIVE_H

#include <stddef.h>
#include <stdint.h>

struct lp_result_violation;

enum lp_step_weight {
	LP_STEP_OWN,   /* does not concern other threads */
	LP_STEP_MEETS, /* reads what another thread has written, or overwrites it without having read it */
	LP_STEP_OLD,   /* reads what was overwritten before */
	LP_STEP_PARTY, /* one of the two accesses of a race, or one that waits */
	LP_STEP_LAST,  /* the last step of the execution, or the error of its thread */
};

enum lp_step_weight lp_step_weight(const struct lp_result_violation *, uint32_t step);

/* The step above it, by another thread, that has overwritten what the step reads; LP_RESULT_NO_STEP
 * if there is none, which is usual. */
uint32_t lp_decisive_missed(const struct lp_result_violation *, uint32_t step);

/* The one step that tells most: the second access of a race, else the last step that reads an old value, else the last that
 * reads what another thread has written.  Its reason is written to `why`, as a clause; without a reason the text is empty, and
 * the step is the last one. */
enum { LP_DECISIVE_ROOM = 96 };
uint32_t lp_decisive_step(const struct lp_result_violation *, char why[LP_DECISIVE_ROOM]);

#endif
