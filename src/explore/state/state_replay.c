/* state_replay.c -- repeats the steps to a violation on their own.
 *
 * The search renumbers blocks after every transition, lets one block represent others that are gone
 * (state_tidy.c), and sorts processes.  This is correct for states, but a list of such steps is unreadable:
 * the same address is another block one line later.  Here the same steps are repeated from the first state on,
 * by the processes that the steps name, and every block stays where it was allocated.  Each step must be the
 * same kind of operation, with the same result except for addresses, and the last step must lead to the same
 * violation.  Reports show the steps as repeated here.  The source line of a step may differ: if two lines have
 * the same future, a local state has the line at which it was met first.
 *
 * Slots are handed out one after the other, so that addresses are not used twice.  Only if no unused slot is
 * left, a slot to which no pointer leads is used again.
 */
#include <string.h>

#include "base/error.h"
#include "explore/naming.h"
#include "explore/state/state_heap.h"

struct replay {
	struct lp_state_search *s;
	struct lp_snapshot *n;
	bool monitored;       /* n->set is the set that the monitor has computed */
	struct lp_endless run;    /* if steps are followed, and the violation is an infinite run */
	lp_local alone;       /* the local state of the invariants and the tear-down, which no
	                       * process runs */
	uint32_t calls_alone; /* how many of their calls were begun */
	struct {
		bool taken;
		uintptr_t made;    /* the pc of the allocation; 0: the set-up has made it */
	} block[256];         /* by slot */
	struct lp_naming names;
};

/* ---- blocks ---- */

/* The block of the slot that has the address, for naming.h. */
static bool find_block(void *closure, uintptr_t address, struct lp_block *out)
{
	const struct replay *r = closure;
	const uint8_t slot = lp_automaton_slot(&r->s->a, address);

	if (slot == LP_NO_SLOT || !r->block[slot].taken)
		return false;
	const uintptr_t start = lp_block_at(r->s, slot);
	const size_t size = (size_t)lp_head_size(lp_head_of(r->s, r->n, slot));
	*out = (struct lp_block){ start, size, r->block[slot].made };
	return address >= start && (address < start + size || address == start);
}

static const char *location(struct replay *r, uintptr_t loc)
{
	const uint8_t slot = lp_automaton_slot(&r->s->a, loc);

	if (slot == LP_NO_SLOT || !r->block[slot].taken)
		return NULL;
	return lp_naming_location(&r->names, loc, lp_search_place(r->s, r->block[slot].made));
}

static bool is_held(struct replay *r, uint8_t slot)
{
	struct lp_state_search *s = r->s;

	for (uint32_t i = 0; i < s->options->processes; i++) {
		const struct lp_slots_of *slots = lp_automaton_slots(&s->a, (lp_local)r->n->w[i]);
		if (slots->count && memchr(slots->at, slot, slots->count))
			return true;
	}
	for (uint32_t i = 0; i < r->n->words; i++)
		if (s->a.words.at[i].slot != slot &&
		    lp_automaton_slot(&s->a, lp_search_word(s, r->n, i)) == slot)
			return true;
	return false;
}

/* LP_NO_SLOT if there is none. */
static uint8_t find_slot(struct replay *r)
{
	const uint32_t slots = r->s->a.processes->slots;
	uint32_t slot = 0;

	while (slot < slots && r->block[slot].taken)
		slot++;
	if (slot == slots)
		for (slot = 0; slot < slots && is_held(r, (uint8_t)slot);)
			slot++;
	return slot == slots ? LP_NO_SLOT : (uint8_t)slot;
}

static bool allocate(struct replay *r, const struct lp_op *op, struct lp_response *answer)
{
	const uint8_t slot = find_slot(r);

	if (slot == LP_NO_SLOT)
		return false;
	LP_HOLDS(slot < r->s->a.processes->slots && (!r->block[slot].taken || !is_held(r, slot)));
	lp_heap_fill(r->s, r->n, slot, op);
	if (r->block[slot].taken)
		lp_naming_forget(&r->names, lp_block_at(r->s, slot));
	r->block[slot].taken = true;
	r->block[slot].made = op->pc;
	answer->value = lp_value(lp_block_at(r->s, slot));
	return true;
}

