/* shifts.c -- attempts that add a number to a location, and subtract it again if they fail. */
#include "explore/reduce/undone/shifts.h"

#include "base/error.h"
#include "base/hash.h"
#include "explore/graph/grow.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/facts/undone_pairs.h"
#include "explore/reduce/undone/shift_attempts.h"

void lp_shifts_close(struct lp_shifts_tried *t)
{
	lp_seen_close(&t->prepared);
	lp_seen_close(&t->fails);
	lp_seen_close(&t->same);
	lp_seen_close(&t->passed);
}

/* ---- facts ---- */

/* A transient is stored as a pair in which it replaces zero.  Returns NULL if the reduction is not
 * used. */
static struct lp_undone_pairs *transients_of(const struct lp_explorer *x)
{
	const struct lp_program *p = x->machine.program;
	const struct lp_explore_options *o = x->options;

	if (!o->reduce.shifts || o->reduce.careful != LP_CARELESS || !x->machine.omitted.facts || o->races_ignored || !p->class->noise || p->unseen ||
	    x->forward || lp_is_bounded(o) || o->limits.fair)
		return NULL;
	return lp_answers_shifts(x);
}

static bool is_spoilt(const struct lp_undone_pair *p)
{
	return p->dead || atomic_load(&p->spoilt);
}

/* Does the operation access bytes of the location of the transient? */
static bool meets(const struct lp_op *op, const struct lp_undone_key *key)
{
	return op->loc < key->address + key->size && key->address < op->loc + op->size;
}

/* A transient of a location that the operation accesses, or NULL.  If one of them is spoilt, none counts. */
static const struct lp_undone_pair *transient_at(struct lp_undone_pairs *all, const struct lp_op *op)
{
	const struct lp_undone_pair *p, *found = NULL;

	for (uint32_t i = 0; all && (p = lp_undone_pair_at(all, i)); i++) {
		if (!meets(op, &p->key))
			continue;
		if (is_spoilt(p))
			return NULL;
		found = p;
	}
	return found;
}

/* Adds the transients of one operation.  Returns false if there is no room, or if the reduction is
 * known to be useless at the location. */
static bool put_transients(struct lp_undone_pairs *all, const struct lp_shift_attempts *a)
{
	const struct lp_undone_pair *p;

	for (uint32_t i = 0; (p = lp_undone_pair_at(all, i)); i++)
		if (meets(&a->op, &p->key) && is_spoilt(p))
			return false;
	for (uint32_t i = 0; i < a->transients; i++) {
		const struct lp_undone_key key = { .address = a->op.loc, .size = a->op.size, .old = lp_value(0), .put = a->transient[i] };
		LP_HOLDS(key.put.lo && lp_value_equal(lp_value_truncate(key.put, key.size), key.put));
		struct lp_undone_pair *put = lp_undone_pair_put(all, &key);
		if (!put || !lp_undone_pair_rely(all, put))
			return false;
	}
	return a->transients;
}

/* S: the sums of transients of the location, with at most one of each other thread. */
static void add_sums(struct lp_explorer *x, struct lp_undone_pairs *all, const struct lp_op *op, struct lp_shift_values *sums)
{
	const uint32_t others = lp_answers_count_threads(x) - 1;
	const struct lp_undone_pair *p;

	lp_shift_values_add(sums, lp_value(0));
	for (uint32_t n = 0, before = 0; n < others && before < sums->count && !sums->more; n++) {
		const uint32_t count = sums->count;
		for (; before < count; before++)
			for (uint32_t i = 0; (p = lp_undone_pair_at(all, i)); i++)
				if (meets(op, &p->key))
					lp_shift_values_add(sums, lp_shift_sum(sums->at[before], p->key.put, op->size));
	}
}

/* V, or the values that the location has in this graph.  Returns false if they are not known. */
static bool add_values(struct lp_explorer *x, uint32_t l, bool all, struct lp_shift_values *values)
{
	enum { ROOM = 32 };
	const struct lp_graph *g = &lp_top(x)->g;
	struct lp_value value[ROOM];

	if (g->locs.at[l].uninitialised || x->ops.loc.at[l].parts)
		return false;
	if (!all) {
		for (uint32_t pos = 0; pos <= g->locs.at[l].co.count; pos++)
			lp_shift_values_add(values, lp_graph_value(g, l, pos, 0));
		return !values->more;
	}
	const uint32_t count = lp_answers_values(x, l, false, value, ROOM);
	for (uint32_t i = 0; i < count && count != UINT32_MAX; i++)
		lp_shift_values_add(values, value[i]);
	return count != UINT32_MAX && !values->more;
}

