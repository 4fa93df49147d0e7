/* graph.c -- execution graphs. */
#include "graph/graph.h"

#include <assert.h>
#include <string.h>

#include "graph/note.h"

void lp_graph_open(struct lp_graph *g)
{
	memset(g, 0, sizeof *g);
	g->width = 4;
	lp_graph_need_thread(g, 0);
	g->threads.at[0].exists = true;
}

void lp_graph_close(struct lp_graph *g)
{
	for (uint32_t t = 0; t < g->threads.count; t++)
		lp_free(g->threads.at[t].at);
	for (uint32_t l = 0; l < g->locs.count; l++) {
		lp_free(g->locs.at[l].co.at);
		lp_free(g->locs.at[l].reads.at);
	}
	lp_free(g->ev.at);
	lp_free(g->threads.at);
	lp_free(g->locs.at);
	lp_free(g->used.at);
	lp_free(g->clocks);
	lp_free(g->notes);
	memset(g, 0, sizeof *g);
}

/* The thread that `spawn` starts exists from now on. */
static void begin_thread(struct lp_graph *g, lp_eid spawn)
{
	const struct lp_event *e = &g->ev.at[spawn];
	struct lp_thread *child = &g->threads.at[e->target];

	child->exists = true;
	child->spawn = spawn;
	child->elder = e->elder ? e->elder - 1 : LP_NO_THREAD;
	child->eldest = e->elder ? g->threads.at[e->elder - 1].eldest : e->target;
}

static void end_thread(struct lp_graph *g, uint32_t t)
{
	g->threads.at[t].exists = false;
	g->threads.at[t].spawn = LP_NO_EVENT;
	g->threads.at[t].elder = LP_NO_THREAD;
	g->threads.at[t].eldest = t;
}

void lp_graph_clear(struct lp_graph *g)
{
	g->ev.count = 0;
	for (uint32_t t = 0; t < g->threads.count; t++) {
		g->threads.at[t].count = 0;
		end_thread(g, t);
	}
	g->threads.at[0].exists = true;
	for (uint32_t i = 0; i < g->used.count; i++) {
		struct lp_loc *loc = &g->locs.at[g->used.at[i]];
		loc->used = false;
		loc->co.count = loc->reads.count = 0;
	}
	g->used.count = 0;
	g->sc_events = g->sc_fences = 0;
}

/* Reallocates clocks and notes for `width` threads and `room` events. */
static void resize_clocks(struct lp_graph *g, uint32_t width, uint32_t room)
{
	uint32_t *clocks = lp_alloc(sizeof *clocks * 3 * width * (room ? room : 1));
	const uint32_t filled = g->ev.count < g->room ? g->ev.count : g->room;

	if (room != g->room)
		g->notes = lp_realloc(g->notes, sizeof *g->notes * (room ? room : 1));
	for (size_t i = 0; i < 3 * (size_t)filled; i++) {
		memcpy(clocks + i * width, g->clocks + i * g->width, sizeof *clocks * g->width);
		memset(clocks + i * width + g->width, 0, sizeof *clocks * (width - g->width));
	}
	lp_free(g->clocks);
	g->clocks = clocks;
	g->width = width;
	g->room = room;
}

void lp_graph_need_thread(struct lp_graph *g, uint32_t t)
{
	for (uint32_t i = g->threads.count; i <= t; i++)
		LP_PUSH(&g->threads, (struct lp_thread){ .spawn = LP_NO_EVENT, .elder = LP_NO_THREAD, .eldest = i });
	if (t >= g->width)
		resize_clocks(g, (t + 4) & ~3u, g->room);
}

void lp_graph_need_loc(struct lp_graph *g, uint32_t loc)
{
	while (g->locs.count <= loc)
		LP_PUSH(&g->locs, (struct lp_loc){ 0 });
}

static void place_in_co(struct lp_graph *g, lp_eid w)
{
	struct lp_event *e = lp_graph_event(g, w);
	struct lp_loc *loc = &g->locs.at[e->loc];

	assert(e->pos >= 1 && e->pos <= loc->co.count + 1);
	LP_RESERVE(&loc->co, 1);
	for (uint32_t i = loc->co.count; i >= e->pos; i--) {
		loc->co.at[i] = loc->co.at[i - 1];
		g->ev.at[loc->co.at[i]].pos = i + 1;
	}
	loc->co.at[e->pos - 1] = w;
	loc->co.count++;
}

