/* grow.h -- inside the explorers: how an execution graph grows.
 *
 * Explorers differ in which thread goes next, and in which alternative of an operation
 * they try.  This header has what they share: the alternatives themselves, whether a thread can go on,
 * how an execution ends, and how errors are reported.  Everything here works on the top frame
 * of an explorer (frame.h).
 */
#ifndef LP_EXPLORE_GRAPH_GROW_H
#define LP_EXPLORE_GRAPH_GROW_H

#include "explore/graph/frame.h"
#include "base/error.h"
#include "explore/reduce/park.h"
#include "explore/stops.h"
#include "graph/parts.h"

#define LP_UNKNOWN UINT32_MAX /* as lp_explorer.agree: not known */

/* ---- beginning and end ---- */

/* Opens an explorer with one empty frame; `*out` becomes "verified".  options->watch must be set
 * (restarts.h). */
void lp_explorer_open(struct lp_explorer *, struct lp_program *,
		      const struct lp_explore_options *, struct lp_arena *,
		      struct lp_exploration *out);
/* Hands the outcomes over to the result and frees the rest. */
void lp_explorer_close(struct lp_explorer *);

/* Opens a frame above the others.  Its graph still has the contents of the frame's last use. */
struct lp_frame *lp_explorer_push_frame(struct lp_explorer *);

/* Makes room in scratch.keep and scratch.renamed for that many events. */
void lp_explorer_need_scratch(struct lp_explorer *, uint32_t events);

/* lp_explorer_fail() ends the exploration with an error of the program, lp_explorer_stop() for another reason, such as a
 * limit. */
void lp_explorer_fail(struct lp_explorer *, lp_tid thread, const struct lp_program_error *);
void lp_explorer_stop(struct lp_explorer *, const char *reason);

/* Returns false if a limit is reached, or if the user has stopped the exploration; the exploration is then over.
 * `estimate` returns the estimated number of executions.  It is called from time to time, for the progress line. */
bool lp_explorer_check_limits(struct lp_explorer *, double (*estimate)(const struct lp_explorer *));

static inline bool lp_within_limits(struct lp_explorer *x,
				    double (*estimate)(const struct lp_explorer *))
{
	return ++x->limits.ticks % 256 || lp_explorer_check_limits(x, estimate);
}

/* Counts the execution of the top frame, which is complete. */
void lp_explorer_count_execution(struct lp_explorer *);

/* ---- events ---- */

/* The event of operation number `op`.  It is not in the graph yet, and has neither rf nor a place in co. */
static inline struct lp_event lp_event_of(struct lp_explorer *x, lp_tid thread,
					  enum lp_event_kind kind, enum lp_order order,
					  uint32_t op)
{
	const struct lp_known_op *known = &x->ops.op.at[op];
	LP_HOLDS(op < x->ops.op.count && lp_top(x)->g.threads.at[thread].exists);
	return (struct lp_event){
		.kind = (uint8_t)kind,
		.order = (uint8_t)x->model->order(kind, order),
		.locked = known->op.kind == LP_OP_RMW && !known->op.keeps,
		.partial = known->op.partial,
		.keeps = known->op.keeps && kind == LP_EV_READ,
		.bytes = known->bytes,
		.thread = thread,
		.index = lp_top(x)->g.threads.at[thread].count,
		.loc = known->loc,
		.target = known->op.target,
		.rf = LP_NO_EVENT,
		.op = op,
	};
}

/* Adds the event and its note, which is given a uid. */
static inline lp_eid lp_add_event(struct lp_explorer *x, struct lp_event *proto, struct lp_note *note)
{
	struct lp_graph *g = &lp_top(x)->g;

	LP_HOLDS(proto->index == g->threads.at[proto->thread].count);
	LP_HOLDS(proto->kind != LP_EV_READ || proto->rf < g->ev.count || proto->rf == LP_INIT);
	note->uid = ++x->uid;
	proto->late = note->live;
	const lp_eid e = lp_graph_add(g, proto);
	*lp_graph_note(g, e) = *note;
	lp_model_synchronise(x->model, g, e);
	return e;
}

/* The event kind of an operation that accesses no memory. */
static inline enum lp_event_kind lp_event_kind_of(const struct lp_op *op)
{
	static const enum lp_event_kind kinds[] = {
		[LP_OP_FENCE] = LP_EV_FENCE, [LP_OP_SPAWN] = LP_EV_SPAWN,
		[LP_OP_JOIN] = LP_EV_JOIN, [LP_OP_CHOOSE] = LP_EV_CHOOSE,
		[LP_OP_END] = LP_EV_END, [LP_OP_CALL] = LP_EV_CALL,
	};
	LP_HOLDS(op->kind < sizeof kinds / sizeof *kinds && kinds[op->kind] != LP_EV_READ);
	return kinds[op->kind];
}

