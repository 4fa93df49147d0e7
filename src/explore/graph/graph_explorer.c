/* graph_explorer.c -- the graph explorer: every execution graph, exactly once.
 *
 * Kokologiannakis, Marmanis, Gladstein and Vafeiadis, "Truly Stateless, Optimal
 * Dynamic Partial Order Reduction" (TruSt), POPL 2022.  A graph grows by the next
 * event of the lowest thread that can go on.  A read is tried with every write that
 * the model allows, a write at every place in co; then the new write w revisits reads that were added before it, and on which it does not depend:
 * such a read r is made to read from w, and the events that were added after r and are not in w's past are removed.  Several graphs may differ only
 * in the removed events.  To reach no graph twice, the revisit is made only from one of them: the one in which each removed event was added
 * maximally, that is, it reads from (or is placed at) the end of co among the writes that were added before it or are in w's past.
 *
 * What we add:
 * - The program is not run again for every graph: frames share a prefix, and the
 *   machine goes back to a saved state (lockstep.c).
 * - A thread that cannot go on because of its last read (a lock that is held, a loop
 *   that changed nothing, an assumption) can only go on after a revisit of that read, or of an
 *   earlier read, which removes the last read.  A revisit does this only if the last read was added
 *   maximally.  So if it was not, the thread is stuck forever, and the graph is abandoned at once:
 *   no complete execution extends it.
 * - The reductions leave out executions that need not be explored (reduce/README.md).
 * - An RMW that reads from a write which another RMW reads from is added only to revisit that other
 *   RMW: the graph with both violates atomicity.
 */
#include "explore/bound/bound.h"
#include "explore/exercised.h"
#include "explore/explore.h"
#include "explore/graph/endings.h"
#include "explore/graph/frame.h"
#include "explore/graph/grow.h"
#include "explore/reduce/blocked_forever.h"
#include "explore/reduce/park.h"
#include "explore/graph/mixed_sizes.h"
#include "explore/graph/revisit.h"
#include "explore/reduce/driver.h"
#include "explore/reduce/unordered/arrivals.h"
#include "explore/reduce/redundant_stores.h"
#include "explore/reduce/stale/stale.h"
#include "explore/reduce/symmetry.h"
#include "explore/reduce/stale/twins.h"
#include "explore/graph/walk.h"
#include "explore/learn.h"

#include "base/error.h"
#include "model/axioms.h"

enum { BRIEF = 20000 }; /* the number of graphs after which a brief look for errors may come first
                         * (explore.h: lp_brief) */

enum outcome {
	GROWS,    /* an event was added */
	COMPLETE, /* every thread has ended */
	STUCK,    /* no thread can go on, and the execution is blocked */
	USELESS,  /* some thread will never go on: the graph is abandoned */
	NOTHING,  /* the graph was not to be explored: an RMW added for its revisits */
	STOPPED,  /* an error was found, or a limit was reached */
};

/* ---- errors and the estimate ---- */

static enum outcome stop_with_error(struct lp_explorer *x, lp_tid thread,
				    const struct lp_program_error *error)
{
	lp_explorer_fail(x, thread, error);
	return STOPPED;
}

double lp_walk_estimate(const struct lp_explorer *x)
{
	const double part = lp_walk_visited(x);
	return part > 0 ? (double)x->out->executions / part : 0;
}

/* ---- growing ---- */

/* An RMW that conflicts with another one is added only to revisit the other one, or an event before it.  This is
 * impossible if the other one is in its past, or if the other one, or an event added after it, is not maximal. */
static bool conflict_is_hopeless(const struct lp_graph *g, const struct lp_event *proto,
				 lp_eid rival)
{
	const lp_eid before = lp_graph_before(g, proto->thread, proto->index);

	LP_HOLDS(g->ev.at[rival].kind == LP_EV_READ && g->ev.at[rival].rmw && g->ev.at[rival].loc == proto->loc);

	return before != LP_NO_EVENT && lp_graph_porf(g, rival, before);
}

/* Adds an event, and the events that symmetry puts before it to its porf clock. */
static lp_eid add(struct lp_explorer *x, struct lp_event *proto, struct lp_note *note)
{
	const lp_eid e = lp_add_event(x, proto, note);

	if (x->options->reduce.symmetry)
		lp_symmetry_extend(&lp_top(x)->g, e);
	return e;
}

