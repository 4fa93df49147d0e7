/* stale.c -- abandons graphs in which a thread's attempt relies on an outdated read, so that the attempt
 * can only fail. */
#include "explore/reduce/stale/stale.h"

#include <string.h>

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/graph/revisit.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/reduce/stale/followers.h"
#include "explore/reduce/stale/ways_back.h"
#include "explore/reduce/symmetry.h"

/* Condition 1. */
static bool is_frozen(const struct lp_back *s, lp_eid r)
{
	const struct lp_event *e = lp_graph_event(s->g, r);
	const struct lp_loc *loc = &s->g->locs.at[e->loc];

	LP_HOLDS(e->kind == LP_EV_READ && e->rf != LP_NO_EVENT && e->thread == s->thread);
	if (!lp_revisit_is_maximal(s->g, r, LP_NO_EVENT))
		return true;
	for (uint32_t pos = lp_graph_pos(s->g, e->rf); pos < loc->co.count; pos++)
		if (lp_clock_has(s->witnessed, lp_graph_event(s->g, loc->co.at[pos])))
			return true;
	return false;
}

/* Is there a read of another thread, not in F, that was added after r and before e? */
static bool may_be_taken_out(const struct lp_back *s, lp_eid e)
{
	for (lp_eid i = s->frozen + 1; i < e; i++) {
		const struct lp_event *other = lp_graph_event(s->g, i);
		if (other->thread != s->thread && other->kind == LP_EV_READ && !lp_back_in_f(s, i))
			return true;
	}
	return false;
}

/* Is the event one without an answer: a fence, or a store to the thread's own memory (lp_back_find_left())? */
static bool is_passed(const struct lp_event *e)
{
	return e->kind == LP_EV_FENCE || (e->kind == LP_EV_WRITE && !e->rmw);
}

/* Does the thread come back if one of its reads from `from` on gets another answer? */
static bool comes_back(struct lp_back *s, uint32_t from)
{
	const struct lp_thread *t = &s->g->threads.at[s->thread];

	for (uint32_t i = from; i < s->to; i++) {
		const struct lp_event *e = lp_back_event(s, i);
		LP_HOLDS(is_passed(e) || e->kind == LP_EV_READ);
		if (is_passed(e))
			continue;
		if (e->rmw || (!s->followed && may_be_taken_out(s, t->at[i])) || !lp_back_from(s, i, !s->followed))
			return false;
	}
	return true;
}

/* The thread is stuck because of a redundant reread, its last event.  Can it only get the answer that it has? */
static bool is_answered_alike(struct lp_back *s, uint32_t from)
{
	const struct lp_event *b = lp_back_event(s, from);
	const struct lp_op *op = &s->x->ops.op.at[b->op].op;
	struct lp_back_answers a;

	LP_HOLDS(from + 1 == s->to && lp_back_note(s, from)->stop == LP_STOP_REREADS);
	s->u = from;
	memcpy(s->known[0], lp_graph_clock(s->g, s->frozen, LP_CLOCK_HB), sizeof *s->known[0] * s->g->width);
	if ((!s->followed && may_be_taken_out(s, LP_LAST(&s->g->threads.at[s->thread]))) ||
	    !lp_back_answers(s, op, b->loc, !s->followed, s->known[0], &a))
		return false;
	return !a.count || (a.count == 1 && lp_value_equal(a.at[0].value, b->value));
}

/* Does the thread also fail if a like thread that depends on the frozen read has revisited events of F? */
static bool fails_if_followed(struct lp_back *s, uint32_t index, bool (*always)(struct lp_back *, uint32_t from))
{
	const uint32_t accesses = s->room.accesses.count, clocks = s->room.clocks.count;
	const uint64_t came = s->came;

	s->followed = LP_BACK_FOLLOWED;
	if (lp_back_is_taken_first(s))
		s->followed = LP_BACK_TAKEN;
	s->visited_count = 0;
	if (always(s, index + 1))
		return true;
	LP_HOLDS(s->room.accesses.count >= accesses && s->room.clocks.count >= clocks);
	s->room.accesses.count = accesses; /* accesses from these attempts must not be recorded */
	s->room.clocks.count = clocks;
	s->came = came;
	return false;
}

