/* fast_queue.c -- queues and pools with distinct values, in linear time.
 *
 * After Henzinger, Sezgin and Vafeiadis, "Aspect-oriented linearizability proofs"
 * (CONCUR 2013), a complete queue history with distinct values is linearizable iff
 *
 *   - every removed value was inserted, not after its removal, and removed once;
 *   - there are no values a, b with ins(a) < ins(b) and rem(b) < rem(a), where the
 *     removal of a value that stays is after everything;
 *   - every removal that found nothing has a gap in its interval: a time in which no
 *     value is certainly there.  A value is certainly there from the end of its insertion
 *     to the start of its removal.
 *
 * For pools, which have no order, the second condition is left out.
 *
 * Pending removals.  A pending removal may have taken one of the values that stay, at any
 * moment since the removal started.  It is best to sort the values by the ends of their
 * insertions, and the pending removals by their starts, and to let the first removal take
 * the first value, the second removal the second value, and so on:
 *   - of two values a, b with end(ins(a)) < end(ins(b)), every value that must come after b
 *     in the queue must also come after a: if something forces b to leave by some time,
 *     it forces a to leave by that time, too;
 *   - taking a instead of b, or earlier instead of later, leaves a subset of the
 *     gaps covered;
 *   - it is never worse that a value is taken than that it stays.
 */
#include "check/history/fast/pairs.h"

/* Some a, b with ins(a) < ins(b) and rem(b) < rem(a).  One pass over time: of the
 * values whose insertion has ended, the one whose removal starts last. */
static bool is_out_of_order(const struct lp_pairs *s, const struct lp_problem *p,
			    struct lp_witness *w)
{
	uint32_t last = LP_NO_OP;

	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t event = p->events[rank];
		const uint32_t i = s->of[event / 2];
		if (i == LP_NO_OP || s->at[i].in != event / 2)
			continue;
		if (event & 1) {
			if (last == LP_NO_OP || s->at[i].out_start > s->at[last].out_start)
				last = i;
		} else if (last != LP_NO_OP && s->at[last].out_start > s->at[i].out_end &&
			   s->at[i].out_end != LP_NEVER) {
			w->why = "values are removed in another order than they were inserted";
			lp_pairs_witness(s, last, w);
			lp_pairs_witness(s, i, w);
			return true;
		}
	}
	return false;
}

static bool check(const struct lp_problem *p, bool ordered, enum lp_finding *finding, struct lp_witness *w)
{
	struct lp_pairs s;
	const enum lp_pairing pairing = lp_pairs_open(&s, p, w);

	*finding = pairing == LP_MISPAIRED ? LP_WRONG : LP_CORRECT;
	if (pairing == LP_PAIRED) {
		if (s.staying && s.pending_removal_count)
			lp_pairs_assign(&s, p);
		uint32_t *covered = s.empty_count ? lp_pairs_cover(&s, p) : NULL;
		const uint32_t full = lp_pairs_full(&s, p, covered);
		if (full != LP_NO_OP) {
			*finding = LP_WRONG;
			w->why = "nothing was found, although a value was present all the time";
			LP_PUSH(w, full);
			lp_pairs_blame(&s, p, p->ops[full].start, p->ops[full].end, NULL, w);
		} else if (ordered && is_out_of_order(&s, p, w)) {
			*finding = LP_WRONG;
		}
		/* Which values the pending removals take depends on all values. */
		if (*finding == LP_WRONG)
			for (uint32_t i = 0; i < s.pending_removal_count; i++)
				LP_PUSH(w, s.pending_removals[i]);
		lp_free(covered);
	}
	lp_pairs_close(&s);
	return pairing != LP_UNPAIRABLE;
}

bool lp_fast_queue(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *w)
{
	return check(p, true, finding, w);
}

bool lp_fast_pool(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *w)
{
	return check(p, false, finding, w);
}