/* The error of the access, or of the free; LP_ERROR_NONE if there is none. */
static enum lp_error_kind misuse(const struct replay *r, const struct lp_op *op)
{
	const uint8_t slot = lp_automaton_slot(&r->s->a, op->loc);

	if (slot == LP_NO_SLOT)
		return LP_ERROR_NONE;
	const uint64_t head = lp_head_of(r->s, r->n, slot);
	const uintptr_t block = lp_block_at(r->s, slot);
	if (op->kind == LP_OP_FREE)
		return head & LP_HEAD_FREED ? LP_ERROR_DOUBLE_FREE :
		       !head || op->loc != block ? LP_ERROR_INVALID_FREE : LP_ERROR_NONE;
	if (head & LP_HEAD_FREED)
		return LP_ERROR_USE_AFTER_FREE;
	return op->loc < block || op->loc + op->size > block + lp_head_size(head) ? LP_ERROR_OUT_OF_BOUNDS :
										     LP_ERROR_NONE;
}

/* ---- a step ---- */

/* Are the two values equal, or both addresses in blocks? */
static bool is_alike(const struct replay *r, uint64_t a, uint64_t b)
{
	return a == b || (lp_automaton_slot(&r->s->a, a) != LP_NO_SLOT &&
			  lp_automaton_slot(&r->s->a, b) != LP_NO_SLOT);
}

static bool are_alike(const struct replay *r, struct lp_value a, struct lp_value b)
{
	return is_alike(r, a.lo, b.lo) && is_alike(r, a.hi, b.hi);
}

static bool do_access(struct replay *r, const struct lp_place_of *p, const struct lp_step *step,
		      struct lp_response *answer)
{
	const struct lp_op *op = &p->op;

	if (misuse(r, op))
		return false;
	if (op->kind == LP_OP_STORE) {
		answer->wrote = op->operand;
	} else {
		answer->value = lp_search_read(r->s, r->n, p);
		const bool holds = lp_op_holds(op, answer->value);
		answer->failed = step->answer.failed;
		if (step->blocked)
			return !holds;
		if ((!holds && op->otherwise != LP_ELSE_FAIL) || (!holds && !answer->failed) ||
		    (holds && answer->failed && !op->weak) ||
		    (!r->s->way.followed && !are_alike(r, answer->value, step->answer.value)))
			return false;
		answer->wrote = lp_op_result(op, answer->value);
	}
	if (op->kind == LP_OP_STORE || (op->kind == LP_OP_RMW && !answer->failed))
		lp_search_write(r->s, r->n, p, answer->wrote, false);
	else
		answer->wrote = step->answer.wrote;
	return true;
}

/* Asks the monitor about calls, points and returns. */
static void ask_monitor(struct replay *r, const struct lp_op *op, const struct lp_response *answer,
			uint32_t process)
{
	const struct lp_state_monitor *m = r->s->monitor;
	uint32_t *set = &r->n->set;

	if (!r->monitored || *set == LP_MONITOR_WRONG)
		return;
	if (op->kind == LP_OP_CALL)
		*set = m->calls(m->closure, *set, process, (uint32_t)answer->value.lo);
	else if (op->kind == LP_OP_RETURN)
		*set = m->returns(m->closure, *set, process, (int64_t)op->operand.lo);
	else if (op->kind == LP_OP_POINT && m->point)
		*set = m->point(m->closure, *set, process, (int64_t)op->operand.lo);
	/* The monitor may learn while it is asked: then its answer is for the next time. */
	r->monitored = *set != LP_MONITOR_AGAIN && *set != LP_MONITOR_DOUBTS && *set != LP_MONITOR_BARRED;
}

static bool free_block(struct replay *r, const struct lp_op *op, struct lp_step *step)
{
	if (misuse(r, op))
		return false;
	step->location = lp_naming_block(&r->names, op->loc);
	return lp_heap_free(r->s, r->n, op);
}

/* Performs a choice, or an operation that concerns the monitor: a call, its return, a point. */
static bool do_choice(struct replay *r, const struct lp_op *op, struct lp_step *step,
		      struct lp_response *answer)
{
	if (lp_op_chooses(op->kind) &&
	    step->answer.value.lo >= (op->kind == LP_OP_CALL ? r->s->options->call_count : op->count))
		return false;
	answer->value = step->answer.value;
	if (step->thread)
		ask_monitor(r, op, answer, step->thread - 1);
	return op->kind != LP_OP_RETURN || op->operand.lo == step->op.operand.lo;
}

