/* shared_failures.h -- failures that say less than usual.
 *
 * Many objects report "empty", "full" or "taken" when that is not quite true: a ring whose next slot another thread
 * is still filling, a steal that loses a race.  Three parameters allow for that, the first the least:
 *
 *   weak       if calls that overlap could make it true, each of which may be felt early or late
 *   contended  if another call overlaps
 *   failing    always
 *
 * docs/specifications.md has the definition.
 */
#ifndef LP_SPEC_KINDS_SHARED_FAILURES_H
#define LP_SPEC_KINDS_SHARED_FAILURES_H

#include "linchpin/spec.h"

/* Parameters of containers, in this order; locks have the last two. */
enum lp_leniency { LP_FAILS_WEAKLY, LP_FAILS_CONTENDED, LP_FAILS_ALWAYS, LP_LENIENCIES };

#define LP_CONTENDED_PARAM { "contended", 0, "1: a call may fail while another call overlaps" }
#define LP_FAILING_PARAM { "failing", 0, "1: a call may fail without reason" }
#define LP_LENIENCY_PARAMS                                                                                  \
	{ "weak", 0, "1: full or empty may be reported while overlapping calls explain it" }, \
	LP_CONTENDED_PARAM, LP_FAILING_PARAM

/* Of struct lp_traits, for a kind whose leniencies begin at parameter `first`. */
#define LP_OVERLAP_PARAMS(first) (UINT32_C(1) << ((first) + LP_FAILS_WEAKLY) | UINT32_C(1) << ((first) + LP_FAILS_CONTENDED))

/* How many of the calls that overlap have a role, and have taken effect before this call (or have not)? */
static inline uint32_t lp_overlap_count(const struct lp_overlap *o, unsigned role, bool done)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->count; i++)
		count += o->at[i].roles & role && o->at[i].done == done;
	return count;
}

/* Is it an insertion of the value that overlaps and has taken effect? */
static inline bool lp_overlap_inserted(const struct lp_overlap *o, int64_t value)
{
	for (uint32_t i = 0; i < o->count; i++)
		if (o->at[i].roles & LP_INSERTS && o->at[i].done && o->at[i].arg[0] == value)
			return true;
	return false;
}

/* Does the call say `failure`, and may it do so whatever the state is, with these parameters? */
static inline bool lp_fails_anyway(const struct lp_spec_call *c, const int64_t *lenient, int64_t failure)
{
	if (!c->result || c->results != 1 || c->result[0] != failure)
		return false;
	return lenient[LP_FAILS_ALWAYS] || (lenient[LP_FAILS_CONTENDED] && c->overlap && c->overlap->count);
}

/* The same for a call that tries to take a lock, whose parameters `contended` and `failing` begin at `contended`. */
static inline bool lp_try_fails(const struct lp_spec_call *c, uint32_t contended)
{
	return lp_fails_anyway(c, &c->param[contended] - LP_FAILS_CONTENDED, 0);
}

/* May a removal find `s` empty?  Removals that overlap may be ahead of it.  Then what is left may be missing,
 * because insertions that overlap are not over: as many values as there are such insertions, or a value that it would
 * come upon.  Values leave from the back or from the front. */
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

/* May an insertion find it full?  Insertions that overlap may have reserved room; and if that makes all room used,
 * though not for the first time, a removal that overlaps may not have given its room back. */
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
