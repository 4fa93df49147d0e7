/* fast_priority.c -- priority queues with distinct values, or with distinct items that have scores, in (nearly) linear time.
 *
 * Say that w is better than v if it has to leave first.  At the moment v leaves, no
 * better value is present.  So the removal of v needs a gap, from the start of v's
 * insertion on, in which no better value is certainly present; and a removal that
 * found nothing needs a gap in which no value is certainly present.  That is also sufficient.  Take the
 * values from the best on, insert each as late as possible, and remove it in the
 * first gap that allows it.  If that is later than the start of its removal, then
 * better values are certainly present all the time in between.  Every removal that v would
 * disturb in that time is already disturbed by these.  Items with equal scores do not disturb each
 * other, so they are all removed before any of them covers gaps.
 *
 * Gaps are covered one after the other.  A union-find finds the first gap that is not
 * covered yet.
 *
 * If there are pending removals and values that stay, it is hard to know which of these values were taken.  If the
 * history is correct with none of them taken, it is correct.  If it is wrong even with all of them
 * removed at no cost, it is wrong.  Otherwise there are deadlines: if w was inserted before
 * the removal of a worse value began, w must have been taken before that removal ended.
 * Removals that found nothing imply deadlines, too.  See pending_removals.h; if that does not
 * decide the history, this method does not apply.
 */
#include "check/history/fast/pairs.h"

#include <string.h>

#include "check/history/fast/pending_removals.h"
#include "check/sort.h"

/* The first gap >= g that is not covered; `ranks` if there is none. */
static uint32_t find(uint32_t *next, uint32_t g)
{
	uint32_t root = g;

	while (next[root] != root)
		root = next[root];
	while (next[g] != root) {
		const uint32_t after = next[g];
		next[g] = root;
		g = after;
	}
	return root;
}

static void cover(uint32_t *next, uint32_t from, uint32_t to)
{
	for (uint32_t g = find(next, from); g < to; g = find(next, g))
		next[g] = g + 1;
}

static struct lp_keyed *from_best(const struct lp_pairs *s, bool greatest_first)
{
	struct lp_keyed *order = lp_alloc(sizeof *order * s->count);

	for (uint32_t i = 0; i < s->count; i++) {
		const uint64_t key = lp_sort_key(s->at[i].key);
		order[i] = (struct lp_keyed){ greatest_first ? ~key : key, i };
	}
	lp_sort_keyed(order, s->count);
	return order;
}

/* Returns the end of the values, from `place` on, that are as good as the one at `place`. */
static uint32_t end_of_ties(const struct lp_pairs *s, const struct lp_keyed *order, uint32_t place)
{
	uint32_t end = place + 1;

	while (end < s->count && order[end].key == order[place].key)
		end++;
	return end;
}

/* Returns which values are better: those before `place` in the order.  The caller frees the
 * result. */
static bool *better_than(const struct lp_pairs *s, const struct lp_keyed *order, uint32_t place)
{
	bool *better = lp_alloc_zero(s->count, sizeof *better);

	for (uint32_t i = 0; i < place; i++)
		better[order[i].id] = true;
	return better;
}

static uint32_t ready(const struct lp_pair *v)
{
	return v->out_start > v->in_start ? v->out_start : v->in_start;
}

/* Can the value be removed in a gap between the better ones? */
static bool finds_gap(const struct lp_pair *v, uint32_t *next)
{
	return v->out == LP_NO_OP || find(next, ready(v)) < v->out_end;
}

/* The value at place k cannot be removed.  Those before place `best` are better. */
static void blame_better(const struct lp_pairs *s, const struct lp_problem *p, const struct lp_keyed *order, uint32_t best, uint32_t k,
			 struct lp_witness *w)
{
	const struct lp_pair *v = &s->at[order[k].id];
	bool *better = better_than(s, order, best);

	w->why = "a value is removed while a better one is present";
	lp_pairs_witness(s, order[k].id, w);
	lp_pairs_blame(s, p, ready(v), v->out_end, better, w);
	lp_free(better);
}