static void remove_from_co(struct lp_graph *g, lp_eid w)
{
	struct lp_event *e = lp_graph_event(g, w);
	struct lp_loc *loc = &g->locs.at[e->loc];

	assert(loc->co.at[e->pos - 1] == w);
	loc->co.count--;
	for (uint32_t i = e->pos - 1; i < loc->co.count; i++) {
		loc->co.at[i] = loc->co.at[i + 1];
		g->ev.at[loc->co.at[i]].pos = i + 1;
	}
}

/* Computes the clocks of `id` from those of its predecessors in po (or its thread's SPAWN), rf and
 * join edges. */
static void compute_clocks(struct lp_graph *g, lp_eid id, lp_eid before)
{
	const struct lp_event *e = lp_graph_event(g, id);
	uint32_t *porf = lp_graph_clock(g, id, LP_CLOCK_PORF);
	uint32_t *hb = lp_graph_clock(g, id, LP_CLOCK_HB);

	if (before != LP_NO_EVENT)
		lp_clock_copy(porf, lp_graph_clock(g, before, LP_CLOCK_PORF), 2 * g->width);
	else
		memset(porf, 0, sizeof *porf * 2 * g->width);
	porf[e->thread] = hb[e->thread] = e->index + 1;
	if (e->kind == LP_EV_READ && e->rf < LP_INIT)
		lp_clock_join(porf, lp_graph_clock(g, e->rf, LP_CLOCK_PORF), g->width);
	if (e->kind == LP_EV_JOIN) {
		const lp_eid end = LP_LAST(&g->threads.at[e->target]);
		assert(lp_graph_event(g, end)->kind == LP_EV_END);
		lp_clock_join(porf, lp_graph_clock(g, end, LP_CLOCK_PORF), g->width);
		lp_clock_join(hb, lp_graph_clock(g, end, LP_CLOCK_HB), g->width);
	}
}

/* Returns the location, after putting it into the list of locations in use. */
static struct lp_loc *use(struct lp_graph *g, uint32_t l)
{
	struct lp_loc *loc = &g->locs.at[l];

	if (!loc->used) {
		loc->used = true;
		LP_PUSH(&g->used, l);
	}
	return loc;
}

lp_eid lp_graph_add(struct lp_graph *g, const struct lp_event *proto)
{
	const lp_eid id = g->ev.count;
	struct lp_thread *t = &g->threads.at[proto->thread];
	const lp_eid before = lp_graph_last(g, proto->thread);

	assert(t->exists);
	LP_PUSH(&g->ev, *proto);
	if (id >= g->room)
		resize_clocks(g, g->width, 2 * id + 32);

	struct lp_event *e = &g->ev.at[id];
	g->notes[id] = (struct lp_note){ 0 };
	e->index = t->count;
	e->fence = t->count ? g->ev.at[before].fence : 0;
	LP_PUSH(t, id);

	switch ((enum lp_event_kind)e->kind) {
	case LP_EV_READ:
	case LP_EV_WRITE: {
		struct lp_loc *loc = use(g, e->loc);
		if (e->kind == LP_EV_READ)
			LP_PUSH(&loc->reads, id);
		else
			place_in_co(g, id);
		break;
	}
	case LP_EV_FENCE:
		if (lp_order_releases(e->order))
			e->fence = e->index + 1;
		g->sc_fences += e->order == LP_SC;
		break;
	case LP_EV_SPAWN: {
		lp_graph_need_thread(g, e->elder > e->target ? e->elder - 1 : e->target);
		assert(!g->threads.at[e->target].exists && !g->threads.at[e->target].count);
		begin_thread(g, id);
		break;
	}
	case LP_EV_JOIN:
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
	case LP_EV_END:
		break;
	}
	g->sc_events += e->order == LP_SC;
	compute_clocks(g, id, before);
	return id;
}

void lp_graph_pop(struct lp_graph *g)
{
	const lp_eid id = g->ev.count - 1;
	const struct lp_event *e = &g->ev.at[id];
	struct lp_thread *t = &g->threads.at[e->thread];

	assert(LP_LAST(t) == id);
	t->count--;
	if (lp_event_is_access(e)) {
		struct lp_loc *loc = &g->locs.at[e->loc];
		if (e->kind == LP_EV_READ) {
			assert(LP_LAST(&loc->reads) == id);
			loc->reads.count--;
		} else {
			remove_from_co(g, id);
		}
		if (!loc->reads.count && !loc->co.count) {
			/* The event to remove is the first on its location, so the location is the
			 * last in the list. */
			assert(LP_LAST(&g->used) == e->loc);
			loc->used = false;
			g->used.count--;
		}
	} else if (e->kind == LP_EV_SPAWN) {
		assert(!g->threads.at[e->target].count);
		end_thread(g, e->target);
	}
	g->sc_fences -= e->kind == LP_EV_FENCE && e->order == LP_SC;
	g->sc_events -= e->order == LP_SC;
	g->ev.count--;
}

