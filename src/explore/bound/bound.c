/* bound.c -- decides which graphs are within the bound. */
#include "explore/bound/bound.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explore/bound/free_places.h"
#include "explore/graph/grow.h"
#include "explore/graph/revisit.h"

struct lp_bound {
	struct lp_schedule s;
	struct lp_bound_facts *facts;
	bool grown; /* the permanent part has grown since the last test */
};

struct lp_bound *lp_bound_open(const struct lp_explorer *x)
{
	if (!x->options->bounds.facts)
		return NULL;
	struct lp_bound *b = lp_alloc_zero(1, sizeof *b);
	b->facts = x->options->bounds.facts;
	b->facts->cut = b->facts->outdated = false;
	return b;
}

void lp_bound_close(struct lp_bound *b)
{
	if (b)
		lp_schedule_close(&b->s);
	lp_free(b);
}

bool lp_bound_is_outdated(const struct lp_explorer *x)
{
	return x->walk.bound && x->walk.bound->facts->outdated;
}

/* ---- costs ---- */

static bool waits(void *closure, lp_eid read, struct lp_value value)
{
	const struct lp_explorer *x = closure;

	return !lp_op_holds(&x->ops.op.at[x->walk.bound->s.g->ev.at[read].op].op, value);
}

static struct lp_schedule *begin(struct lp_explorer *x)
{
	struct lp_schedule *s = &x->walk.bound->s;

	lp_schedule_begin(s, &lp_top(x)->g);
	for (uint32_t t = 0; x->options->reduce.symmetry && t < s->threads; t++)
		s->like[t] = s->g->threads.at[t].eldest;
	lp_bound_find_places(x, s);
	LP_HOLDS(s->g == &lp_top(x)->g && s->events == s->g->ev.count);
	s->waits = waits;
	s->closure = x;
	return s;
}

/* Leaves out operations that have not taken place, and iterations that are left out: these are not part
 * of the execution. */
static void leave_out_pending(struct lp_schedule *s)
{
	LP_HOLDS(s->threads == s->g->threads.count);
	for (uint32_t t = 0; t < s->threads; t++) {
		const struct lp_thread *th = &s->g->threads.at[t];
		const struct lp_note *last = s->length[t] == th->count && th->count ? lp_graph_note(s->g, LP_LAST(th)) : NULL;
		if (last && lp_stop_pends(last->stop))
			s->length[t] = th->count - 1;
		else if (last && last->stop == LP_STOP_SPINS)
			s->length[t] = last->since;
	}
}

static bool has_waits(const struct lp_schedule *s)
{
	for (lp_eid e = 0; e < s->events; e++)
		if (s->leave[e] == LP_LEAVE_IF_WAITS)
			return true;
	return false;
}

/* Is the part within the bound?  With `exact`, preemptions are counted exactly. */
static bool is_within(struct lp_explorer *x, struct lp_schedule *s, bool exact)
{
	const struct lp_explore_options *o = x->options;

	lp_schedule_relate(s);
	bool within = true;
	if (o->bounds.preemptions)
		within = lp_schedule_has_preemptions(s, o->bounds.preemptions - 1) &&
			 (!exact || !has_waits(s) || lp_schedule_has_exact_preemptions(s, o->bounds.preemptions - 1));
	if (within && o->bounds.delays)
		within = lp_schedule_find_delays(s, o->bounds.delays - 1) != LP_SCHEDULE_NONE; /* undecided: it is visited */
	if (within && o->bounds.rounds)
		within = lp_schedule_find_rounds(s, o->bounds.rounds) != LP_SCHEDULE_NONE;
	x->walk.bound->facts->cut |= !within;
	return within;
}

/* Is no reduction in use that relies on free switches? */
static bool is_strict(const struct lp_explore_options *o)
{
	return !o->reduce.helping && !o->reduce.attempts && !o->reduce.silent_rmw && !o->reduce.rereads && !o->reduce.twins;
}

static void join(struct lp_schedule *s, lp_eid e)
{
	lp_clock_join(s->length, lp_graph_clock(s->g, e, LP_CLOCK_PORF), s->threads);
}

static bool has_length(const struct lp_schedule *s, const struct lp_event *e)
{
	return e->index < s->length[e->thread];
}

void lp_bound_note(struct lp_explorer *x, lp_eid e)
{
	if (x->walk.bound && !x->walk.bound->grown)
		x->walk.bound->grown = !lp_revisit_is_maximal(&lp_top(x)->g, e, LP_NO_EVENT);
}

/* Leaves out events that may be removed otherwise than by a revisit: a thread's last read that may turn out to be a redundant
 * iteration (park.h). */
