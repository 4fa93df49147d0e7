/* convert_fold.h -- steps of an execution that a report need not show.
 *
 * An error that one thread makes, or two that race, depends on what is before it in program order and reads-from.  The
 * rest of the execution is left out: without it the execution is one, too, with the same error.  That does not go for
 * what depends on frees, which are no steps, nor for what all threads together are wrong in.
 *
 * A thread may read the same again and again: iterations that change nothing are shown once.
 */
#ifndef LP_VERIFY_VIEW_CONVERT_FOLD_H
#define LP_VERIFY_VIEW_CONVERT_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_exploration;

struct lp_fold {
	bool *hidden;       /* by step */
	uint32_t *again;    /* by step: so many more iterations end like it; 0: none */
	bool *plain_hidden; /* by plain access */
};

struct lp_fold lp_fold_steps(const struct lp_exploration *, struct lp_arena *);

#endif
