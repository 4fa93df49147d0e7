/* state_step.c -- inside the state explorer: makes the transitions of one process.
 *
 * The head of state.c says what belongs to a transition.  If there are several ways, each goes on
 * from a copy of the state.  At the end of a transition, lp_search_arrive() takes over.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_heap.h"

/* What a transition has done so far: NOTHING, or only what no formula can notice; CALLED: a call, or for formulae a step that
 * is not observable; DID is one access, DID + 1 two accesses, and so on. */
enum { NOTHING, CALLED, DID };

static void arrive(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did)
{
	lp_search_arrive(s, n, did < DID ? 1 : did - DID + 1);
}

static struct lp_snapshot *copy_of(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t depth)
{
	while (s->rows.count <= depth) {
		struct lp_snapshot *row = lp_alloc(sizeof *row);
		LP_PUSH(&s->rows, row);
	}
	struct lp_snapshot *copy = s->rows.at[depth];
	LP_HOLDS(copy != n && n->words <= LP_STATE_WORDS);
	copy->set = n->set;
	copy->words = n->words;
	memcpy(copy->w, n->w, sizeof *n->w * (LP_STATE_PROCESSES + n->words));
	return copy;
}

/* Is another process at an access that races with this one's? */
static bool races(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	const struct lp_op op = lp_automaton_place(&s->a, lp_local_of(n, process))->op;

	for (uint32_t i = 0; i < s->options->processes; i++) {
		const struct lp_op *other = &lp_automaton_place(&s->a, lp_local_of(n, i))->op;
		if (i != process && lp_op_is_access(other) && lp_ops_race(&op, other)) {
			lp_search_race(s, process, i, &op, other);
			return true;
		}
	}
	return false;
}

static void go(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did, uint32_t depth);

static uint32_t one_more(uint32_t did)
{
	return did < DID ? DID : did + 1;
}

/* Has the process stopped?  It has no stack any more, so its blocks would seem unreachable.  Therefore no state has a
 * process there. */
static bool has_stopped(const struct lp_op *op)
{
	return op->kind == LP_OP_ERROR || op->kind == LP_OP_BLOCK;
}

/* Ends a transition of one operation.  A linearization point after the operation belongs to the transition,
 * and so does the place where the process stops, because a call that fails an assumption is not made. */
static void end_step(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did, uint32_t depth)
{
	const struct lp_op *next = &lp_automaton_place(&s->a, lp_local_of(n, s->step.process))->op;

	if (next->kind == LP_OP_POINT || has_stopped(next))
		go(s, n, did, depth);
	else
		arrive(s, n, did);
}

/* For formulae a step that no other process can observe is still a step: between a call and its return there is a state in
 * which neither of them has just happened.  Such a step begins a transition only after a call; otherwise it belongs to the
 * access before it. */
static uint32_t unseen_too(const struct lp_state_search *s, uint32_t did)
{
	return s->options->runs && did == NOTHING ? CALLED : did;
}

/* s->step.process gets this answer, and goes on. */
static void answered(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_response *answer,
		     uint32_t did, uint32_t depth)
{
	const uint32_t mark = s->way.log.count;
	const lp_local local = lp_local_of(n, s->step.process);

	if (s->again || s->stopped)
		return;
	if (s->way.wanted)
		LP_PUSH(&s->way.log, ((struct lp_log){ .op = lp_automaton_place(&s->a, local)->op,
						   .answer = *answer, .process = s->step.process,
						   .local = local }));
	LP_HOLDS(s->step.process < s->options->processes);
	const bool calls = lp_automaton_place(&s->a, local)->op.kind == LP_OP_CALL;
	lp_set_local(n, s->step.process, lp_automaton_next(&s->a, local, answer));
	if (s->options->por && !(calls && s->options->runs))
		go(s, n, did, depth);
	else
		end_step(s, n, did, depth);
	s->way.log.count = mark;
}

/* If it is asked whether calls return, waiting is a transition. */
static void wait(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_op *op, uint32_t did)
{
	if (s->way.wanted)
		LP_PUSH(&s->way.log, ((struct lp_log){ .op = *op, .process = s->step.process,
						   .local = lp_local_of(n, s->step.process), .waits = true }));
	arrive(s, n, did);
	s->way.log.count -= s->way.wanted;
}

/* Is this a store to bytes that no call reads?  It is left out of the state until a call reads them.  This does
 * not apply to a plain store, which may race, nor to a store of a pointer, which keeps a block reachable, nor
 * to searches for cycles, which must be cycles of the whole memory. */
