/* followers.c -- like threads that depend on a stale read only because they are like the thread that made it. */
#include "explore/reduce/stale/followers.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/graph/revisit.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/stale/ways_back.h"

struct followers {
	struct lp_explorer *x;
	const struct lp_graph *g;
	lp_eid bound;    /* the events added before this one are unchanged */
	uint32_t active; /* kinds of threads (lp_answers_kind()) */
};

static bool is_active(const struct followers *f, lp_tid thread)
{
	const struct lp_thread *t = &f->g->threads.at[thread];

	if (!t->count || LP_LAST(t) >= f->bound)
		return true;
	return lp_graph_event(f->g, LP_LAST(t))->kind != LP_EV_END &&
	       lp_machine_pending(&f->x->machine, thread)->kind != LP_OP_END;
}

/* From now on only the events added before `bound` count as unchanged. */
static void lower_bound(struct followers *f, lp_eid bound)
{
	LP_HOLDS(!f->active || bound <= f->bound);
	f->bound = bound;
	f->active = 0;
	for (lp_tid t = 0; t < f->g->threads.count; t++)
		if (f->g->threads.at[t].exists && is_active(f, t))
			f->active |= lp_answers_kind(f->g, t);
}

/* 5. */
static bool is_closed(const struct followers *f, uint32_t loc)
{
	return !f->x->ops.loc.at[loc].parts && lp_answers_rely_on_writers(f->x, loc, f->active);
}

/* A like thread takes the write that e reads. What has it done at the place where the thread of e
 * did b? */
enum follower { THE_SAME, ANYTHING, NO_FOLLOWER };

static enum follower follower_of(const struct followers *f, const struct lp_event *b)
{
	const struct lp_graph *g = f->g;

	if (b->kind == LP_EV_FENCE)
		return THE_SAME;
	if ((b->kind != LP_EV_READ && b->kind != LP_EV_WRITE) || b->bytes || b->spurious || lp_stop_pends(lp_note_of(g, b)->stop))
		return ANYTHING;
	if (g->locs.at[b->loc].owner == b->thread + 1)
		return b->kind == LP_EV_WRITE || b->rf == LP_INIT || lp_graph_event(g, b->rf)->thread == b->thread ? THE_SAME :
														     ANYTHING;
	if (b->kind == LP_EV_WRITE || !lp_answers_rely(f->x, b->loc, LP_ANSWERS_TWICE))
		return ANYTHING;
	return b->rmw ? NO_FOLLOWER : THE_SAME;
}

static bool has_active_below(const struct followers *f, lp_tid thread)
{
	for (lp_tid t = f->g->threads.at[thread].elder; t != LP_NO_THREAD; t = f->g->threads.at[t].elder)
		if (is_active(f, t))
			return true;
	return false;
}

/* 2. */
static bool is_taken_in_order(const struct followers *f, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(f->g, id);
	const struct lp_thread *t = &f->g->threads.at[e->thread];
	const uint32_t kind = lp_answers_kind(f->g, e->thread);
	enum follower follower = THE_SAME;

	if (kind == LP_ANSWERS_OTHERS || !e->rmw || e->bytes || (e->rf != LP_INIT && e->rf > id) || f->x->ops.loc.at[e->loc].parts ||
	    !lp_answers_rely_on_way(f->x, e->loc, e->value))
		return false;
	for (uint32_t i = 0; i < e->index && follower == THE_SAME; i++)
		follower = follower_of(f, lp_graph_event(f->g, t->at[i]));
	return follower != ANYTHING && !(follower == THE_SAME && has_active_below(f, e->thread)) &&
	       lp_answers_rely(f->x, e->loc, LP_ANSWERS_STORED) &&
	       lp_answers_rely_on_writers(f->x, e->loc, f->active & ~kind);
}

/* 3. */
static bool is_before_taken(const struct followers *f, lp_eid id)
{
	const struct lp_event *e = lp_graph_event(f->g, id);
	const lp_eid rmw = e->bytes ? LP_NO_EVENT : lp_explorer_rmw_reader(f->g, e->loc, e->rf, LP_NO_EVENT);

	return rmw != LP_NO_EVENT && rmw < f->bound && lp_graph_event(f->g, rmw)->thread == e->thread && rmw > id &&
	       is_taken_in_order(f, rmw);
}

/* The last read of the location of e that its thread has made before, from event number `from` on, as 1 + its index; 0 if there is none. */
static uint32_t read_before(const struct followers *f, const struct lp_event *e, uint32_t from)
{
	for (uint32_t i = e->index; i > from; i--) {
		const struct lp_event *a = lp_graph_event(f->g, f->g->threads.at[e->thread].at[i - 1]);
		if (a->kind == LP_EV_READ && a->loc == e->loc)
			return i;
	}
	return 0;
}

/* 4. */
static bool is_doomed_without(const struct followers *f, lp_eid id)
{
	const struct lp_event e = *lp_graph_event(f->g, id);
	const struct lp_op *op = &f->x->ops.op.at[e.op].op;
	struct lp_back ways;

	if (lp_stop_pends(lp_graph_note(f->g, id)->stop) || op->otherwise != LP_ELSE_FAIL || op->internal)
		return false;
	lp_back_open(&ways, f->x, e.thread);
	ways.frozen = id;
	ways.to = e.index;
	ways.gone = true;
	ways.from = lp_back_only_reads_from(&ways, e.index);
	ways.homes = e.index - ways.from + 1;
	const uint32_t before = read_before(f, &e, ways.from);
	LP_HOLDS(!before || (before > ways.from && before - ways.from < ways.homes));
	const bool doomed = before && lp_answers_rely(f->x, e.loc, LP_ANSWERS_TWICE) && lp_back_from(&ways, e.index, true) &&
			    !(ways.came >> (before - ways.from));
	if (doomed)
		lp_back_record(&ways);
	lp_back_close(&ways);
	return doomed;
}

bool lp_followers_keep(struct lp_explorer *x, lp_eid r)
{
	struct followers f = { .x = x, .g = &lp_top(x)->g };
	struct lp_back ways;
	bool keeps = lp_answers_rely_on_threads(x);

	LP_HOLDS(lp_graph_event(f.g, r)->kind == LP_EV_READ);
	lp_back_open(&ways, x, 0); /* to find `witnessed` */
	lower_bound(&f, r);
	for (lp_eid e = r; keeps && e-- > 0;) {
		const struct lp_event *ev = lp_graph_event(f.g, e);
		if (ev->kind != LP_EV_READ || lp_graph_porf(f.g, e, r) || lp_clock_has(ways.witnessed, ev) ||
		    !lp_revisit_is_maximal(f.g, e, LP_NO_EVENT))
			continue;
		if (is_closed(&f, ev->loc) || is_taken_in_order(&f, e) || is_before_taken(&f, e))
			continue;
		keeps = is_doomed_without(&f, e);
		lower_bound(&f, e);
	}
	lp_back_close(&ways);
	return keeps;
}
