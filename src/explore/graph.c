/* graph.c -- the graph explorer: every execution graph, exactly once.
 *
 * Kokologiannakis, Marmanis, Gladstein and Vafeiadis, "Truly Stateless, Optimal
 * Dynamic Partial Order Reduction" (TruSt), POPL 2022.  A graph grows by the next
 * event of the lowest thread that can go on.  A read is tried with every write that
 * the model allows, a write at every place in co; then the write revisits reads that
 * were added before it and do not depend on it: such a read r is made to read from the
 * new write w, and all that was added after r and is not in w's past is taken out
 * again.  So that no graph is reached twice, this is done from one of the graphs that
 * differ only in what is taken out: the one in which each such event was added
 * maximally, reading from (or placed at) the end of co as far as it and w can see.
 *
 * What we add:
 * - The program is not run again for every graph: frames share a prefix, and the
 *   machine goes back to a saved state (machine.c).
 * - A thread that cannot go on because of its last read (a lock that is held, a loop
 *   that changed nothing, an assumption) can only be helped by a revisit of that read or
 *   of one before it, which takes the last read out, or revisits it; that is only done to
 *   a maximally added one.  So if it is not, the thread is stuck for good, and the graph
 *   is abandoned at once: no complete execution extends it.
 * - An RMW that reads from a write which another RMW reads from is added only to
 *   revisit that other one: as the graph stands it violates atomicity.
 */
#include "explore/explore.h"
#include "explore/frame.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"

enum { DEFAULT_STEPS = 20000 };
#define UNKNOWN UINT32_MAX /* as `agree` */

enum outcome {
	GROWS,    /* an event was added */
	COMPLETE, /* every thread has ended */
	STUCK,    /* no thread can go on, or some thread never will */
	NOTHING,  /* the graph was not to be explored: an RMW added for its revisits */
	STOPPED,  /* an error was found, or a limit reached: see out */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- errors and limits ---- */

static enum outcome stop_with_error(struct lp_explorer *x, lp_tid thread,
				    const struct lp_program_error *error)
{
	struct lp_exploration *out = x->out;
	struct lp_program *p = x->machine.program;
	char text[256];

	/* What we do not model is no verdict about the program. */
	out->verdict = strcmp(error->kind, "unsupported") ? LP_VIOLATION : LP_INCONCLUSIVE;
	out->kind = lp_arena_strdup(x->arena, error->kind);
	out->text = lp_arena_strdup(x->arena, error->text);
	if (out->verdict == LP_INCONCLUSIVE)
		out->reason = out->text;
	out->thread = thread;
	p->class->describe_pc(p, error->pc, text, sizeof text);
	out->where = lp_arena_strdup(x->arena, text);
	if (error->other_pc) {
		p->class->describe_pc(p, error->other_pc, text, sizeof text);
		out->other_where = lp_arena_strdup(x->arena, text);
	}
	out->steps = lp_explorer_steps(x, &out->step_count);
	x->stopped = true;
	return STOPPED;
}

static enum outcome stop_for(struct lp_explorer *x, const char *reason)
{
	x->out->verdict = LP_INCONCLUSIVE;
	x->out->reason = lp_arena_strdup(x->arena, reason);
	x->stopped = true;
	return STOPPED;
}

/* How much of the tree of choices has been visited, as a fraction. */
static double visited(const struct lp_explorer *x)
{
	double share = 1, sum = 0;

	for (uint32_t d = 0; d < x->depth; d++) {
		const struct lp_frame *f = x->frames.at[d];
		for (uint32_t i = 0; i < f->choices.count; i++) {
			const struct lp_choice *c = &f->choices.at[i];
			const uint32_t total = c->total ? c->total : 1;
			const uint32_t before = c->tried ? c->tried - 1 : 0;
			share /= total;
			sum += share * (before < total ? before : total - 1);
		}
	}
	return sum;
}

static double estimate(const struct lp_explorer *x)
{
	const double part = visited(x);
	return part > 0 ? (double)x->out->executions / part : 0;
}

static bool within_limits(struct lp_explorer *x)
{
	const struct lp_limits *limits = &x->options->limits;

	if (++x->ticks % 256)
		return true;
	const double t = now();
	if (limits->seconds > 0 && t - x->started > limits->seconds) {
		stop_for(x, "time limit reached");
		return false;
	}
	if (x->options->progress && t - x->reported > 0.1) {
		const struct lp_progress progress = { x->out->executions, x->out->blocked,
						      estimate(x) };
		x->reported = t;
		if (!x->options->progress(x->options->closure, &progress)) {
			stop_for(x, "interrupted");
			return false;
		}
	}
	return true;
}

/* ---- what is maximal ---- */

/* Some write above position `pos` of co was added before e, or is in w's past. */
static bool is_topped(const struct lp_graph *g, uint32_t l, uint32_t pos, lp_eid e, lp_eid w)
{
	const struct lp_loc *loc = &g->locs.at[l];

	for (uint32_t p = pos + 1; p <= loc->co.count; p++) {
		const lp_eid above = loc->co.at[p - 1];
		if (above != w && (above < e || (w != LP_NO_EVENT && lp_graph_porf(g, above, w))))
			return true;
	}
	return false;
}

/* Was e added maximally, as far as the events before it and w's past can tell? */
static bool is_maximal(const struct lp_graph *g, lp_eid e, lp_eid w)
{
	const struct lp_event *ev = lp_graph_event(g, e);

	switch ((enum lp_event_kind)ev->kind) {
	case LP_EV_READ:
		return !ev->spurious && !is_topped(g, ev->loc, lp_graph_pos(g, ev->rf), e, w);
	case LP_EV_WRITE: {
		const struct lp_loc *loc = &g->locs.at[ev->loc];
		for (uint32_t i = 0; i < loc->reads.count && loc->reads.at[i] < e; i++)
			if (g->ev.at[loc->reads.at[i]].rf == e)
				return false; /* it revisited that read */
		return !is_topped(g, ev->loc, ev->pos, e, w);
	}
	case LP_EV_CHOOSE:
		return ev->value.lo == 0;
	case LP_EV_FENCE:
	case LP_EV_SPAWN:
	case LP_EV_JOIN:
	case LP_EV_END:
		return true;
	}
	return true;
}

/* Can no revisit ever change what the thread has done last? */
static bool is_hopeless(const struct lp_graph *g, lp_tid thread)
{
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind == LP_EV_READ || e->kind == LP_EV_WRITE || e->kind == LP_EV_CHOOSE)
			return !is_maximal(g, t->at[i], LP_NO_EVENT);
	}
	return t->spawn == LP_NO_EVENT;
}

