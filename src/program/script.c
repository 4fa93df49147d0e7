/* script.c -- runs a script: an implementation of program.h whose state is plain data.
 *
 * The whole state of a run (threads, plain memory, and which locations are alive) is one flat block,
 * so saving it is a copy.  A thread runs its local lines eagerly, up to its next operation; a spawned
 * thread begins when it is first asked for its operation.
 *
 * Like native memory, plain memory has the values written last in the order in which the explorer
 * resumes threads.
 */
#include "program/script_state.h"

#include "base/hash.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A thread that executes more local lines than this between two operations counts as hanging. */
#define MAX_LOCAL_LINES 10000

static struct script_program *of(struct lp_program *p)
{
	return (struct script_program *)p;
}

/* ---- values ---- */

static uint64_t atom_value(const struct thread *t, struct lp_script_atom a)
{
	return a.is_reg ? t->regs[a.number] : a.number;
}

uint64_t lp_script_value(const struct thread *t, const struct lp_script_expr *e)
{
	const uint64_t a = atom_value(t, e->a);

	switch (e->op) {
	case '+':
		return a + atom_value(t, e->b);
	case '-':
		return a - atom_value(t, e->b);
	case '*':
		return a * atom_value(t, e->b);
	case '&':
		return a & atom_value(t, e->b);
	case '|':
		return a | atom_value(t, e->b);
	case '^':
		return a ^ atom_value(t, e->b);
	}
	return a;
}

static bool holds(const struct thread *t, const struct lp_script_line *line)
{
	const uint64_t a = lp_script_value(t, &line->a), b = lp_script_value(t, &line->b);

	switch ((enum lp_script_compare)line->compare) {
	case LP_CMP_EQ:
		return a == b;
	case LP_CMP_NE:
		return a != b;
	case LP_CMP_LE:
		return a <= b;
	case LP_CMP_GE:
		return a >= b;
	case LP_CMP_LT:
		return a < b;
	case LP_CMP_GT:
		return a > b;
	}
	LP_BUG("no such comparison: %u", line->compare);
}

/* ---- operations ---- */

static void set_condition(struct lp_op *op, enum lp_when when, uint64_t value, enum lp_else otherwise)
{
	op->when = (uint8_t)when;
	op->value = lp_value(value);
	op->mask = lp_value(UINT64_MAX);
	op->otherwise = (uint8_t)otherwise;
}

/* Cuts the value to the bytes that the line accesses. */
static struct lp_value cut(const struct lp_script_line *line, uint64_t value)
{
	return lp_value_truncate(lp_value(value), size_of(line));
}

static void make_rmw(struct thread *t, const struct lp_script_line *line)
{
	struct lp_op *op = &t->op;

	op->kind = LP_OP_RMW;
	op->rmw = line->rmw;
	op->fail_order = line->fail_order;
	op->operand = cut(line, lp_script_value(t, line->kind == LP_LINE_RMW ? &line->a : &line->b));
	if (line->kind != LP_LINE_RMW)
		set_condition(op, LP_IF_EQUAL, cut(line, lp_script_value(t, &line->a)).lo, LP_ELSE_FAIL);
	op->weak = line->kind == LP_LINE_WCAS;
	op->unused = line->unused;
}

static void make_conditional_load(struct thread *t, const struct lp_script_line *line)
{
	const enum lp_when when = line->compare == LP_CMP_EQ   ? LP_IF_EQUAL
				  : line->compare == LP_CMP_NE ? LP_IF_DIFFERENT
							       : LP_IF_AT_LEAST;

	t->op.kind = LP_OP_LOAD;
	set_condition(&t->op, when, cut(line, lp_script_value(t, &line->a)).lo,
		      line->kind == LP_LINE_AWAIT ? LP_ELSE_WAIT : LP_ELSE_DROP);
}

