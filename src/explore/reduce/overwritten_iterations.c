/* overwritten_iterations.c -- iterations whose only writes are overwritten later. */
#include "explore/reduce/overwritten_iterations.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/reduce/facts/answers.h"

enum { BYTES = 128 }; /* the most bytes that an iteration may have written */

/* The bytes that an iteration has written, and that are not overwritten yet. */
struct trace {
	struct {
		uintptr_t at;
		bool stored; /* an event has written them; otherwise a plain write */
	} byte[BYTES];
	uint32_t count;
	bool lost; /* some of the bytes were read, or overwritten in another manner, or there are
	            * too many */
};

static void leave(struct trace *r, bool stored, uintptr_t loc, size_t size)
{
	for (size_t i = 0; i < size && !r->lost; i++) {
		uint32_t n = 0;
		while (n < r->count && r->byte[n].at != loc + i)
			n++;
		r->lost = n == BYTES || (n < r->count && r->byte[n].stored != stored);
		if (n == r->count && !r->lost) {
			r->byte[n].at = loc + i;
			r->byte[n].stored = stored;
			r->count++;
		}
	}
}

static void meet(struct trace *r, bool stored, uintptr_t loc, size_t size, bool write)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < r->count; n++) {
		if (r->byte[n].at - loc >= size)
			r->byte[kept++] = r->byte[n];
		else if (!write || r->byte[n].stored != stored || size == SIZE_MAX)
			r->lost = true;
	}
	LP_HOLDS(kept <= r->count && r->count <= BYTES);
	if (write)
		r->count = kept;
}

bool lp_overwritten_is_own_write(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;

	return e->kind == LP_EV_WRITE && lp_own_has(&x->machine.own, e->thread, op->loc, op->size);
}

/* Is the event invisible to other threads? */
static bool is_unseen(const struct lp_machine *m, const struct lp_event *e)
{
	const struct lp_op *op = &m->ops->op.at[e->op].op;

	switch ((enum lp_event_kind)e->kind) {
	case LP_EV_READ:
	case LP_EV_FENCE:
	case LP_EV_CHOOSE:
	case LP_EV_CALL:
		return true;
	case LP_EV_WRITE:
		return lp_own_has(&m->own, e->thread, op->loc, op->size);
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return false;
	}
	return false;
}

/* May the event be part of such an iteration? */
static bool may_be_left_out(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;

	if (e->kind != LP_EV_WRITE)
		return is_unseen(&x->machine, e);
	if (e->rmw && x->options->reduce.undone)
		return true; /* if the write is taken back */
	return !x->options->reduce.stores_seen && op->kind == LP_OP_STORE && op->loop && !op->internal && !op->lock &&
	       (op->order != LP_PLAIN || is_unseen(&x->machine, e));
}

/* ---- what may be seen ---- */

static bool is_known(const struct lp_graph *g, lp_eid by, const struct lp_event *e)
{
	return by != LP_NO_EVENT && lp_clock_has(lp_graph_clock(g, by, LP_CLOCK_HB), e);
}

/* Is the event a read that may miss a store of another thread, or a store that a read of another thread may miss? */
static bool may_overtake(const struct lp_graph *g, const struct lp_event *e)
{
	const struct lp_loc *loc = &g->locs.at[e->loc];

	if (e->kind == LP_EV_READ) {
		const lp_eid before = lp_graph_before(g, e->thread, e->index);
		for (uint32_t i = 0; i < loc->co.count; i++) {
			const struct lp_event *s = lp_graph_event(g, loc->co.at[i]);
			if (!s->rmw && s->thread != e->thread && !is_known(g, before, s))
				return true;
		}
	} else if (e->kind == LP_EV_WRITE && !e->rmw) {
		for (uint32_t i = 0; i < loc->reads.count; i++) {
			const struct lp_event *r = lp_graph_event(g, loc->reads.at[i]);
			if (r->thread != e->thread && !is_known(g, g->threads.at[e->thread].spawn, r))
				return true;
		}
	}
	return false;
}

void lp_overwritten_note(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);

	if ((e->kind != LP_EV_READ && e->kind != LP_EV_WRITE) || !x->ops.loc.at[e->loc].restored ||
	    !may_overtake(g, e))
		return;
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	lp_omitted_spoil(&x->machine.omitted, op->loc, op->size);
}

/* ---- iterations ---- */

/* Walks through the thread's accesses, plain ones and events in the order in
 * which they took place.  Plain accesses with index i lie between event i - 1 and event i. */
struct walk {
	const struct lp_explorer *x;
	const struct lp_graph *g;
	lp_tid thread;
	uint32_t index, access; /* the next event, and where to look for plain accesses */
};

/* Begins before event `index`, after the plain accesses there. */
static struct walk walk_from(struct lp_explorer *x, lp_tid t, uint32_t index)
{
	const struct lp_plains *plains = &x->machine.plains;
	uint32_t i = plains->count;

	LP_HOLDS(index <= lp_top(x)->g.threads.at[t].count);
	while (i > 0 && (plains->at[i - 1].thread != t || plains->at[i - 1].index > index))
		i--;
	return (struct walk){ x, &lp_top(x)->g, t, index, i };
}

/* The next plain access that comes before the next event, or NULL. */
static const struct lp_plain_access *next_plain(struct walk *w)
{
	const struct lp_plains *plains = &w->x->machine.plains;

	while (w->access < plains->count &&
	       (plains->at[w->access].thread != w->thread || plains->at[w->access].apart))
		w->access++;
	if (w->access == plains->count || plains->at[w->access].index > w->index)
		return NULL;
	return &plains->at[w->access++];
}