static void leave_out_last_looks(struct lp_schedule *s)
{
	leave_out_pending(s);
	for (uint32_t t = 0; t < s->threads; t++) {
		const struct lp_thread *th = &s->g->threads.at[t];
		if (s->length[t] && s->length[t] == th->count && lp_graph_event(s->g, LP_LAST(th))->kind == LP_EV_READ &&
		    lp_graph_note(s->g, LP_LAST(th))->live)
			s->length[t]--;
	}
}

enum revisit { ALLOWED, NOT_THIS_ONE, NONE_FROM_HERE };

/* Can r be the first read, in the order in which they were added, that will have been revisited? */
static enum revisit allows_revisit(struct lp_explorer *x, struct lp_schedule *s, lp_eid r, const bool *permanent)
{
	const struct lp_graph *g = s->g;

	memset(s->length, 0, sizeof *s->length * s->threads);
	memset(s->after, 0, sizeof *s->after * s->threads);
	for (lp_eid e = 0; e < g->ev.count; e++) {
		if (e < r || permanent[e])
			join(s, e);
		if (e > r && permanent[e])
			lp_clock_join(s->after, lp_graph_clock(g, e, LP_CLOCK_PORF), s->threads);
	}
	leave_out_last_looks(s);
	const struct lp_event *read = lp_graph_event(g, r);
	LP_HOLDS(read->kind == LP_EV_READ && !permanent[r]);
	/* When the read is revisited, its thread may wait or spin forever after it; then the read is not part
	 * of the execution.  The thread can be left freely there, but its next turn may be in another round. */
	s->later = s->length[read->thread] == read->index && !x->options->bounds.rounds ? r : LP_NO_EVENT;
	if (s->later == r)
		s->length[read->thread]++;
	for (uint32_t t = 0; t < s->threads; t++)
		s->after[t] = s->after[t] < s->length[t] ? s->after[t] : s->length[t];
	s->after[read->thread] = 0;
	LP_HOLDS(s->length[read->thread] <= g->threads.at[read->thread].count);
	if (is_within(x, s, false))
		return ALLOWED;
	if (s->later == LP_NO_EVENT)
		return NONE_FROM_HERE;
	s->later = LP_NO_EVENT;
	s->length[read->thread]--; /* without the read, the part is contained in that of every later read */
	return is_within(x, s, false) ? NOT_THIS_ONE : NONE_FROM_HERE;
}

bool lp_bound_allows(struct lp_explorer *x)
{
	if (!x->walk.bound || !x->walk.bound->grown || lp_top(x)->half != LP_NO_EVENT)
		return true;
	x->walk.bound->grown = false;
	const bool cut = x->walk.bound->facts->cut;
	struct lp_schedule *s = begin(x);
	const struct lp_graph *g = s->g;
	bool *permanent = lp_alloc_zero(g->ev.count + 1, sizeof *permanent), allowed = false;
	leave_out_last_looks(s);
	allowed = is_within(x, s, false);
	memset(s->length, 0, sizeof *s->length * s->threads);
	for (lp_eid e = 0; e < g->ev.count && !allowed; e++) {
		permanent[e] = !lp_revisit_is_maximal(g, e, LP_NO_EVENT);
		if (permanent[e])
			join(s, e);
	}
	for (lp_eid e = 0; e < g->ev.count; e++)
		permanent[e] |= !allowed && has_length(s, lp_graph_event(g, e));
	enum revisit now = allowed ? ALLOWED : NOT_THIS_ONE;
	for (lp_eid e = 0; e < g->ev.count && now == NOT_THIS_ONE; e++)
		if (g->ev.at[e].kind == LP_EV_READ && !permanent[e])
			now = allows_revisit(x, s, e, permanent);
	allowed = now == ALLOWED;
	LP_HOLDS(lp_top(x)->half == LP_NO_EVENT && s->events == g->ev.count);
	lp_free(permanent);
	x->walk.bound->facts->cut = cut || !allowed;
	return allowed;
}

bool lp_bound_admits(struct lp_explorer *x)
{
	if (!x->walk.bound)
		return true;
	struct lp_schedule *s = begin(x);
	leave_out_pending(s);
	return is_within(x, s, is_strict(x->options));
}

/* Restricts the part to the events on which the thread's error depends. */
static void restrict_to(struct lp_schedule *s, lp_tid t)
{
	const lp_eid last = lp_graph_last(s->g, t);

	memset(s->length, 0, sizeof *s->length * s->threads);
	if (last != LP_NO_EVENT)
		join(s, last);
}

