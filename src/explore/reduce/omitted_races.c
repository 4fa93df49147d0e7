/* omitted_races.c -- races with accesses of iterations that were left out. */
#include "explore/reduce/omitted_races.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/reduce/facts/omitted_race_facts.h"
#include "explore/reduce/silent_rmw.h"
#include "explore/sample/act.h"

bool lp_omitted_needed(const struct lp_explore_options *o)
{
	return o->reduce.spin && (o->reduce.attempts || !o->reduce.stores_seen || (o->reduce.careful != LP_CAREFUL && !o->races_ignored));
}

void lp_omitted_stack_shared(struct lp_omitted *o, lp_tid owner)
{
	if (o->facts && lp_facts_careful(o->facts) != LP_CAREFUL)
		lp_facts_add(o->facts, LP_FACT_STACK_SHARED, lp_fact_stack(owner), 1);
}

/* The hash does not depend on the width, because clocks become wider when more threads start. */
static uint64_t hash_clock(const uint32_t *clock, uint32_t width)
{
	uint64_t hash = 0;

	while (clock && width && !clock[width - 1])
		width--;
	for (uint32_t t = 0; clock && t < width; t++)
		hash = (hash ^ clock[t]) * UINT64_C(0x9e3779b97f4a7c15);
	return hash;
}

/* Was the fact recorded recently?  Most accesses are met again and again with the same past.  `past`
 * is the hash of the clock. */
static bool is_recent(struct lp_omitted *o, const struct lp_fact *fact, uint64_t past)
{
	const uint64_t kind = (unsigned)(fact->write | fact->atomic << 1 | fact->left << 2 | (fact->lock | fact->helped) << 3);
	uint64_t hash = lp_mix(fact->loc ^ fact->size << 48 ^ kind << 60);

	hash = lp_mix(hash ^ ((uint64_t)fact->thread << 32 | fact->at));
	hash = lp_mix(hash ^ (uint64_t)(fact->found | fact->after << 1));
	for (uint32_t i = 0; i < LP_FACT_HELD && fact->held[i]; i++)
		hash = lp_mix(hash ^ fact->held[i]);
	hash = lp_mix(hash ^ past);
	uint64_t *place = &o->recent[hash & (LP_OMITTED_RECENT - 1)];
	if (*place == hash)
		return true;
	*place = hash;
	return false;
}

static void begin_fact(struct lp_fact *fact, lp_tid t, uint32_t at, uintptr_t loc, size_t size)
{
	memset(fact, 0, offsetof(struct lp_fact, clock));
	LP_HOLDS(size);
	fact->thread = t;
	fact->at = at;
	fact->loc = loc;
	fact->size = size;
}

static bool is_alike(const struct lp_omitted *o, lp_tid t)
{
	return o->alike[t % LP_OMITTED_ALIKE / 64] >> t % 64 & 1;
}

/* Is the memory renamed with a like thread?  If so, returns this thread, and the place of the
 * memory. */
static bool is_theirs(const struct lp_omitted *o, uintptr_t loc, lp_tid *owner, uintptr_t *place)
{
	return o->program->class->owner(o->program, loc, owner, place) && is_alike(o, *owner);
}

/* Adds bytes to a set, and the bytes that they may become by renaming like threads. */
static void add_to(struct lp_omitted *o, enum lp_fact_set set, uintptr_t loc, size_t size)
{
	uintptr_t place;
	lp_tid owner;

	lp_facts_add(o->facts, set, loc, size);
	if (is_theirs(o, loc, &owner, &place))
		lp_facts_add(o->facts, set, place, size);
}

static void find_place(const struct lp_omitted *o, struct lp_fact *fact)
{
	uintptr_t place;
	lp_tid owner;

	if (fact->size == SIZE_MAX || !is_theirs(o, fact->loc, &owner, &place))
		return;
	fact->place = place;
	fact->theirs = true;
	fact->by_owner = owner == fact->thread;
}

/* Removes the names of like threads from a fact: another like thread may make the access, or own
 * the memory. */