/* Does the read only lead to an iteration that is left out, so that the graph need not be explored?  The facts that
 * follow from the read are recorded all the same. */
static bool is_foreseen(struct lp_explorer *x, lp_eid read)
{
	if (lp_shifts_any(&x->local.undone.shifts) && lp_shifts_watch(x, lp_graph_event(&lp_top(x)->g, read)->loc))
		return false; /* the read must be performed */
	if (!lp_stale_is_foreseen(x, read))
		return false;
	lp_reduce_note(x, read);
	return true;
}

/* Adds a read with the next alternative that is consistent and is not known to be useless; counts `next` down. */
static bool add_read(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);
	const uint32_t apart = x->ops.op.at[c->proto.op].op.weak ? 1 : 2; /* between alternatives: only a weak one may fail spuriously */
	struct lp_park_noted noted = { { false } };

	LP_HOLDS(apart == 1 || c->next == UINT32_MAX || c->next % 2 == 0);
	while (c->next != UINT32_MAX && c->next >= 2 * c->floor) {
		const uint32_t alternative = c->next;
		c->next = alternative >= apart ? alternative - apart : UINT32_MAX;
		if (!lp_explorer_shape_read(x, &c->proto, &c->note, alternative) || !lp_park_mark_offers(f, c->mark, c->proto.rf) ||
		    lp_park_fails(x, &c->proto, c->note.live, &noted))
			continue;
		if (c->proto.rmw) {
			const lp_eid rival = lp_explorer_rmw_reader(&f->g, c->proto.loc, c->proto.rf, LP_NO_EVENT);
			if (rival != LP_NO_EVENT && conflict_is_hopeless(&f->g, &c->proto, rival)) {
				lp_mixed_misordered(x, &c->proto, rival);
				continue;
			}
		}
		c->event = add(x, &c->proto, &c->note);
		LP_HOLDS(lp_graph_pos(&f->g, c->proto.rf) >= c->floor);
		if (lp_revisit_accepts(x, &f->g, c->event) && !is_foreseen(x, c->event)) {
			lp_revisit_accepted(x, c->event);
			c->tried++;
			if (c->proto.rmw)
				f->half = c->event;
			else if (!lp_stop_pends(c->note.stop))
				lp_completed(x, c->event);
			return true;
		}
		lp_graph_pop(&f->g);
	}
	return false;
}

/* Adds a write at the next place that is consistent; counts `next` down. */
static bool add_write(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);

	for (; c->next > c->floor; c->next--) {
		if (!c->proto.rmw && lp_splits_rmw(&f->g, c->proto.loc, c->next)) {
			lp_mixed_split(x, &c->proto, c->next);
			continue;
		}
		c->proto.pos = c->next;
		LP_HOLDS(!c->proto.rmw || lp_graph_pos(&f->g, f->g.ev.at[lp_graph_last(&f->g, c->proto.thread)].rf) + 1 == c->next);
		c->event = add(x, &c->proto, &c->note);
		if (lp_revisit_accepts(x, &f->g, c->event)) {
			lp_revisit_accepted(x, c->event);
			c->next--;
			c->tried++;
			lp_completed(x, c->proto.rmw ? f->g.threads.at[c->proto.thread].at[c->proto.index - 1]
						  : c->event);
			return true;
		}
		lp_graph_pop(&f->g);
	}
	return false;
}

/* Reports an error and returns false if the event just added is a read of memory that was never written.  The program
 * is then in the state before the event. */
static bool first_read_is_fine(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	const uint32_t completed = f->seq.count;
	const struct lp_event *last = &LP_LAST(&f->g.ev);

	if (last->kind != LP_EV_READ || !lp_reads_unwritten(&f->g, last))
		return true;
	if (completed && LP_LAST(&f->seq) == f->g.ev.count - 1)
		f->seq.count--;
	if (!lp_catch_up(x))
		return false;
	f->seq.count = completed;
	return lp_explorer_check_initialised(x, last, &x->ops.op.at[last->op].op);
}

