/* pending_removals.h -- decides which of the values that stay (pairs.h) were taken by pending removals.
 *
 * For stacks and priority queues this is hard in general.  What can be computed quickly is a
 * deadline: the time by which a value must have been taken, if there is such a time.  The pending
 * removals are sorted by their starts, the values by their deadlines, and the i-th removal is
 * assigned to the i-th value.  If some removal starts after the deadline of its value, no
 * assignment is possible, and the history is wrong.  Otherwise, the caller checks the history with
 * this assignment.  If the history is correct with the assignment, it is correct; if not, there is
 * no answer.
 */
#ifndef LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H
#define LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H

#include "check/history/fast/pairs.h"

/* Minima of suffixes: for each place from 0 to size - 1, the least value that was put at this place or at a
 * later place. */
struct lp_suffixes {
	uint32_t *low;
	uint32_t size;
};

void lp_suffixes_open(struct lp_suffixes *s, uint32_t size);
void lp_suffixes_close(struct lp_suffixes *s);
void lp_suffixes_put(struct lp_suffixes *s, uint32_t place, uint32_t value);
/* Returns the minimum for the place; LP_NEVER if nothing was put at the place or later. */
uint32_t lp_suffixes_low(const struct lp_suffixes *s, uint32_t place);

/* Computes deadlines from the removals that found nothing.  Such a removal needs a gap (problem.h) in which
 * no removed value is certainly present.  Of the values that stay, let n be the number of those whose insertion
 * has ended by the gap; at least n pending removals must have started by the gap.  If some removal has no such
 * gap, the history is wrong, and the function returns false.  Otherwise, let g be the first such gap of a
 * removal, and h the last one.  The values whose insertions have ended by gap g have the deadline h + 1: the
 * function puts h + 1 at place g. */
bool lp_pending_removals_empties(const struct lp_pairs *s, const struct lp_problem *p,
				 struct lp_suffixes *ends);

/* Assigns pending removals to the values that stay.  The value of pair i must be removed by a call that
 * starts before rank deadline[i]; LP_NEVER: at any time.  Returns false if not enough pending removals
 * start in time. */
bool lp_pending_removals_assign(struct lp_pairs *s, const struct lp_problem *p, const uint32_t *deadline);

#endif
