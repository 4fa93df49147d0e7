/* retry.c -- iterations that leave a trace only where it is overwritten. */
#include "explore/retry.h"

#include "explore/grow.h"

enum { BYTES = 128 }; /* that an iteration may have left; more are not looked at */

/* What an iteration has left, and is not yet overwritten. */
struct trace {
	uintptr_t byte[BYTES];
	uint32_t count;
	bool lost; /* some of it was read, or there is too much */
};

static void leave(struct trace *r, uintptr_t loc, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint32_t n = 0;
		while (n < r->count && r->byte[n] != loc + i)
			n++;
		if (n == BYTES) {
			r->lost = true;
			return;
		}
		r->byte[n] = loc + i;
		r->count += n == r->count;
	}
}

static void meet(struct trace *r, uintptr_t loc, size_t size, bool write)
{
	uint32_t kept = 0;

	for (uint32_t n = 0; n < r->count; n++) {
		if (r->byte[n] - loc >= size)
			r->byte[kept++] = r->byte[n];
		else if (!write)
			r->lost = true;
	}
	if (write)
		r->count = kept;
}

bool lp_is_own_write(const struct lp_explorer *x, const struct lp_event *e)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;

	return e->kind == LP_EV_WRITE && lp_own_has(&x->machine.own, e->thread, op->loc, op->size);
}

/* May the event be part of such an iteration? */
static bool is_harmless(const struct lp_explorer *x, const struct lp_event *e)
{
	switch ((enum lp_event_kind)e->kind) {
	case LP_EV_READ:
	case LP_EV_FENCE:
	case LP_EV_CHOOSE:
		return true;
	case LP_EV_WRITE:
		return lp_is_own_write(x, e);
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return false;
	}
	return false;
}

/* Walks through the thread's accesses to its memory, plain ones and events in the order in
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
	const struct lp_own *own = &x->machine.own;
	uint32_t i = own->accesses.count;

	while (i > 0 && (own->accesses.at[i - 1].thread != t || own->accesses.at[i - 1].index > index))
		i--;
	return (struct walk){ x, &lp_top(x)->g, t, index, i };
}

/* The next plain access that comes before the next event, or NULL. */
static const struct lp_own_access *next_plain(struct walk *w)
{
	const struct lp_own *own = &w->x->machine.own;

	while (w->access < own->accesses.count && own->accesses.at[w->access].thread != w->thread)
		w->access++;
	if (w->access == own->accesses.count || own->accesses.at[w->access].index > w->index)
		return NULL;
	return &own->accesses.at[w->access++];
}

/* The iteration, which ends before event `end`: what does it leave? */
static void walk_iteration(struct walk *w, uint32_t end, struct trace *left)
{
	for (;; w->index++) {
		for (const struct lp_own_access *a; (a = next_plain(w));)
			if (a->write)
				leave(left, a->loc, a->size);
		if (w->index == end)
			return;
		const lp_eid id = w->g->threads.at[w->thread].at[w->index];
		const struct lp_event *e = lp_graph_event(w->g, id);
		const struct lp_op *op = &w->x->ops.op.at[e->op].op;
		if (e->kind == LP_EV_WRITE)
			leave(left, op->loc, op->size);
	}
}

/* What came after it, before event `end`: what of that is overwritten? */
static void walk_on(struct walk *w, uint32_t end, struct trace *left)
{
	for (;; w->index++) {
		for (const struct lp_own_access *a; (a = next_plain(w));)
			meet(left, a->loc, a->size, a->write);
		if (w->index == end)
			return;
		const lp_eid id = w->g->threads.at[w->thread].at[w->index];
		const struct lp_event *e = lp_graph_event(w->g, id);
		const struct lp_op *op = &w->x->ops.op.at[e->op].op;
		if (e->kind == LP_EV_READ || e->kind == LP_EV_WRITE)
			meet(left, op->loc, op->size, e->kind == LP_EV_WRITE);
	}
}

/* Has the thread just overwritten, or is it about to, some memory of its own? */
static bool overwrites(const struct lp_explorer *x, lp_tid t, uint32_t count, const struct lp_op *op)
{
	if (op->kind == LP_OP_STORE)
		return lp_own_has(&x->machine.own, t, op->loc, op->size);
	return lp_own_wrote_since(&x->machine.own, t, count);
}

/* Is nothing left of the iteration from event i to event j? */
static bool is_overwritten(struct lp_explorer *x, lp_tid t, uint32_t i, uint32_t j,
			   const struct lp_op *op)
{
	struct walk w = walk_from(x, t, i);
	struct trace left = { .count = 0 };

	walk_iteration(&w, j, &left);
	walk_on(&w, w.g->threads.at[t].count, &left);
	if (op->kind == LP_OP_STORE)
		meet(&left, op->loc, op->size, true);
	return !left.lost && !left.count;
}

bool lp_retries(struct lp_explorer *x, lp_tid thread, const struct lp_op *op)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t low = t->count;

	if (!x->machine.own.on || !t->count || !overwrites(x, thread, t->count, op))
		return false;
	while (low > 0 && is_harmless(x, lp_graph_event(g, t->at[low - 1])))
		low--;
	for (uint32_t j = t->count; j-- > low;) {
		const uint32_t live = lp_graph_event(g, t->at[j])->live;
		uint32_t i = j;
		while (live && i-- > low) {
			if (lp_graph_event(g, t->at[i])->live != live)
				continue;
			if (is_overwritten(x, thread, i, j, op) && lp_leaves_out(x, thread, i, j))
				return true;
			break; /* from further back more would be left */
		}
	}
	return false;
}
