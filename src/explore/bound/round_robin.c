/* round_robin.c -- round-robin schedules: rounds, and delays.
 *
 * Rounds.  In each round every thread, in the order of their numbers, performs all events that it can.  Performing more in a
 * round never makes less possible later, so this needs the fewest rounds.  A thread that joins a thread which has ended goes on
 * at once to its next access: otherwise the end of main() would always take a round of its own.
 *
 * Delays (Emmi, Qadeer and Rakamaric, "Delay-Bounded Scheduling", POPL 2011).  The scheduler goes on with the thread
 * that runs until that has ended or can be left freely, then takes the next one in turn.  A delay makes the scheduler pass over a
 * thread.  Passing over threads that have ended, or that can be left freely, costs nothing.  A thread that is taken performs all
 * events that it can, or stops at any place on the way where it can be left freely.
 *
 * Numbers.  Like threads get their numbers during the search: when the scheduler first comes to one of their numbers, each of the like
 * threads without a number is tried.  Like threads were started without a step of another thread in between (like_threads.h), so only the
 * turns depend on the numbers.  If the scheduler passes over a number that no thread has yet, the cost is that for the cheapest thread
 * without a number: before their first events all of these are in the same place, unless some are not in the part at all.
 *
 * Lent operations (LP_LEAVE_LENT) are performed as soon as this is possible, also during the turns of other threads.  This never makes less
 * possible later, and the thread can be left freely before and after these operations.
 */
#include "base/error.h"
#include "explore/bound/schedule_search.h"

/* ---- turns ---- */

/* Performs lent operations.  Returns true if there was one. */
static bool lend(struct lp_schedule *s, uint32_t *at)
{
	bool any = false;

	for (uint32_t t = 0; t < s->threads; t++) {
		const uint32_t before = at[t];
		while (lp_schedule_can_step(s, at, t) && s->leave[lp_schedule_next(s, at, t)] == LP_LEAVE_LENT)
			at[t]++;
		if (at[t] > before)
			lp_schedule_note(s, t, at[t]);
		any |= at[t] > before;
	}
	return any;
}

/* Lets the thread perform events until it has performed `end` in all, together with lent operations.  Returns true
 * if it has performed any. */
static bool run_to(struct lp_schedule *s, uint32_t *at, uint32_t t, uint32_t end)
{
	const uint32_t before = at[t];

	LP_HOLDS(before <= end && end <= s->length[t]);
	do {
		const uint32_t from = at[t];
		while (at[t] < end && lp_schedule_can_step(s, at, t))
			at[t]++;
		if (at[t] > from)
			lp_schedule_note(s, t, at[t]);
	} while (lend(s, at));
	return at[t] > before;
}

/* ---- numbers ---- */

/* Trying this many blocks takes some milliseconds. */
enum { TRIES = 20000 };

static void forget_numbers(struct lp_schedule *s)
{
	for (uint32_t t = 0; t < s->threads; t++) {
		LP_HOLDS(s->like[t] <= t && s->like[s->like[t]] == s->like[t]); /* the first of the like threads stands
		                                                                 * for all of them */
		s->turn[t] = t;
	}
	for (uint32_t t = 0; t < s->threads; t++) {
		if (s->like[t] == t)
			continue;
		s->turn[t] = s->turn[s->like[t]] = LP_NO_THREAD;
		s->tries = TRIES;
	}
}

/* What a search says that ends when it has found a schedule, and when it gives up. */
static enum lp_schedule_found found(const struct lp_schedule *s, bool ended)
{
	if (!ended)
		return LP_SCHEDULE_NONE;
	LP_VALID(!s->tries || lp_schedule_is_path(s));
	return s->tries ? LP_SCHEDULE_FOUND : LP_SCHEDULE_UNDECIDED;
}

static bool has_number(const struct lp_schedule *s, uint32_t thread)
{
	for (uint32_t number = 0; number < s->threads; number++)
		if (s->turn[number] == thread)
			return true;
	return false;
}

/* The next thread from t on that may have that number; LP_NO_THREAD: there is none. */
static uint32_t next_for(const struct lp_schedule *s, uint32_t number, uint32_t t)
{
	if (s->turn[number] != LP_NO_THREAD)
		return t <= s->turn[number] ? s->turn[number] : LP_NO_THREAD;
	while (t < s->threads && (s->like[t] != s->like[number] || has_number(s, t)))
		t++;
	return t < s->threads ? t : LP_NO_THREAD;
}

/* ---- rounds ---- */

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

/* Would the limit be enough if like threads could take each other's turns, in any order? */
static bool may_have_rounds(struct lp_schedule *s, uint32_t limit)
{
	uint32_t *at = lp_schedule_start(s, limit);
	bool further = true;

	for (uint32_t round = 0; round < limit && further; round++) {
		further = false;
		for (uint32_t number = 0; number < s->threads; number++) {
			for (bool more = true; more; further |= more) {
				more = false;
				for (uint32_t t = 0; t < s->threads; t++)
					more |= s->like[t] == s->like[number] && run_to(s, at, t, s->length[t]);
			}
			join_ended(s, at);
		}
	}
	return lp_schedule_is_done(s, at);
}

