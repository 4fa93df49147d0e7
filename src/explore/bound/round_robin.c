/* round_robin.c -- schedules of schedulers that go round the threads: rounds, and delays.
 *
 * Rounds.  In each round every thread, in the order of their numbers, performs all that it can.  To perform more in a
 * round never makes less possible later, so that this needs the fewest rounds.  A thread that joins one that has ended goes on
 * at once to its next access: joining takes no turn, or the end of main() would always be a round.
 *
 * Delays (Emmi, Qadeer and Rakamaric, "Delay-Bounded Scheduling", POPL 2011).  The scheduler goes on with the thread
 * that runs until that has ended or can be left freely, then takes the next one in turn.  A delay has it pass over a thread.
 * Threads that have ended, or are where they can be left freely, are passed over for nothing.  A thread that is taken performs all
 * that it can, or stops at any place on the way where it can be left freely.
 */
#include "base/error.h"
#include "explore/bound/schedule_search.h"

static bool is_at_join(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return lp_schedule_can_step(s, at, t) && lp_graph_event(s->g, lp_schedule_next(s, at, t))->kind == LP_EV_JOIN;
}

static void join_ended(struct lp_schedule *s, uint32_t *at)
{
	for (uint32_t t = 0; t < s->threads; t++) {
		while (is_at_join(s, at, t)) {
			do
				at[t]++;
			while (lp_schedule_can_step(s, at, t) && !lp_schedule_is_access(s, at, t));
			lp_schedule_note(s, t, at[t]);
		}
	}
}

bool lp_schedule_has_rounds(struct lp_schedule *s, uint32_t limit)
{
	uint32_t *at = lp_schedule_start(s, limit);

	for (uint32_t round = 0; round < limit && !lp_schedule_is_done(s, at); round++) {
		for (uint32_t t = 0; t < s->threads; t++) {
			if (lp_schedule_run(s, at, t))
				lp_schedule_note(s, t, at[t]);
			join_ended(s, at);
		}
	}
	return lp_schedule_is_done(s, at);
}

static bool finish(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used);

/* Is the thread passed over for nothing? */
static bool is_passed_over(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	const lp_eid spawn = s->g->threads.at[t].spawn;
	const struct lp_event *e = spawn == LP_NO_EVENT ? NULL : lp_graph_event(s->g, spawn);

	return (e && at[e->thread] <= e->index) || lp_schedule_is_free(s, at, t);
}

/* The thread runs: to where it cannot go on, or to where it can be left freely before that. */
static bool take(struct lp_schedule *s, uint32_t depth, uint32_t t, uint32_t used)
{
	const uint32_t from = lp_schedule_at(s, depth)[t];
	uint32_t *next = lp_schedule_descend(s, depth);

	lp_schedule_run(s, next, t);
	for (uint32_t end = next[t], to = end; to > from; to--) {
		next = lp_schedule_descend(s, depth);
		next[t] = to;
		if (to < end && !lp_schedule_is_free(s, next, t))
			continue;
		lp_schedule_note(s, t, to);
		if (finish(s, depth + 1, t, used))
			return true;
		LP_HOLDS(s->path.count && LP_LAST(&s->path).thread == t && LP_LAST(&s->path).position == to);
		s->path.count--;
	}
	return false;
}

static bool finish(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used)
{
	const uint32_t *at = lp_schedule_at(s, depth);

	if (lp_schedule_is_done(s, at))
		return true;
	if (!lp_schedule_enters(s, at, current, used))
		return false;
	for (uint32_t i = 0; i < s->threads && used <= s->limit; i++) {
		const uint32_t t = (current + i) % s->threads;
		if (lp_schedule_can_step(s, lp_schedule_at(s, depth), t) && take(s, depth, t, used))
			return true;
		used += !is_passed_over(s, lp_schedule_at(s, depth), t);
	}
	return false;
}

bool lp_schedule_has_delays(struct lp_schedule *s, uint32_t limit)
{
	lp_schedule_start(s, limit);
	return finish(s, 0, 0, 0);
}
