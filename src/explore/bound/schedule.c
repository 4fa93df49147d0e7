/* schedule.c -- the order of events that every schedule respects, and the steps of a search for a
 * schedule. */
#include "explore/bound/schedule_search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "graph/parts.h"

void lp_schedule_begin(struct lp_schedule *s, const struct lp_graph *g)
{
	s->g = g;
	s->threads = g->threads.count;
	s->events = g->ev.count;
	s->goal = LP_NO_THREAD;
	s->later = LP_NO_EVENT;
	if (s->room_threads < s->threads) {
		s->room_threads = 2 * s->threads;
		s->length = lp_realloc(s->length, sizeof *s->length * s->room_threads);
		s->after = lp_realloc(s->after, sizeof *s->after * s->room_threads);
		s->like = lp_realloc(s->like, sizeof *s->like * s->room_threads);
		s->turn = lp_realloc(s->turn, sizeof *s->turn * s->room_threads);
	}
	if (s->room_events < s->events) {
		s->room_events = 2 * s->events;
		s->leave = lp_realloc(s->leave, sizeof *s->leave * s->room_events);
	}
	for (uint32_t t = 0; t < s->threads; t++) {
		s->length[t] = g->threads.at[t].exists ? g->threads.at[t].count : 0;
		s->like[t] = s->turn[t] = t;
	}
	memset(s->leave, LP_LEAVE_COSTS, s->events);
}

void lp_schedule_close(struct lp_schedule *s)
{
	lp_free(s->length);
	lp_free(s->after);
	lp_free(s->like);
	lp_free(s->turn);
	lp_free(s->leave);
	lp_free(s->need);
	lp_free(s->positions.at);
	lp_free(s->path.at);
	lp_seen_close(&s->seen);
}

/* ---- what comes before what ---- */

static bool has(const struct lp_schedule *s, lp_eid e)
{
	const struct lp_event *ev = lp_graph_event(s->g, e);

	return ev->index < s->length[ev->thread];
}

/* Event e comes after `before`, if both are in the part. */
static void follows(struct lp_schedule *s, lp_eid e, lp_eid before)
{
	if (before >= LP_INIT || !has(s, before) || !has(s, e))
		return;
	LP_HOLDS(e < s->events && before < s->events && e != before);
	const struct lp_event *ev = lp_graph_event(s->g, before);
	uint32_t *need = &s->need[(size_t)e * s->threads + ev->thread];
	*need = *need > ev->index ? *need : ev->index + 1;
}

/* A read comes after its rf, and before the writes that overwrite this.  For a location that is accessed in parts, all pairs
 * of accesses are examined. */
static void relate_parts(struct lp_schedule *s, const struct lp_loc *loc)
{
	const struct lp_graph *g = s->g;

	for (uint32_t i = 0; i < loc->co.count; i++) {
		const lp_eid w = loc->co.at[i];
		const struct lp_event *write = lp_graph_event(g, w);
		for (uint32_t j = 0; j < i; j++)
			if (lp_overlap(write, lp_graph_event(g, loc->co.at[j])))
				follows(s, w, loc->co.at[j]);
		for (uint32_t j = 0; j < loc->reads.count; j++) {
			const lp_eid r = loc->reads.at[j];
			const struct lp_event *read = lp_graph_event(g, r);
			if (read->rf == LP_NO_EVENT || r == s->later || !lp_overlap(write, read))
				continue;
			if (write->pos <= lp_graph_pos(g, read->rf))
				follows(s, r, w);
			else
				follows(s, w, r);
		}
	}
}

static void relate_location(struct lp_schedule *s, const struct lp_loc *loc)
{
	lp_eid before = LP_INIT;

	for (uint32_t i = 0; i < loc->co.count; i++) {
		if (!has(s, loc->co.at[i]))
			continue;
		follows(s, loc->co.at[i], before);
		before = loc->co.at[i];
	}
	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const lp_eid r = loc->reads.at[i];
		const lp_eid rf = lp_graph_event(s->g, r)->rf;
		if (rf == LP_NO_EVENT || r == s->later || !has(s, r))
			continue;
		follows(s, r, rf);
		uint32_t pos = lp_graph_pos(s->g, rf) + 1;
		while (pos <= loc->co.count && !has(s, lp_graph_at(loc, pos)))
			pos++;
		if (pos <= loc->co.count)
			follows(s, lp_graph_at(loc, pos), r);
	}
}

/* An RMW is performed as a whole: its read also comes after all events after which its write comes. */
static void join_rmw(struct lp_schedule *s, lp_eid write)
{
	const struct lp_event *ev = lp_graph_event(s->g, write);
	const lp_eid read = lp_graph_before(s->g, ev->thread, ev->index);
	uint32_t *need = &s->need[(size_t)read * s->threads];
	LP_HOLDS(lp_graph_event(s->g, read)->rmw && lp_graph_event(s->g, read)->kind == LP_EV_READ);

	for (uint32_t t = 0; t < s->threads; t++) {
		const uint32_t also = s->need[(size_t)write * s->threads + t];
		if (t != ev->thread && also > need[t])
			need[t] = also;
	}
}

