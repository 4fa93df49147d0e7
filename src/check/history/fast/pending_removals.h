/* pending_removals.h -- which of the values that stay were taken by pending removals?
 *
 * For stacks and priority queues this is hard in general.  What can be computed quickly is a
 * deadline: the time by which a value must have been taken, if any.  The removal with the
 * i-th start is then matched with the value with the i-th deadline.  If that does not work,
 * no assignment works, and the history is wrong.  If it works, the caller checks whether the
 * history is correct with this assignment; if it is not, nothing follows.
 */
#ifndef LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H
#define LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H

#include "check/history/fast/pairs.h"

/* Suffix minima: the least value that was put at this place or a later one.  Places are 0 .. size-1. */
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
 * inserted.  If its first such gap is g and its last one is h, then h + 1 is put at g, as the
 * deadline for the values inserted before g.  False if there is no such gap: the history is
 * wrong. */
bool lp_pending_removals_empties(const struct lp_pairs *s, const struct lp_problem *p,
				 struct lp_suffixes *ends);

/* `deadline[i]` is the deadline of pair i, if its value stays: its removal must start before
 * that rank; LP_NEVER: there is none.  False if not enough pending removals start in time. */
bool lp_pending_removals_assign(struct lp_pairs *s, const struct lp_problem *p, const uint32_t *deadline);

#endif