static void make_mutex_op(struct lp_op *op, bool lock)
{
	op->internal = op->lock = true;
	op->kind = lock ? LP_OP_RMW : LP_OP_STORE;
	op->order = lock ? LP_ACQ : LP_REL;
	op->fail_order = LP_RLX;
	op->name = lock ? "lock" : "unlock";
	if (lock) {
		op->rmw = LP_XCHG;
		op->operand = lp_value(1);
		set_condition(op, LP_IF_EQUAL, 0, LP_ELSE_WAIT);
	}
}

static void make_semaphore_op(struct lp_op *op, bool post)
{
	op->internal = true;
	op->kind = LP_OP_RMW;
	op->order = post ? LP_REL : LP_ACQ;
	op->fail_order = LP_RLX;
	op->name = post ? "post" : "wait";
	op->rmw = post ? LP_ADD : LP_SUB;
	op->operand = lp_value(1);
	if (!post)
		set_condition(op, LP_IF_DIFFERENT, 0, LP_ELSE_WAIT);
}

static void make_trylock(struct thread *t, const struct lp_script_line *line)
{
	make_mutex_op(&t->op, true);
	t->op.lock = false;
	t->op.name = "trylock";
	t->op.otherwise = LP_ELSE_FAIL;
	t->op.unused = line->unused;
}

/* Makes the thread go to line `next`.  Returns false if this exceeds the bound on rounds, which
 * stops the thread. */
static bool jump(const struct script_program *p, struct thread *t, uint32_t next)
{
	if (next <= t->line) {
		if (p->bound && t->rounds == p->bound) {
			t->op.kind = LP_OP_BLOCK;
			t->op.loc = 0;
			return false;
		}
		t->rounds++;
	}
	t->line = next;
	return true;
}

/* A choice among one number marks the beginning of a call. */
static uint8_t kind_of_choice(const struct lp_script_line *line)
{
	return line->a.a.number == 1 ? LP_OP_CALL : LP_OP_CHOOSE;
}

/* Makes the operation of the thread's current line its pending one.  Returns false if the line is
 * not an operation: then it has been performed, and t->line is the next line. */
static bool present(struct script_program *p, lp_tid tid, const struct lp_script_line *line)
{
	struct thread *t = &p->threads[tid];
	struct lp_op *op = &t->op;
	uint32_t next = t->line + 1;

	*op = (struct lp_op){ .size = (uint8_t)size_of(line), .order = line->order, .loop = line->loop,
			      .loc = lp_script_address(loc_of(p, tid, line)) + line->from,
			      .pc = line->source };
	t->answered_plain = false;
	t->done = t->gathered = 0;
	t->read = 0;
	if (lp_script_names_loc(line) && line->kind != LP_LINE_ALLOC && lp_script_is_dead(p, tid, line))
		return true;
	switch ((enum lp_script_kind)line->kind) {
	case LP_LINE_LOAD:
		op->kind = LP_OP_LOAD;
		return true;
	case LP_LINE_STORE:
		op->kind = LP_OP_STORE;
		op->operand = cut(line, lp_script_value(t, &line->a));
		return true;
	case LP_LINE_RMW:
	case LP_LINE_CAS:
	case LP_LINE_WCAS:
		make_rmw(t, line);
		return true;
	case LP_LINE_AWAIT:
	case LP_LINE_REQUIRE:
		make_conditional_load(t, line);
		return true;
	case LP_LINE_LOCK:
	case LP_LINE_UNLOCK:
		make_mutex_op(op, line->kind == LP_LINE_LOCK);
		return true;
	case LP_LINE_TRYLOCK:
		make_trylock(t, line);
		return true;
	case LP_LINE_WAIT:
	case LP_LINE_POST:
		make_semaphore_op(op, line->kind == LP_LINE_POST);
		return true;
	case LP_LINE_ALLOC:
		if (lp_script_allocate(p, tid, line))
			return true;
		break;
	case LP_LINE_FREE:
		if (lp_script_release(p, tid, line))
			return true;
		break;
	case LP_LINE_PLOAD:
	case LP_LINE_PSTORE:
		if (lp_script_plain(p, tid, line))
			return true;
		break;
	case LP_LINE_FENCE:
	case LP_LINE_YIELD:
	case LP_LINE_CHOOSE:
	case LP_LINE_SPAWN:
	case LP_LINE_JOIN:
		op->loc = 0;
		op->kind = line->kind == LP_LINE_FENCE    ? LP_OP_FENCE
			   : line->kind == LP_LINE_YIELD  ? LP_OP_YIELD
			   : line->kind == LP_LINE_CHOOSE ? kind_of_choice(line)
			   : line->kind == LP_LINE_SPAWN  ? LP_OP_SPAWN
							  : LP_OP_JOIN;
		op->count = (uint32_t)line->a.a.number;
		op->target = line->target;
		if (op->kind == LP_OP_SPAWN)
			op->elder = line->target > 1 && lp_script_alike(p->script, line->target - 1,
									line->target)
					    ? line->target : 0;
		return true;
	case LP_LINE_SET:
		set_reg(t, line->dest, lp_script_value(t, &line->a));
		break;
	case LP_LINE_ME:
		set_reg(t, line->dest, LP_SCRIPT_ME + tid);
		break;
	case LP_LINE_IF:
		if (holds(t, line))
			next = line->target;
		break;
	case LP_LINE_GOTO:
		next = line->target;
		break;
	case LP_LINE_LABEL:
		break;
	case LP_LINE_ASSUME:
		op->kind = LP_OP_BLOCK;
		op->loc = 0;
		if (!holds(t, line))
			return true;
		break;
	case LP_LINE_ASSERT:
		op->loc = 0;
		if (!holds(t, line))
			return lp_script_fail(p, t, LP_ERROR_ASSERTION, "an assertion of the script failed");
		break;
	}
	return !jump(p, t, next);
}

