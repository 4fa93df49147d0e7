/* convert_fold.h -- steps of an execution that a report need not show.
 *
 * A failed assertion, or a race, depends only on those steps from which program order and reads-from lead to it.  The other steps
 * are left out: the remaining steps are an execution, too, with the same error.  For other errors no step is left out in this way,
 * because such an error may depend on frees, which are not steps, or may concern all threads together.
 *
 * If several iterations do the same, and no other thread reads from them, only one of them is shown.
 */
#ifndef LP_VERIFY_VIEW_CONVERT_FOLD_H
#define LP_VERIFY_VIEW_CONVERT_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;

struct lp_fold {
	bool *hidden;       /* for each step */
	uint32_t *again;    /* for the last step of an iteration that is shown: how many iterations that do the same as it are
			     * hidden */
	bool *plain_hidden; /* for each plain access */
};

struct lp_fold lp_fold_steps(const struct lp_exploration *, struct lp_arena *);

#endif