/* Performs an operation.  What the step does not say follows from the local state of the process.
 * Returns false if the result differs. */
static bool do_operation(struct replay *r, const struct lp_place_of *p, struct lp_step *step,
			 struct lp_response *answer)
{
	switch ((enum lp_op_kind)p->op.kind) {
	case LP_OP_LOAD:
	case LP_OP_STORE:
	case LP_OP_RMW:
		return do_access(r, p, step, answer);
	case LP_OP_ALLOC:
		return allocate(r, &p->op, answer);
	case LP_OP_FREE:
		return free_block(r, &p->op, step);
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
	case LP_OP_RETURN:
	case LP_OP_POINT:
		return do_choice(r, &p->op, step, answer);
	case LP_OP_END:
	case LP_OP_FENCE:
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_BLOCK:
	case LP_OP_YIELD:
	case LP_OP_ERROR:
		break;
	}
	return true;
}

/* The local state of the step's thread.  Thread 0 makes the calls that no process makes. */
static lp_local local_of(struct replay *r, lp_tid thread)
{
	struct lp_state_search *s = r->s;

	LP_HOLDS(thread <= s->options->processes);
	if (thread)
		return lp_local_of(r->n, thread - 1);
	while (lp_automaton_place(&s->a, r->alone)->op.kind == LP_OP_CALL &&
	       r->calls_alone < s->options->invariants + s->options->teardowns) {
		const struct lp_response call = { .value = lp_value(s->options->call_count + r->calls_alone++) };
		r->alone = lp_automaton_next(&s->a, r->alone, &call);
	}
	return r->alone;
}

static bool do_step(struct replay *r, struct lp_step *step)
{
	struct lp_state_search *s = r->s;
	const lp_local local = local_of(r, step->thread);
	const struct lp_place_of p = *lp_automaton_place(&s->a, local);
	struct lp_response answer = { .failed = false };

	if (p.op.kind != step->op.kind)
		return false;
	LP_HOLDS(!step->blocked || p.op.otherwise == LP_ELSE_WAIT || !lp_op_is_access(&p.op) || r->s->way.followed);
	step->where = lp_search_place(s, p.op.pc);
	if (!do_operation(r, &p, step, &answer))
		return false;
	if (lp_op_is_access(&p.op)) {
		lp_naming_learn(&r->names, p.op.loc, p.op.pc);
		step->location = location(r, p.op.loc);
	} else if (p.op.kind == LP_OP_ALLOC) {
		step->location = lp_naming_block(&r->names, answer.value.lo);
	}
	if (lp_op_is_access(&p.op) && !p.op.internal) {
		step->read = lp_naming_value(&r->names, answer.value, p.op.size);
		step->wrote = lp_naming_value(&r->names, answer.wrote, p.op.size);
	}
	step->op = p.op;
	step->answer = answer;
	if (step->blocked)
		return true;
	const lp_local next = lp_automaton_next(&s->a, local, &answer);
	if (step->thread)
		lp_set_local(r->n, step->thread - 1, next);
	else
		r->alone = next;
	return true;
}

/* ---- the end ---- */

/* The step of an access that is about to happen. */
static struct lp_step racing(struct replay *r, uint32_t process, const struct lp_op *op)
{
	return (struct lp_step){ .thread = process + 1u, .op = *op, .racing = true, .location = location(r, op->loc),
				 .reads_from = LP_STEP_NONE, .co_after = LP_STEP_NONE };
}

/* The process that is at an access which races with that of `process`. */
static bool finds_race(struct replay *r, uint32_t process)
{
	struct lp_state_search *s = r->s;
	const struct lp_op op = lp_automaton_place(&s->a, lp_local_of(r->n, process))->op;

	for (uint32_t i = 0; lp_op_is_access(&op) && i < s->options->processes; i++) {
		const struct lp_op other = lp_automaton_place(&s->a, lp_local_of(r->n, i))->op;
		if (i == process || !lp_op_is_access(&other) || !lp_ops_race(&op, &other))
			continue;
		lp_search_describe_race(s, process, i, &op, &other, location(r, op.loc));
		s->way.racing[0] = racing(r, i, &other);
		s->way.racing[1] = racing(r, process, &op);
		return true;
	}
	return false;
}