static const struct lp_event *event_of(const struct walk *w)
{
	LP_HOLDS(w->index < w->g->threads.at[w->thread].count);
	return lp_graph_event(w->g, w->g->threads.at[w->thread].at[w->index]);
}

/* Walks through the iteration, which ends before event `end`, and collects the bytes that it
 * writes. */
static void walk_iteration(struct walk *w, uint32_t end, struct trace *left)
{
	for (;; w->index++) {
		for (const struct lp_plain_access *a; (a = next_plain(w));)
			if (a->write)
				leave(left, false, a->loc, a->size);
		if (w->index == end)
			return;
		const struct lp_event *e = event_of(w);
		const struct lp_op *op = &w->x->ops.op.at[e->op].op;
		if (e->kind == LP_EV_WRITE && !e->rmw)
			leave(left, true, op->loc, op->size);
	}
}

/* Walks on to event `end`, and removes the bytes that are overwritten. */
static void walk_on(struct walk *w, uint32_t end, struct trace *left)
{
	for (;; w->index++) {
		for (const struct lp_plain_access *a; (a = next_plain(w));)
			meet(left, false, a->loc, a->size, a->write);
		if (w->index == end)
			return;
		const struct lp_event *e = event_of(w);
		const struct lp_op *op = &w->x->ops.op.at[e->op].op;
		if (e->kind == LP_EV_READ || e->kind == LP_EV_WRITE)
			meet(left, true, op->loc, op->size, e->kind == LP_EV_WRITE);
	}
}

/* Are all bytes overwritten that the iteration from event i to event j has written? */
static bool is_overwritten(struct lp_explorer *x, lp_tid t, uint32_t i, uint32_t j,
			   const struct lp_op *op)
{
	struct walk w = walk_from(x, t, i);
	struct trace left = { .count = 0 };

	LP_HOLDS(i < j && j < w.g->threads.at[t].count);
	walk_iteration(&w, j, &left);
	walk_on(&w, w.g->threads.at[t].count, &left);
	if (op->kind == LP_OP_STORE)
		meet(&left, true, op->loc, op->size, true);
	return !left.lost && !left.count;
}

/* Uses condition 4 for what the iteration stored.  Returns false if another thread may read it. */
static bool relies_on(struct lp_explorer *x, lp_tid t, uint32_t i, uint32_t j)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (; i < j; i++) {
		const struct lp_event *e = lp_graph_event(g, g->threads.at[t].at[i]);
		const struct lp_op *op = &x->ops.op.at[e->op].op;
		if (e->kind != LP_EV_WRITE || e->rmw)
			continue;
		if (!lp_omitted_relies(&x->machine.omitted, op->loc, op->size))
			return false;
		if (x->answers && !lp_overwritten_is_own_write(x, e))
			lp_answers_see_again(x, e->loc);
	}
	return true;
}

/* Has the thread just overwritten something, or is it about to? */
static bool overwrites(const struct lp_explorer *x, lp_tid t, uint32_t count, const struct lp_op *op)
{
	return op->kind == LP_OP_STORE || lp_plains_wrote_since(&x->machine.plains, t, count);
}

/* The index of the first event that may be the end of such an iteration: other threads see no event of the
 * thread after it. */
static uint32_t first_end(struct lp_explorer *x, const struct lp_thread *t)
{
	const struct lp_graph *g = &lp_top(x)->g;
	uint32_t i = t->count;

	while (i > 0 && is_unseen(&x->machine, lp_graph_event(g, t->at[i - 1])))
		i--;
	return i;
}

/* Finds, for each event from `first` on, 1 + the last event before it in the same live state, or 0 if
 * there is none, or an event between the two may not be left out.  One pass: threads
 * with long loops would spend most of the time here otherwise. */
static const uint32_t *begins_of(struct lp_explorer *x, const struct lp_thread *t, uint32_t first)
{
	const struct lp_graph *g = &lp_top(x)->g;
	uint32_t low = first, since;

	while (low > 0 && may_be_left_out(x, lp_graph_event(g, t->at[low - 1])))
		low--;
	while (x->scratch.recent.count <= x->ops.live.count / 2)
		LP_PUSH(&x->scratch.recent, 0);
	x->scratch.same.count = 0;
	since = low; /* after the last event that may not be left out */
	for (uint32_t i = low; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const uint32_t live = lp_graph_note(g, t->at[i])->live;
		uint32_t *recent = &x->scratch.recent.at[live];
		if (i >= first)
			LP_PUSH(&x->scratch.same, live && *recent > since ? *recent : 0);
		*recent = i + 1;
		if (!may_be_left_out(x, e))
			since = i + 1;
	}
	for (uint32_t i = low; i < t->count; i++)
		x->scratch.recent.at[lp_graph_note(g, t->at[i])->live] = 0;
	return x->scratch.same.at;
}

bool lp_overwritten_retries(struct lp_explorer *x, lp_tid thread, const struct lp_op *op)
{
	const struct lp_thread *t = &lp_top(x)->g.threads.at[thread];

	if (!x->machine.own.on || !t->count || !overwrites(x, thread, t->count, op))
		return false;
	const uint32_t first = first_end(x, t);
	const uint32_t *begin = begins_of(x, t, first);
	for (uint32_t j = t->count; j-- > first;) {
		const uint32_t i = begin[j - first]; /* an earlier beginning would leave more bytes */
		LP_HOLDS(i <= j);
		if (i && is_overwritten(x, thread, i - 1, j, op) && lp_undone_restores(x, thread, i - 1, j) &&
		    relies_on(x, thread, i - 1, j) && lp_explorer_leaves_out(x, thread, i - 1, j))
			return true;
	}
	return false;
}