/* Grows by a read.  If there are alternatives the choice stays on the stack. */
static enum outcome grow_by_read(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				 uint32_t id, uint32_t live)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice c = { .kind = LP_CHOICE_READ, .seq = f->seq.count, .marks = f->marks.count };

	c.proto = lp_event_of(x, t, LP_EV_READ, op->order, id);
	if (!lp_explorer_meet_location(x, t, op, c.proto.loc))
		return STOPPED;
	if (x->options->reduce.undone) {
		lp_undone_read(x, t, id, live);
		op = &x->ops.op.at[id].op; /* trials may have moved the table of operations */
	}
	if (x->options->reduce.shifts && (op->kind == LP_OP_RMW || lp_shifts_any(&x->local.undone.shifts))) {
		lp_shifts_prepare(x, t, id, live);
		op = &x->ops.op.at[id].op;
	}
	c.note.live = live;
	if (x->options->reduce.undone)
		lp_undone_loosen(x, &c.proto, live);
	if (op->kind == LP_OP_RMW && x->options->reduce.twins && x->answers)
		c.note.twin = lp_twins_prepare(x, &c.proto);
	c.floor = lp_model_floor(x->model, &f->g, &c.proto, false);
	c.next = 2 * f->g.locs.at[c.proto.loc].co.count + (op->weak && x->options->weak_fails);
	if (lp_arrivals_apply(x, t, op, c.proto.loc))
		c.floor = f->g.locs.at[c.proto.loc].co.count;
	LP_HOLDS(c.floor <= f->g.locs.at[c.proto.loc].co.count);
	c.total = f->g.locs.at[c.proto.loc].co.count - c.floor + 1;
	c.mark = f->marks.count ? lp_park_mark_of(f, t) : 0;
	c.parks = (c.mark || (live && x->fails.count)) && lp_may_park(x, &c.proto, &c.note, c.mark);
	if (c.next != 2 * c.floor) /* there are alternatives: the state before it will be needed again */
		lp_machine_keep(&x->machine);
	if (!add_read(x, &c)) {
		if (c.parks)
			lp_park_without(x, &c.proto, c.note.live, c.mark);
		return c.parks ? GROWS : USELESS;
	}
	if (c.parks || (c.next != UINT32_MAX && c.next >= 2 * c.floor))
		LP_PUSH(&f->choices, c);
	if (!first_read_is_fine(x))
		return STOPPED;
	if (lp_parks(x, t))
		lp_park(x, t);
	else if (c.note.stop == LP_STOP_TWIN && lp_is_stale(x, t))
		return USELESS;
	return GROWS;
}

static enum outcome grow_by_write(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				  uint32_t id)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice c = { .kind = LP_CHOICE_WRITE, .seq = f->seq.count, .marks = f->marks.count };

	c.proto = lp_event_of(x, t, LP_EV_WRITE, op->order, id);
	if (!lp_explorer_meet_location(x, t, op, c.proto.loc))
		return STOPPED;
	c.proto.value = op->operand;
	c.floor = x->model->floor(&f->g, &c.proto);
	c.next = f->g.locs.at[c.proto.loc].co.count + 1;
	LP_HOLDS(c.floor < c.next);
	c.total = c.next - c.floor;
	if (c.total > 1) /* if it can only revisit reads, the states before these reads are needed, not this
	                  * one */
		lp_machine_keep(&x->machine);
	c.event = f->g.ev.count;
	const bool added = add_write(x, &c); /* symmetry may reject every place */
	LP_PUSH(&f->choices, c);
	return added ? GROWS : NOTHING;
}

/* Skips a store that another thread has made: d. */
static enum outcome grow_by_skipped_store(struct lp_explorer *x, lp_tid t, uint32_t id, lp_eid d)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_event proto = lp_redundant_store_event(x, t, id, d);
	LP_HOLDS(proto.kind == LP_EV_READ && proto.rf == d && !proto.rmw && g->ev.at[d].thread != t);
	const lp_eid e = add(x, &proto, &(struct lp_note){ 0 });

	if (!lp_revisit_accepts(x, g, e)) {
		lp_graph_pop(g);
		return USELESS;
	}
	lp_revisit_accepted(x, e);
	lp_exercised_left_out(x, e);
	lp_completed(x, e);
	return GROWS;
}

/* The RMW of which r is the read, and which would only help, is not performed. */
static enum outcome do_not_help(struct lp_explorer *x, lp_eid r)
{
	struct lp_frame *f = lp_top(x);
	struct lp_event shape = *lp_graph_event(&f->g, r);

