/* convert_fold.h -- steps of an execution that a report need not show.
 *
 * A failed assertion, or a race, depends only on the steps before it in program order and reads-from.  The other steps are
 * left out: the remaining steps are an execution, too, with the same error.  For other errors no step is left out in this way,
 * because such an error may depend on frees, which are not steps, or may concern all threads together.
 *
 * Of several iterations that do the same, and from which no other thread reads, only one is shown.
 */
#ifndef LP_VERIFY_VIEW_CONVERT_FOLD_H
#define LP_VERIFY_VIEW_CONVERT_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;

struct lp_fold {
	bool *hidden;       /* for each step */
	uint32_t *again;    /* for the last step of an iteration: how many further iterations that do the same are hidden */
	bool *plain_hidden; /* for each plain access */
};

struct lp_fold lp_fold_steps(const struct lp_exploration *, struct lp_arena *);

#endif
