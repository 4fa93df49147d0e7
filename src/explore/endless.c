/* endless.c -- decides whether a thread that has performed very many operations goes on forever.
 *
 * The number of operations does not decide this: a program may be long, and exceeding a default limit is not an error
 * of the program.  The graph explorer lets one thread go on while the others have hardly begun.  Suppose that a loop writes, and ends when another
 * thread has done its part.  Then it has executions of any length.  So the execution is continued fairly: threads take turns, read the last value
 * written, and choose each number in turn.  If a state repeats, the execution can repeat it forever, which is an error.  If no state repeats within
 * TURNS turns, there is no verdict.  If the user states a bound (--steps), every thread that exceeds it is an error.  With --fair only a thread that
 * goes on forever is an error, and a thread that would end stops at the bound, as at the bound of a loop (limits.unroll).
 *
 * Turns of equal length can be in step with each other: a thread that tries a lock finds it held every
 * time, because another thread that polls under the lock holds it just then.  Users do not want such
 * an error to be reported.  So turns of different lengths are tried as well, for UNEVEN rounds, and
 * a thread that ends with them has no endless loop.
 *
 * A state consists of the live states of the threads (live_state() in program.h: plain writes count),
 * and the last values of the locations that some thread reads between the two visits of the state.
 * A read-modify-write whose answer is not used does not count as a read: `for (;;) x++;` returns to
 * its state, whatever x is.
 *
 * A thread whose weak compare-exchanges failed spuriously MOST_SPURIOUS times in one call is not continued:
 * most of what would be explored next would be more such failures.
 */
#include "explore/sample/act.h"

#include "base/error.h"
#include <stdio.h>

#include "base/hash.h"

enum {
	TURNS = 2000,
	UNEVEN = 300,
	LONGEST = 7, /* turn */
	MOST_SPURIOUS = 1000,
	CHOICES = 60, /* after this many turns every choice has repeated, if its number of
	               * alternatives divides this number */
	THREADS = 128,
};

enum future { ENDS, GOES_ON, ENDLESS };

/* The execution while it is continued. */
struct continuation {
	struct lp_explorer *x;
	struct lp_ways ways;
	struct { LP_VEC(bool); } read; /* by location: some thread read it, and used the value */
	uint32_t reads;                /* such locations */
	bool chose;
	/* A state that the execution may return to, and when it was recorded. */
	struct lp_fingerprint then;
	bool known;
	uint32_t then_round, then_reads, then_count[THREADS];
};

/* Could operation number `id` only wait now? */
static bool would_wait(struct lp_explorer *x, const struct lp_op *op, uint32_t id)
{
	struct lp_graph *g = &lp_top(x)->g;
	const uint32_t loc = x->ops.op.at[id].loc;
	const uint16_t bytes = x->ops.op.at[id].bytes;

	if (!lp_op_is_access(op) || op->otherwise == LP_ELSE_FAIL)
		return false;
	lp_graph_need_loc(g, loc);
	return g->locs.at[loc].used &&
	       !lp_op_holds(op, lp_graph_value(g, loc, g->locs.at[loc].co.count, bytes));
}

/* Does a thread of the graph wait, or spin, for a write that has been made since?  Then it would get a turn, too. */
static bool somebody_could_go_on(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_thread *th = &g->threads.at[t];
		if (!th->exists || !th->count)
			continue;
		const struct lp_event *last = lp_graph_event(g, LP_LAST(th));
		const enum lp_stop stop = (enum lp_stop)lp_graph_note(g, LP_LAST(th))->stop;
		if (lp_stop_pends(stop) ? !would_wait(x, &x->ops.op.at[last->op].op, last->op) :
		    stop == LP_STOP_SPINS && !lp_explorer_waits_for_good(x, t, LP_STOP_SPINS))
			return true;
	}
	return false;
}

/* Notes the location, if what the thread does, now or later, depends on the value there. */
static void note_read(struct continuation *c, const struct lp_op *op, uint32_t loc)
{
	if (!lp_op_is_access(op) || op->kind == LP_OP_STORE || op->keeps ||
	    (op->kind == LP_OP_RMW && op->unused && op->otherwise == LP_ELSE_FAIL))
		return;
	LP_HOLDS(loc < c->x->ops.loc.count);
	while (c->read.count <= loc)
		LP_PUSH(&c->read, false);
	c->reads += !c->read.at[loc];
	c->read.at[loc] = true;
}