/* Runs the thread from t->line to its next operation. */
static void advance(struct script_program *p, lp_tid tid)
{
	const struct lp_script_block *block = &p->script->blocks.at[tid];
	struct thread *t = &p->threads[tid];

	for (uint32_t steps = 0; t->line < block->count; steps++) {
		if (present(p, tid, &block->at[t->line]))
			return;
		if (steps == MAX_LOCAL_LINES) {
			lp_script_fail(p, t, LP_ERROR_ENDLESS, "the thread loops without an operation");
			return;
		}
	}
	t->op = (struct lp_op){ .kind = LP_OP_END };
}

/* ---- the class ---- */

static void script_reset(struct lp_program *base)
{
	struct script_program *p = of(base);

	memset(p->threads, 0, p->state_size);
	for (uint32_t i = 0; i < p->script->locs.count; i++) {
		p->memory[i] = p->script->locs.at[i].initial;
		p->life[i] = p->script->locs.at[i].allocated ? UNBORN : ALIVE;
	}
	p->threads[0].stage = SPAWNED;
	p->saved.count = 0;
}

static lp_tid script_threads(struct lp_program *base)
{
	return of(base)->seen;
}

static const struct lp_op *script_pending(struct lp_program *base, lp_tid tid)
{
	struct script_program *p = of(base);

	if (tid >= p->script->blocks.count || p->threads[tid].stage == ABSENT)
		return NULL;
	if (p->threads[tid].stage == SPAWNED) {
		p->threads[tid].stage = RUNNING;
		advance(p, tid);
	}
	return &p->threads[tid].op;
}

static void script_resume(struct lp_program *base, lp_tid tid, const struct lp_response *answer)
{
	struct script_program *p = of(base);
	struct thread *t = &p->threads[tid];
	const struct lp_op *op = script_pending(base, tid);
	const struct lp_script_line *line = &p->script->blocks.at[tid].at[t->line];

	assert(op && op->kind != LP_OP_END && op->kind != LP_OP_ERROR && op->kind != LP_OP_BLOCK);
	p->asked += op->kind != LP_OP_JOIN;
	switch ((enum lp_op_kind)op->kind) {
	case LP_OP_STORE:
		write_memory(p, tid, line, t->done, op->size, answer->wrote.lo);
		t->plain_writes += t->answered_plain;
		break;
	case LP_OP_RMW:
		if (!answer->failed)
			write_memory(p, tid, line, 0, op->size, answer->wrote.lo);
		set_reg(t, line->dest, answer->value.lo);
		set_reg(t, line->flag, !answer->failed);
		break;
	case LP_OP_LOAD:
		if (!t->answered_plain)
			set_reg(t, line->dest, answer->value.lo);
		break;
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
		set_reg(t, line->dest, answer->value.lo);
		break;
	case LP_OP_SPAWN:
		assert(p->threads[op->target].stage == ABSENT);
		p->threads[op->target].stage = SPAWNED;
		if (p->seen <= op->target)
			p->seen = op->target + 1;
		break;
	default:
		break;
	}
	if (t->answered_plain && lp_script_go_on(p, tid, line, answer))
		return;
	t->line++;
	advance(p, tid);
}