/* ---- growing ---- */

static struct lp_event event_of(struct lp_explorer *x, lp_tid thread, enum lp_event_kind kind,
				enum lp_order order, uint32_t op)
{
	const struct lp_known_op *known = &x->ops.op.at[op];
	return (struct lp_event){
		.kind = (uint8_t)kind,
		.order = (uint8_t)x->model->order(kind, order),
		.locked = known->op.kind == LP_OP_RMW,
		.thread = thread,
		.index = lp_top(x)->g.threads.at[thread].count,
		.loc = known->loc,
		.target = known->op.target,
		.rf = LP_NO_EVENT,
		.op = op,
	};
}

static lp_eid add(struct lp_explorer *x, struct lp_event *proto)
{
	struct lp_graph *g = &lp_top(x)->g;

	proto->uid = ++x->uid;
	const lp_eid e = lp_graph_add(g, proto);
	lp_model_synchronise(g, e);
	return e;
}

/* The operation that began with event e is complete. */
static void completed(struct lp_explorer *x, lp_eid e)
{
	LP_PUSH(&lp_top(x)->seq, e);
}

/* Removes events from `e` on, and operations from the `seq`-th on. */
static void shrink(struct lp_explorer *x, lp_eid e, uint32_t seq)
{
	struct lp_frame *f = lp_top(x);

	while (f->g.ev.count > e)
		lp_graph_pop(&f->g);
	f->seq.count = seq;
	f->half = LP_NO_EVENT;
	if (x->agree != UNKNOWN && x->agree > seq)
		x->agree = seq;
}

static struct lp_value value_at(const struct lp_graph *g, uint32_t l, uint32_t pos)
{
	const struct lp_loc *loc = &g->locs.at[l];
	return pos ? g->ev.at[loc->co.at[pos - 1]].value : loc->initial;
}

/* Does an RMW other than `but` read from the write at `pos`?  Which? */
static lp_eid rmw_reader(const struct lp_graph *g, uint32_t l, lp_eid write, lp_eid but)
{
	const struct lp_loc *loc = &g->locs.at[l];

	for (uint32_t i = 0; i < loc->reads.count; i++) {
		const lp_eid r = loc->reads.at[i];
		if (r != but && g->ev.at[r].rf == write && g->ev.at[r].rmw)
			return r;
	}
	return LP_NO_EVENT;
}