/* Lets the thread perform one operation.  Returns false if it cannot, or if the operation is an
 * error. */
static bool take_turn(struct continuation *c, lp_tid t, uint32_t round)
{
	struct lp_explorer *x = c->x;
	struct lp_ways *ways = &c->ways;
	const struct lp_op *op;

	if (!lp_catch_up(x) || lp_stop_of(x, t, &op) != LP_STOP_NONE)
		return false;
	if (op->kind == LP_OP_ERROR) {
		lp_explorer_fail(x, t, op->error);
		return false;
	}
	const struct lp_move move = lp_move_of(x, t, op);
	note_read(c, op, x->ops.op.at[move.id].loc);
	if (would_wait(x, op, move.id))
		return false;
	c->chose |= lp_op_chooses(op->kind) && op->count > 1;
	if (!lp_ways_of(x, &move, true, ways) || !ways->count)
		return false;
	return lp_act_go(x, &move, ways->at[lp_op_chooses(op->kind) ? round % ways->count : 0]) &&
	       !x->stopped;
}

/* Returns false if the state is not known. */
static bool print_thread(struct lp_explorer *x, lp_tid t, struct lp_fingerprint *f)
{
	struct lp_program *p = x->machine.program;
	const struct lp_op *op;
	const enum lp_stop stop = lp_stop_of(x, t, &op);
	uint64_t live[2] = { 0, 0 };

	if (stop == LP_STOP_NONE && !p->class->live_state(p, t, live))
		return false;
	lp_fingerprint_word(f, stop);
	lp_fingerprint_word(f, live[0]);
	lp_fingerprint_word(f, live[1]);
	if (stop == LP_STOP_NONE) {
		lp_fingerprint_word(f, op->kind);
		lp_fingerprint_word(f, op->pc);
		lp_fingerprint_word(f, op->loc);
	}
	return true;
}

static bool print_state(struct continuation *c, struct lp_fingerprint *f)
{
	const struct lp_graph *g = &lp_top(c->x)->g;

	*f = (struct lp_fingerprint)LP_FINGERPRINT;
	if (!lp_catch_up(c->x) || g->threads.count > THREADS)
		return false;
	lp_fingerprint_word(f, g->threads.count);
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (g->threads.at[t].exists && !print_thread(c->x, t, f))
			return false;
	for (uint32_t l = 0; l < c->read.count; l++) {
		if (!c->read.at[l])
			continue;
		const struct lp_known_loc *known = &c->x->ops.loc.at[l];
		const uint16_t bytes = lp_ops_bytes(&c->x->ops, l, known->address, known->size);
		const struct lp_value v = lp_graph_value(g, l, g->locs.at[l].co.count, bytes);
		lp_fingerprint_word(f, v.lo);
		lp_fingerprint_word(f, v.hi);
	}
	return true;
}

/* Has any thread made a plain write since then? */
static bool wrote_plainly(const struct continuation *c)
{
	const struct lp_graph *g = &lp_top(c->x)->g;

	for (lp_tid t = 0; t < g->threads.count; t++)
		if (g->threads.at[t].exists && lp_plains_wrote_since(&c->x->machine.plains, t, c->then_count[t]))
			return true;
	return false;
}

/* After a round of turns: is the state the same as after an earlier round, and has the thread gone on since
 * then?  The state to compare with is replaced when twice as many rounds have passed. */
static bool comes_back(struct continuation *c, lp_tid thread, uint32_t round)
{
	const struct lp_graph *g = &lp_top(c->x)->g;
	struct lp_fingerprint now;

	if (!print_state(c, &now))
		return false;
	LP_HOLDS(!c->known || (c->then_round < round && c->then_reads <= c->reads));
	if (c->known && c->then_reads == c->reads && c->then.a == now.a && c->then.b == now.b &&
	    (!c->chose || (round - c->then_round) % CHOICES == 0) &&
	    g->threads.at[thread].count > c->then_count[thread] && !wrote_plainly(c))
		return true;
	if (!c->known || c->then_reads != c->reads || round >= 2 * c->then_round) {
		c->known = true;
		c->then = now;
		c->then_round = round;
		c->then_reads = c->reads;
		LP_HOLDS(g->threads.count <= THREADS && thread < g->threads.count);
		for (lp_tid t = 0; t < g->threads.count; t++)
			c->then_count[t] = g->threads.at[t].count;
	}
	return false;
}