static bool finish_rounds(struct lp_schedule *s, uint32_t depth, uint32_t number, uint32_t round);

/* Gives the thread that number, and its turn.  LP_NO_THREAD: no thread has this turn. */
static bool take_turn(struct lp_schedule *s, uint32_t depth, uint32_t number, uint32_t round, uint32_t t)
{
	const uint32_t mark = s->path.count, given = s->turn[number];
	uint32_t *next = lp_schedule_descend(s, depth);

	if (t != LP_NO_THREAD) {
		LP_HOLDS(s->like[t] == s->like[number] && (given == t || (given == LP_NO_THREAD && !has_number(s, t))));
		s->turn[number] = t;
		run_to(s, next, t, s->length[t]);
		join_ended(s, next);
	}
	if (finish_rounds(s, depth + 1, number + 1, round))
		return true;
	s->turn[number] = given;
	s->path.count = mark;
	return false;
}

static bool finish_rounds(struct lp_schedule *s, uint32_t depth, uint32_t number, uint32_t round)
{
	const uint32_t *at = lp_schedule_at(s, depth);

	if (lp_schedule_is_done(s, at))
		return true;
	round += number == s->threads;
	number %= s->threads;
	if (round >= s->limit || !lp_schedule_enters(s, at, number, round))
		return false;
	if (!--s->tries)
		return true;
	bool waits = false; /* a thread that may have the number cannot go on now */
	for (uint32_t t = 0; (t = next_for(s, number, t)) != LP_NO_THREAD; t++) {
		if (!lp_schedule_can_step(s, lp_schedule_at(s, depth), t))
			waits = true;
		else if (take_turn(s, depth, number, round, t))
			return true;
	}
	return waits && take_turn(s, depth, number, round, LP_NO_THREAD);
}

enum lp_schedule_found lp_schedule_find_rounds(struct lp_schedule *s, uint32_t limit)
{
	if (!may_have_rounds(s, limit))
		return LP_SCHEDULE_NONE;
	lp_schedule_start(s, limit);
	forget_numbers(s);
	return found(s, finish_rounds(s, 0, 0, 0));
}

/* ---- delays ---- */

static bool finish_delays(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used);

/* Can the scheduler pass over the thread at no cost? */
static bool is_passed_over(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	const lp_eid spawn = s->g->threads.at[t].spawn;
	const struct lp_event *e = spawn == LP_NO_EVENT ? NULL : lp_graph_event(s->g, spawn);

	return (e && at[e->thread] <= e->index) || lp_schedule_is_free(s, at, t);
}

/* Lets the thread run until it cannot go on, and tries also each place on the way where it can be
 * left freely. */
static bool take(struct lp_schedule *s, uint32_t depth, uint32_t number, uint32_t used)
{
	const uint32_t t = s->turn[number], mark = s->path.count, from = lp_schedule_at(s, depth)[t];
	LP_HOLDS(number < s->threads && s->like[t] == s->like[number] && used <= s->limit);
	uint32_t *next = lp_schedule_descend(s, depth);

	run_to(s, next, t, s->length[t]);
	for (uint32_t end = next[t], to = end; to > from; to--) {
		s->path.count = mark;
		next = lp_schedule_descend(s, depth);
		next[t] = to;
		if (to < end && !lp_schedule_is_free(s, next, t))
			continue;
		next[t] = from;
		run_to(s, next, t, to);
		if (finish_delays(s, depth + 1, number, used))
			return true;
	}
	s->path.count = mark;
	return false;
}

static bool finish_delays(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used)
{
	if (lp_schedule_is_done(s, lp_schedule_at(s, depth)))
		return true;
	if (!lp_schedule_enters(s, lp_schedule_at(s, depth), current, used))
		return false;
	if (!--s->tries)
		return true;
	for (uint32_t i = 0; i < s->threads && used <= s->limit; i++) {
		const uint32_t number = (current + i) % s->threads, given = s->turn[number];
		bool costs = true;
		for (uint32_t t = 0; (t = next_for(s, number, t)) != LP_NO_THREAD; t++) {
			costs &= !is_passed_over(s, lp_schedule_at(s, depth), t);
			if (!lp_schedule_can_step(s, lp_schedule_at(s, depth), t))
				continue;
			s->turn[number] = t;
			if (take(s, depth, number, used))
				return true;
			s->turn[number] = given;
		}
		used += costs;
	}
	return false;
}

enum lp_schedule_found lp_schedule_find_delays(struct lp_schedule *s, uint32_t limit)
{
	lp_schedule_start(s, limit);
	forget_numbers(s);
	return found(s, finish_delays(s, 0, 0, 0));
}