/* Condition 1: does no value look like an address of a thread's memory? */
static bool are_numbers(const struct lp_explorer *x, const struct lp_shift_values *values)
{
	struct lp_program *p = x->machine.program;
	uintptr_t place;
	lp_tid owner;

	for (uint32_t i = 0; i < values->count; i++)
		if (p->class->owner(p, (uintptr_t)values->at[i].lo, &owner, &place))
			return false;
	return true;
}

/* Is the thread alone before its event number `index`: has it not started another thread yet, or does it know that all others
 * have ended? */
static bool is_alone(const struct lp_graph *g, lp_tid thread, uint32_t index)
{
	const struct lp_thread *t = &g->threads.at[thread];
	bool spawned = thread != 0;

	for (uint32_t i = 0; i < index && !spawned; i++)
		spawned = lp_graph_event(g, t->at[i])->kind == LP_EV_SPAWN;
	for (lp_tid n = 0; n < g->threads.count && spawned; n++) {
		const struct lp_thread *o = &g->threads.at[n];
		if (n == thread || !o->exists)
			continue;
		if (!o->count || !index || lp_graph_event(g, LP_LAST(o))->kind != LP_EV_END ||
		    !lp_clock_has(lp_graph_clock(g, t->at[index - 1], LP_CLOCK_HB), lp_graph_event(g, LP_LAST(o))))
			return false;
	}
	return true;
}

bool lp_shifts_watch(const struct lp_explorer *x, uint32_t loc)
{
	struct lp_undone_pairs *all = lp_answers_shifts(x);

	if (!all || !lp_undone_pair_at(all, 0) || !transients_of(x))
		return false;
	const struct lp_known_loc *l = &x->ops.loc.at[loc];
	const struct lp_op op = { .loc = l->address, .size = (uint8_t)l->size };
	return transient_at(all, &op);
}

/* ---- answers with which threads only come back ---- */

static struct lp_fingerprint print_place(uint32_t op, uint32_t live)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, (uint64_t)live << 32 | op);
	return f;
}

static struct lp_fingerprint print_answer(uint32_t op, uint32_t live, struct lp_value answer)
{
	struct lp_fingerprint f = print_place(op, live);

	lp_fingerprint_word(&f, answer.lo);
	return f;
}

/* Is the answer in F? */
static bool fails(const struct lp_explorer *x, uint32_t op, uint32_t live, struct lp_value answer)
{
	return live && lp_seen_number(&x->local.undone.shifts.fails, print_answer(op, live, answer)) == 1;
}

static void bring_back(struct lp_explorer *x, uint32_t at, lp_tid thread)
{
	x->agree = at;
	if (!lp_catch_up(x))
		LP_BUG("an operation of thread %u went another way", thread);
}

/* No attempts are left out at the location yet.  Finds out whether that would be useful, once for each answer that the thread may get in this
 * graph. */
static void look_for_attempts(struct lp_explorer *x, struct lp_undone_pairs *all, const struct lp_shift_place *at)
{
	struct lp_shift_values values = { .count = 0 };
	struct lp_seen *known = &x->local.undone.shifts.fails;
	bool tried = false;

	if (!add_values(x, x->ops.op.at[at->op].loc, false, &values))
		return;
	for (uint32_t i = 0; i < values.count; i++) {
		const struct lp_fingerprint f = print_answer(at->op, at->live, values.at[i]);
		if (lp_seen_number(known, f) != UINT32_MAX)
			continue;
		lp_seen_put(known, f, 0);
		struct lp_shift_attempts a = lp_shift_attempts_of(x, at, &values);
		tried = true;
		if (lp_shift_attempt_fails(&a, values.at[i]))
			put_transients(all, &a);
	}
	if (tried)
		bring_back(x, at->at, at->thread);
}

/* Finds out which of the answers are in F.  Returns false if there are too many transients. */
static bool find_failures(struct lp_explorer *x, struct lp_undone_pairs *all, const struct lp_shift_place *at, const struct lp_shift_values *answers,
			  struct lp_shift_values *failing)
{
	struct lp_shift_attempts a = lp_shift_attempts_of(x, at, answers);

	for (uint32_t i = 0; i < answers->count; i++)
		if (lp_shift_attempt_fails(&a, answers->at[i]))
			lp_shift_values_add(failing, answers->at[i]);
	LP_HOLDS(failing->count <= answers->count && !failing->more);
	bool believed = !a.waits.more;
	for (uint32_t i = 0; i < a.waits.count; i++)
		believed &= lp_shift_values_have(failing, a.waits.at[i]);
	if (!believed)
		failing->count = 0;
	for (uint32_t i = 0; i < answers->count; i++)
		lp_seen_put(&x->local.undone.shifts.fails, print_answer(at->op, at->live, answers->at[i]), lp_shift_values_have(failing, answers->at[i]));
	return !failing->count || !a.transients || put_transients(all, &a);
}