/* Brings the program to the state that the graph describes.  Returns false if an error occurs on the
 * way, such as a race with an atomic access; the error is then reported. */
static inline bool lp_catch_up(struct lp_explorer *x)
{
	const struct lp_frame *f = lp_top(x);

	if (x->agree == LP_UNKNOWN)
		x->agree = lp_machine_agree(&x->machine, &f->g, &f->seq);
	LP_AGREES(x->agree <= lp_machine_agree(&x->machine, &f->g, &f->seq));
	if (!lp_machine_follow(&x->machine, &f->g, &f->seq, x->agree)) {
		lp_explorer_fail(x, x->machine.error_thread, &x->machine.error);
		return false;
	}
	LP_HOLDS(x->machine.performed.count == f->seq.count);
	x->agree = f->seq.count;
	return true;
}

/* Removes the event `e` and all later ones, and keeps the first `seq` operations and the first `marks` marks. */
static inline void lp_shrink(struct lp_explorer *x, lp_eid e, uint32_t seq, uint32_t marks)
{
	struct lp_frame *f = lp_top(x);

	LP_HOLDS(e <= f->g.ev.count && seq <= f->seq.count && marks <= f->marks.count);
	while (f->g.ev.count > e)
		lp_graph_pop(&f->g);
	f->seq.count = seq;
	f->marks.count = marks;
	f->half = LP_NO_EVENT;
	f->low = 0;
	if (x->agree != LP_UNKNOWN && x->agree > seq)
		x->agree = seq;
}

/* To be called when the operation whose first event is e is complete. */
static inline void lp_completed(struct lp_explorer *x, lp_eid e)
{
	LP_HOLDS(e < lp_top(x)->g.ev.count && !lp_stop_pends(lp_graph_note(&lp_top(x)->g, e)->stop));
	LP_PUSH(&lp_top(x)->seq, e);
}

/* Would a write inserted at position `pos` of co come between an RMW and the write that this RMW
 * reads from? */
static inline bool lp_splits_rmw(const struct lp_graph *g, uint32_t l, uint32_t pos)
{
	const struct lp_loc *loc = &g->locs.at[l];
	return pos <= loc->co.count && g->ev.at[loc->co.at[pos - 1]].rmw;
}

/* The read, other than `but`, of an RMW that reads from `write`; LP_NO_EVENT if there is none. */
lp_eid lp_explorer_rmw_reader(const struct lp_graph *, uint32_t loc, lp_eid write, lp_eid but);

/* Fills in `proto` and its note for the case that it reads from position `alternative / 2` of co; the read fails spuriously
 * if `alternative` is odd.  Returns false if this alternative need not be explored. */
bool lp_explorer_shape_read(struct lp_explorer *, struct lp_event *proto, struct lp_note *, uint32_t alternative);

/* Fills in `owner` and `place` of the location at `address`: is the location in memory that a thread owns (program.h: owner())? */
void lp_explorer_find_owner(struct lp_explorer *, struct lp_loc *, uintptr_t address);

/* Adds the location of an operation to the graph, with its initial value, if this is its first
 * use.  Returns false if that is an error, or if the exploration must restart because the location is
 * part of a larger one (mixed_sizes.h). */
bool lp_explorer_meet_location(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t loc);

/* Reports an error and returns false if the read `e` is of memory that was never written, unless such errors are ignored
 * (callbacks.ignores). */
bool lp_explorer_check_initialised(struct lp_explorer *, const struct lp_event *e, const struct lp_op *);

/* ---- threads ---- */

/* Has the thread performed the operation, which is in a loop, limits.unroll times in its present call? */
bool lp_explorer_is_at_bound(struct lp_explorer *, lp_tid, const struct lp_op *);

/* Is the thread parked, and are there no writes that it has not seen? */
static inline bool lp_is_parked(const struct lp_frame *f, lp_tid thread)
{
	const uint32_t mark = f->marks.count ? lp_park_mark_of(f, thread) : 0;

	return mark && !lp_park_mark_has_news(f, &f->marks.at[mark - 1]);
}