/* Is the violation an infinite run? */
static bool is_endless(const struct lp_state_search *s)
{
	return !s->out->kind || s->way.loop || s->out->kind == LP_ERROR_FORMULA;
}

/* Do the steps lead to the reported violation? */
static bool is_as_said(struct replay *r, lp_tid culprit)
{
	struct lp_state_search *s = r->s;
	const enum lp_error_kind kind = s->out->kind;
	const struct lp_op op = lp_automaton_place(&s->a, local_of(r, culprit))->op;

	if (is_endless(s))
		return !s->way.followed || lp_endless_violates(&r->run, s, r->n);
	if (s->way.followed && !s->out->where && kind != LP_ERROR_DEADLOCK)
		s->out->where = lp_search_place(s, op.kind == LP_OP_ERROR ? op.error->pc : op.pc);
	if (s->way.followed && kind == LP_ERROR_DEADLOCK && culprit)
		return lp_search_is_stuck(s, r->n);
	if (kind == LP_ERROR_NOT_LINEARIZABLE)
		return (!r->monitored && !s->way.followed) || r->n->set == LP_MONITOR_WRONG;
	if (kind == LP_ERROR_RACE)
		return culprit && finds_race(r, culprit - 1);
	if (op.kind == LP_OP_ERROR) {
		s->out->text = lp_arena_strdup(s->arena, op.error->text);
		return op.error->kind == kind;
	}
	if (lp_op_is_access(&op) && op.otherwise == LP_ELSE_WAIT)
		return true; /* a deadlock: the others were asked by the search */
	const enum lp_error_kind wrong = lp_op_is_access(&op) || op.kind == LP_OP_FREE ? misuse(r, &op) : LP_ERROR_NONE;
	return wrong ? wrong == kind : kind == LP_ERROR_DEADLOCK || kind == LP_ERROR_ENDLESS;
}

static void begin(struct replay *r)
{
	struct lp_state_search *s = r->s;

	r->alone = s->a.processes->idle;
	r->calls_alone = 0;
	r->monitored = true;
	r->n->set = s->monitor->begin(s->monitor->closure);
	r->n->words = 0;
	memset(r->block, 0, sizeof r->block);
	for (uint32_t i = 0; i < LP_STATE_PROCESSES; i++)
		r->n->w[i] = i < s->options->processes ? s->a.processes->idle : 0;
	for (uint32_t i = 0; s->heap.used && i < s->a.processes->slots; i++)
		if (lp_head_of(s, r->n, i))
			r->block[i].taken = true;
}

static bool do_steps(struct replay *r, struct lp_step *steps, uint32_t count)
{
	const bool watched = r->s->way.followed && is_endless(r->s);

	begin(r);
	if (watched)
		lp_endless_begin(&r->run, r->s, r->n);
	for (uint32_t i = 0; i < count; i++) {
		if (watched)
			lp_endless_pass(&r->run, r->s, r->n, i);
		if (!do_step(r, &steps[i]))
			return false;
		if (watched)
			lp_endless_step(&r->run, r->s, r->n, i, &steps[i]);
	}
	return true;
}

/* Replays the steps twice, because a block that the set-up allocated gets its name from an access,
 * which may come late. */
bool lp_search_replay(struct lp_state_search *s, struct lp_step *steps, uint32_t count)
{
	struct lp_step *first = lp_alloc(sizeof *first * (count + 1));
	struct replay r = { .s = s, .n = lp_alloc(sizeof *r.n),
			    .names = { .memory = s->a.processes->class->memory, .find = find_block,
				       .closure = &r, .arena = s->arena } };

	if (count)
		memcpy(first, steps, sizeof *first * count);
	do_steps(&r, first, count);
	lp_naming_restart(&r.names);
	const bool good = do_steps(&r, steps, count) && is_as_said(&r, s->out->thread);
	lp_naming_drop(&r.names);
	lp_endless_close(&r.run);
	lp_free(r.n);
	lp_free(first);
	return good;
}