static void forget_names(const struct lp_omitted *o, struct lp_fact *fact)
{
	uintptr_t place;
	lp_tid owner;

	find_place(o, fact);
	if (fact->thread == LP_FACT_ANY_THREAD || !is_alike(o, fact->thread))
		return;
	for (lp_tid t = 0; t < LP_FACT_THREADS; t++)
		if (is_alike(o, t))
			fact->clock[t] = 0;
	for (uint32_t i = LP_FACT_HELD; i-- > 0;)
		if (fact->held[i] && is_theirs(o, fact->held[i], &owner, &place))
			lp_fact_let_go(fact, fact->held[i]);
	fact->thread = LP_FACT_ANY_THREAD;
	fact->at = UINT32_MAX;
}

/* `fact` has everything except the clock. */
static void put_unless_recent(struct lp_omitted *o, struct lp_fact *fact, const uint32_t *clock,
			      uint32_t width, uint64_t past)
{
	LP_HOLDS(past == hash_clock(clock, width));
	if (is_recent(o, fact, past))
		return;
	memset(fact->clock, 0, sizeof fact->clock);
	if (fact->thread >= LP_FACT_THREADS || width > LP_FACT_THREADS)
		lp_facts_give_up(o->facts);
	else if (clock)
		memcpy(fact->clock, clock, sizeof *clock * width);
	forget_names(o, fact);
	if (!lp_omitted_matters(o->facts))
		lp_facts_put(o->facts, fact);
}

static void put_new(struct lp_omitted *o, struct lp_fact *fact, const uint32_t *clock, uint32_t width)
{
	put_unless_recent(o, fact, clock, width, hash_clock(clock, width));
}

/* The locks that the thread has after `index` events. */
static void find_held(const struct lp_graph *g, const struct lp_ops *ops, uint32_t index,
		      struct lp_fact *fact)
{
	const struct lp_thread *t = &g->threads.at[fact->thread];

	LP_HOLDS(index <= t->count);

	for (uint32_t i = ops->locks ? 0 : index; i < index; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		const struct lp_op *op = &ops->op.at[e->op].op;
		if (e->kind != LP_EV_WRITE || !op->lock)
			continue;
		if (e->rmw)
			lp_fact_take(fact, op->loc);
		else
			lp_fact_let_go(fact, op->loc);
	}
}

/* Is this the interval in which the access lies?  For debug builds. */
static bool is_in_interval(const struct lp_graph *g, const struct lp_ops *ops, const struct lp_plain_access *a,
			   const uint32_t *clock, const struct lp_interval *in)
{
	struct lp_fact fact = { .thread = a->thread };

	find_held(g, ops, a->index, &fact);
	return in->past == hash_clock(clock, g->width) && !memcmp(in->held, fact.held, sizeof in->held);
}

/* The interval in which the access lies; `clock` is its clock. */
static const struct lp_interval *interval_of(struct lp_omitted *o, const struct lp_graph *g,
					     const struct lp_ops *ops, const struct lp_plain_access *a,
					     const uint32_t *clock)
{
	const lp_eid before = lp_graph_before(g, a->thread, a->index);
	const uint64_t uid = before == LP_NO_EVENT ? 0 : lp_graph_note(g, before)->uid;
	struct lp_interval *in = &o->interval;

	if (in->thread != a->thread || in->uid != uid || !uid) {
		struct lp_fact fact = { .thread = a->thread };
		find_held(g, ops, a->index, &fact);
		memcpy(in->held, fact.held, sizeof in->held);
		in->thread = a->thread;
		in->uid = uid;
		in->past = hash_clock(clock, g->width);
	}
	LP_AGREES(is_in_interval(g, ops, a, clock, in));
	return in;
}

/* Records a plain access that is explored. */
static void note_access(struct lp_omitted *o, const struct lp_graph *g, const struct lp_ops *ops,
			const struct lp_plain_access *a, const uint32_t *clock)
{
	struct lp_fact fact;

	LP_HOLDS(!a->own && clock);
	if (a->write) {
		const struct lp_interval *in = interval_of(o, g, ops, a, clock);
		begin_fact(&fact, a->thread, a->index, a->loc, a->size);
		fact.write = true;
		fact.found = a->found;
		memcpy(fact.held, in->held, sizeof fact.held);
		put_unless_recent(o, &fact, clock, g->width, in->past);
	} else {
		add_to(o, LP_FACT_READ, a->loc, a->size);
	}
}

