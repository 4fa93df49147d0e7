/* schedule_search.h -- internal to schedule.h: the steps of a search for a schedule.
 *
 * A position of the search is a clock `at`: at[t] is the number of events that thread t has performed so far.  The search
 * is recursive, and stores one position for each depth of the recursion (lp_schedule.positions). */
#ifndef LP_EXPLORE_BOUND_SCHEDULE_SEARCH_H
#define LP_EXPLORE_BOUND_SCHEDULE_SEARCH_H

#include "explore/bound/schedule.h"

/* Starts a new search for a schedule that costs at most `limit`.  Returns the position at depth 0, in which no event has been
 * performed. */
uint32_t *lp_schedule_start(struct lp_schedule *, uint32_t limit);

/* Returns the position at `depth`.  The pointer is valid until a position at a greater depth is requested. */
uint32_t *lp_schedule_at(struct lp_schedule *, uint32_t depth);

/* Copies the position at `depth` to depth + 1, and returns the copy. */
uint32_t *lp_schedule_descend(struct lp_schedule *, uint32_t depth);

/* Returns true if the thread can perform its next event: it has one, and all events of other threads that must come before
 * that event have been performed. */
bool lp_schedule_can_step(const struct lp_schedule *, const uint32_t *at, uint32_t thread);

/* Returns true if all threads have performed all of their events in the part (schedule.h). */
bool lp_schedule_is_done(const struct lp_schedule *, const uint32_t *at);

/* Records that the search has reached the position `at` at cost `used`.  For preemptions, `current` is the thread that ran
 * last, or LP_NO_THREAD if leaving this thread costs nothing.  For delays and rounds, `current` is the number whose turn it is.  Returns
 * false if the search has already reached this position with the same `current` and the same numbers of threads (lp_schedule.turn), at the
 * same or a lower cost: then there is nothing new to find. */
bool lp_schedule_enters(struct lp_schedule *, const uint32_t *at, uint32_t current, uint32_t used);

/* Returns true if `path` is a schedule: each block can be performed after the blocks before it, and together they contain all events
 * of the part (or, if there is a goal, all events of the goal thread).  For assertions. */
bool lp_schedule_is_path(const struct lp_schedule *);

/* Returns the next event of thread t in the graph.  There must be one. */
static inline lp_eid lp_schedule_next(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return s->g->threads.at[t].at[at[t]];
}

/* Returns true if the next event of thread t is an access. */
static inline bool lp_schedule_is_access(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return lp_event_is_access(lp_graph_event(s->g, lp_schedule_next(s, at, t)));
}

/* Returns true if switching away from thread t is free: the thread has ended, or its next event is not LP_LEAVE_COSTS.  The
 * search for the exact number of preemptions has a stricter rule (schedule.h), and does not use this function. */
static inline bool lp_schedule_is_free(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return at[t] == s->length[t] || s->leave[lp_schedule_next(s, at, t)] != LP_LEAVE_COSTS;
}

/* Lets thread t perform events until it cannot continue.  Returns true if it has performed at least one. */
static inline bool lp_schedule_run(const struct lp_schedule *s, uint32_t *at, uint32_t t)
{
	const uint32_t before = at[t];

	while (lp_schedule_can_step(s, at, t))
		at[t]++;
	return at[t] > before;
}

/* Appends a block to the schedule found so far: `thread` runs until it has performed `position` events. */
static inline void lp_schedule_note(struct lp_schedule *s, uint32_t thread, uint32_t position)
{
	LP_PUSH(&s->path, (struct lp_block_end){ thread, position });
}

#endif