/* Is the history correct?  Values that stay remain present, or, if `taken`, never block a removal.
 * The result is meaningless if the answer is no longer wanted. */
static bool is_right(const struct lp_pairs *s, const struct lp_problem *p,
		     const struct lp_keyed *order, bool taken, struct lp_witness *w)
{
	uint32_t *next = lp_alloc(sizeof *next * ((size_t)p->ranks + 1));
	bool right = true;

	for (uint32_t g = 0; g <= p->ranks; g++)
		next[g] = g;
	for (uint32_t i = 0, end = 0; i < s->count && right; i = end) {
		end = end_of_ties(s, order, i);
		for (uint32_t k = i; k < end && right; k++) {
			right = finds_gap(&s->at[order[k].id], next);
			if (!right)
				blame_better(s, p, order, i, k, w);
			right &= lp_problem_is_wanted(p, k);
		}
		for (uint32_t k = i; k < end; k++) {
			const struct lp_pair *v = &s->at[order[k].id];
			if (v->in_end < v->out_start && !(v->out == LP_NO_OP && taken))
				cover(next, v->in_end, v->out_start);
		}
	}
	for (uint32_t i = 0; i < s->empty_count && right; i++) {
		const struct lp_history_op *op = &p->ops[s->empties[i]];
		if (find(next, op->start) >= op->end) {
			right = false;
			w->why = "nothing was found, although a value was present all the time";
			LP_PUSH(w, s->empties[i]);
			lp_pairs_blame(s, p, op->start, op->end, NULL, w); /* any values may be
									    * blamed */
		}
	}
	lp_free(next);
	return right;
}

static uint32_t *deadlines(const struct lp_pairs *s, const struct lp_problem *p,
			   const struct lp_keyed *order, bool *in_time)
{
	uint32_t *deadline = lp_alloc(sizeof *deadline * s->count);
	struct lp_suffixes ends; /* the ends of removals, by start */

	lp_suffixes_open(&ends, p->ranks);
	*in_time = lp_pending_removals_empties(s, p, &ends);
	for (uint32_t end = s->count, i; end > 0; end = i) {
		for (i = end; i > 0 && order[i - 1].key == order[end - 1].key; i--)
			deadline[order[i - 1].id] = lp_suffixes_low(&ends, s->at[order[i - 1].id].in_end);
		for (uint32_t k = i; k < end; k++) {
			const struct lp_pair *v = &s->at[order[k].id];
			if (v->out != LP_NO_OP)
				lp_suffixes_put(&ends, ready(v), v->out_end);
		}
	}
	lp_suffixes_close(&ends);
	return deadline;
}

bool lp_fast_priority(const struct lp_problem *p, enum lp_finding *finding,
		      struct lp_witness *w)
{
	struct lp_pairs s;
	enum lp_pairing pairing = lp_pairs_open(&s, p, w);
	bool right = false;

	if (pairing == LP_PAIRED) {
		struct lp_keyed *order = from_best(&s, p->spec.param[0]);
		const bool guess = s.pending_removal_count && s.staying;
		right = is_right(&s, p, order, false, w);
		if (!right && guess) {
			w->count = 0;
			if (is_right(&s, p, order, true, w)) {
				bool in_time;
				uint32_t *deadline = deadlines(&s, p, order, &in_time);
				in_time = in_time && lp_pending_removals_assign(&s, p, deadline);
				right = in_time && is_right(&s, p, order, false, w);
				w->count = 0;
				w->why = "a value is removed while better ones are present, and too few "
					 "pending removals could have taken them";
				if (in_time && !right)
					pairing = LP_UNPAIRABLE;
				lp_free(deadline);
			}
		}
		lp_free(order);
	}
	*finding = right ? LP_CORRECT : LP_WRONG;
	lp_pairs_close(&s);
	/* "Wrong" may also mean that the check was interrupted. */
	return pairing != LP_UNPAIRABLE && (right || lp_problem_is_wanted(p, 0));
}