/* Does the thread fail with all answers to its reads after the frozen one, which is event number
 * `index`? */
static bool fails(struct lp_back *s, uint32_t index, bool (*always)(struct lp_back *, uint32_t from))
{
	LP_HOLDS(index < s->to && s->g->threads.at[s->thread].at[index] == s->frozen);
	if (!always(s, index + 1))
		return false;
	return !s->x->options->reduce.symmetry || !lp_symmetry_follows(s->g, s->thread, index) ||
	       fails_if_followed(s, index, always) || (lp_catch_up(s->x) && lp_followers_keep(s->x, s->frozen));
}

/* Finds the last frozen read of the iteration. */
static bool find_frozen(struct lp_back *s, uint32_t *index)
{
	for (uint32_t i = s->to; i-- > s->from;) {
		const struct lp_event *e = lp_back_event(s, i);
		if (is_passed(e))
			continue;
		if (e->kind != LP_EV_READ || e->rmw)
			return false;
		s->frozen = s->g->threads.at[s->thread].at[i];
		*index = i;
		if (is_frozen(s, s->frozen))
			return true;
	}
	return false;
}

/* Is the iteration stale?  The thread is stuck at the end of a redundant iteration. */
static bool is_stale_iteration(struct lp_back *s)
{
	uint32_t r;

	if (!lp_back_note(s, s->from)->live || !lp_back_find_left(s) || !find_frozen(s, &r))
		return false;
	return fails(s, r, comes_back);
}

static bool is_stale_reread(struct lp_back *s)
{
	s->frozen = s->g->threads.at[s->thread].at[s->to - 2];
	return is_frozen(s, s->frozen) && fails(s, s->to - 2, is_answered_alike);
}

static bool is_used(const struct lp_explorer *x)
{
	const struct lp_program *p = x->machine.program;

	return x->answers && x->options->reduce.stale && x->options->reduce.careful == LP_CARELESS && x->machine.omitted.facts &&
	       !x->options->races_ignored && p->class->noise && !p->unseen;
}

bool lp_is_stale(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	const struct lp_note *last = lp_graph_note(g, LP_LAST(t));

	if (!is_used(x) || !(last->stop == LP_STOP_SPINS || last->stop == LP_STOP_REREADS))
		return false;
	struct lp_back s;
	lp_back_open(&s, x, thread);
	s.to = t->count;
	if (last->stop != LP_STOP_REREADS)
		s.from = last->since;
	LP_HOLDS(s.from < s.to && (last->stop != LP_STOP_REREADS || s.to >= 2));
	const bool stale = last->stop == LP_STOP_REREADS ? is_stale_reread(&s) : is_stale_iteration(&s);
	if (stale)
		lp_back_record(&s);
	lp_back_close(&s);
	return stale;
}

/* ---- before the iteration is made ---- */

/* May the thread have read from an outdated write since its iteration began?  If not, it has no frozen read. */
static bool may_be_stale(const struct lp_graph *g, const struct lp_thread *t)
{
	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (!lp_back_is_quiet(e))
			return false;
		if (e->kind == LP_EV_READ && (e->spurious || lp_graph_pos(g, e->rf) != g->locs.at[e->loc].co.count))
			return true;
	}
	return false;
}

/* Was the thread in this live state before one of its last events, which are reads and fences? */
static bool was_in(const struct lp_graph *g, const struct lp_thread *t, uint32_t live)
{
	for (uint32_t i = t->count; i-- > 0 && lp_back_is_quiet(lp_graph_event(g, t->at[i]));)
		if (lp_graph_note(g, t->at[i])->live == live)
			return true;
	return false;
}

