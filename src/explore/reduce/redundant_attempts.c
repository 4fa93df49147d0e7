/* redundant_attempts.c -- attempts under locks that changed nothing. */
#include "explore/reduce/redundant_attempts.h"

#include "base/error.h"

enum { LOCKS = 64 }; /* the most locks that an iteration may have taken */

static bool is_on_lock(const struct lp_explorer *x, const struct lp_event *e)
{
	return e->kind == LP_EV_WRITE && x->ops.op.at[e->op].op.lock;
}

/* Going backwards through the iteration: the locks that were given back and whose taking was not
 * met yet. */
struct given_back {
	uint32_t loc[LOCKS], count;
	bool any;
};

/* Handles an event that takes a lock, or gives it back. Returns false if the lock is not restored,
 * or if there are too many locks. */
static bool meet(struct given_back *b, const struct lp_event *e)
{
	uint32_t i = 0;

	while (i < b->count && b->loc[i] != e->loc)
		i++;
	if (e->rmw ? i == b->count : i < b->count || i == LOCKS)
		return false;
	b->any = true;
	LP_HOLDS(b->count <= LOCKS);
	if (e->rmw)
		b->loc[i] = b->loc[--b->count];
	else
		b->loc[b->count++] = e->loc;
	return true;
}

bool lp_is_redundant_attempt(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	struct given_back back;

	if (!live || !x->options->reduce.attempts || !x->ops.locks)
		return false;
	back.count = 0; /* checking stops here, because this is called before each operation */
	back.any = false;
	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (is_on_lock(x, e) ? !meet(&back, e) : !lp_explorer_changes_nothing(g, t, i))
			return false;
		LP_HOLDS(back.any || !back.count);
		if (back.count || lp_graph_note(g, t->at[i])->live != live)
			continue;
		return back.any && !lp_plains_wrote_since(&x->machine.plains, thread, i + 1) &&
		       lp_explorer_leaves_out(x, thread, i, t->count);
	}
	return false;
}

bool lp_may_be_attempt(const struct lp_explorer *x, lp_tid thread, uint32_t i)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *t = &g->threads.at[thread];

	return lp_explorer_changes_nothing(g, t, i) ||
	       (x->options->reduce.attempts && is_on_lock(x, lp_graph_event(g, t->at[i])));
}

/* Is the write part of the iteration after which its thread stopped as redundant? */
static bool is_in_last_iteration(const struct lp_graph *g, const struct lp_event *write)
{
	const struct lp_note *last = lp_graph_note(g, LP_LAST(&g->threads.at[write->thread]));

	return last->stop == LP_STOP_SPINS && write->index >= last->since;
}

bool lp_attempt_is_settled(const struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = lp_graph_note(g, LP_LAST(t))->since; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (!is_on_lock(x, e))
			continue;
		const struct lp_loc *loc = &g->locs.at[e->loc];
		for (uint32_t n = 0; n < loc->co.count; n++) {
			const struct lp_event *later = lp_graph_event(g, loc->co.at[n]);
			LP_HOLDS(later->pos == n + 1);
			if (later->pos > e->pos && !is_in_last_iteration(g, later))
				return false;
		}
	}
	return true;
}