/* Fills in what the read `proto` is when it reads from position `alternative / 2`, failing
 * spuriously if that is odd.  False if that is of no use. */
static bool shape_read(struct lp_explorer *x, struct lp_event *proto, uint32_t alternative)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op = &x->ops.op.at[proto->op].op;
	const struct lp_loc *loc = &g->locs.at[proto->loc];
	const uint32_t pos = alternative / 2;
	const bool spurious = alternative % 2;

	proto->rf = lp_graph_at(loc, pos);
	proto->value = value_at(g, proto->loc, pos);
	proto->waiting = proto->spins = proto->rmw = false;
	proto->spurious = spurious;

	const bool holds = lp_op_holds(op, proto->value);
	if (spurious && !(holds && op->weak && x->options->weak_fails))
		return false;
	if (!holds && op->otherwise != LP_ELSE_FAIL) {
		/* It waits.  Only a maximal read can be revisited, so others wait in vain. */
		proto->waiting = true;
		proto->order = (uint8_t)x->model->order(LP_EV_READ, LP_RLX);
		return pos == loc->co.count;
	}
	proto->rmw = op->kind == LP_OP_RMW && holds && !spurious;
	if (op->kind == LP_OP_RMW && !proto->rmw)
		proto->order = (uint8_t)x->model->order(LP_EV_READ, op->fail_order);
	else
		proto->order = (uint8_t)x->model->order(LP_EV_READ, op->order);
	return true;
}

/* An RMW that conflicts with another can only revisit it, or something before it;
 * not if the other is in its past, nor if that, or what came after, is not maximal. */
static bool conflict_is_hopeless(const struct lp_graph *g, const struct lp_event *proto,
				 lp_eid rival)
{
	const lp_eid before = lp_graph_before(g, proto->thread, proto->index);

	if (before != LP_NO_EVENT && lp_graph_porf(g, rival, before))
		return true;
	return false;
}

/* Adds a read with the next alternative that is consistent; counts `next` down. */
static bool add_read(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);

	while (c->next != UINT32_MAX && c->next >= 2 * c->floor) {
		const uint32_t alternative = c->next;
		c->next = alternative ? alternative - 1 : UINT32_MAX;
		if (!shape_read(x, &c->proto, alternative))
			continue;
		if (c->proto.rmw) {
			const lp_eid rival = rmw_reader(&f->g, c->proto.loc, c->proto.rf, LP_NO_EVENT);
			if (rival != LP_NO_EVENT && conflict_is_hopeless(&f->g, &c->proto, rival))
				continue;
		}
		c->event = add(x, &c->proto);
		if (x->model->accepts(&f->g, c->event)) {
			c->tried++;
			if (c->proto.rmw)
				f->half = c->event;
			else if (!c->proto.waiting)
				completed(x, c->event);
			return true;
		}
		lp_graph_pop(&f->g);
	}
	return false;
}

/* May a write go to position `pos`, moving the ones from there on up?  Not between an
 * RMW and what it reads from. */
static bool splits_rmw(const struct lp_graph *g, uint32_t l, uint32_t pos)
{
	const struct lp_loc *loc = &g->locs.at[l];
	return pos <= loc->co.count && g->ev.at[loc->co.at[pos - 1]].rmw;
}

/* Adds a write at the next place that is consistent; counts `next` down. */
static bool add_write(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);

	for (; c->next > c->floor; c->next--) {
		if (!c->proto.rmw && splits_rmw(&f->g, c->proto.loc, c->next))
			continue;
		c->proto.pos = c->next;
		c->event = add(x, &c->proto);
		if (x->model->accepts(&f->g, c->event)) {
			c->next--;
			c->tried++;
			completed(x, c->proto.rmw ? f->g.threads.at[c->proto.thread].at[c->proto.index - 1]
						  : c->event);
			return true;
		}
		lp_graph_pop(&f->g);
	}
	return false;
}

/* Names the location of an operation in the graph, finding its initial value at its
 * first use. */
static enum outcome meet_location(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				  uint32_t l)
{
	struct lp_graph *g = &lp_top(x)->g;
	struct lp_program *p = x->machine.program;