/* The thread's last event is a read that is not performed yet.  Does the thread soon succeed if each read after it gets the last value of its
 * location?  This is among the answers with which lp_back_after_last() tries the reads, so then the thread does not come back.  Most searches
 * end in this way, and this one is much quicker: it needs no clocks, and only follows steps that are remembered. */
static bool succeeds_with_last(struct lp_explorer *x, const struct lp_event *e, uint32_t live)
{
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_local_step key = { .live = live, .op = e->op, .value = e->value, .spurious = e->spurious };

	for (uint32_t i = 0; i < LP_BACK_DEPTH; i++) {
		const struct lp_local_step *step = lp_local_step_find(&x->local, &key);
		if (!step || !step->known || step->read_count || step->writes || step->stores || was_in(g, &g->threads.at[e->thread], step->next))
			return false;
		const struct lp_op *op = &x->ops.op.at[step->next_op].op;
		const uint32_t l = x->ops.op.at[step->next_op].loc;
		if (l >= g->locs.count || !g->locs.at[l].used || x->ops.loc.at[l].parts)
			return true; /* its answers are not known */
		const struct lp_loc *loc = &g->locs.at[l];
		key = (struct lp_local_step){ .live = step->next, .op = step->next_op, .value = lp_graph_value(g, l, loc->co.count, 0) };
		if (op->kind == LP_OP_RMW && lp_op_holds(op, key.value) && !(x->silent_rmw && lp_op_is_silent(op, key.value)))
			return lp_explorer_rmw_reader(g, l, lp_graph_at(loc, loc->co.count), LP_NO_EVENT) == LP_NO_EVENT;
	}
	return false;
}

/* Does the thread come back after its last event, and also if one of its reads from `from` on gets
 * another answer? */
static bool comes_back_later(struct lp_back *s, uint32_t from)
{
	if (!lp_back_after_last(s)) /* this is checked first, because it is the most frequent reason why a thread does
	                             * not come back */
		return false;
	s->visited_count = 0; /* the states visited so far were visited with fewer possible answers */
	return comes_back(s, from);
}

/* Is it known without a trial that the thread does not come back after the read, or that the read may
 * be an error? */
static bool goes_elsewhere(struct lp_explorer *x, const struct lp_event *e, uint32_t live)
{
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	const struct lp_local_step key = { .live = live, .op = e->op, .value = e->value, .spurious = e->spurious };
	const struct lp_local_step *step = lp_local_step_find(&x->local, &key);

	return (op->kind == LP_OP_RMW && op->when == LP_ALWAYS && !x->silent_rmw) || (step && !step->known) ||
	       lp_reads_unwritten(&lp_top(x)->g, e);
}

bool lp_stale_is_foreseen(struct lp_explorer *x, lp_eid id)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event e = *lp_graph_event(g, id);
	const struct lp_note note = *lp_graph_note(g, id);
	struct lp_back s;
	uint32_t r;

	if (!is_used(x) || !note.live || e.rmw || e.keeps || e.bytes || note.stop != LP_STOP_NONE ||
	    !may_be_stale(g, &g->threads.at[e.thread]) || goes_elsewhere(x, &e, note.live) || succeeds_with_last(x, &e, note.live) || !lp_catch_up(x))
		return false;
	const struct lp_op *op = &x->ops.op.at[e.op].op;
	if (lp_own_is_untold(&x->machine.own, e.thread, op->loc, op->size, lp_graph_clock(g, id, LP_CLOCK_HB)))
		return false;
	lp_back_open(&s, x, e.thread);
	s.to = e.index + 1;
	s.from = lp_back_only_reads_from(&s, e.index);
	bool foreseen = find_frozen(&s, &r);
	if (foreseen) {
		LP_HOLDS(r >= s.from && r < s.to);
		s.homes = r - s.from + 1;
		foreseen = fails(&s, r, comes_back_later);
	}
	if (foreseen) {
		lp_back_record(&s);
		lp_back_record_iterations(&s);
	}
	lp_back_close(&s);
	return foreseen;
}