bool lp_bound_admits_error(struct lp_explorer *x, lp_tid t)
{
	if (!x->walk.bound)
		return true;
	struct lp_schedule *s = begin(x);
	restrict_to(s, t);
	if (!is_within(x, s, false))
		return false;
	if (!is_strict(x->options) || !x->options->bounds.preemptions)
		return true;
	s = begin(x); /* begins again with all events: what other threads do before the error may
	               * save preemptions */
	leave_out_pending(s);
	s->goal = t;
	lp_schedule_relate(s);
	const bool within = lp_schedule_has_exact_preemptions(s, x->options->bounds.preemptions - 1);
	x->walk.bound->facts->cut |= !within;
	return within;
}

bool lp_bound_has_erred(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (lp_tid t = 0; x->walk.bound && t < g->threads.count; t++)
		if (g->threads.at[t].exists && lp_machine_pending(&x->machine, t)->kind == LP_OP_ERROR)
			return true;
	return false;
}

/* ---- the cheapest schedule of an error ---- */

static enum lp_schedule_found find_schedule(const struct lp_explore_options *o, struct lp_schedule *s, uint32_t cost)
{
	if (o->bounds.preemptions)
		return lp_schedule_has_exact_preemptions(s, cost) ? LP_SCHEDULE_FOUND : LP_SCHEDULE_NONE;
	return o->bounds.delays ? lp_schedule_find_delays(s, cost) : lp_schedule_find_rounds(s, cost);
}

/* Finds the cheapest schedule.  The cost is the exact number of preemptions, or the number of delays or rounds. */
static int find_cheapest(const struct lp_explore_options *o, struct lp_schedule *s)
{
	const uint32_t most = s->events + 1;
	enum lp_schedule_found found = LP_SCHEDULE_NONE;
	uint32_t cost = 0;

	lp_schedule_relate(s);
	while (cost < most && (found = find_schedule(o, s, cost)) == LP_SCHEDULE_NONE)
		cost++;
	return found == LP_SCHEDULE_FOUND ? (int)cost : -1;
}

/* Puts the operations of the schedule first, in its order, then the others. */
static void put_in_order(struct lp_explorer *x, const struct lp_schedule *s)
{
	struct lp_sequence *seq = &lp_top(x)->seq, old = { 0 };
	uint32_t *at = lp_alloc_zero(s->threads, sizeof *at);
	bool *done = lp_alloc_zero(s->events + 1, sizeof *done);

	for (uint32_t i = 0; i < seq->count; i++)
		LP_PUSH(&old, seq->at[i]);
	for (uint32_t i = 0; i < seq->count; i++)
		done[seq->at[i]] = true; /* not yet put into the sequence */
	seq->count = 0;
	for (uint32_t i = 0; i < s->path.count; i++) {
		const struct lp_block_end b = s->path.at[i];
		LP_HOLDS(b.thread < s->threads && b.position <= s->g->threads.at[b.thread].count);
		for (; at[b.thread] < b.position; at[b.thread]++) {
			const lp_eid e = s->g->threads.at[b.thread].at[at[b.thread]];
			if (done[e])
				LP_PUSH(seq, e);
			done[e] = false;
		}
	}
	for (uint32_t i = 0; i < old.count; i++)
		if (done[old.at[i]])
			LP_PUSH(seq, old.at[i]);
	LP_HOLDS(seq->count == old.count); /* the same operations in another order */
	lp_free(old.at);
	lp_free(at);
	lp_free(done);
}

/* Does the error depend on plain accesses or frees of other threads, which no event orders?  Then it may not be met in another order. */
static bool depends_on_order(enum lp_error_kind kind)
{
	return kind == LP_ERROR_RACE || kind == LP_ERROR_USE_AFTER_FREE || kind == LP_ERROR_DOUBLE_FREE || kind == LP_ERROR_INVALID_FREE ||
	       kind == LP_ERROR_OUT_OF_BOUNDS || kind == LP_ERROR_UNINITIALISED || kind == LP_ERROR_MUTEX || kind == LP_ERROR_THREAD;
}

void lp_bound_order(struct lp_explorer *x, lp_tid t, const struct lp_program_error *error)
{
	if (!x->walk.bound || depends_on_order(error->kind))
		return;
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op = g->threads.at[t].exists ? lp_program_pending(x->machine.program, t) : NULL;
	struct lp_schedule *s = begin(x);

	leave_out_pending(s);
	if (op && op->kind == LP_OP_ERROR && op->error == error) {
		if (x->options->bounds.preemptions)
			s->goal = t;
		else
			restrict_to(s, t);
	}
	x->walk.bound->facts->cost = find_cheapest(x->options, s);
	if (x->walk.bound->facts->cost >= 0)
		put_in_order(x, s);
}