static bool is_never_read(const struct lp_state_search *s, const struct lp_place_of *p)
{
	const struct lp_word *word = &s->a.words.at[p->word];

	return s->options->por && !s->graph && p->op.kind == LP_OP_STORE && p->op.size <= 8 && word->slot == LP_NO_SLOT &&
	       !(word->read & lp_search_bytes(p)) && (p->op.order != LP_PLAIN || s->options->races_ignored) &&
	       lp_automaton_slot(&s->a, p->op.operand.lo) == LP_NO_SLOT;
}

static void skip(struct lp_state_search *s, const struct lp_place_of *p)
{
	struct lp_word *word = &s->a.words.at[p->word];

	s->step.learnt |= (lp_search_bytes(p) & ~word->skipped) != 0;
	word->skipped |= lp_search_bytes(p);
}

static void access_memory(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did, uint32_t depth)
{
	const struct lp_place_of p = *lp_automaton_place(&s->a, lp_local_of(n, s->step.process));
	struct lp_response answer = { .failed = false };

	LP_HOLDS(lp_op_is_access(&p.op));
	if (!lp_heap_allows(s, n, &p.op))
		return;
	if (p.op.kind == LP_OP_STORE) {
		answer.wrote = p.op.operand;
		if (!lp_hops_may_write(s, answer.wrote))
			return;
		if (is_never_read(s, &p))
			skip(s, &p);
		else
			lp_search_write(s, n, &p, answer.wrote, true);
		answered(s, n, &answer, did, depth);
		return;
	}
	lp_search_reads(s, &p);
	answer.value = lp_search_read(s, n, &p);
	if (!lp_hops_may_read(s, lp_local_of(n, s->step.process), answer.value))
		return;
	const bool holds = lp_op_holds(&p.op, answer.value);
	if (!holds && p.op.otherwise != LP_ELSE_FAIL) {
		if (s->graph && !s->options->runs && p.op.otherwise == LP_ELSE_WAIT)
			wait(s, n, &p.op, did);
		else if (did > DID)
			arrive(s, n, did); /* the process stays at this operation after it has done
			                    * something */
		else
			s->dropped |= p.op.otherwise == LP_ELSE_DROP;
		return;
	}
	if (p.op.kind == LP_OP_RMW && p.op.weak && holds && s->options->weak_fails) {
		const bool before = s->spurious;
		answer.failed = s->spurious = true;
		answered(s, copy_of(s, n, depth), &answer, did, depth + 1);
		answer.failed = false;
		s->spurious = before;
	}
	answer.failed = !holds;
	if (p.op.kind == LP_OP_RMW && holds) {
		answer.wrote = lp_op_result(&p.op, answer.value);
		if (!lp_hops_may_write(s, answer.wrote))
			return;
		lp_search_write(s, n, &p, answer.wrote, true);
	}
	answered(s, n, &answer, did, depth);
}

bool lp_state_may_call(const struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process,
		 const struct lp_state_call *call)
{
	const uint32_t bits = (uint8_t)(n->w[process] >> 32);

	return (!call->role || call->role == s->options->role[process]) &&
	       (bits & call->needs) == call->needs && !(bits & call->unless);
}

static uint32_t event(const struct lp_state_search *s, uint32_t set, enum lp_op_kind kind, int64_t what)
{
	const struct lp_state_runs *r = s->options->runs;

	return r ? r->event(r->closure, set, s->step.process, kind, what) : 0;
}

static void begin_calls(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t depth)
{
	const struct lp_state_options *o = s->options;
	const uint32_t bits = (uint8_t)(n->w[s->step.process] >> 32);
	LP_HOLDS(lp_process_is_idle(s, n, s->step.process));

	for (uint32_t c = 0; c < o->call_count && !s->stopped && !s->again; c++) {
		const struct lp_state_call *call = &o->calls[c];
		if (!lp_state_may_call(s, n, s->step.process, call))
			continue;
		struct lp_snapshot *next = copy_of(s, n, depth);
		const struct lp_response answer = { .value = lp_value(c) };
		next->w[s->step.process] = lp_local_of(n, s->step.process) |
				      (uint64_t)(bits & ~call->needs) << 32 |
				      (uint64_t)call->gives << 40 |
				      (uint64_t)call->gives_true << 48;
		for (uint32_t i = 0; i < o->processes; i++)
			next->w[i] |= (uint64_t)call->marks << 32;
		if (!s->step.ahead)
			next->set = s->monitor->calls(s->monitor->closure, n->set, s->step.process, c);
		if (next->set == LP_MONITOR_BARRED)
			continue;
		s->step.event = event(s, n->set, LP_OP_CALL, c);
		answered(s, next, &answer, CALLED, depth + 1);
		s->step.event = 0;
	}
}

