/* turns.c -- round-robin schedules: turns, and the numbers of threads. */
#include "explore/bound/turns.h"

#include "base/error.h"

/* ---- turns ---- */

/* Performs lent operations.  Returns true if there was one. */
static bool lend(struct lp_schedule *s, uint32_t *at)
{
	bool any = false;

	for (uint32_t t = 0; s->lends && t < s->threads; t++) {
		const uint32_t before = at[t];
		while (lp_schedule_can_step(s, at, t) && s->leave[lp_schedule_next(s, at, t)] == LP_LEAVE_LENT)
			at[t]++;
		if (at[t] > before)
			lp_schedule_note(s, t, at[t]);
		any |= at[t] > before;
	}
	return any;
}

bool lp_turns_run_to(struct lp_schedule *s, uint32_t *at, uint32_t t, uint32_t end)
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

void lp_turns_forget_numbers(struct lp_schedule *s)
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

enum lp_schedule_found lp_turns_found(const struct lp_schedule *s, bool ended)
{
	if (!ended)
		return LP_SCHEDULE_NONE;
	LP_VALID(!s->tries || lp_schedule_is_path(s));
	return s->tries ? LP_SCHEDULE_FOUND : LP_SCHEDULE_UNDECIDED;
}

bool lp_turns_has_number(const struct lp_schedule *s, uint32_t thread)
{
	for (uint32_t number = 0; number < s->threads; number++)
		if (s->turn[number] == thread)
			return true;
	return false;
}

uint32_t lp_turns_next_for(const struct lp_schedule *s, uint32_t number, uint32_t t)
{
	if (s->turn[number] != LP_NO_THREAD)
		return t <= s->turn[number] ? s->turn[number] : LP_NO_THREAD;
	while (t < s->threads && (s->like[t] != s->like[number] || lp_turns_has_number(s, t)))
		t++;
	return t < s->threads ? t : LP_NO_THREAD;
}