static bool script_initial(struct lp_program *base, uintptr_t loc, unsigned size,
			   struct lp_value *value)
{
	struct script_program *p = of(base);
	const uintptr_t i = (loc - lp_script_address(0)) / 64;

	if (i >= p->script->locs.count || loc + size > lp_script_address((uint32_t)i) + WIDTH)
		return false;
	*value = lp_value_read((char *)&p->memory[i] + (loc - lp_script_address((uint32_t)i)), size);
	return true;
}

static bool script_lives(struct lp_program *base, uintptr_t loc, size_t size)
{
	const struct script_program *p = of(base);
	const uintptr_t i = (loc - lp_script_address(0)) / 64;

	(void)size;
	return i < p->script->locs.count && p->life[i] == ALIVE;
}

static bool script_owner(struct lp_program *base, uintptr_t loc, lp_tid *thread, uintptr_t *place)
{
	const struct lp_script *s = of(base)->script;
	const uintptr_t i = (loc - lp_script_address(0)) / 64, named = loc - LP_SCRIPT_ME;

	if (named < LP_SCRIPT_OWNERS) { /* the value of `me` is an address */
		*thread = (lp_tid)named;
		*place = LP_SCRIPT_ME;
		return true;
	}
	if (i >= s->locs.count || !s->locs.at[i].owner)
		return false;
	*thread = s->locs.at[i].owner - 1;
	*place = i - *thread;
	return true;
}

static uintptr_t script_placed(struct lp_program *base, lp_tid thread, uintptr_t place)
{
	(void)base;
	return place == LP_SCRIPT_ME ? place + thread : lp_script_address((uint32_t)place + thread);
}

static uint32_t script_save(struct lp_program *base)
{
	struct script_program *p = of(base);
	const uint32_t mark = (uint32_t)(p->saved.count / p->state_size);

	LP_RESERVE(&p->saved, p->state_size);
	memcpy(p->saved.at + p->saved.count, p->threads, p->state_size);
	p->saved.count += (uint32_t)p->state_size;
	return mark;
}

static void script_restore(struct lp_program *base, uint32_t mark)
{
	struct script_program *p = of(base);
	const size_t at = mark * p->state_size;

	assert(at < p->saved.count);
	memcpy(p->threads, p->saved.at + at, p->state_size);
	p->saved.count = (uint32_t)(at + p->state_size);
}

static void script_forget(struct lp_program *base, uint32_t mark)
{
	struct script_program *p = of(base);

	assert(mark * p->state_size < p->saved.count);
	p->saved.count = (uint32_t)(mark * p->state_size);
}

static size_t script_save_cost(struct lp_program *base)
{
	return of(base)->state_size;
}

static bool script_live_state(struct lp_program *base, lp_tid tid, uint64_t fingerprint[2])
{
	struct script_program *p = of(base);
	struct lp_fingerprint f = LP_FINGERPRINT;

	if (!script_pending(base, tid))
		return false;

	const struct lp_script_block *block = &p->script->blocks.at[tid];
	const struct thread *t = &p->threads[tid];
	const uint16_t live = t->line < block->count ? block->at[t->line].live : block->live_at_end;

	lp_fingerprint_word(&f, t->line < block->count ? block->at[t->line].same : t->line);
	lp_fingerprint_word(&f, t->plain_writes);
	lp_fingerprint_word(&f, (uint64_t)t->done << 8 | t->gathered);
	lp_fingerprint_word(&f, t->read);
	for (int r = 0; r < LP_SCRIPT_REGS; r++)
		lp_fingerprint_word(&f, live >> r & 1 ? t->regs[r] : 0);
	fingerprint[0] = f.a;
	fingerprint[1] = f.b;
	return true;
}