/* A turn of one operation, or of some that follow each other. */
static bool take_turns(struct continuation *c, lp_tid t, uint32_t round, bool uneven)
{
	uint32_t length = uneven ? 1 + (uint32_t)(lp_mix((uint64_t)round << 32 | t) % LONGEST) : 1;
	bool any = false;

	while (length-- > 0 && take_turn(c, t, round))
		any = true;
	return any;
}

/* What happens to the thread if all other threads have their turns? */
static enum future continued(struct lp_explorer *x, lp_tid thread, bool uneven)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid events = g->ev.count;
	const uint32_t seq = lp_top(x)->seq.count;
	struct continuation c = { .x = x };
	bool alive = true, endless = false;

	const uint32_t rounds = uneven ? UNEVEN : TURNS;
	for (uint32_t round = 0; round < rounds && alive && !endless && !x->stopped; round++) {
		alive = false; /* unless another thread continues: it may have to wait, but not forever */
		for (lp_tid t = 0; t < g->threads.count && !x->stopped; t++)
			alive |= g->threads.at[t].exists && take_turns(&c, t, round, uneven);
		if (alive && !x->stopped && somebody_could_go_on(x))
			alive = false;
		endless = !uneven && alive && !x->stopped && comes_back(&c, thread, round);
	}
	lp_free(c.ways.at);
	lp_free(c.read.at);
	if (!x->stopped) {
		const struct lp_thread *t = &g->threads.at[thread];
		alive &= lp_graph_event(g, LP_LAST(t))->kind != LP_EV_END;
		lp_shrink(x, events, seq, lp_top(x)->marks.count);
		LP_HOLDS(g->ev.count == events && lp_top(x)->seq.count == seq); /* the graph is as it was before */
	}
	return !alive ? ENDS : endless ? ENDLESS : GOES_ON;
}

static enum future future_of(struct lp_explorer *x, lp_tid thread)
{
	const enum future even = continued(x, thread, false);

	return !x->stopped && even == ENDLESS && continued(x, thread, true) == ENDS ? ENDS : even;
}

static bool fails_too_often(const struct lp_graph *g, lp_tid thread)
{
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t failed = 0;

	if (t->count < MOST_SPURIOUS || !lp_graph_event(g, LP_LAST(t))->spurious)
		return false;
	for (uint32_t i = t->count; i-- > 0 && failed < MOST_SPURIOUS;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind == LP_EV_CALL)
			return false;
		failed += e->spurious;
	}
	LP_HOLDS(failed <= MOST_SPURIOUS);
	return failed == MOST_SPURIOUS;
}

bool lp_endless_check_steps(struct lp_explorer *x, lp_tid t, const struct lp_op *op)
{
	if (fails_too_often(&lp_top(x)->g, t)) {
		struct lp_program_error endless = { .kind = LP_ERROR_TOO_LONG, .pc = op->pc };
		snprintf(endless.text, sizeof endless.text,
			 "a weak compare-exchange of thread %u fails spuriously again and again: too long to explore (see --no-weak-fail)",
			 t);
		lp_explorer_fail(x, t, &endless);
		return false;
	}
	/* The end of a thread is not one of its operations. */
	if (lp_top(x)->g.threads.at[t].count < x->limits.steps || op->kind == LP_OP_END)
		return true;
	struct lp_program_error error = { .kind = LP_ERROR_ENDLESS, .pc = op->pc };
	snprintf(error.text, sizeof error.text,
		 "thread %u does more than %u operations (see --steps)", t, x->limits.steps);
	if (!x->options->limits.steps || x->options->limits.fair) {
		const enum future future = future_of(x, t);
		if (x->stopped || !lp_catch_up(x)) /* an error that comes later */
			return false;
		if (future == ENDS && x->options->limits.fair) {
			lp_graph_note(&lp_top(x)->g, LP_LAST(&lp_top(x)->g.threads.at[t]))->stop = LP_STOP_BOUND;
			return true;
		}
		if (future == ENDLESS) {
			snprintf(error.text, sizeof error.text,
				 "thread %u goes on without end, also if all others have their turns", t);
		} else {
			error.kind = LP_ERROR_TOO_LONG;
			snprintf(error.text, sizeof error.text,
				 "thread %u does more than %u operations in one execution, %s: too long to explore (see --unroll)",
				 t, x->limits.steps, future == ENDS ? "and might have come to an end had others had their turn" :
				 "and perhaps without end");
		}
	}
	lp_explorer_fail(x, t, &error);
	return false;
}