	lp_graph_need_loc(g, l);
	struct lp_loc *loc = &g->locs.at[l];
	if (loc->used)
		return GROWS;
	struct lp_program_error error = { .kind = "unsupported", .pc = op->pc, .loc = op->loc };
	if (op->loc % op->size) {
		snprintf(error.text, sizeof error.text,
			 "an atomic access of %u bytes that is not aligned to its size", op->size);
		return stop_with_error(x, t, &error);
	}
	for (uint32_t i = 0; x->ops.loc.at[l].overlaps && i < g->used.count; i++) {
		const struct lp_known_loc *other = &x->ops.loc.at[g->used.at[i]];
		if (other->address < op->loc + op->size && op->loc < other->address + other->size) {
			snprintf(error.text, sizeof error.text,
				 "mixed-size accesses: %u bytes here, %u bytes elsewhere, to the same memory",
				 op->size, other->size);
			return stop_with_error(x, t, &error);
		}
	}
	loc->uninitialised = !p->class->initial(p, op->loc, op->size, &loc->initial);
	return GROWS;
}

static enum outcome check_initialised(struct lp_explorer *x, lp_tid t, const struct lp_event *e,
				      const struct lp_op *op)
{
	const struct lp_loc *loc = &lp_top(x)->g.locs.at[e->loc];

	if (e->rf != LP_INIT || !loc->uninitialised)
		return GROWS;
	struct lp_program_error error = { .kind = "uninitialised", .pc = op->pc, .loc = op->loc };
	snprintf(error.text, sizeof error.text, "an atomic read of memory that was never written");
	return stop_with_error(x, t, &error);
}

/* Grows by a read.  If there are alternatives the choice stays on the stack. */
static enum outcome grow_by_read(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				 uint32_t id, uint32_t live)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice c = { .kind = LP_CHOICE_READ, .seq = f->seq.count };

	c.proto = event_of(x, t, LP_EV_READ, op->order, id);
	if (meet_location(x, t, op, c.proto.loc) == STOPPED)
		return STOPPED;
	c.proto.live = live;
	c.floor = x->model->floor(&f->g, &c.proto);
	c.next = 2 * f->g.locs.at[c.proto.loc].co.count + (op->weak && x->options->weak_fails);
	c.total = f->g.locs.at[c.proto.loc].co.count - c.floor + 1;
	if (c.next != 2 * c.floor) /* more than one way: the state before will be wanted */
		lp_machine_keep(&x->machine);
	if (!add_read(x, &c))
		return STUCK;
	if (c.next != UINT32_MAX && c.next >= 2 * c.floor)
		LP_PUSH(&f->choices, c);
	return check_initialised(x, t, &f->g.ev.at[f->g.ev.count - 1], op);
}

static enum outcome grow_by_write(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				  uint32_t id)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice c = { .kind = LP_CHOICE_WRITE, .seq = f->seq.count };

	c.proto = event_of(x, t, LP_EV_WRITE, op->order, id);
	if (meet_location(x, t, op, c.proto.loc) == STOPPED)
		return STOPPED;
	c.proto.value = op->operand;
	c.floor = x->model->floor(&f->g, &c.proto);
	c.next = f->g.locs.at[c.proto.loc].co.count + 1;
	c.total = c.next - c.floor;
	lp_machine_keep(&x->machine);
	if (!add_write(x, &c))
		LP_BUG("a write that can go nowhere");
	LP_PUSH(&f->choices, c);
	return GROWS;
}

/* The write of an RMW, directly after its read in po and after what that reads in co. */
static enum outcome finish_rmw(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	const lp_eid r = f->half;
	const struct lp_event read = *lp_graph_event(&f->g, r);
	const struct lp_op *op = &x->ops.op.at[read.op].op;
	struct lp_choice c = { .kind = LP_CHOICE_WRITE, .seq = f->seq.count, .total = 1 };

	f->half = LP_NO_EVENT;
	c.proto = event_of(x, read.thread, LP_EV_WRITE, op->order, read.op);
	c.proto.rmw = true;
	c.proto.value = lp_op_result(op, read.value);
	c.in_conflict = rmw_reader(&f->g, read.loc, read.rf, r) != LP_NO_EVENT;
	c.next = lp_graph_pos(&f->g, read.rf) + 1;
	c.floor = c.in_conflict ? c.next : c.next - 1; /* one place, or none */
	c.event = f->g.ev.count;
	const bool added = add_write(x, &c);
	LP_PUSH(&f->choices, c);
	return added ? GROWS : NOTHING;
}