/* Why the thread has stopped, without regard to marks (park.h); LP_STOP_NONE if it can go on.  `*op` becomes its pending operation. */
static inline enum lp_stop lp_stop_of_unparked(struct lp_explorer *x, lp_tid thread, const struct lp_op **op)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	LP_HOLDS(t->exists && thread < g->threads.count);
	*op = lp_machine_pending(&x->machine, thread);
	if (t->count) {
		const enum lp_stop stop = (enum lp_stop)lp_graph_note(g, LP_LAST(t))->stop;
		if (lp_graph_event(g, LP_LAST(t))->kind == LP_EV_END)
			return LP_STOP_ENDED;
		if (stop > LP_STOP_KEPT)
			return stop;
	}
	if ((*op)->kind == LP_OP_BLOCK)
		return LP_STOP_ASSUMES;
	if ((*op)->kind == LP_OP_JOIN) {
		const lp_tid target = (*op)->target;
		const struct lp_thread *other =
			target < g->threads.count ? &g->threads.at[target] : NULL;
		const struct lp_event *end =
			other && other->count ? lp_graph_event(g, LP_LAST(other)) : NULL;
		/* A thread that has ended the whole program (exit) will never be joined. */
		if (!end || end->kind != LP_EV_END || x->ops.op.at[end->op].op.final == 1)
			return (*op)->otherwise == LP_ELSE_DROP ? LP_STOP_ASSUMES : LP_STOP_JOINS;
	}
	if (x->options->limits.unroll && (*op)->loop && lp_explorer_is_at_bound(x, thread, *op))
		return LP_STOP_BOUND;
	return LP_STOP_NONE;
}

/* The same, but LP_STOP_PARKED if the thread is parked and there are no writes that it has not seen. */
static inline enum lp_stop lp_stop_of(struct lp_explorer *x, lp_tid thread, const struct lp_op **op)
{
	const enum lp_stop stop = lp_stop_of_unparked(x, thread, op);

	return lp_is_parked(lp_top(x), thread) ? LP_STOP_PARKED : stop;
}

/* Reports an error and returns false if the thread has performed too many operations before
 * `op` (endless.c).  With limits.fair, if the thread would end, it stops there (LP_STOP_BOUND), which is no error: the function
 * returns true. */
bool lp_endless_check_steps(struct lp_explorer *, lp_tid, const struct lp_op *op);

/* The number of the thread's live state at `op`.  Returns 0 if live states are not used, if `op` is not a read or RMW in a loop, or if the
 * program does not know the live state. */
uint32_t lp_explorer_live_state(struct lp_explorer *, lp_tid, const struct lp_op *);

/* Does the i-th event of the thread change nothing that other threads can see?  This also holds for
 * an RMW that wrote back the value that it read.  A thread that reads from such an RMW could read from the RMW's own rf
 * instead, with the same value and no additional order. */
bool lp_explorer_changes_nothing(const struct lp_graph *, const struct lp_thread *, uint32_t i);

/* The thread's events `from` to `to` - 1 are a redundant iteration.  Can this iteration be left out, without missing races
 * (omitted_races.h)?  If so, the note of the thread's last event gets LP_STOP_SPINS. */
bool lp_explorer_leaves_out(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* If the thread has returned to an earlier live state without having changed anything since, the iteration is redundant, because
 * the program has the same execution without it.  Then returns lp_explorer_leaves_out() for this iteration; otherwise returns
 * false. */
bool lp_explorer_goes_round(struct lp_explorer *, lp_tid, uint32_t live);

/* The thread waits or spins (`stop`).  Would it do so forever if no other thread went on?  It would if its reads returned the same
 * values again.  If the thread waits, this must hold for its last read.  If it spins, this must hold for all reads of the iteration, except
 * reads from RMWs of this same iteration.  None of these events may be a choice or a spurious failure, because these could turn out
 * differently.  An attempt under locks must also satisfy lp_attempt_is_settled(). */
bool lp_explorer_waits_for_good(const struct lp_explorer *, lp_tid, enum lp_stop);

enum lp_conclusion {
	LP_CONCLUDES_COMPLETE, /* the execution counts as complete.  With a judge: the judge has found it right.  Without one: every
	                        * thread has ended, or one thread has ended the whole program */
	LP_CONCLUDES_BLOCKED,  /* the execution is blocked: no execution of the program ends like
	                        * this, or the error at its end is ignored (callbacks.ignores) */
	LP_CONCLUDES_ERROR,    /* the exploration has stopped.  With a judge: the judge has not found the execution right.  Without
	                        * one: threads wait or spin forever */
};

/* The execution of the top frame is blocked: counts it. */
void lp_explorer_count_blocked(struct lp_explorer *);

/* To be called when no thread can continue.  Decides how the execution ends. */
enum lp_conclusion lp_explorer_conclude(struct lp_explorer *);

/* To be called when only the first thread, and threads that are about to end, can still continue.  Is it certain that the execution
 * will end blocked? */
bool lp_explorer_ends_blocked(struct lp_explorer *);

#endif
