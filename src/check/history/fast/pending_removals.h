/* pending_removals.h -- decides which of the values that stay (pairs.h) were taken by pending removals.
 *
 * For stacks and priority queues this is hard in general.  What can be computed quickly is a
 * deadline: the time by which a value must have been taken, if any.  The removal with the
 * i-th start is then matched with the value with the i-th deadline.  If that does not work,
 * no assignment works, and the history is wrong.  If it works, the caller checks the history with this
 * assignment.  If the history is correct with it, the history is correct; if not, there is no answer.
 */
#ifndef LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H
#define LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H

#include "check/history/fast/pairs.h"

/* Suffix minima: for each place from 0 to size-1, the least value that was put at this place or a later
 * one. */
struct lp_suffixes {
	uint32_t *low;
	uint32_t size;
};

void lp_suffixes_open(struct lp_suffixes *s, uint32_t size);
void lp_suffixes_close(struct lp_suffixes *s);
void lp_suffixes_put(struct lp_suffixes *s, uint32_t place, uint32_t value);
uint32_t lp_suffixes_low(const struct lp_suffixes *s, uint32_t place); /* LP_NEVER: none */

/* A removal that found nothing needs a gap in which no removed value is certainly present,
 * and before which at least as many pending removals have started as staying values were
 * inserted.  Let g be the first such gap and h the last one.  Then the function puts h + 1 at place g,
 * as the deadline of the values inserted before g.  It returns false if there is no such gap; then the
 * history is wrong. */
bool lp_pending_removals_empties(const struct lp_pairs *s, const struct lp_problem *p,
				 struct lp_suffixes *ends);

/* Assigns pending removals to the values that stay.  The value of pair i must be removed by a call that
 * starts before rank deadline[i]; LP_NEVER: at any time.  Returns false if not enough pending removals
 * start in time. */
bool lp_pending_removals_assign(struct lp_pairs *s, const struct lp_problem *p, const uint32_t *deadline);

#endif