static enum outcome grow_by_other(struct lp_explorer *x, lp_tid t, const struct lp_op *op,
				  uint32_t id)
{
	static const enum lp_event_kind kinds[] = {
		[LP_OP_FENCE] = LP_EV_FENCE, [LP_OP_SPAWN] = LP_EV_SPAWN,
		[LP_OP_JOIN] = LP_EV_JOIN, [LP_OP_CHOOSE] = LP_EV_CHOOSE,
		[LP_OP_END] = LP_EV_END,
	};
	struct lp_frame *f = lp_top(x);
	const enum lp_event_kind kind = kinds[op->kind];
	struct lp_choice c = { .kind = LP_CHOICE_NUMBER, .seq = f->seq.count };

	c.proto = event_of(x, t, kind, kind == LP_EV_FENCE ? op->order : LP_PLAIN, id);
	c.proto.locked = false;
	if (kind == LP_EV_CHOOSE && op->count > 1) {
		lp_machine_keep(&x->machine);
		c.next = 1;
		c.total = op->count;
		c.tried = 1;
	}
	c.event = add(x, &c.proto);
	if (kind == LP_EV_FENCE && !x->model->accepts(&f->g, c.event))
		return STUCK;
	if (kind != LP_EV_END)
		completed(x, c.event);
	if (kind == LP_EV_CHOOSE && op->count > 1)
		LP_PUSH(&f->choices, c);
	return GROWS;
}

/* The live state of a thread at an operation on a loop; 0 if it is not worth asking. */
static uint32_t live_state(struct lp_explorer *x, lp_tid thread, const struct lp_op *op)
{
	struct lp_program *p = x->machine.program;
	uint64_t fingerprint[2];

	if (!op->loop || !x->options->spin || (op->kind != LP_OP_LOAD && op->kind != LP_OP_RMW) ||
	    !p->class->live_state(p, thread, fingerprint))
		return 0;
	return lp_ops_live(&x->ops, fingerprint);
}

/* Is the thread in a live state in which it was before, having changed nothing since?
 * Then the iteration in between was redundant: the execution without it exists. */
static bool goes_round(struct lp_graph *g, lp_tid thread, uint32_t live)
{
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = live ? t->count : 0; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_READ && e->kind != LP_EV_FENCE && e->kind != LP_EV_CHOOSE)
			return false;
		if (e->rmw)
			return false;
		if (e->live == live) {
			struct lp_event *last = lp_graph_event(g, LP_LAST(t));
			last->spins = true;
			last->target = i;
			return true;
		}
	}
	return false;
}

enum thread_state { RUNNABLE, ENDED, JOINING, WAITING, SPINNING, DROPPED };

static enum thread_state state_of(struct lp_explorer *x, lp_tid thread, const struct lp_op **op)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	*op = lp_program_pending(x->machine.program, thread);
	if (t->count) {
		const struct lp_event *last = lp_graph_event(g, LP_LAST(t));
		if (last->kind == LP_EV_END)
			return ENDED;
		if (last->waiting)
			return x->ops.op.at[last->op].op.otherwise == LP_ELSE_DROP ? DROPPED : WAITING;
		if (last->spins)
			return SPINNING;
	}
	if ((*op)->kind == LP_OP_BLOCK)
		return DROPPED;
	if ((*op)->kind == LP_OP_JOIN) {
		const lp_tid target = (*op)->target;
		const struct lp_thread *other =
			target < g->threads.count ? &g->threads.at[target] : NULL;
		if (!other || !other->count || lp_graph_event(g, LP_LAST(other))->kind != LP_EV_END)
			return JOINING;
	}
	return RUNNABLE;
}

/* No thread can go on.  Is that how a real execution ends? */
static enum outcome conclude(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;
	bool all_ended = true, waits = false, spins = false;
	lp_tid culprit = 0;
	uintptr_t pc = 0;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists)
			continue;
		const enum thread_state state = state_of(x, t, &op);
		if (state == ENDED)
			continue;
		all_ended = false;
		if (state == DROPPED)
			return STUCK;
		if (state == JOINING)
			continue;
		/* It waits for ever only if what it read last is what will always be there. */
		const struct lp_thread *th = &g->threads.at[t];
		const struct lp_event *last = lp_graph_event(g, LP_LAST(th));
		for (uint32_t i = state == WAITING ? last->index : last->target; i < th->count; i++) {
			const struct lp_event *e = lp_graph_event(g, th->at[i]);
			if (e->kind == LP_EV_READ &&
			    lp_graph_pos(g, e->rf) != g->locs.at[e->loc].co.count)
				return STUCK;
		}
		if (!waits && !spins) {
			culprit = t;
			pc = x->ops.op.at[last->op].op.pc;
		}
		waits |= state == WAITING;
		spins |= state == SPINNING;
	}
	if (all_ended)
		return COMPLETE;
	/* When main has returned the others are gone, whatever they waited for. */
	if (g->threads.at[0].count && lp_graph_event(g, LP_LAST(&g->threads.at[0]))->kind == LP_EV_END)
		return COMPLETE;
	struct lp_program_error error = { .kind = spins ? "liveness" : "deadlock", .pc = pc };
	snprintf(error.text, sizeof error.text,
		 spins ? "thread %u spins for ever: what it waits for never happens"
		       : "thread %u waits for ever", culprit);
	if (!waits && !spins)
		snprintf(error.text, sizeof error.text, "threads wait for each other's end");
	return stop_with_error(x, culprit, &error);
}