void lp_graph_set_read(struct lp_graph *g, lp_eid r, const struct lp_event *shape)
{
	struct lp_event *e = lp_graph_event(g, r);

	assert(e->kind == LP_EV_READ && LP_LAST(&g->threads.at[e->thread]) == r);
	g->sc_events += (shape->order == LP_SC) - (uint32_t)(e->order == LP_SC);
	e->rf = shape->rf;
	e->value = shape->value;
	e->order = shape->order;
	e->rmw = shape->rmw;
	e->spurious = shape->spurious;
	e->faint = shape->faint;
	compute_clocks(g, r, lp_graph_before(g, e->thread, e->index));
}

/* Returns how many of the ids, which are sorted, are below `end`. */
static uint32_t count_below(const lp_eid *ids, uint32_t count, lp_eid end)
{
	while (count && ids[count - 1] >= end)
		count--;
	return count;
}

/* Copies the threads, with those of their events that are among the first `same` events of `from`. */
static void copy_threads(struct lp_graph *to, const struct lp_graph *from, uint32_t same)
{
	for (uint32_t t = 0; t < from->threads.count; t++) {
		const struct lp_thread *old = &from->threads.at[t];
		struct lp_thread *new = &to->threads.at[t];
		if (!old->exists || (old->spawn != LP_NO_EVENT && old->spawn >= same))
			continue;
		const uint32_t count = count_below(old->at, old->count, same);
		new->exists = true;
		new->spawn = old->spawn;
		new->elder = old->elder;
		new->eldest = old->eldest;
		LP_RESERVE(new, count);
		if (count)
			memcpy(new->at, old->at, sizeof *new->at * count);
		new->count = count;
	}
}

/* Puts the location into use in `to`, with its initial value in `from`. */
static struct lp_loc *use_loc(struct lp_graph *to, const struct lp_graph *from, uint32_t l)
{
	struct lp_loc *loc = &to->locs.at[l];

	if (!loc->used) {
		loc->used = true;
		loc->initial = from->locs.at[l].initial;
		loc->uninitialised = from->locs.at[l].uninitialised;
		loc->owner = from->locs.at[l].owner;
		loc->place = from->locs.at[l].place;
		LP_PUSH(&to->used, l);
	}
	return loc;
}

static bool has_write_below(const struct lp_loc *loc, lp_eid end)
{
	for (uint32_t i = 0; i < loc->co.count; i++)
		if (loc->co.at[i] < end)
			return true;
	return false;
}

/* Copies the locations that these events use, without co. */
static void copy_locs(struct lp_graph *to, const struct lp_graph *from, uint32_t same, const lp_eid *renamed)
{
	for (uint32_t i = 0; i < from->used.count; i++) {
		const struct lp_loc *old = &from->locs.at[from->used.at[i]];
		const uint32_t count = count_below(old->reads.at, old->reads.count, same);
		if (!count && !has_write_below(old, same))
			break; /* the other locations came into use later */
		struct lp_loc *loc = use_loc(to, from, from->used.at[i]);
		LP_RESERVE(&loc->reads, count);
		for (uint32_t r = 0; r < count; r++) {
			struct lp_event *e = &to->ev.at[old->reads.at[r]];
			loc->reads.at[r] = old->reads.at[r];
			if (e->rf < LP_INIT)
				e->rf = renamed[e->rf];
		}
		loc->reads.count = count;
	}
}

/* Copies the first `same` events with their clocks. These events keep their ids. */
static void copy_beginning(struct lp_graph *to, const struct lp_graph *from, uint32_t same, const lp_eid *renamed)
{
	memcpy(to->ev.at, from->ev.at, sizeof *to->ev.at * same);
	memcpy(to->notes, from->notes, sizeof *to->notes * same);
	memcpy(to->clocks, from->clocks, sizeof *to->clocks * 3 * to->width * same);
	copy_threads(to, from, same);
	copy_locs(to, from, same, renamed);
	for (lp_eid e = 0; from->sc_events && e < same; e++) {
		to->sc_fences += to->ev.at[e].kind == LP_EV_FENCE && to->ev.at[e].order == LP_SC;
		to->sc_events += to->ev.at[e].order == LP_SC;
	}
}