/* Other lines are plain reads, which the observer sees, or do not count. */
static uint64_t script_noise(struct lp_program *base)
{
	return of(base)->asked;
}

static const char *script_outcome(struct lp_program *base)
{
	struct script_program *p = of(base);
	size_t used = 0;

	if (!p->script->outcome.count || p->threads[0].stage != RUNNING ||
	    p->threads[0].op.kind != LP_OP_END)
		return NULL;
	for (uint32_t i = 0; i < p->script->outcome.count; i++) {
		const struct lp_script_outcome *o = &p->script->outcome.at[i];
		const int n = snprintf(p->outcome + used, sizeof p->outcome - used, "%s%u:r%u=%llu",
				       i ? " " : "", o->thread, o->reg,
				       (unsigned long long)p->threads[o->thread].regs[o->reg]);
		used += (size_t)n;
		if (used >= sizeof p->outcome)
			LP_BUG("the outcome of a script is too long");
	}
	return p->outcome;
}

static void script_describe_pc(struct lp_program *base, uintptr_t pc, char *out, size_t size)
{
	(void)base;
	snprintf(out, size, "script:%llu", (unsigned long long)pc);
}

static void script_describe_loc(struct lp_program *base, uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	(void)pc;
	const struct lp_script *s = of(base)->script;
	const uintptr_t i = (loc - lp_script_address(0)) / 64;

	if (loc >= lp_script_address(0) && i < s->locs.count)
		snprintf(out, size, "%s", s->locs.at[i].name);
	else
		snprintf(out, size, "%#llx", (unsigned long long)loc);
}

static const struct lp_program_class script_class = {
	.reset = script_reset,
	.threads = script_threads,
	.pending = script_pending,
	.resume = script_resume,
	.initial = script_initial,
	.lives = script_lives,
	.owner = script_owner,
	.placed = script_placed,
	.save = script_save,
	.restore = script_restore,
	.forget = script_forget,
	.save_cost = script_save_cost,
	.live_state = script_live_state,
	.end_state = script_live_state,
	.noise = script_noise,
	.outcome = script_outcome,
	.describe_pc = script_describe_pc,
	.describe_loc = script_describe_loc,
};

struct lp_program *lp_script_open(const struct lp_script *script)
{
	struct script_program *p = lp_alloc_zero(1, sizeof *p);
	const size_t threads_size = script->blocks.count * sizeof(struct thread);

	p->base.class = &script_class;
	p->script = script;
	p->seen = 1;
	if (script->stack) {
		p->base.stacks = lp_script_address(script->stack - 1);
		p->base.stack_stride = lp_script_address(1) - lp_script_address(0);
		p->base.stack_count = LP_SCRIPT_OWNERS;
	}
	p->state_size = threads_size + 2 * script->locs.count * sizeof(uint64_t);
	p->threads = lp_alloc_zero(1, p->state_size);
	p->memory = (uint64_t *)(void *)((char *)p->threads + threads_size);
	p->life = p->memory + script->locs.count;
	script_reset(&p->base);
	return &p->base;
}

void lp_script_close(struct lp_program *base)
{
	struct script_program *p = of(base);

	lp_free(p->threads);
	lp_free(p->saved.at);
	lp_free(p->known.at);
	lp_arena_close(&p->errors);
	lp_free(p);
}

void lp_script_bound(struct lp_program *base, uint32_t rounds)
{
	of(base)->bound = rounds;
}

uint32_t lp_script_rounds(struct lp_program *base, lp_tid tid)
{
	return of(base)->threads[tid].rounds;
}

uint64_t lp_script_register(struct lp_program *base, lp_tid tid, unsigned reg)
{
	return of(base)->threads[tid].regs[reg];
}
