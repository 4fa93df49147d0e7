/* decisive.h -- the most informative steps of an execution.
 *
 * Most steps do not concern other threads.  The informative steps are those in which threads interact, above all a read
 * that returns an old value although a newer one was already written.
 */
#ifndef LP_REPORT_DECISIVE_H
#define LP_REPORT_DECISIVE_H

#include <stddef.h>
#include <stdint.h>

struct lp_result_violation;

enum lp_step_weight {
	LP_STEP_OWN,   /* does not concern other threads */
	LP_STEP_MEETS, /* reads what another thread has written, or overwrites it without having read it */
	LP_STEP_OLD,   /* reads a value that was already overwritten */
	LP_STEP_PARTY, /* one of the two accesses of a race, or the access at which a thread waits */
	LP_STEP_LAST,  /* the last step of the execution, or the error of its thread */
};

enum lp_step_weight lp_step_weight(const struct lp_result_violation *, uint32_t step);

/* If the step reads a value that a step of another thread had already overwritten, returns that other step.  Otherwise,
 * which is the usual case, returns LP_RESULT_NO_STEP. */
uint32_t lp_decisive_missed(const struct lp_result_violation *, uint32_t step);

/* Returns the decisive step: the second access of a race; if there is no race, the last step that reads an old value;
 * if there is no such step, the last step that reads what another thread has written.  Writes the reason to `why`, as a
 * clause.  If none of these exists, the function returns the last step, and `why` becomes "". */
enum { LP_DECISIVE_ROOM = 96 };
uint32_t lp_decisive_step(const struct lp_result_violation *, char why[LP_DECISIVE_ROOM]);

#endif
