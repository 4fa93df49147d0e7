/* delays.c -- schedules of few delays (Emmi, Qadeer and Rakamaric, "Delay-Bounded Scheduling", POPL 2011).
 *
 * The scheduler visits the numbers in turn.  At each visit the thread of that number performs some events, or none.  The visit costs a
 * delay if it leaves the thread at a place where this is not free; threads that have ended, or have not been started, cost nothing.
 *
 * Where a visit leaves a thread.  Let m be the last place that the thread can reach, and f the last place up to m where it can be left freely.
 * Claim: if the thread starts no other threads, only f and m need be tried; if there is no f, only m.  (If the thread is already at f, going to f
 * means to perform nothing.)  Let a cheapest schedule leave the thread at p.
 *   - If p is f or comes before f, let this visit go to f, and let later visits leave the thread there until the schedule has passed f.  These visits
 *     cost nothing.
 *   - Otherwise p is not free, nor is any place after it up to m.  Let this visit go to m, and let later visits leave the thread there until
 *     the schedule has passed m.  Each of these visits costs a delay in the schedule, too.
 * In each case the thread has performed at least as many events as in the cheapest schedule, so what the other threads do is still possible.  If the
 * thread starts other threads, performing more events may cost delays, because the scheduler then passes over the new threads earlier.  In this case
 * all free places are tried, and also performing nothing.
 *
 * Turns in any order.  Numbers of like threads are chosen during the search (turns.h), and there are many ways to do so.  A first search therefore
 * lets like threads take their turns in any order, which may differ from round to round.  If even this search finds no schedule within the limit,
 * there is none with fixed numbers either.  In this search, the order of visits to threads that perform nothing does not matter: the cost of these
 * visits is counted when the last number of these like threads has been visited.  A thread that may have been started after its visit is not counted.
 *
 * If the scheduler passes over a number that no thread has yet, the second search counts the cost for the cheapest thread without a number: before
 * their first events all of these are in the same place, unless some are not in the part at all.
 */
#include "base/error.h"
#include "explore/bound/turns.h"

/* ---- visits ---- */

/* The event that starts the thread, or NULL. */
static const struct lp_event *start_of(const struct lp_schedule *s, uint32_t t)
{
	const lp_eid spawn = s->g->threads.at[t].spawn;

	return spawn == LP_NO_EVENT ? NULL : lp_graph_event(s->g, spawn);
}

/* Can the scheduler pass over the thread at no cost? */
static bool is_passed_over(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	const struct lp_event *start = start_of(s, t);

	return (start && at[start->thread] <= start->index) || lp_schedule_is_free(s, at, t);
}

/* Does the thread still have to start another one? */
static bool starts_others(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	for (uint32_t u = 0; u < s->threads; u++) {
		const struct lp_event *start = start_of(s, u);
		if (start && start->thread == t && start->index >= at[t])
			return true;
	}
	return false;
}

/* A visit of a thread, from the position at `depth`. */
struct visit {
	uint32_t thread, depth, from;
	uint32_t mark;  /* of the path */
	uint32_t last;  /* where it was left last */
	bool starts;    /* the thread starts others */
	bool left;      /* a place where it can be left freely was among those so far */
};

static struct visit begin_visit(const struct lp_schedule *s, uint32_t depth, const uint32_t *at, uint32_t t)
{
	return (struct visit){ t, depth, at[t], s->path.count, UINT32_MAX, starts_others(s, at, t), false };
}

/* Makes the position at the next depth one where the visit may leave the thread.  Returns false if there is no further one. */
static bool next_place(struct lp_schedule *s, struct visit *v)
{
	uint32_t *next = lp_schedule_descend(s, v->depth);
	const uint32_t t = v->thread;

	s->path.count = v->mark;
	if (v->last == UINT32_MAX) {
		lp_turns_run_to(s, next, t, s->length[t]);
		v->last = next[t];
		v->left = lp_schedule_is_free(s, next, t);
		return v->last > v->from;
	}
	if (v->left && !v->starts)
		return false;
	for (next[t] = v->last - 1; next[t] > v->from; next[t]--)
		if (lp_schedule_is_free(s, next, t))
			break;
	if (next[t] <= v->from)
		return false;
	v->left = true;
	v->last = next[t];
	next[t] = v->from;
	lp_turns_run_to(s, next, t, v->last);
	return true;
}

/* After all places: may it be better to let the thread perform nothing? */
static bool may_stay(struct lp_schedule *s, const struct visit *v)
{
	return v->starts || (!v->left && lp_schedule_is_free(s, lp_schedule_at(s, v->depth), v->thread));
}

/* ---- turns in any order ---- */

enum { MOST_THREADS = 64 };

struct turn {
	uint32_t number; /* the threads that are like this one are visited next */
	uint32_t used;   /* delays so far */
	uint64_t had;    /* a bit for each thread that has been visited in this round */
};

static bool may_finish(struct lp_schedule *s, uint32_t depth, struct turn);