/* Condition 3, first part: if a shift waits with some value, does it wait with all values that it may get instead?  The program has the attempt that
 * the thread would make with this value, so the code that it reaches counts as reached. */
static bool wait_together(struct lp_explorer *x, const struct lp_shift_place *at, const struct lp_shift_values *values, const struct lp_shift_values *sums,
			  const struct lp_shift_values *answers)
{
	struct lp_shift_attempts a = lp_shift_attempts_of(x, at, answers);

	a.reached = true;
	for (uint32_t i = 0; i < values->count; i++) {
		if (!fails(x, at->op, at->live, values->at[i]))
			continue;
		for (uint32_t n = 0; n < sums->count; n++) {
			const struct lp_value other = lp_shift_sum(values->at[i], sums->at[n], a.op.size);
			LP_HOLDS(lp_shift_values_have(answers, other)); /* so it was tried */
			if (!fails(x, at->op, at->live, other))
				return false;
		}
		lp_shift_attempt_fails(&a, values->at[i]);
	}
	return true;
}

/* Checks conditions 1 and 2, and the first part of 3, and returns false if they do not hold.  Afterwards the machine
 * must be brought back. */
static bool prepare(struct lp_explorer *x, struct lp_undone_pairs *all, const struct lp_shift_place *at)
{
	const struct lp_op op = x->ops.op.at[at->op].op;
	struct lp_shift_values values = { .count = 0 }, sums = { .count = 0 }, answers = { .count = 0 }, failing = { .count = 0 };

	if (!add_values(x, x->ops.op.at[at->op].loc, true, &values))
		return false;
	add_sums(x, all, &op, &sums);
	for (uint32_t i = 0; i < values.count; i++)
		for (uint32_t n = 0; n < sums.count; n++)
			lp_shift_values_add(&answers, lp_shift_sum(values.at[i], sums.at[n], op.size));
	if (sums.more || answers.more || !are_numbers(x, &answers))
		return false;
	if (at->live && !find_failures(x, all, at, &answers, &failing))
		return false;
	lp_seen_put(&x->local.undone.shifts.prepared, print_place(at->op, at->live), 0);
	return op.kind == LP_OP_LOAD || wait_together(x, at, &values, &sums, &answers);
}

static bool is_prepared(const struct lp_explorer *x, const struct lp_shift_place *at)
{
	return lp_seen_number(&x->local.undone.shifts.prepared, print_place(at->op, at->live)) != UINT32_MAX;
}

/* Condition 1, for an operation on a location with transients. */
static bool fits(const struct lp_explorer *x, uint32_t id, const struct lp_undone_key *key)
{
	const struct lp_op *op = &x->ops.op.at[id].op;
	struct lp_value by;

	LP_HOLDS(meets(op, key));
	return lp_shift_is_access(op, &by) && !x->ops.op.at[id].bytes && op->loc == key->address && op->size == key->size;
}

void lp_shifts_prepare(struct lp_explorer *x, lp_tid thread, uint32_t id, uint32_t live)
{
	struct lp_undone_pairs *all = transients_of(x);
	const struct lp_shift_place at = { thread, id, live, lp_top(x)->seq.count };
	const struct lp_op *op = &x->ops.op.at[id].op;
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_undone_pair *p = transient_at(all, op);
	struct lp_value by;

	if (!all || (!p && (op->kind != LP_OP_RMW || !live || op->unused)) || is_alone(g, thread, g->threads.at[thread].count))
		return;
	if (!p) {
		if (lp_shift_is_access(op, &by) && !x->ops.op.at[id].bytes && !g->locs.at[x->ops.op.at[id].loc].owner)
			look_for_attempts(x, all, &at);
		return;
	}
	bool right = fits(x, id, &p->key);
	if (right && !is_prepared(x, &at)) {
		right = prepare(x, all, &at);
		bring_back(x, at.at, thread);
	}
	if (right)
		lp_omitted_await(x, thread, id, true);
	else
		lp_undone_pair_spoil(all, p);
}

/* Prepares a read of the top frame that another process has added, or that is pending. */
static void learn(struct lp_explorer *x, struct lp_undone_pairs *all, const struct lp_shift_place *at)
{
	const struct lp_undone_pair *p = transient_at(all, &x->ops.op.at[at->op].op);

	if (p && at->live && !is_prepared(x, at) && !(fits(x, at->op, &p->key) && prepare(x, all, at)))
		lp_undone_pair_spoil(all, p);
}