void lp_omitted_like(struct lp_omitted *o, const struct lp_plains *plains, const struct lp_graph *g,
		     const struct lp_ops *ops, lp_tid a, lp_tid b)
{
	if (is_alike(o, a) && is_alike(o, b))
		return;
	LP_HOLDS(a != b);
	o->alike[a % LP_OMITTED_ALIKE / 64] |= UINT64_C(1) << a % 64;
	o->alike[b % LP_OMITTED_ALIKE / 64] |= UINT64_C(1) << b % 64;
	/* The facts recorded so far name the two threads, so they must be recorded again. */
	memset(o->recent, 0, sizeof o->recent);
	o->ops = 0;
	for (uint32_t i = 0; i < plains->count; i++) {
		const struct lp_plain_access *r = &plains->at[i];
		const lp_eid before = lp_graph_before(g, r->thread, r->index);
		if (!r->own && o->facts && lp_facts_careful(o->facts) != LP_CAREFUL && before != LP_NO_EVENT)
			note_access(o, g, ops, r, lp_graph_clock(g, before, LP_CLOCK_HB));
	}
}

void lp_omitted_accessed(struct lp_omitted *o, const struct lp_graph *g, const struct lp_ops *ops,
			 const struct lp_plain_access *a, const uint32_t *clock)
{
	if (o->facts && lp_facts_careful(o->facts) != LP_CAREFUL)
		note_access(o, g, ops, a, clock);
}

bool lp_omitted_relies(struct lp_omitted *o, uintptr_t loc, size_t size)
{
	uintptr_t place;
	lp_tid owner;

	if (!o->facts) /* an execution is replayed or sampled, so no conclusion is drawn from what is left
	                * out */
		return true;
	if (lp_facts_has(o->facts, LP_FACT_SPOILT, loc, size) ||
	    (is_theirs(o, loc, &owner, &place) && lp_facts_has(o->facts, LP_FACT_SPOILT, place, size)))
		return false;
	add_to(o, LP_FACT_RELIED, loc, size);
	return true;
}

void lp_omitted_spoil(struct lp_omitted *o, uintptr_t loc, size_t size)
{
	if (o->facts)
		add_to(o, LP_FACT_SPOILT, loc, size);
}

/* Could the operation see whether a lock is held, and do more than wait, report an error or
 * overwrite it?  Plain writes are recorded anyway, unless races are ignored. */
static bool sees_locks(const struct lp_explorer *x, const struct lp_op *op)
{
	if (!lp_op_is_access(op) || op->lock)
		return false;
	return op->order != LP_PLAIN || op->kind == LP_OP_LOAD || x->options->races_ignored;
}

/* Records the operations that are new since the last call: those that might see a lock, and atomic
 * writes. */
static void note_operations(struct lp_explorer *x, struct lp_omitted *o)
{
	for (; o->ops < x->ops.op.count; o->ops++) {
		const struct lp_op *op = &x->ops.op.at[o->ops].op;
		if (x->options->reduce.attempts && sees_locks(x, op)) {
			struct lp_fact sees = { .loc = op->loc, .size = op->size,
						.thread = LP_FACT_ANY_THREAD, .at = UINT32_MAX, .lock = true };
			find_place(o, &sees);
			lp_facts_put(o->facts, &sees);
		}
		if ((op->kind != LP_OP_STORE && op->kind != LP_OP_RMW) || op->order == LP_PLAIN ||
		    lp_facts_careful(o->facts) != LP_CARELESS)
			continue;
		struct lp_fact fact = { .loc = op->loc, .size = op->size, .thread = LP_FACT_ANY_THREAD,
					.at = UINT32_MAX, .write = true, .atomic = true };
		find_place(o, &fact);
		lp_facts_put(o->facts, &fact);
	}
}

void lp_omitted_finish(struct lp_explorer *x)
{
	if (x->machine.omitted.facts)
		note_operations(x, &x->machine.omitted);
}