void lp_graph_restrict(struct lp_graph *to, const struct lp_graph *from,
		       const bool *keep, lp_eid *renamed)
{
	const uint32_t n = from->ev.count;
	uint32_t kept = 0, same = 0; /* usually all of the first events are kept */

	lp_graph_clear(to);
	if (from->threads.count)
		lp_graph_need_thread(to, from->threads.count - 1);
	if (from->locs.count)
		lp_graph_need_loc(to, from->locs.count - 1);
	if (to->width != from->width || to->room < n)
		resize_clocks(to, from->width, n + 32);
	LP_RESERVE(&to->ev, n);

	for (lp_eid e = 0; e < n; e++)
		renamed[e] = keep[e] ? kept++ : LP_NO_EVENT;
	while (same < n && keep[same])
		same++;
	if (same)
		copy_beginning(to, from, same, renamed);

	for (lp_eid old = same; old < n; old++) {
		if (!keep[old])
			continue;
		const lp_eid id = renamed[old];
		struct lp_event *e = &to->ev.at[id];
		*e = from->ev.at[old];
		to->notes[id] = from->notes[old];
		if (e->kind == LP_EV_READ && e->rf != LP_INIT)
			e->rf = e->rf == LP_NO_EVENT ? LP_NO_EVENT : renamed[e->rf];
		LP_PUSH(&to->threads.at[e->thread], id);
		if (e->kind == LP_EV_SPAWN)
			begin_thread(to, id);
		if (lp_event_is_access(e)) {
			struct lp_loc *loc = use_loc(to, from, e->loc);
			if (e->kind == LP_EV_READ)
				LP_PUSH(&loc->reads, id);
		}
		to->sc_fences += e->kind == LP_EV_FENCE && e->order == LP_SC;
		to->sc_events += e->order == LP_SC;
		lp_clock_copy(lp_graph_clock(to, id, 0), lp_graph_clock(from, old, 0), 3 * to->width);
	}
	to->ev.count = kept;
	for (uint32_t i = 0; i < to->used.count; i++) {
		struct lp_loc *loc = &to->locs.at[to->used.at[i]];
		const struct lp_loc *old = &from->locs.at[to->used.at[i]];
		for (uint32_t p = 0; p < old->co.count; p++) {
			if (!keep[old->co.at[p]])
				continue;
			LP_PUSH(&loc->co, renamed[old->co.at[p]]);
			to->ev.at[LP_LAST(&loc->co)].pos = loc->co.count;
		}
	}
}

void lp_graph_reserve(struct lp_graph *g, uint32_t events, uint32_t threads)
{
	assert(!g->ev.count);
	lp_graph_need_thread(g, threads ? threads - 1 : 0);
	if (g->room < events)
		resize_clocks(g, g->width, events + 32);
	LP_RESERVE(&g->ev, events);
}

/* Inserts write w into co according to its pos, among the writes that are there already. */
static void insert_in_co(struct lp_graph *g, lp_eid w)
{
	struct lp_loc *loc = &g->locs.at[g->ev.at[w].loc];
	uint32_t i = loc->co.count;

	LP_PUSH(&loc->co, w);
	for (; i && g->ev.at[loc->co.at[i - 1]].pos > g->ev.at[w].pos; i--)
		loc->co.at[i] = loc->co.at[i - 1];
	loc->co.at[i] = w;
}

void lp_graph_rebuild(struct lp_graph *g)
{
	for (lp_eid id = 0; id < g->ev.count; id++) {
		struct lp_event *e = &g->ev.at[id];
		struct lp_thread *t = &g->threads.at[e->thread];

		assert(t->exists);
		e->index = t->count;
		LP_PUSH(t, id);
		if (e->kind == LP_EV_SPAWN)
			begin_thread(g, id);
		if (lp_event_is_access(e)) {
			struct lp_loc *loc = use(g, e->loc);
			if (e->kind == LP_EV_READ)
				LP_PUSH(&loc->reads, id);
			else
				insert_in_co(g, id);
		}
		g->sc_fences += e->kind == LP_EV_FENCE && e->order == LP_SC;
		g->sc_events += e->order == LP_SC;
	}
	for (uint32_t i = 0; i < g->used.count; i++) {
		const struct lp_loc *loc = &g->locs.at[g->used.at[i]];
		for (uint32_t p = 0; p < loc->co.count; p++)
			g->ev.at[loc->co.at[p]].pos = p + 1;
	}
}