	LP_HOLDS(shape.rmw && LP_LAST(&f->g.threads.at[shape.thread]) == r);
	f->half = LP_NO_EVENT;
	lp_exercised_left_out(x, r);
	lp_bound_note_help(x, r);
	if (lp_graph_pos(&f->g, shape.rf) != f->g.locs.at[shape.loc].co.count)
		return USELESS; /* as for any read that is not maximal and waits: it would wait
		                 * forever */
	shape.rmw = false;
	shape.order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
	lp_graph_set_read(&f->g, r, &shape);
	lp_graph_note(&f->g, r)->stop = LP_STOP_HELPS;
	lp_model_synchronise(x->model, &f->g, r);
	if (x->options->reduce.symmetry)
		lp_symmetry_extend(&f->g, r);
	return GROWS;
}

/* Adds the write of an RMW, directly after its read in po, and directly after the read's rf in co. */
static enum outcome finish_rmw(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	const lp_eid r = f->half;
	const struct lp_event read = *lp_graph_event(&f->g, r);
	const struct lp_op *op = &x->ops.op.at[read.op].op;
	LP_HOLDS(read.kind == LP_EV_READ && read.rmw && LP_LAST(&f->g.threads.at[read.thread]) == r && op->kind == LP_OP_RMW);
	struct lp_choice c = { .kind = LP_CHOICE_WRITE, .seq = f->seq.count, .marks = f->marks.count, .total = 1 };

	if (x->facts && op->unused) {
		if (!lp_catch_up(x))
			return STOPPED;
		if (lp_helping_applies(x, r))
			return do_not_help(x, r);
		op = &x->ops.op.at[read.op].op; /* the table may have moved */
	}
	f->half = LP_NO_EVENT;
	c.proto = lp_event_of(x, read.thread, LP_EV_WRITE, op->order, read.op);
	c.proto.rmw = true;
	c.proto.value = lp_op_result(op, read.value);
	LP_HOLDS(lp_op_holds(op, read.value) || op->keeps); /* otherwise it would not write */
	c.in_conflict = lp_explorer_rmw_reader(&f->g, read.loc, read.rf, r) != LP_NO_EVENT;
	c.next = lp_graph_pos(&f->g, read.rf) + 1;
	c.floor = c.in_conflict ? c.next : c.next - 1; /* one place, or none */
	c.event = f->g.ev.count;
	const bool added = add_write(x, &c);
	LP_PUSH(&f->choices, c);
	return added ? GROWS : NOTHING;
}

/* The thread that is begun was declared to be like another one.  It is not like it if their parent performed other
 * events than SPAWNs in between: these happen before only one of the two. (The machine deals with plain accesses of
 * the parent in between.) */
static bool is_like(const struct lp_explorer *x, lp_tid parent, const struct lp_op *spawn)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_thread *t = &g->threads.at[parent];

	if (spawn->value.lo && !x->options->reduce.recognised)
		return false;
	for (uint32_t i = spawn->elder ? t->count : 0; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_SPAWN)
			return false;
		if (e->target == spawn->elder - 1)
			return true;
	}
	return false;
}

static enum outcome grow_by_other(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				  uint32_t id)
{
	struct lp_frame *f = lp_top(x);
	const enum lp_event_kind kind = lp_event_kind_of(op);
	struct lp_choice c = { .kind = LP_CHOICE_NUMBER, .seq = f->seq.count, .marks = f->marks.count };

	c.proto = lp_event_of(x, t, kind, kind == LP_EV_FENCE ? op->order : LP_PLAIN, id);
	c.proto.locked = false;
	if (kind == LP_EV_SPAWN && x->options->reduce.symmetry)
		c.proto.elder = is_like(x, t, op) ? op->elder : 0;
	const bool chooses = lp_event_chooses(&c.proto) && op->count > 1;
	if (chooses) {
		lp_machine_keep(&x->machine);
		c.next = 1;
		c.total = op->count;
		c.tried = 1;
	}
	LP_HOLDS(kind != LP_EV_JOIN || lp_graph_event(&f->g, LP_LAST(&f->g.threads.at[op->target]))->kind == LP_EV_END);
	c.event = add(x, &c.proto, &c.note);
	if (kind == LP_EV_FENCE && !x->model->accepts(&f->g, c.event))
		return NOTHING;
	lp_revisit_accepted(x, c.event);
	if (kind != LP_EV_END)
		lp_completed(x, c.event);
	else if (!t)
		lp_final_joins_ended(&x->machine.final_joins, c.proto.index);
	if (chooses)
		LP_PUSH(&f->choices, c);
	return GROWS;
}