/* Records the plain read, in an iteration that began after `from` events. */
static void note_read(struct lp_explorer *x, const struct lp_plain_access *r, uint32_t from)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid before = lp_graph_before(g, r->thread, r->index);
	const uint32_t *clock = before == LP_NO_EVENT ? NULL : lp_graph_clock(g, before, LP_CLOCK_HB);
	struct lp_fact fact;

	LP_HOLDS(!r->write && from <= r->index);
	begin_fact(&fact, r->thread, from, r->loc, r->size);
	fact.left = true;
	fact.after = lp_own_was_found(&x->machine.own, r->thread, r->loc, r->size, clock);
	find_held(g, &x->ops, r->index, &fact);
	put_new(&x->machine.omitted, &fact, clock, g->width);
}

bool lp_omitted_helped(struct lp_explorer *x, lp_tid thread, uint32_t index)
{
	struct lp_omitted *o = &x->machine.omitted;
	const struct lp_graph *g = &lp_top(x)->g;
	const uint32_t *clock = lp_graph_clock(g, lp_graph_before(g, thread, index), LP_CLOCK_HB);
	const struct lp_plains *plains = &x->machine.plains;

	/* A careful exploration does not record all writes. */
	const bool kept = o->facts && lp_facts_careful(o->facts) == LP_CARELESS;
	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *r = &plains->at[i];
		struct lp_fact fact;
		lp_tid owner;
		if (r->thread != thread || r->index > index || r->own)
			continue;
		if (r->index < index)
			break;
		if (lp_program_in_stack(x->machine.program, r->loc, &owner) && owner == thread)
			continue;
		if (!kept)
			return false;
		begin_fact(&fact, thread, UINT32_MAX, r->loc, r->size); /* not ordered before any
		                                                         * event */
		fact.left = fact.helped = true;
		put_new(o, &fact, clock, g->width);
	}
	return true;
}

/* Notes that an iteration which is left out accesses this memory, if it is in the stack of another
 * thread. */
static void note_stack(struct lp_explorer *x, lp_tid thread, uintptr_t loc, bool write)
{
	struct lp_omitted_facts *facts = x->machine.omitted.facts;
	lp_tid owner;

	if (!facts || lp_facts_careful(facts) == LP_CAREFUL ||
	    !lp_program_in_stack(x->machine.program, loc, &owner))
		return;
	if (owner != thread)
		lp_facts_keep_all(facts);
	else if (write)
		lp_facts_add(facts, LP_FACT_OWN_STACK, lp_fact_stack(thread), 1);
}

/* Records an atomic access of such an iteration; `clock` is the clock of what happens before it. */
static void note_atomic(struct lp_explorer *x, struct lp_fact *fact, const struct lp_op *op, const uint32_t *clock)
{
	struct lp_omitted *o = &x->machine.omitted;

	LP_HOLDS(lp_op_is_access(op));
	note_stack(x, fact->thread, op->loc, false);
	fact->atomic = fact->left = true;
	fact->lock = op->lock;
	fact->after = clock && lp_own_was_found(&x->machine.own, fact->thread, op->loc, op->size, clock);
	put_new(o, fact, clock, lp_top(x)->g.width);
	if (fact->write && lp_facts_careful(o->facts) != LP_CAREFUL)
		add_to(o, LP_FACT_WRITTEN, op->loc, op->size);
}

/* The same for an event of the iteration; the events with which it synchronises itself also happen
 * before it. */
static void note_event(struct lp_explorer *x, lp_eid id, uint32_t from)
{
	struct lp_omitted *o = &x->machine.omitted;
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_event *e = lp_graph_event(g, id);
	const struct lp_op *op = &x->ops.op.at[e->op].op;
	struct lp_fact fact;

	if ((e->kind != LP_EV_READ && e->kind != LP_EV_WRITE) || op->order == LP_PLAIN ||
	    (lp_facts_careful(o->facts) == LP_CAREFUL && !op->lock))
		return;
	begin_fact(&fact, e->thread, from, op->loc, op->size);
	fact.write = e->kind == LP_EV_WRITE || lp_is_silent_rmw(e, op);
	note_atomic(x, &fact, op, lp_graph_clock(g, id, LP_CLOCK_HB));
}