static enum outcome step(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);

	if (f->half != LP_NO_EVENT)
		return finish_rmw(x);
	if (x->agree == UNKNOWN)
		x->agree = lp_machine_agree(&x->machine, &f->g, &f->seq);
	if (!lp_machine_follow(&x->machine, &f->g, &f->seq, x->agree))
		return stop_with_error(x, x->machine.error_thread, &x->machine.error);
	x->agree = f->seq.count;

	for (lp_tid t = 0; t < f->g.threads.count; t++) {
		const struct lp_op *op;
		if (!f->g.threads.at[t].exists)
			continue;
		const enum thread_state state = state_of(x, t, &op);
		if (state == DROPPED && op->kind == LP_OP_BLOCK && is_hopeless(&f->g, t))
			return STUCK;
		if (state != RUNNABLE)
			continue;
		if (op->kind == LP_OP_ERROR)
			return stop_with_error(x, t, op->error);
		if (f->g.threads.at[t].count >= x->steps) {
			struct lp_program_error error = { .kind = "endless loop", .pc = op->pc };
			snprintf(error.text, sizeof error.text,
				 "thread %u does more than %u operations (see --steps)", t, x->steps);
			return stop_with_error(x, t, &error);
		}
		const uint32_t live = live_state(x, t, op);
		if (goes_round(&f->g, t, live)) {
			if (is_hopeless(&f->g, t))
				return STUCK;
			continue;
		}
		const uint32_t id = lp_ops_intern(&x->ops, op);
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
		case LP_OP_END:
			return grow_by_other(x, t, op, id);
		case LP_OP_BLOCK:
		case LP_OP_YIELD:
		case LP_OP_ERROR:
			break;
		}
		LP_BUG("thread %u is at an operation of kind %u", t, op->kind);
	}
	return conclude(x);
}

static enum outcome grow(struct lp_explorer *x)
{
	enum outcome o;

	while ((o = step(x)) == GROWS) {
		if (!within_limits(x))
			return STOPPED;
	}
	return o;
}

/* ---- going back ---- */

static struct lp_frame *push_frame(struct lp_explorer *x)
{
	if (x->depth == x->frames.count) {
		struct lp_frame *f = lp_alloc_zero(1, sizeof *f);
		lp_graph_open(&f->g);
		LP_PUSH(&x->frames, f);
	}
	struct lp_frame *f = x->frames.at[x->depth++];
	f->choices.count = 0;
	f->seq.count = 0;
	f->half = LP_NO_EVENT;
	return f;
}

static void need_scratch(struct lp_explorer *x, uint32_t n)
{
	if (n <= x->scratch_room)
		return;
	x->scratch_room = 2 * n;
	x->keep = lp_realloc(x->keep, sizeof *x->keep * x->scratch_room);
	x->renamed = lp_realloc(x->renamed, sizeof *x->renamed * x->scratch_room);
}

/* Opens a frame without what was added after r and is not in w's past, and without w,
 * the last event of the frame below, which is to be put somewhere in co and read by r. */