void lp_shifts_learn(struct lp_explorer *x)
{
	const struct lp_frame *f = lp_top(x);
	struct lp_undone_pairs *all = transients_of(x);

	for (lp_eid e = 0; all && e < f->g.ev.count; e++) {
		const struct lp_event *read = lp_graph_event(&f->g, e);
		struct lp_shift_place at = { read->thread, read->op, lp_graph_note(&f->g, e)->live, 0 };
		while (at.at < f->seq.count && f->seq.at[at.at] != e)
			at.at++;
		if (read->kind == LP_EV_READ && !is_alone(&f->g, read->thread, read->index))
			learn(x, all, &at);
	}
	for (uint32_t i = 0; all && i < f->choices.count; i++) {
		const struct lp_choice *c = &f->choices.at[i];
		if (c->kind == LP_CHOICE_READ && !is_alone(&f->g, c->proto.thread, c->proto.index))
			learn(x, all, &(struct lp_shift_place){ c->proto.thread, c->proto.op, c->note.live, c->seq });
	}
	x->agree = LP_UNKNOWN;
}

bool lp_shifts_waits(const struct lp_explorer *x, const struct lp_event *read, uint32_t live)
{
	const struct lp_op *op = &x->ops.op.at[read->op].op;
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	struct lp_value by;

	const bool waits = op->kind == LP_OP_RMW && x->local.undone.shifts.prepared.count &&
			   fails(x, read->op, live, read->value) && lp_shift_is_access(op, &by) &&
			   transient_at(transients_of(x), op) && !is_alone(g, read->thread, read->index);
	LP_HOLDS(!waits || is_prepared(x, &(struct lp_shift_place){ read->thread, read->op, live, 0 }));
	return waits;
}

bool lp_shifts_are_awaited(const struct lp_explorer *x)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_thread *th = &g->threads.at[t];
		if (th->exists && th->count && lp_graph_note(g, LP_LAST(th))->stop == LP_STOP_AWAITS &&
		    x->ops.op.at[lp_graph_event(g, LP_LAST(th))->op].op.otherwise == LP_ELSE_FAIL)
			return true;
	}
	return false;
}

/* ---- what other threads do ---- */

/* The behaviour of a thread after an answer. */
struct conduct {
	struct lp_fingerprint print;
	bool quiet; /* the thread accesses no memory plainly */
};

/* Adds the plain accesses of the thread, the memory afterwards, and its fences to a fingerprint.  Returns false
 * if they are not known. */
static bool print_accesses(struct lp_explorer *x, const struct lp_tried *trial, struct lp_fingerprint *f)
{
	struct lp_program *p = x->machine.program;
	const struct lp_plains *plains = &x->machine.plains;
	uint64_t writes = 0;

	for (uint32_t i = trial->plains; i < plains->count; i++) {
		const struct lp_plain_access *a = &plains->at[i];
		struct lp_value value = lp_value(0);
		if (a->size == SIZE_MAX)
			return false;
		if (a->write && (a->size > sizeof value || !p->class->initial(p, a->loc, (unsigned)a->size, &value)))
			return false;
		writes += a->write;
		lp_fingerprint_word(f, a->loc);
		lp_fingerprint_word(f, a->size << 1 | a->write);
		lp_fingerprint_word(f, value.lo);
		lp_fingerprint_word(f, value.hi);
	}
	lp_fingerprint_word(f, trial->observed);
	lp_fingerprint_word(f, trial->fences);
	return trial->noise == writes;
}

static bool conduct_after(struct lp_explorer *x, const struct lp_event *read, uint32_t at, struct lp_value answer, struct conduct *c)
{
	const struct lp_op op = x->ops.op.at[read->op].op;
	const struct lp_frame *f = lp_top(x);
	struct lp_program *p = x->machine.program;
	const struct lp_response response = { .value = answer, .failed = op.kind == LP_OP_LOAD,
					      .wrote = op.kind == LP_OP_LOAD ? lp_value(0) : lp_op_result(&op, answer) };
	const struct lp_to_try to = { .at = at, .thread = read->thread, .answers = &response, .count = 1, .done = read->index + 1 + read->rmw };
	uint64_t print[2] = { 0 };
	struct lp_tried trial;
	const struct lp_op *next = lp_machine_try(&x->machine, &f->g, &f->seq, &to, &trial);

	c->print = (struct lp_fingerprint)LP_FINGERPRINT;
	if (!next || next->kind == LP_OP_ERROR || !print_accesses(x, &trial, &c->print))
		return false;
	if (next->kind == LP_OP_END ? !p->class->end_state || !p->class->end_state(p, read->thread, print)
				    : !p->class->live_state(p, read->thread, print))
		return false;
	c->quiet = !trial.observed && !trial.noise;
	lp_fingerprint_word(&c->print, lp_ops_intern(&x->ops, next));
	lp_fingerprint_word(&c->print, print[0]);
	lp_fingerprint_word(&c->print, print[1]);
	return true;
}