void lp_schedule_relate(struct lp_schedule *s)
{
	const struct lp_graph *g = s->g;
	const size_t size = (size_t)s->events * s->threads;

	for (uint32_t t = 0; t < s->threads; t++)
		LP_HOLDS(s->length[t] <= g->threads.at[t].count);

	if (s->room_need < size) {
		s->room_need = 2 * (uint32_t)size;
		s->need = lp_realloc(s->need, sizeof *s->need * s->room_need);
	}
	if (size)
		memset(s->need, 0, sizeof *s->need * size);
	LP_HOLDS(s->goal == LP_NO_THREAD || s->goal < s->threads);
	s->lends = s->events && memchr(s->leave, LP_LEAVE_LENT, s->events);
	for (uint32_t t = 0; t < s->threads; t++)
		if (s->length[t] && g->threads.at[t].spawn != LP_NO_EVENT)
			follows(s, g->threads.at[t].at[0], g->threads.at[t].spawn);
	for (uint32_t i = 0; i < g->used.count; i++) {
		const struct lp_loc *loc = &g->locs.at[g->used.at[i]];
		const bool parts = (loc->co.count && g->ev.at[loc->co.at[0]].bytes) ||
				   (loc->reads.count && g->ev.at[loc->reads.at[0]].bytes);
		if (parts)
			relate_parts(s, loc);
		else
			relate_location(s, loc);
	}
	for (lp_eid e = 0; e < s->events; e++) {
		const struct lp_event *ev = lp_graph_event(g, e);
		if (ev->kind == LP_EV_JOIN)
			follows(s, e, lp_graph_last(g, ev->target));
		else if (ev->kind == LP_EV_WRITE && ev->rmw && has(s, e))
			join_rmw(s, e);
	}
	if (s->later != LP_NO_EVENT)
		lp_clock_join(&s->need[(size_t)s->later * s->threads], s->after, s->threads);
}

/* ---- steps of a search ---- */

bool lp_schedule_can_step(const struct lp_schedule *s, const uint32_t *at, uint32_t t)
{
	if (at[t] >= s->length[t])
		return false;
	LP_HOLDS(t < s->threads);
	const uint32_t *need = &s->need[(size_t)lp_schedule_next(s, at, t) * s->threads];
	for (uint32_t i = 0; i < s->threads; i++)
		if (need[i] > at[i] && i != t)
			return false;
	return true;
}

bool lp_schedule_is_done(const struct lp_schedule *s, const uint32_t *at)
{
	return !memcmp(at, s->length, sizeof *at * s->threads);
}

bool lp_schedule_is_path(const struct lp_schedule *s)
{
	uint32_t *at = lp_alloc_zero(s->threads + 1, sizeof *at);
	bool good = true;

	for (uint32_t i = 0; i < s->path.count && good; i++) {
		const struct lp_block_end *b = &s->path.at[i];
		for (good = b->thread < s->threads && at[b->thread] <= b->position; good && at[b->thread] < b->position; at[b->thread]++)
			good = lp_schedule_can_step(s, at, b->thread);
	}
	good = good && (s->goal == LP_NO_THREAD ? lp_schedule_is_done(s, at) : at[s->goal] == s->length[s->goal]);
	lp_free(at);
	return good;
}

uint32_t *lp_schedule_start(struct lp_schedule *s, uint32_t limit)
{
	LP_HOLDS(s->g->ev.count == s->events && s->g->threads.count == s->threads);
	s->limit = limit;
	s->tries = UINT32_MAX;
	s->path.count = 0;
	lp_seen_clear(&s->seen);
	uint32_t *at = lp_schedule_at(s, 0);
	memset(at, 0, sizeof *at * s->threads);
	return at;
}

uint32_t *lp_schedule_at(struct lp_schedule *s, uint32_t depth)
{
	while (s->positions.count < (depth + 1) * s->threads)
		LP_PUSH(&s->positions, 0);
	return &s->positions.at[(size_t)depth * s->threads];
}

uint32_t *lp_schedule_descend(struct lp_schedule *s, uint32_t depth)
{
	uint32_t *next = lp_schedule_at(s, depth + 1); /* which may move the others */

	LP_HOLDS(s->positions.count >= (depth + 2) * s->threads);
	return memcpy(next, lp_schedule_at(s, depth), sizeof *next * s->threads);
}

bool lp_schedule_enters(struct lp_schedule *s, const uint32_t *at, uint32_t current, uint32_t used)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	for (uint32_t t = 0; t < s->threads; t++)
		lp_fingerprint_word(&print, (uint64_t)s->turn[t] << 32 | at[t]);
	lp_fingerprint_word(&print, current);
	if (lp_seen_number(&s->seen, print) <= used)
		return false;
	lp_seen_put(&s->seen, print, used);
	return true;
}
