/* schedule_search.h -- inside schedule.h: the steps of a search for a schedule.
 *
 * Where a search is, is a clock: for each thread how many of its events have been performed. */
#ifndef LP_EXPLORE_BOUND_SCHEDULE_SEARCH_H
#define LP_EXPLORE_BOUND_SCHEDULE_SEARCH_H

#include "explore/bound/schedule.h"

/* Begins a search, with nothing performed. */
uint32_t *lp_schedule_start(struct lp_schedule *, uint32_t limit);

/* The clock at that depth, valid until a deeper one is asked for; and a copy of it, one deeper. */
uint32_t *lp_schedule_at(struct lp_schedule *, uint32_t depth);
uint32_t *lp_schedule_descend(struct lp_schedule *, uint32_t depth);

/* Has what the thread's next event comes after been performed? */
bool lp_schedule_can_step(const struct lp_schedule *, const uint32_t *at, uint32_t thread);
bool lp_schedule_is_done(const struct lp_schedule *, const uint32_t *at);

/* False if the search was there at no higher cost, with the same thread having run last. */
bool lp_schedule_enters(struct lp_schedule *, const uint32_t *at, uint32_t current, uint32_t used);

static inline lp_eid lp_schedule_next(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return s->g->threads.at[t].at[at[t]];
}

static inline bool lp_schedule_is_access(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	const struct lp_event *e = lp_graph_event(s->g, lp_schedule_next(s, at, t));

	return e->kind == LP_EV_READ || e->kind == LP_EV_WRITE;
}

/* Has the thread ended, or may it be left here, as far as costs other than the exact one are concerned? */
static inline bool lp_schedule_is_free(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	return at[t] == s->length[t] || s->leave[lp_schedule_next(s, at, t)] != LP_LEAVE_COSTS;
}

/* Performs what the thread can.  True if that is something. */
static inline bool lp_schedule_run(const struct lp_schedule *s, uint32_t *at, uint32_t t)
{
	const uint32_t before = at[t];

	while (lp_schedule_can_step(s, at, t))
		at[t]++;
	return at[t] > before;
}

static inline void lp_schedule_note(struct lp_schedule *s, uint32_t thread, uint32_t position)
{
	LP_PUSH(&s->path, (struct lp_block_end){ thread, position });
}

#endif