/* Like lp_schedule_enters(). */
static bool enters(struct lp_schedule *s, const uint32_t *at, struct turn turn)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	for (uint32_t t = 0; t < s->threads; t++)
		lp_fingerprint_word(&print, (uint64_t)turn.number << 32 | at[t]);
	lp_fingerprint_word(&print, turn.had);
	if (lp_seen_number(&s->seen, print) <= turn.used)
		return false;
	lp_seen_put(&s->seen, print, turn.used);
	return true;
}

static uint32_t last_number(const struct lp_schedule *s, uint32_t like)
{
	uint32_t number = s->threads - 1;

	while (s->like[number] != like)
		number--;
	return number;
}

/* May the thread have been started in this round, after its visit? */
static bool may_be_new(const struct lp_schedule *s, uint64_t had, uint32_t t)
{
	const struct lp_event *start = start_of(s, t);

	return start && had >> start->thread & 1 && last_number(s, s->like[start->thread]) > s->like[t];
}

/* Visits the thread.  `*must` becomes true if it is best that it performs something. */
static bool may_finish_with(struct lp_schedule *s, uint32_t depth, struct turn turn, uint32_t t, bool *must)
{
	struct visit v = begin_visit(s, depth, lp_schedule_at(s, depth), t);
	struct turn then = { turn.number, 0, turn.had | UINT64_C(1) << t };

	while (next_place(s, &v)) {
		const uint32_t *next = lp_schedule_at(s, depth + 1);
		then.used = turn.used + !lp_schedule_is_free(s, next, t);
		if (lp_schedule_is_done(s, next) || may_finish(s, depth + 1, then))
			return true;
	}
	*must |= v.last > v.from && !may_stay(s, &v) && !may_be_new(s, turn.had, t);
	return false;
}

/* Visits one of the threads whose turn it is, or goes on to the next numbers. */
static bool may_finish(struct lp_schedule *s, uint32_t depth, struct turn turn)
{
	uint32_t cost = 0, next = turn.number;
	bool must = false;

	if (turn.used > s->limit || !enters(s, lp_schedule_at(s, depth), turn))
		return false;
	for (uint32_t t = 0; t < s->threads; t++) {
		if (s->like[t] != s->like[turn.number] || turn.had >> t & 1)
			continue;
		cost += !is_passed_over(s, lp_schedule_at(s, depth), t) && !may_be_new(s, turn.had, t);
		if (may_finish_with(s, depth, turn, t, &must))
			return true;
	}
	while (next < s->threads && s->like[next] == s->like[turn.number])
		next++;
	if (next <= last_number(s, s->like[turn.number]))
		cost = 0; /* there are further numbers of these threads */
	lp_schedule_descend(s, depth);
	const struct turn then = { next % s->threads, turn.used + cost, next == s->threads ? 0 : turn.had };
	return !must && may_finish(s, depth + 1, then);
}

/* Would the limit be enough if like threads could take each other's turns, in any order? */
static bool may_have_delays(struct lp_schedule *s, uint32_t limit)
{
	const uint32_t *at = lp_schedule_start(s, limit);

	return s->threads > MOST_THREADS || lp_schedule_is_done(s, at) || may_finish(s, 0, (struct turn){ 0 });
}

/* ---- turns in the order of numbers ---- */

static bool finish(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used);

static bool finish_with(struct lp_schedule *s, uint32_t depth, uint32_t number, uint32_t used, bool *must)
{
	const uint32_t t = s->turn[number];
	struct visit v = begin_visit(s, depth, lp_schedule_at(s, depth), t);
	LP_HOLDS(number < s->threads && s->like[t] == s->like[number] && used <= s->limit);

	while (next_place(s, &v))
		if (finish(s, depth + 1, number, used))
			return true;
	*must &= v.last > v.from && !may_stay(s, &v);
	return false;
}

static bool finish(struct lp_schedule *s, uint32_t depth, uint32_t current, uint32_t used)
{
	if (lp_schedule_is_done(s, lp_schedule_at(s, depth)))
		return true;
	if (!lp_schedule_enters(s, lp_schedule_at(s, depth), current, used))
		return false;
	if (!--s->tries)
		return true;
	for (uint32_t i = 0; i < s->threads && used <= s->limit; i++) {
		const uint32_t number = (current + i) % s->threads, given = s->turn[number];
		bool costs = true, must = true;
		for (uint32_t t = 0; (t = lp_turns_next_for(s, number, t)) != LP_NO_THREAD; t++) {
			costs &= !is_passed_over(s, lp_schedule_at(s, depth), t);
			s->turn[number] = t;
			if (finish_with(s, depth, number, used, &must))
				return true;
			s->turn[number] = given;
		}
		if (must)
			return false;
		used += costs;
	}
	return false;
}

enum lp_schedule_found lp_schedule_find_delays(struct lp_schedule *s, uint32_t limit)
{
	if (!may_have_delays(s, limit))
		return LP_SCHEDULE_NONE;
	lp_schedule_start(s, limit);
	lp_turns_forget_numbers(s);
	return lp_turns_found(s, finish(s, 0, 0, 0));
}