static void open_revisit(struct lp_explorer *x, lp_eid r, lp_eid w)
{
	struct lp_frame *from = lp_top(x);
	const uint32_t n = from->g.ev.count;
	struct lp_choice c = { .kind = LP_CHOICE_REVISIT, .proto = from->g.ev.at[w] };

	assert(w == n - 1);
	need_scratch(x, n);
	for (lp_eid e = 0; e < n; e++)
		x->keep[e] = e != w && (e <= r || lp_graph_porf(&from->g, e, w));
	struct lp_frame *f = push_frame(x);
	lp_graph_restrict(&f->g, &from->g, x->keep, x->renamed);
	for (uint32_t i = 0; i < from->seq.count; i++) {
		const lp_eid e = from->seq.at[i];
		if (x->keep[e] && e != r && !(c.proto.rmw && e == from->g.threads.at[c.proto.thread].at[c.proto.index - 1]))
			LP_PUSH(&f->seq, x->renamed[e]);
	}
	f->read = x->renamed[r];
	struct lp_event *read = lp_graph_event(&f->g, f->read);
	read->rf = LP_NO_EVENT;
	read->uid = ++x->uid;

	c.event = f->g.ev.count;
	c.seq = f->seq.count;
	if (c.proto.rmw) {
		const lp_eid own = lp_graph_last(&f->g, c.proto.thread);
		c.next = lp_graph_pos(&f->g, f->g.ev.at[own].rf) + 1;
		c.floor = c.next - 1;
	} else {
		c.next = f->g.locs.at[c.proto.loc].co.count + 1;
		c.floor = x->model->floor(&f->g, &c.proto);
	}
	c.total = c.next - c.floor;
	LP_PUSH(&f->choices, c);
	x->agree = UNKNOWN;
}

/* Makes the read of the top frame, which has no rf, read from the write just added. */
static bool give_rf(struct lp_explorer *x, lp_eid w)
{
	struct lp_frame *f = lp_top(x);
	struct lp_event shape = *lp_graph_event(&f->g, f->read);
	const uint32_t pos = lp_graph_pos(&f->g, w);

	if (x->model->floor(&f->g, &shape) > pos || !shape_read(x, &shape, 2 * pos))
		return false;
	lp_graph_set_read(&f->g, f->read, &shape);
	lp_model_synchronise(&f->g, f->read);
	if (!x->model->accepts(&f->g, w) || !x->model->accepts(&f->g, f->read))
		return false;
	if (shape.rmw)
		f->half = f->read;
	else if (!shape.waiting)
		completed(x, f->read);
	return true;
}

/* Puts the write that opened the top frame at the next place where all is consistent. */
static bool place_revisitor(struct lp_explorer *x, struct lp_choice *c)
{
	struct lp_frame *f = lp_top(x);

	while (c->next > c->floor) {
		const uint32_t pos = c->next--;
		if (!c->proto.rmw && splits_rmw(&f->g, c->proto.loc, pos))
			continue;
		struct lp_event write = c->proto;
		write.pos = pos;
		const lp_eid w = lp_graph_add(&f->g, &write);
		lp_model_synchronise(&f->g, w);
		completed(x, write.rmw ? lp_graph_before(&f->g, write.thread, write.index) : w);
		if (give_rf(x, w)) {
			c->tried++;
			return true;
		}
		lp_graph_event(&f->g, f->read)->rf = LP_NO_EVENT;
		shrink(x, c->event, c->seq);
	}
	return false;
}

/* The write of choice c, last event of the top frame, revisits the next read that it
 * may.  Reads are met from the last added to the first; all that would be taken out
 * with the first ones would be with the later ones, so the first event that is not
 * maximal ends the search. */
static bool revisit_next(struct lp_explorer *x, struct lp_choice *c)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid w = c->event;
	const struct lp_event *write = lp_graph_event(g, w);
	lp_eid rival = w;

	if (c->in_conflict) {
		const lp_eid own = lp_graph_before(g, write->thread, write->index);
		rival = rmw_reader(g, write->loc, g->ev.at[own].rf, own);
	}
	while (c->next > 0) {
		const lp_eid e = --c->next;
		if (lp_graph_porf(g, e, w))
			continue;
		if (!is_maximal(g, e, w)) {
			c->next = 0;
			break;
		}
		if (g->ev.at[e].kind == LP_EV_READ && g->ev.at[e].loc == write->loc && e <= rival) {
			open_revisit(x, e, w);
			return true;
		}
	}
	return false;
}

/* Takes the next alternative of the last choice of the top frame.  False if there is
 * none; the choice is then gone. */