void lp_omitted_await(struct lp_explorer *x, lp_tid thread, uint32_t id, bool writes)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_op *op = &x->ops.op.at[id].op;
	const uint32_t from = g->threads.at[thread].count;
	struct lp_fact fact;

	if (!x->machine.omitted.facts || op->order == LP_PLAIN)
		return;
	begin_fact(&fact, thread, from, op->loc, op->size);
	fact.write = writes;
	note_atomic(x, &fact, op, lp_model_past(g, thread, from));
}

void lp_omitted_might_perform(struct lp_explorer *x, lp_tid thread, uint32_t from, const struct lp_op *op,
			      const uint32_t *clock)
{
	struct lp_fact fact;

	if (!x->machine.omitted.facts)
		return;
	begin_fact(&fact, thread, from, op->loc, op->size);
	fact.write = op->kind == LP_OP_RMW && op->when == LP_ALWAYS; /* a silent one */
	note_atomic(x, &fact, op, clock);
}

void lp_omitted_might_read(struct lp_explorer *x, lp_tid thread, uint32_t from, uintptr_t loc, size_t size,
			   const uint32_t *clock)
{
	struct lp_omitted *o = &x->machine.omitted;
	struct lp_fact fact;

	if (!o->facts)
		return;
	note_stack(x, thread, loc, false);
	begin_fact(&fact, thread, from, loc, size);
	fact.left = true;
	fact.after = lp_own_was_found(&x->machine.own, thread, loc, size, clock);
	put_new(o, &fact, clock, lp_top(x)->g.width);
}

/* When the exploration is careful: is the iteration to be kept?  If so, marks the thread's last
 * event. */
static bool is_kept(struct lp_explorer *x, lp_tid thread, uint32_t from)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	for (uint32_t i = 0; i < t->count; i++) {
		const struct lp_note *note = lp_graph_note(g, t->at[i]);
		if (note->stop == LP_STOP_KEPT && note->since == from)
			return true;
		if (note->stop == LP_STOP_KEPT && i < from)
			return false;
	}
	struct lp_note *last = lp_graph_note(g, LP_LAST(t));
	last->stop = LP_STOP_KEPT;
	last->since = from;
	return true;
}

/* Records the plain reads of the iteration.  Returns true if there are any. */
static bool note_reads(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_omitted *o = &x->machine.omitted;
	const struct lp_plains *plains = &x->machine.plains;
	bool reads = false;

	for (uint32_t i = plains->count; i-- > 0;) {
		const struct lp_plain_access *r = &plains->at[i];
		if (r->thread != thread || r->own)
			continue;
		if (r->index <= from)
			break;
		if (r->index > to)
			continue;
		note_stack(x, thread, r->loc, r->write);
		if (r->write)
			continue;
		reads = true;
		if (o->facts && lp_facts_careful(o->facts) == LP_CARELESS)
			note_read(x, r, from);
	}
	return reads;
}

/* Records the accesses of the iteration's events. */
static void note_events(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	const struct lp_thread *t = &lp_top(x)->g.threads.at[thread];

	for (uint32_t i = x->machine.omitted.facts ? from : to; i < to; i++)
		note_event(x, t->at[i], from);
}

bool lp_omitted_applies(struct lp_explorer *x, lp_tid thread, uint32_t from, uint32_t to)
{
	LP_HOLDS(from < to && to <= lp_top(x)->g.threads.at[thread].count);
	const enum lp_careful careful = x->options->reduce.careful;
	struct lp_omitted *o = &x->machine.omitted;

	if (o->facts)
		note_operations(x, o);
	const bool reads = note_reads(x, thread, from, to);
	if ((careful == LP_CAREFUL || (careful == LP_CAREFUL_IF_PLAIN && reads)) &&
	    is_kept(x, thread, from))
		return false;
	note_events(x, thread, from, to);
	return true;
}

void lp_omitted_might_go_on(struct lp_explorer *x, lp_tid thread, uint32_t from)
{
	const uint32_t to = lp_top(x)->g.threads.at[thread].count;

	note_reads(x, thread, from, to);
	note_events(x, thread, from, to);
}
