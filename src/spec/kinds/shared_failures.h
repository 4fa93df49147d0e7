/* shared_failures.h -- failures that are allowed although the state does not explain them.
 *
 * Many objects report "empty", "full" or "taken" although their state does not say so: a ring whose next slot another
 * thread is still filling, a steal that loses a race.  Three parameters allow such failures.  `weak` allows the fewest:
 *
 *   weak       a failure is allowed if overlapping calls could explain it, each of them taking effect early or late
 *   contended  a failure is allowed if another call overlaps
 *   failing    a failure is always allowed
 *
 * docs/specifications.md has the definition.
 */
#ifndef LP_SPEC_KINDS_SHARED_FAILURES_H
#define LP_SPEC_KINDS_SHARED_FAILURES_H

#include "linchpin/spec.h"

/* The parameters of containers, in this order.  Locks have only the last two. */
enum lp_leniency { LP_FAILS_WEAKLY, LP_FAILS_CONTENDED, LP_FAILS_ALWAYS, LP_LENIENCIES };

#define LP_CONTENDED_PARAM { "contended", 0, "1: a call may fail while another call overlaps" }
#define LP_FAILING_PARAM { "failing", 0, "1: a call may fail without reason" }
#define LP_LENIENCY_PARAMS                                                                                  \
	{ "weak", 0, "1: full or empty may be reported while overlapping calls explain it" }, \
	LP_CONTENDED_PARAM, LP_FAILING_PARAM

/* The value of lp_traits.overlap_params for a kind whose parameter number `first` is `weak`. */
#define LP_OVERLAP_PARAMS(first) (UINT32_C(1) << ((first) + LP_FAILS_WEAKLY) | UINT32_C(1) << ((first) + LP_FAILS_CONTENDED))

/* Counts the overlapping calls that have the role and have taken effect before this call or, if `done` is false, have not yet
 * taken effect. */
static inline uint32_t lp_overlap_count(const struct lp_overlap *o, unsigned role, bool done)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->count; i++)
		count += o->at[i].roles & role && o->at[i].done == done;
	return count;
}

/* Has an overlapping call inserted the value before this call? */
static inline bool lp_overlap_inserted(const struct lp_overlap *o, int64_t value)
{
	for (uint32_t i = 0; i < o->count; i++)
		if (o->at[i].roles & LP_INSERTS && o->at[i].done && o->at[i].arg[0] == value)
			return true;
	return false;
}

/* Does the call return `failure`, and do the parameters `failing` and `contended` allow this in every state?  `lenient` has the
 * values of the parameters of enum lp_leniency. */
static inline bool lp_fails_anyway(const struct lp_spec_call *c, const int64_t *lenient, int64_t failure)
{
	if (!c->result || c->results != 1 || c->result[0] != failure)
		return false;
	return lenient[LP_FAILS_ALWAYS] || (lenient[LP_FAILS_CONTENDED] && c->overlap && c->overlap->count);
}

/* Does what lp_fails_anyway() does, for a call that tries to take a lock.  `contended` is the index of the lock's parameter of
 * that name; the next parameter is `failing`. */
static inline bool lp_try_fails(const struct lp_spec_call *c, uint32_t contended)
{
	return lp_fails_anyway(c, &c->param[contended] - LP_FAILS_CONTENDED, 0);
}

/* May a removal report that `s` is empty?  With `weak`, it may in two cases.  In both, overlapping removals that have not taken
 * effect may already have taken the values that leave next.  (1) The number of values that are then left is at most the number
 * of overlapping insertions that have taken effect: perhaps none of the values is visible yet.  (2) The removal would then find
 * the value of an overlapping insertion, which may not be visible yet.  `back`: values leave from the back; otherwise from the
 * front. */
static inline bool lp_seems_empty(const struct lp_state *s, const struct lp_spec_call *c, const int64_t *lenient,
				  int64_t failure, bool back)
{
	const struct lp_overlap *o = c->overlap;

	if (lp_fails_anyway(c, lenient, failure))
		return true;
	if (!lenient[LP_FAILS_WEAKLY] || !o || !c->result || c->results != 1 || c->result[0] != failure)
		return false;
	const uint32_t ahead = lp_overlap_count(o, LP_REMOVES, false);
	if (s->count <= ahead + lp_overlap_count(o, LP_INSERTS, true))
		return true;
	for (uint32_t i = 0; i <= ahead; i++)
		if (lp_overlap_inserted(o, s->at[back ? s->count - 1 - i : i]))
			return true;
	return false;
}

/* May an insertion report that `s`, which has room for `bound` values, is full?  With `weak`, it may in two cases.
 * (1) Overlapping insertions that have not taken effect may have reserved all the remaining room.  (2) Since the beginning, at
 * least `bound` values have been inserted, counting those of the overlapping insertions in (1), and an overlapping removal has
 * taken effect, but may not have given its room back. */
static inline bool lp_seems_full(const struct lp_state *s, const struct lp_spec_call *c, const int64_t *lenient,
				 int64_t bound)
{
	const struct lp_overlap *o = c->overlap;

	if (lp_fails_anyway(c, lenient, 0))
		return true;
	if (!bound || !lenient[LP_FAILS_WEAKLY] || !o || !c->result || c->results != 1 || c->result[0] != 0)
		return false;
	const int64_t ahead = lp_overlap_count(o, LP_INSERTS, false);
	return s->count + ahead >= bound || (lp_overlap_count(o, LP_REMOVES, true) && o->inserted + ahead >= bound);
}

#endif