static enum outcome conclude(struct lp_explorer *x)
{
	static const enum outcome meaning[] = {
		[LP_CONCLUDES_COMPLETE] = COMPLETE,
		[LP_CONCLUDES_BLOCKED] = STUCK,
		[LP_CONCLUDES_ERROR] = STOPPED,
	};
	if (!lp_bound_admits(x))
		return USELESS;
	return meaning[lp_explorer_conclude(x)];
}

/* Can this operation enable threads that could not go on before? */
static bool lets_go_on(const struct lp_explorer *x, const struct lp_op *op)
{
	return op->kind == LP_OP_SPAWN || op->kind == LP_OP_END ||
	       (op->kind == LP_OP_STORE && lp_helping_relied(x->facts, LP_BY_STORES));
}

static enum outcome step(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);

	LP_VALID(lp_frame_validate(x));
	LP_AGREES(lp_axioms_judge(x->model, &f->g) != LP_AXIOMS_BROKEN || lp_undone_is_doubtful(x));
	if (f->half != LP_NO_EVENT)
		return finish_rmw(x);
	if (!lp_catch_up(x))
		return STOPPED;
	if (lp_shifts_any(&x->local.undone.shifts))
		lp_shifts_completed(x);

	/* A parked thread may have its turn before a thread that is at an error: the error is reported first. */
	if (f->marks.count && x->machine.faults && lp_explorer_has_erred(x))
		return STOPPED;

	/* If the end of main() is known (final_joins.h), the ends of the other threads come last. */
	const uint32_t count = f->g.threads.count;
	const bool known = lp_final_joins_begins(&x->machine.final_joins, &f->g);
	const lp_tid low = known && !f->low ? 1 : f->low;
	for (uint32_t i = known ? low : count + low; i < 2 * count; i++) {
		const lp_tid t = i < count ? i : i - count;
		LP_HOLDS(t < count);
		const struct lp_op *op;
		if (i == count && known && lp_explorer_comes_to_known_end(x))
			return lp_bound_admits(x) ? COMPLETE : USELESS;
		if (i == count && known && lp_explorer_ends_blocked(x) && lp_final_joins_holds(&x->machine))
			return STUCK;
		const struct lp_thread *thread = &f->g.threads.at[t];
		if (!thread->exists ||
		    (thread->count && lp_graph_event(&f->g, LP_LAST(thread))->kind == LP_EV_END))
			continue;
		if (lp_park_remains(x, t))
			continue;
		const enum lp_stop stop = lp_stop_of_unparked(x, t, &op);
		if (lp_stop_drops(stop) && op->kind == LP_OP_BLOCK && !op->unreported && lp_is_blocked_forever(x, t) &&
		    !lp_blocked_has_touched(x, t))
			return USELESS;
		if (stop != LP_STOP_NONE || (op->kind == LP_OP_END && i < count && thread->count))
			continue;
		if (op->kind == LP_OP_ERROR && lp_bound_admits_error(x, t))
			return stop_with_error(x, t, op->error);
		if (op->kind == LP_OP_ERROR)
			continue;
		if (!lp_endless_check_steps(x, t, op))
			return STOPPED;
		if (x->options->limits.fair && lp_stop_of(x, t, &op) != LP_STOP_NONE)
			continue;
		const uint32_t live = lp_explorer_live_state(x, t, op);
		const struct lp_turn turn = lp_reduce_before(x, t, &op, live);
		if (x->stopped)
			return STOPPED;
		if (turn.kind == LP_TURN_USELESS)
			return USELESS;
		if (turn.kind == LP_TURN_PARKED)
			return GROWS;
		if (turn.kind == LP_TURN_STUCK || turn.kind == LP_TURN_WAITS)
			continue;
		const uint32_t id = lp_ops_intern(&x->ops, op);
		f->low = lets_go_on(x, op) || lp_park_wakes(f, op, x->ops.op.at[id].loc) ? 0 : t;
		if (turn.kind == LP_TURN_READS)
			return grow_by_skipped_store(x, t, id, turn.from);
		switch ((enum lp_op_kind)op->kind) {
		case LP_OP_LOAD:
		case LP_OP_RMW:
			return grow_by_read(x, t, op, id, live);
		case LP_OP_STORE:
			return grow_by_write(x, t, op, id);
		case LP_OP_FENCE:
		case LP_OP_SPAWN:
		case LP_OP_JOIN:
		case LP_OP_CHOOSE:
		case LP_OP_CALL:
		case LP_OP_END:
			return grow_by_other(x, t, op, id);
		case LP_OP_BLOCK:
		case LP_OP_YIELD:
		case LP_OP_ERROR:
		/* Of processes. */
		case LP_OP_RETURN: case LP_OP_POINT: case LP_OP_ALLOC: case LP_OP_FREE:
			break;
		}
		LP_BUG("thread %u is at an operation of kind %u", t, op->kind);
	}
	if (lp_bound_has_erred(x))
		return USELESS;
	if (!lp_park_marks_end(x))
		return x->stopped ? STOPPED : STUCK;
	return conclude(x);
}

