/* pending_removals.h -- which of the values that stay were taken by pending removals?
 *
 * For stacks and priority queues that is hard to say in general.  What can be said
 * quickly is until when a value must have been taken, if at all: its deadline.  The
 * removal with the i-th start is then matched with the value with the i-th deadline;
 * if that does not work, nothing does, and the history is wrong.  If it works, the
 * caller has to see whether the result is right; if it is not, it knows nothing.
 */
#ifndef LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H
#define LP_CHECK_HISTORY_FAST_PENDING_REMOVALS_H

#include "check/history/fast/pairs.h"

/* The minimum of what was put at this place or after it.  Places are 0 .. size-1. */
struct lp_suffixes {
	uint32_t *low;
	uint32_t size;
};

void lp_suffixes_open(struct lp_suffixes *s, uint32_t size);
void lp_suffixes_close(struct lp_suffixes *s);
void lp_suffixes_put(struct lp_suffixes *s, uint32_t place, uint32_t value);
uint32_t lp_suffixes_low(const struct lp_suffixes *s, uint32_t place); /* LP_NEVER: none */

/* A removal that found nothing needs a gap in which no removed value is certainly there
 * and in which as many pending removals have started as values were inserted that
 * stay.  If its first such gap is g and its last one is h, then h + 1 is put at g, as
 * the deadline for what was inserted before g.  False if there is no such gap: the
 * history is wrong. */
bool lp_pending_removals_empties(const struct lp_pairs *s, const struct lp_problem *p,
				 struct lp_suffixes *ends);

/* `deadline[i]` is that of pair i, if it stays: a rank that its removal must start
 * before, or LP_NEVER.  False if there are not enough pending removals in time. */
bool lp_pending_removals_assign(struct lp_pairs *s, const struct lp_problem *p, const uint32_t *deadline);

#endif
