/* preemptions.c -- schedules with few preemptions.
 *
 * The lower bound.  Three observations keep the search small.  Each of them changes a schedule so that events come earlier.
 *   1  A running thread goes on as long as it can.  If it could have performed an event, but performs it in a later block, the
 *      event is moved to the earlier block: the later block becomes shorter or disappears.
 *   2  Between two blocks, every thread that can come to its end, or to a place where it can be left freely, runs until
 *      there: this costs nothing, and its events come earlier.
 *   3  So there is a choice only when every thread that can run would have to be preempted: the choice is
 *      which one is preempted.
 * With n threads and a limit of k there are at most n^k choices; a position is not visited twice at the same cost.
 *
 * The exact number.  Whether a thread waits depends on the values in memory, so that it may be better to perform
 * something late.  All schedules are tried, operation by operation.  An event that is not an access is performed together
 * with the access before it, because a switch just before such an event can be moved to just after it.  If a goal is set (lp_schedule.goal), the
 * schedule ends when the goal thread has performed all of its events, and may leave out events of other threads.
 */
#include "explore/bound/schedule_search.h"

#include "base/error.h"
#include "graph/parts.h"

#define NO_THREAD LP_NO_THREAD

/* Runs the thread to the last place within reach where it can be left freely.  Returns true if it has moved. */
static bool run_freely(struct lp_schedule *s, uint32_t *at, uint32_t t)
{
	const uint32_t before = at[t];
	uint32_t best = before;

	while (lp_schedule_can_step(s, at, t)) {
		at[t]++;
		if (lp_schedule_is_free(s, at, t))
			best = at[t];
	}
	LP_HOLDS(best >= before && at[t] <= s->length[t]);
	at[t] = best;
	if (best > before)
		lp_schedule_note(s, t, best);
	return best > before;
}

static void settle(struct lp_schedule *s, uint32_t *at)
{
	bool further = true;

	while (further) {
		further = false;
		for (uint32_t t = 0; t < s->threads; t++)
			further |= run_freely(s, at, t);
	}
}

static bool finish(struct lp_schedule *s, uint32_t depth, uint32_t used)
{
	uint32_t *at = lp_schedule_at(s, depth);
	const uint32_t mark = s->path.count;

	settle(s, at);
	if (lp_schedule_is_done(s, at))
		return true;
	LP_HOLDS(used <= s->limit);
	const bool more = used < s->limit && lp_schedule_enters(s, at, NO_THREAD, used);
	for (uint32_t t = 0; more && t < s->threads; t++) {
		uint32_t *next = lp_schedule_descend(s, depth);
		if (!lp_schedule_run(s, next, t))
			continue;
		lp_schedule_note(s, t, next[t]);
		if (finish(s, depth + 1, used + 1))
			return true;
	}
	s->path.count = mark;
	return false;
}

bool lp_schedule_has_preemptions(struct lp_schedule *s, uint32_t limit)
{
	lp_schedule_start(s, limit);
	const bool found = finish(s, 0, 0);
	LP_VALID(!found || lp_schedule_is_path(s));
	return found;
}

/* ---- the exact number ---- */

static struct lp_value value_at(const struct lp_schedule *s, const uint32_t *at, const struct lp_event *read)
{
	const struct lp_loc *loc = &s->g->locs.at[read->loc];
	uint32_t pos = loc->co.count;

	LP_HOLDS(read->kind == LP_EV_READ);
	while (pos && lp_graph_event(s->g, loc->co.at[pos - 1])->index >= at[lp_graph_event(s->g, loc->co.at[pos - 1])->thread])
		pos--;
	return lp_graph_value(s->g, read->loc, pos, read->bytes);
}

/* Has the thread ended, or can it not perform its next operation, which may be a read that waits at the end of the graph? */
static bool cannot_go_on(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	if (at[t] == s->length[t] && (at[t] == s->g->threads.at[t].count || s->goal != NO_THREAD))
		return true;
	const lp_eid e = lp_schedule_next(s, at, t);
	const struct lp_event *ev = lp_graph_event(s->g, e);
	return s->leave[e] == LP_LEAVE_FREE ||
	       (s->leave[e] == LP_LEAVE_IF_WAITS && ev->kind == LP_EV_READ && s->waits(s->closure, e, value_at(s, at, ev)));
}

/* Performs the thread's next event, and the events after it that are not accesses. */
static void step(const struct lp_schedule *s, uint32_t *at, uint32_t t)
{
	bool first = true;

	while (lp_schedule_can_step(s, at, t)) {
		const struct lp_event *e = lp_graph_event(s->g, lp_schedule_next(s, at, t));
		if (!first && lp_schedule_is_access(s, at, t) && !(e->kind == LP_EV_WRITE && e->rmw))
			return;
		first = false;
		at[t]++;
	}
}

static bool finish_exactly(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used);

static bool go_on_with(struct lp_schedule *s, uint32_t depth, uint32_t t, uint32_t used)
{
	uint32_t *next = lp_schedule_descend(s, depth);

	if (used > s->limit || !lp_schedule_can_step(s, next, t))
		return false;
	step(s, next, t);
	lp_schedule_note(s, t, next[t]);
	if (finish_exactly(s, depth + 1, t, used))
		return true;
	LP_HOLDS(s->path.count && LP_LAST(&s->path).thread == t);
	s->path.count--;
	return false;
}

static bool finish_exactly(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used)
{
	const uint32_t *at = lp_schedule_at(s, depth);

	if (s->goal == NO_THREAD ? lp_schedule_is_done(s, at) : at[s->goal] == s->length[s->goal])
		return true;
	const bool stops = current == NO_THREAD || cannot_go_on(s, at, current);
	if (!lp_schedule_enters(s, at, stops ? NO_THREAD : current, used))
		return false;
	if (current != NO_THREAD && go_on_with(s, depth, current, used))
		return true;
	for (uint32_t t = 0; t < s->threads; t++)
		if (t != current && go_on_with(s, depth, t, used + !stops))
			return true;
	return false;
}

bool lp_schedule_has_exact_preemptions(struct lp_schedule *s, uint32_t limit)
{
	lp_schedule_start(s, limit);
	const bool found = finish_exactly(s, 0, NO_THREAD, 0);
	LP_VALID(!found || lp_schedule_is_path(s));
	return found;
}