static bool take_alternative(struct lp_explorer *x)
{
	struct lp_frame *f = lp_top(x);
	struct lp_choice *c = &LP_LAST(&f->choices);

	switch ((enum lp_choice_kind)c->kind) {
	case LP_CHOICE_READ:
		shrink(x, c->event, c->seq);
		if (add_read(x, c))
			return true;
		break;
	case LP_CHOICE_NUMBER:
		shrink(x, c->event, c->seq);
		if (c->next < x->ops.op.at[c->proto.op].op.count) {
			c->proto.value = lp_value(c->next++);
			c->tried++;
			c->event = add(x, &c->proto);
			completed(x, c->event);
			return true;
		}
		break;
	case LP_CHOICE_REVISIT:
		lp_graph_event(&f->g, f->read)->rf = LP_NO_EVENT;
		shrink(x, c->event, c->seq);
		if (place_revisitor(x, c))
			return true;
		break;
	case LP_CHOICE_WRITE:
		if (!c->revisiting) {
			shrink(x, c->event, c->seq);
			if (!c->in_conflict && add_write(x, c))
				return true;
			/* Back in, anywhere, for the sake of its revisits. */
			c->proto.pos = f->g.locs.at[c->proto.loc].co.count + 1;
			c->event = add(x, &c->proto);
			completed(x, c->proto.rmw ? lp_graph_before(&f->g, c->proto.thread, c->proto.index)
						  : c->event);
			c->revisiting = true;
			c->next = c->event;
		}
		while (revisit_next(x, c)) {
			if (place_revisitor(x, &LP_LAST(&lp_top(x)->choices)))
				return true;
			x->depth--;
		}
		x->agree = UNKNOWN;
		break;
	}
	f->choices.count--;
	return false;
}

static bool go_back(struct lp_explorer *x)
{
	while (x->depth) {
		struct lp_frame *f = lp_top(x);
		while (f->choices.count) {
			if (take_alternative(x))
				return true;
		}
		x->depth--;
		x->agree = UNKNOWN;
	}
	return false;
}

/* ---- the whole ---- */

static void count_outcome(struct lp_explorer *x)
{
	const char *text = x->machine.program->class->outcome(x->machine.program);

	if (!text)
		return;
	for (uint32_t i = 0; i < x->outcomes.count; i++) {
		if (!strcmp(x->outcomes.at[i].text, text)) {
			x->outcomes.at[i].executions++;
			return;
		}
	}
	LP_PUSH(&x->outcomes, (struct lp_outcome){ lp_arena_strdup(x->arena, text), 1 });
}

static void count_execution(struct lp_explorer *x)
{
	x->out->executions++;
	count_outcome(x);
	if (x->options->complete) {
		struct lp_arena_mark mark = lp_arena_mark(x->arena);
		uint32_t count;
		const struct lp_step *steps = lp_explorer_steps(x, &count);
		x->options->complete(x->options->closure, steps, count);
		lp_arena_rewind(x->arena, mark);
	}
	if (x->options->limits.executions && x->out->executions >= x->options->limits.executions)
		stop_for(x, "limit of executions reached");
}

static void close_explorer(struct lp_explorer *x)
{
	for (uint32_t i = 0; i < x->frames.count; i++) {
		struct lp_frame *f = x->frames.at[i];
		lp_graph_close(&f->g);
		lp_free(f->seq.at);
		lp_free(f->choices.at);
		lp_free(f);
	}
	lp_free(x->frames.at);
	lp_free(x->keep);
	lp_free(x->renamed);
	lp_machine_close(&x->machine);
	lp_ops_close(&x->ops);
	lp_free(x->outcomes.at);
}

void lp_explore_graphs(struct lp_program *program, const struct lp_explore_options *options,
		       struct lp_arena *arena, struct lp_exploration *out)
{
	static const struct lp_model_class *const models[] = {
		[LP_MODEL_SC] = &lp_model_sc, [LP_MODEL_TSO] = &lp_model_tso,
		[LP_MODEL_RA] = &lp_model_ra, [LP_MODEL_RC11] = &lp_model_rc11,
	};
	struct lp_explorer x = { .options = options, .model = models[options->model],
				 .arena = arena, .out = out };

	*out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	x.steps = options->limits.steps ? options->limits.steps : DEFAULT_STEPS;
	x.started = x.reported = now();
	lp_ops_open(&x.ops);
	lp_machine_open(&x.machine, program, &x.ops, options->races_ignored);
	struct lp_frame *first = push_frame(&x);
	lp_graph_clear(&first->g);

	do {
		const enum outcome o = grow(&x);
		if (o == COMPLETE)
			count_execution(&x);
		else if (o == STUCK)
			out->blocked++;
	} while (!x.stopped && go_back(&x));

	out->estimate = x.stopped ? estimate(&x) : (double)out->executions;
	struct lp_outcome *outcomes = lp_arena_alloc(arena, sizeof *outcomes * x.outcomes.count);
	if (x.outcomes.count)
		memcpy(outcomes, x.outcomes.at, sizeof *outcomes * x.outcomes.count);
	out->outcomes = outcomes;
	out->outcome_count = x.outcomes.count;
	close_explorer(&x);
}