static enum outcome grow(struct lp_explorer *x)
{
	if (lp_top(x)->useless) {
		LP_HOLDS(lp_top(x)->half == LP_NO_EVENT); /* only an operation that is complete is found to be useless */
		lp_top(x)->useless = false;
		return USELESS;
	}
	/* An execution that refutes the conditions of a reduction may itself be infeasible. */
	while (!lp_reduce_is_broken(x)) {
		const enum outcome o = step(x);
		if (o != GROWS)
			return o;
		if (!lp_bound_allows(x))
			return USELESS;
		if (!lp_within_limits(x, lp_walk_estimate))
			return STOPPED;
	}
	return NOTHING;
}

/* ---- going back ---- */

/* The revisited read may wait with its new rf.  Then its thread is parked at once, before others go on: to them the read must not look as if
 * it could be revisited again.  And if the thread is stuck forever, other threads need not go on; often this is known without performing the read. */
static void look_at_revisited(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	const struct lp_event *read = lp_graph_event(&f->g, f->read);
	const struct lp_note *note = lp_graph_note(&f->g, f->read);
	const lp_tid t = read->thread;
	LP_HOLDS(read->kind == LP_EV_READ && read->rf != LP_NO_EVENT && LP_LAST(&f->g.threads.at[t]) == f->read);
	const struct lp_op *op;

	if (f->half != LP_NO_EVENT)
		return;
	if (lp_stop_pends(note->stop)) {
		if (lp_parks(x, t))
			lp_park(x, t);
		else if (note->stop == LP_STOP_TWIN && lp_catch_up(x))
			f->useless = lp_is_stale(x, t);
		return;
	}
	if (lp_shifts_any(&x->local.undone.shifts) && lp_shifts_watch(x, read->loc)) {
		if (!lp_catch_up(x))
			return;
		lp_shifts_completed(x);
	}
	f->useless = note->live && lp_reduce_is_known_useless(x, t);
	if (f->useless || x->stopped || !note->live || !lp_catch_up(x) || lp_stop_of(x, t, &op) != LP_STOP_NONE || op->kind == LP_OP_ERROR)
		return;
	f->useless = lp_reduce_is_useless(x, t, op, lp_explorer_live_state(x, t, op));
}

/* Takes the next alternative of the last choice of the top frame.  Returns false if there is none; the choice is then
 * removed. */