static void return_from_call(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did,
			     uint32_t depth)
{
	const struct lp_op op = lp_automaton_place(&s->a, lp_local_of(n, s->step.process))->op;
	const int64_t result = (int64_t)op.operand.lo;
	const struct lp_response answer = { .value = lp_value(0) };

	LP_HOLDS(op.kind == LP_OP_RETURN);
	if (s->step.ahead)
		return;
	s->step.event = event(s, n->set, LP_OP_RETURN, result);
	n->set = s->monitor->returns(s->monitor->closure, n->set, s->step.process, result);
	if (n->set == LP_MONITOR_AGAIN) {
		s->again = true;
	} else if (n->set == LP_MONITOR_DOUBTS) {
		s->doubted = true;
	} else if (n->set == LP_MONITOR_WRONG) {
		if (s->way.wanted)
			LP_PUSH(&s->way.log, ((struct lp_log){ .op = op, .answer = answer,
							   .process = s->step.process }));
		lp_search_wrong(s, &op, s->step.process);
	} else {
		uint64_t w = n->w[s->step.process], bits = w >> 32 | w >> 40 | (result ? w >> 48 : 0);
		n->w[s->step.process] = (lp_local)w | (bits & 0xff) << 32;
		answered(s, n, &answer, did < DID ? DID : did, depth);
	}
	s->step.event = 0;
}

/* A linearization point belongs to the access before it. */
static void pass_point(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did, uint32_t depth)
{
	const struct lp_op op = lp_automaton_place(&s->a, lp_local_of(n, s->step.process))->op;
	const struct lp_state_monitor *m = s->monitor;
	const struct lp_response answer = { .value = lp_value(0) };

	/* Other processes can observe when the point is passed, so it ends a path. */
	if (s->step.ahead)
		lp_path_ends(s, did < DID ? 1 : did - DID + 1u);
	else if (m->point)
		n->set = m->point(m->closure, n->set, s->step.process, (int64_t)op.operand.lo);
	if (n->set == LP_MONITOR_WRONG) {
		if (s->way.wanted)
			LP_PUSH(&s->way.log, ((struct lp_log){ .op = op, .answer = answer,
							   .process = s->step.process }));
		lp_search_wrong(s, &op, s->step.process);
	} else {
		answered(s, n, &answer, did, depth);
	}
}

/* Can no other process observe when the access happens? */
static bool is_unseen(struct lp_state_search *s, const struct lp_snapshot *n, const struct lp_place_of *p)
{
	if (!s->options->por)
		return false;
	if (s->a.words.at[p->word].slot != LP_NO_SLOT)
		return lp_heap_is_fixed(s, n, &p->op) ||
		       lp_heap_is_private(s, n, s->a.words.at[p->word].slot, s->step.process);
	if (is_never_read(s, p))
		return true;
	if (p->op.kind != LP_OP_LOAD || p->op.size == 16 || p->op.otherwise != LP_ELSE_FAIL)
		return false;
	struct lp_word *word = &s->a.words.at[p->word];
	if (word->written)
		return false;
	lp_search_learn(s, &word->relied);
	return true;
}

/* Does the transition end here? */
static bool is_enough(const struct lp_state_search *s, const struct lp_place_of *p, uint32_t did)
{
	if (did >= DID)
		return did - DID + 1u >= s->step.length[s->step.process];
	if (s->options->runs)
		return did == CALLED;
	return did == CALLED && p->op.order == LP_PLAIN && lp_op_is_access(&p->op) &&
	       !s->options->races_ignored;
}

/* Does the access change the current memory? */
static bool changes(const struct lp_state_search *s, const struct lp_snapshot *n,
		    const struct lp_place_of *p)
{
	return p->op.kind == LP_OP_STORE ||
	       (p->op.kind == LP_OP_RMW && lp_op_holds(&p->op, lp_search_read(s, n, p)));
}

/* Can another process observe that the access writes?  An access that writes the current value only reads,
 * as long as this value stays; but a plain store still races. */
static bool is_seen_to_write(const struct lp_state_search *s, const struct lp_snapshot *n,
			     const struct lp_place_of *p)
{
	if (!changes(s, n, p) || (p->op.order == LP_PLAIN && !s->options->races_ignored))
		return changes(s, n, p);
	const struct lp_value before = lp_search_read(s, n, p);
	const struct lp_value after = p->op.kind == LP_OP_STORE ? p->op.operand : lp_op_result(&p->op, before);
	return !lp_value_equal(before, after);
}

