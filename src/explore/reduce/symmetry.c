/* symmetry.c -- explores one of the executions that differ only in the names of like threads. */
#include "explore/reduce/symmetry.h"

#include "base/error.h"
#include "explore/stops.h"
#include "graph/note.h"

/* Is the event an access to memory that its thread owns? */
static bool is_own(const struct lp_graph *g, const struct lp_event *e)
{
	return g->locs.at[e->loc].owner == e->thread + 1;
}

/* Are both locations in memory of the event's own thread, at the same place? */
static bool same_own(const struct lp_graph *g, const struct lp_event *a, const struct lp_event *b)
{
	return is_own(g, a) && is_own(g, b) && g->locs.at[a->loc].place == g->locs.at[b->loc].place;
}

/* Do both read from the same write, or each from the initial value of its own memory or its own
 * write? */
static bool same_source(const struct lp_graph *g, const struct lp_event *a,
			const struct lp_event *b)
{
	if (a->rf == b->rf)
		return true;
	if (a->rf >= LP_INIT || b->rf >= LP_INIT)
		return false;
	const struct lp_event *x = lp_graph_event(g, a->rf), *y = lp_graph_event(g, b->rf);
	return x->thread == a->thread && y->thread == b->thread && x->index == y->index;
}

/* Are the two events the same, and invisible to other threads?  Others see writes of a thread to its
 * own memory only after a write that passes on the address, or after the thread's end. */
static bool is_same(const struct lp_graph *g, lp_eid x, lp_eid y)
{
	const struct lp_event *a = lp_graph_event(g, x), *b = lp_graph_event(g, y);

	if (a->kind != b->kind || a->order != b->order)
		return false;
	switch ((enum lp_event_kind)a->kind) {
	case LP_EV_READ:
		return (a->loc == b->loc || same_own(g, a, b)) && a->bytes == b->bytes && a->rmw == b->rmw &&
		       a->spurious == b->spurious && 
		       lp_stop_pends(lp_graph_note(g, x)->stop) == lp_stop_pends(lp_graph_note(g, y)->stop) &&
		       same_source(g, a, b);
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
		return lp_value_equal(a->value, b->value);
	case LP_EV_FENCE:
	case LP_EV_END:
		return true;
	case LP_EV_WRITE:
		return same_own(g, a, b) && a->bytes == b->bytes && a->rmw == b->rmw;
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
		return false;
	}
	return false;
}

/* How many of the first events of the two threads are the same; at most `limit`. */
static uint32_t common(const struct lp_graph *g, uint32_t t, uint32_t u, uint32_t limit)
{
	const struct lp_thread *a = &g->threads.at[t], *b = &g->threads.at[u];
	uint32_t n = 0;

	LP_HOLDS(t != u && a->eldest == b->eldest);
	while (n < limit && n < a->count && n < b->count && is_same(g, a->at[n], b->at[n]))
		n++;
	return n;
}

/* The two threads have done the same before.  Can these events tell them apart? */
static bool is_comparable(const struct lp_graph *g, const struct lp_event *a,
			  const struct lp_event *b)
{
	if (a->kind != b->kind || a->bytes != b->bytes)
		return false;
	switch ((enum lp_event_kind)a->kind) {
	case LP_EV_READ: /* reads of each thread's own memory differ only if one fails spuriously */
		return a->loc == b->loc || (same_own(g, a, b) && same_source(g, a, b));
	case LP_EV_WRITE:
		return a->loc == b->loc;
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
		return true;
	case LP_EV_FENCE:
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return false;
	}
	return false;
}

void lp_symmetry_extend(struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	const uint32_t elder = g->threads.at[e->thread].elder;

	if (elder == LP_NO_THREAD)
		return;
	LP_HOLDS(elder < e->thread); /* lp_symmetry_accepts() searches for younger ones after it */
	const struct lp_thread *t = &g->threads.at[elder];
	uint32_t n = common(g, e->thread, elder, e->index + 1);
	if (n == e->index && n < t->count && is_comparable(g, e, lp_graph_event(g, t->at[n])))
		n++; /* its own counterpart is included */
	if (!n)
		return;
	const struct lp_event *last = lp_graph_event(g, t->at[n - 1]);
	if (n < t->count && last->rmw && last->kind == LP_EV_READ)
		n++; /* both events of an RMW are included */
	lp_clock_join(lp_graph_clock(g, id, LP_CLOCK_PORF),
		      lp_graph_clock(g, t->at[n - 1], LP_CLOCK_PORF), g->width);
}

