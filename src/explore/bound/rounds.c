/* rounds.c -- schedules of few rounds.
 *
 * In each round every thread, in the order of their numbers, performs all events that it can.  Performing more in a
 * round never makes less possible later, so this needs the fewest rounds.  A thread that joins a thread which has ended goes on
 * at once to its next access: otherwise the end of main() would always take a round of its own.
 */
#include "explore/bound/turns.h"

#include "base/error.h"

static bool is_at_join(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return at[t] < s->length[t] && lp_graph_event(s->g, lp_schedule_next(s, at, t))->kind == LP_EV_JOIN && lp_schedule_can_step(s, at, t);
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
					more |= s->like[t] == s->like[number] && lp_turns_run_to(s, at, t, s->length[t]);
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
		LP_HOLDS(s->like[t] == s->like[number] && (given == t || (given == LP_NO_THREAD && !lp_turns_has_number(s, t))));
		s->turn[number] = t;
		lp_turns_run_to(s, next, t, s->length[t]);
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
	for (uint32_t t = 0; (t = lp_turns_next_for(s, number, t)) != LP_NO_THREAD; t++) {
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
	lp_turns_forget_numbers(s);
	return lp_turns_found(s, finish_rounds(s, 0, 0, 0));
}