/* While looking ahead: does the path go on with that access? */
static bool leads_on(struct lp_state_search *s, const struct lp_snapshot *n, const struct lp_place_of *p,
		     uint32_t did)
{
	return !s->step.ahead || lp_path_takes(s, p, lp_local_of(n, s->step.process), one_more(did) - DID + 1u,
					  is_seen_to_write(s, n, p));
}

/* The operation is copied, here and below, because places move when one is added. */
static void allocate(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_place_of *p, uint32_t did,
		     uint32_t depth)
{
	const struct lp_op op = p->op;
	struct lp_response answer = { .failed = false };
	uintptr_t address;

	if (!lp_heap_alloc(s, n, &op, &address))
		return;
	answer.value = lp_value(address);
	answered(s, n, &answer, did, depth);
}

static void free_block(struct lp_state_search *s, struct lp_snapshot *n, const struct lp_place_of *p, uint32_t did,
		       uint32_t depth)
{
	const struct lp_op op = p->op;
	const struct lp_response answer = { .failed = false };

	LP_HOLDS(did >= DID && op.kind == LP_OP_FREE);
	if (s->step.ahead && !lp_path_frees(s, &op, did - DID + 1u))
		return;
	lp_heap_changes(s, n, &op);
	if (lp_heap_free(s, n, &op))
		answered(s, n, &answer, did, depth);
}

/* Lets s->step.process go on. */
static void go(struct lp_state_search *s, struct lp_snapshot *n, uint32_t did, uint32_t depth)
{
	const struct lp_place_of *p = lp_automaton_place(&s->a, lp_local_of(n, s->step.process));
	struct lp_response answer = { .failed = false };

	if (depth > LP_STATE_DEPTH && !has_stopped(&p->op)) {
		arrive(s, n, did);
		return;
	}
	switch ((enum lp_op_kind)p->op.kind) {
	case LP_OP_LOAD:
	case LP_OP_STORE:
	case LP_OP_RMW:
		if (!lp_hops_reach(s, &p->op))
			break;
		if (is_unseen(s, n, p)) {
			if (s->a.words.at[p->word].slot != LP_NO_SLOT && changes(s, n, p))
				lp_heap_revives(s, lp_head_of(s, n, s->a.words.at[p->word].slot));
			access_memory(s, n, unseen_too(s, did), depth + 1);
		} else if (is_enough(s, p, did)) {
			arrive(s, n, did);
		} else if (leads_on(s, n, p, did)) {
			if (s->a.words.at[p->word].slot != LP_NO_SLOT && changes(s, n, p))
				lp_heap_changes(s, n, &p->op);
			if (s->options->races_ignored || !races(s, n, s->step.process))
				access_memory(s, n, one_more(did), depth + 1);
		}
		break;
	case LP_OP_FENCE:
	case LP_OP_YIELD:
		answered(s, n, &answer, unseen_too(s, did), depth + 1);
		break;
	case LP_OP_CALL:
		if (did >= DID)
			arrive(s, n, did);
		else
			begin_calls(s, n, depth);
		break;
	case LP_OP_RETURN:
		if (s->options->runs && did != NOTHING)
			arrive(s, n, did);
		else
			return_from_call(s, n, did, depth + 1);
		break;
	case LP_OP_POINT:
		pass_point(s, n, did, depth + 1);
		break;
	case LP_OP_ALLOC:
		allocate(s, n, p, unseen_too(s, did), depth + 1);
		break;
	case LP_OP_FREE:
		if (!lp_hops_reach(s, &p->op))
			break;
		if (s->options->por && is_enough(s, p, did))
			arrive(s, n, did);
		else
			free_block(s, n, p, one_more(did), depth + 1);
		break;
	case LP_OP_CHOOSE:
		for (uint32_t c = 0, count = p->op.count; c < count; c++) {
			answer.value = lp_value(c);
			answered(s, copy_of(s, n, depth), &answer, unseen_too(s, did), depth + 1);
		}
		break;
	case LP_OP_ERROR:
		lp_search_error(s, p->op.error, s->step.process);
		break;
	case LP_OP_BLOCK:
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_END:
		s->dropped = true;
		break;
	}
}

void lp_search_process(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	LP_HOLDS(process < s->options->processes && n->set < LP_MONITOR_DOUBTS);
	s->step.process = process;
	s->step.branch = 0;
	go(s, copy_of(s, n, 0), NOTHING, 1);
}