/* The rank of the event in co: a read ranks directly above the write that it reads from. */
static uint32_t rank(const struct lp_graph *g, const struct lp_event *e)
{
	LP_HOLDS(e->kind == LP_EV_WRITE || (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT));
	return e->kind == LP_EV_WRITE ? e->pos : lp_graph_pos(g, e->rf);
}

/* The highest rank among the event and its counterparts on which its rf depends.  A counterpart is
 * in a like thread that has done the same before. */
static uint32_t height(const struct lp_graph *g, const struct lp_event *e)
{
	uint32_t highest = rank(g, e);

	if (e->kind != LP_EV_READ || e->rf >= LP_INIT)
		return highest;
	const uint32_t *past = lp_graph_clock(g, e->rf, LP_CLOCK_PORF);
	const uint32_t eldest = g->threads.at[e->thread].eldest;
	for (uint32_t u = 0; u < g->threads.count; u++) {
		if (u == e->thread || past[u] <= e->index || g->threads.at[u].eldest != eldest)
			continue;
		const struct lp_event *other = lp_graph_event(g, g->threads.at[u].at[e->index]);
		if (other->kind == LP_EV_READ && other->loc == e->loc && rank(g, other) > highest &&
		    common(g, e->thread, u, e->index) == e->index)
			highest = rank(g, other);
	}
	LP_HOLDS(highest <= g->locs.at[e->loc].co.count);
	return highest;
}

/* The two threads have done the same before.  Are their events at `index` in order, the elder's first?  True
 * if one is missing, or they cannot be compared. */
static bool in_order(const struct lp_graph *g, uint32_t elder, uint32_t younger, uint32_t index)
{
	const struct lp_thread *t = &g->threads.at[elder], *u = &g->threads.at[younger];

	if (index >= t->count || index >= u->count)
		return true;
	const struct lp_event *a = lp_graph_event(g, t->at[index]);
	const struct lp_event *b = lp_graph_event(g, u->at[index]);
	if (!is_comparable(g, a, b) || common(g, elder, younger, index) < index)
		return true;
	/* Chosen numbers and spurious failures are compared in the opposite direction, because the maximal
	 * choice of the younger thread (0, and not to fail) must always be in order. */
	if (lp_event_chooses(a))
		return a->value.lo >= b->value.lo;
	if (a->kind == LP_EV_READ && same_source(g, a, b))
		return a->spurious >= b->spurious;
	return height(g, a) <= height(g, b);
}

bool lp_symmetry_accepts(const struct lp_graph *g, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(g, id);
	LP_HOLDS(g->threads.at[e->thread].eldest <= e->thread);

	const struct lp_thread *threads = g->threads.at;
	for (uint32_t t = threads[e->thread].elder; t != LP_NO_THREAD; t = threads[t].elder)
		if (!in_order(g, t, e->thread, e->index))
			return false;
	for (uint32_t u = e->thread + 1; u < g->threads.count; u++) {
		if (threads[u].eldest != threads[e->thread].eldest || threads[u].elder == LP_NO_THREAD)
			continue;
		uint32_t t = threads[u].elder;
		while (t != LP_NO_THREAD && t != e->thread)
			t = threads[t].elder;
		if (t == e->thread && !in_order(g, t, u, e->index))
			return false;
	}
	return true;
}

bool lp_symmetry_follows(const struct lp_graph *g, uint32_t thread, uint32_t index)
{
	const uint32_t eldest = g->threads.at[thread].eldest;

	for (uint32_t t = thread + 1; t < g->threads.count; t++) {
		const struct lp_thread *other = &g->threads.at[t];
		if (!other->exists || other->eldest != eldest)
			continue;
		const uint32_t n = common(g, thread, t, index);
		if (n == index || n == other->count)
			return true;
	}
	return false;
}