static bool is_same(const struct conduct *a, const struct conduct *b)
{
	return a->print.a == b->print.a && a->print.b == b->print.b;
}

/* Checks the second part of condition 3 for one read, at place `at` of the sequence. */
static bool goes_on_alike(struct lp_explorer *x, const struct lp_event *read, uint32_t live, uint32_t at, const struct lp_shift_values *sums)
{
	const unsigned size = x->ops.op.at[read->op].op.size;
	struct lp_seen *same = &x->local.undone.shifts.same;
	struct conduct now, then;
	bool tried = false, alike = true;

	LP_HOLDS(lp_shift_values_have(sums, lp_value(0))); /* perhaps no other thread is in an attempt */
	for (uint32_t i = 0; i < sums->count && alike; i++) {
		const struct lp_value other = lp_shift_sum(read->value, sums->at[i], size);
		struct lp_fingerprint f = print_answer(read->op, live, read->value);
		lp_fingerprint_word(&f, other.lo);
		if (lp_value_equal(other, read->value) || fails(x, read->op, live, other) || lp_seen_number(same, f) != UINT32_MAX)
			continue;
		alike = (tried || conduct_after(x, read, at, read->value, &now)) && conduct_after(x, read, at, other, &then) && is_same(&now, &then);
		tried = true;
		if (alike && live && now.quiet)
			lp_seen_put(same, f, 0);
	}
	if (tried)
		bring_back(x, at, read->thread);
	return alike;
}

/* The same for the operation at that place of the sequence, if it is a read of a location with
 * transients.  Each read is checked once. */
static void look_at_completed(struct lp_explorer *x, struct lp_undone_pairs *all, uint32_t at)
{
	const struct lp_frame *f = lp_top(x);
	LP_HOLDS(at < f->seq.count);
	const struct lp_event read = *lp_graph_event(&f->g, f->seq.at[at]);
	const struct lp_note note = *lp_graph_note(&f->g, f->seq.at[at]);
	const struct lp_op op = x->ops.op.at[read.op].op;
	struct lp_shift_values sums = { .count = 0 };
	struct lp_fingerprint print = LP_FINGERPRINT;

	if (read.kind != LP_EV_READ || (op.kind == LP_OP_RMW && op.unused))
		return;
	const struct lp_undone_pair *p = transient_at(all, &op);
	if (!p || is_alone(&f->g, read.thread, read.index) || lp_program_pending(x->machine.program, read.thread)->kind == LP_OP_ERROR)
		return;
	lp_fingerprint_word(&print, note.uid);
	if (!lp_seen_put(&x->local.undone.shifts.passed, print, 0))
		return;
	add_sums(x, all, &op, &sums);
	if (sums.more || !goes_on_alike(x, &read, note.live, at, &sums))
		lp_undone_pair_spoil(all, p);
}

void lp_shifts_completed(struct lp_explorer *x)
{
	struct lp_undone_pairs *all = lp_answers_shifts(x);
	const uint32_t count = lp_top(x)->seq.count;

	if (!all || !lp_undone_pair_at(all, 0) || !transients_of(x))
		return;
	/* After a revisit there are two such operations, because a write that conflicted with another one counts
	 * as completed only now. */
	for (uint32_t at = count; at > 0 && at + 2 > count; at--)
		look_at_completed(x, all, at - 1);
}

void lp_shifts_note(const struct lp_explorer *x, lp_eid e)
{
	const struct lp_graph *g = &x->frames.at[x->depth - 1]->g;
	const struct lp_event *event = lp_graph_event(g, e);
	struct lp_undone_pairs *all = lp_answers_shifts(x);
	struct lp_value by;

	if (!all || !lp_undone_pair_at(all, 0) || (event->kind != LP_EV_READ && event->kind != LP_EV_WRITE))
		return;
	const struct lp_op *op = &x->ops.op.at[event->op].op;
	const struct lp_undone_pair *p = lp_shift_is_access(op, &by) ? NULL : transient_at(all, op);
	if (p && !is_alone(g, event->thread, event->index))
		lp_undone_pair_spoil(all, p);
}