static bool take_alternative(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice *c = &LP_LAST(&f->choices);

	LP_HOLDS(c->seq <= f->seq.count && c->marks <= f->marks.count);
	if (c->given) { /* the alternatives below remove the choices above */
		f->choices.count--;
		return false;
	}
	switch ((enum lp_choice_kind)c->kind) {
	case LP_CHOICE_READ:
		lp_shrink(x, c->event, c->seq, c->marks);
		if (add_read(x, c)) {
			if (first_read_is_fine(x) && lp_parks(x, c->proto.thread)) /* otherwise the exploration has stopped */
				lp_park(x, c->proto.thread);
			return true;
		}
		if (c->parks) {
			lp_park_without(x, &c->proto, c->note.live, c->mark);
			f->choices.count--;
			return true;
		}
		break;
	case LP_CHOICE_NUMBER:
		lp_shrink(x, c->event, c->seq, c->marks);
		while (c->next < x->ops.op.at[c->proto.op].op.count) {
			c->proto.value = lp_value(c->next++);
			c->tried++;
			c->event = add(x, &c->proto, &c->note);
			if (lp_revisit_accepts(x, &f->g, c->event)) {
				lp_completed(x, c->event);
				return true;
			}
			lp_graph_pop(&f->g);
		}
		break;
	case LP_CHOICE_REVISIT:
		lp_graph_event(&f->g, f->read)->rf = LP_NO_EVENT;
		lp_shrink(x, c->event, c->seq, c->marks);
		if (lp_revisit_place(x, c)) {
			look_at_revisited(x);
			return true;
		}
		break;
	case LP_CHOICE_WRITE:
		if (!c->revisiting) {
			lp_shrink(x, c->event, c->seq, c->marks);
			if (!c->in_conflict && add_write(x, c))
				return true;
			if (!lp_revisit_finds_read(&f->g, &c->proto))
				break;
			LP_HOLDS(c->event == f->g.ev.count);
			/* Adds the write again, at any place, to make its revisits. */
			c->proto.pos = f->g.locs.at[c->proto.loc].co.count + 1;
			c->event = add(x, &c->proto, &c->note);
			lp_completed(x, c->proto.rmw ? lp_graph_before(&f->g, c->proto.thread, c->proto.index)
						  : c->event);
			c->revisiting = true;
			c->next = c->event;
		}
		while (lp_revisit_next(x, c)) {
			if (lp_revisit_place(x, &LP_LAST(&lp_top(x)->choices))) {
				look_at_revisited(x);
				return true;
			}
			LP_HOLDS(x->depth > 1 && lp_top(x) != f);
			x->depth--;
		}
		x->agree = LP_UNKNOWN;
		break;
	}
	f->choices.count--;
	return false;
}

/* Only writes revisit, and only events that were added before them.  Only the first choice of a frame is the place of
 * the write that opened the frame. */
static bool choices_are_in_place(const struct lp_frame *f)
{
	for (uint32_t i = 0; i < f->choices.count; i++) {
		const struct lp_choice *c = &f->choices.at[i];
		if (c->revisiting && (c->kind != LP_CHOICE_WRITE || c->next > c->event))
			return false;
		if (c->kind == LP_CHOICE_REVISIT && i)
			return false;
	}
	return true;
}

bool lp_walk_back(struct lp_explorer *x)
{
	while (x->depth) {
		struct lp_frame *f = lp_top(x);
		LP_VALID(choices_are_in_place(f));
		while (f->choices.count) {
			if (take_alternative(x))
				return true;
		}
		x->depth--;
		x->agree = LP_UNKNOWN;
	}
	return false;
}

void lp_walk_into_error(struct lp_explorer *x)
{
	if ((lp_top(x)->g.ev.count && !first_read_is_fine(x)) ||
	    (lp_top(x)->half == LP_NO_EVENT && (!lp_catch_up(x) || lp_explorer_has_erred(x))))
		return;
	while (!x->stopped && step(x) == GROWS)
		;
}

/* ---- the whole ---- */

bool lp_walk(struct lp_explorer *x, bool at_choice)
{
	bool more = !at_choice || lp_walk_back(x);

	while (more) {
		const enum outcome o = x->stopped ? STOPPED : grow(x);
		LP_HOLDS(x->stopped == (o == STOPPED) || lp_reduce_is_broken(x));
		if (o == COMPLETE)
			lp_explorer_count_execution(x);
		else if (o == STUCK)
			lp_explorer_count_blocked(x);
		else if (o == USELESS)
			x->out->abandoned++;
		const uint64_t most = x->options->limits.blocked;
		if (most && x->out->blocked + x->out->abandoned >= most && !x->stopped)
			lp_explorer_stop(x, "limit of blocked executions reached");
		if (x->brief.how == LP_BRIEF && x->out->executions + x->out->blocked + x->out->abandoned >= BRIEF && !x->stopped) {
			x->brief.lengthy = true;
			lp_explorer_stop(x, "enough for a brief look");
		}
		if (x->options->reduce.symmetry)
			lp_like_look(x);
		if (x->stopped || lp_learn_is_enough(x) || lp_bound_is_outdated(x) ||
		    (x->walk.between && !x->walk.between(x)))
			return false;
		more = lp_walk_back(x);
	}
	lp_omitted_finish(x);
	return true;
}
