/* liveness_code.c -- a function's control flow, from its machine code.
 *
 * Decodes what can be reached from the function's start.  A jump to the start of
 * another function is a tail call; a cold part belongs to whoever jumps there.
 * Landing pads are not reached: functions that have them are marked instead.
 *
 * An indirect jump could only come back into the function (a computed goto) if the
 * address of an instruction inside were taken somewhere; otherwise it is a tail
 * call, too.
 */
#include "load/liveness_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct work {
	LP_VEC(uint64_t);
};

static struct x_target import(const struct x_code *code, uint64_t slot_address)
{
	const struct lp_image_slot *slot = lp_image_slot(code->image, slot_address);

	if (!slot || !slot->name)
		return (struct x_target){ .kind = TO_UNKNOWN };
	if (slot->defined) /* its own, unless another object's is found before it */
		return (struct x_target){ .kind = TO_UNKNOWN,
					  .callee = lp_image_begins(code->image, slot->target) };
	return (struct x_target){ .kind = TO_NAME, .name = slot->name };
}

static bool decode(const struct x_code *code, uint64_t at, struct x_insn *x)
{
	size_t room;
	const uint8_t *bytes = lp_image_bytes(code->image, at, &room);

	return bytes && x_decode(code->decoder, bytes, room, at, x);
}

static bool is_inside(const struct x_code *code, uint64_t at)
{
	const struct lp_image_function *f = lp_image_within(code->image, at);

	return f && (f == code->function || f->part);
}

struct x_target x_code_target(const struct x_code *code, const struct x_insn *x)
{
	const struct x_operand *op = &x->op[0];
	struct x_insn jump;

	if (op->kind == X_MEM)
		return op->base == RIP && op->index == NO_REG && !op->far_ ?
			import(code, (uint64_t)op->number) : (struct x_target){ .kind = TO_UNKNOWN };
	if (op->kind != X_IMM)
		return (struct x_target){ .kind = TO_UNKNOWN };

	const uint64_t at = (uint64_t)op->number;
	const struct lp_image_function *f = lp_image_begins(code->image, at);

	if (x->class_ != X_CALL && is_inside(code, at))
		return (struct x_target){ .kind = TO_INSIDE, .at = at };
	if (f && !f->part)
		return (struct x_target){ .kind = TO_FUNCTION, .callee = f };
	/* An entry of the procedure linkage table jumps through its slot, perhaps after
	 * an endbr64, of which the decoder may know nothing. */
	size_t room;
	const uint8_t *bytes = lp_image_bytes(code->image, at, &room);
	const bool marked = bytes && room > 4 && !memcmp(bytes, "\xf3\x0f\x1e\xfa", 4);

	if (decode(code, at + 4 * marked, &jump) && jump.class_ == X_JUMP && jump.op[0].kind == X_MEM &&
	    jump.op[0].base == RIP && jump.op[0].index == NO_REG)
		return import(code, (uint64_t)jump.op[0].number);
	return (struct x_target){ .kind = TO_UNKNOWN };
}

struct lp_call_facts x_code_facts(const struct x_code *code, const struct x_target *target)
{
	struct lp_call_facts facts = lp_call_facts(target->kind == TO_NAME ? target->name : NULL);

	if (target->kind == TO_FUNCTION)
		facts.returns = code->summary(code->closure, target->callee).returns;
	return facts;
}

static struct x_insn *find(const struct x_code *code, uint64_t at)
{
	uint32_t low = 0, high = code->insns.count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (code->insns.at[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->insns.count && code->insns.at[low].at == at ? &code->insns.at[low] : NULL;
}

/* Where control may go within the function: up to two addresses. */
static unsigned successors(struct x_code *code, const struct x_insn *x, uint64_t next[2])
{
	const uint64_t after = x->at + x->size;
	unsigned count = 0;

	switch (x->class_) {
	case X_RETURN:
	case X_STOP:
		return 0;
	case X_JUMP:
	case X_BRANCH: {
		const struct x_target target = x_code_target(code, x);
		if (target.kind == TO_INSIDE)
			next[count++] = target.at;
		if (x->class_ == X_BRANCH)
			next[count++] = after;
		return count;
	}
	case X_CALL: {
		const struct x_target target = x_code_target(code, x);
		const struct lp_image_function *f = lp_image_within(code->image, x->at);
		/* Code does not run from one function into the next: a call at the very
		 * end of one does not return. */
		if (!x_code_facts(code, &target).returns || !f || after >= f->end)
			return 0;
		break;
	}
	default:
		break;
	}
	next[count++] = after;
	return count;
}

/* A set of addresses, for the traversal: open addressing, never shrinks. */
struct seen {
	uint64_t *at;
	uint32_t count, room;
};

static bool add_seen(struct seen *seen, uint64_t address)
{
	if (seen->count * 2 >= seen->room) {
		struct seen larger = { .room = seen->room ? seen->room * 2 : 256 };
		larger.at = lp_alloc_zero(larger.room, sizeof *larger.at);
		for (uint32_t i = 0; i < seen->room; i++)
			if (seen->at[i])
				add_seen(&larger, seen->at[i]);
		lp_free(seen->at);
		*seen = larger;
	}
	uint32_t i = (uint32_t)lp_mix(address) & (seen->room - 1);
	while (seen->at[i] && seen->at[i] != address)
		i = (i + 1) & (seen->room - 1);
	if (seen->at[i])
		return false;
	seen->at[i] = address;
	seen->count++;
	return true;
}

static int by_insn(const void *a, const void *b)
{
	const struct x_insn *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Decodes everything reachable; notes calls and exits on the way. */
static bool traverse(struct x_code *code)
{
	struct work work = { 0 };
	struct seen seen = { 0 };
	bool good = true;
	uint64_t next[2];

	LP_PUSH(&work, code->function->start);
	while (good && work.count) {
		const uint64_t at = work.at[--work.count];
		struct x_insn x;

		if (!add_seen(&seen, at))
			continue;
		if (!is_inside(code, at) || !decode(code, at, &x) || x.class_ == X_BAD) {
			good = false;
			break;
		}
		code->handlers |= lp_image_within(code->image, at)->handlers;
		LP_PUSH(&code->insns, x);
		if (x.class_ == X_CALL || x.class_ == X_JUMP || x.class_ == X_BRANCH) {
			const struct x_target target = x_code_target(code, &x);
			const struct lp_call_facts facts = x_code_facts(code, &target);

			if (target.callee)
				LP_PUSH(&code->callees, target.callee);
			good = !facts.twice;
			if (x.class_ != X_CALL && target.kind != TO_INSIDE)
				code->returns |= facts.returns;
		}
		code->returns |= x.class_ == X_RETURN;
		for (unsigned n = successors(code, &x, next); n--;)
			LP_PUSH(&work, next[n]);
	}
	lp_free(work.at);
	lp_free(seen.at);
	return good;
}

static bool is_taken(const struct x_code *code, uint64_t address)
{
	return address != code->function->start && find(code, address);
}

/* Is the address of an instruction inside the function taken, here or in data? */
static bool has_taken_address(const struct x_code *code)
{
	for (uint32_t i = 0; i < code->image->slots.count; i++)
		if (is_taken(code, code->image->slots.at[i].target))
			return true;
	for (uint32_t i = 0; i < code->insns.count; i++) {
		const struct x_insn *x = &code->insns.at[i];
		if (x->class_ == X_LEA && x->op[1].base == RIP && is_taken(code, (uint64_t)x->op[1].number))
			return true;
		if (x->class_ == X_CALL && x->op[0].kind == X_IMM && is_taken(code, (uint64_t)x->op[0].number))
			return true;
	}
	return false;
}

static bool is_sound(const struct x_code *code)
{
	bool indirect = false;

	for (uint32_t i = 0; i < code->insns.count; i++) {
		const struct x_insn *x = &code->insns.at[i];
		if (i && x[-1].at + x[-1].size > x->at)
			return false; /* instructions that overlap */
		indirect |= x->class_ == X_JUMP && x->op[0].kind != X_IMM;
	}
	return !indirect || !has_taken_address(code);
}

/* Cuts the sorted instructions into blocks.  A block begins wherever a jump leads
 * to, and after whatever does not simply go on. */
static void cut(struct x_code *code)
{
	bool *leads = lp_alloc_zero(code->insns.count, sizeof *leads);
	int32_t *block_of = lp_alloc(code->insns.count * sizeof *block_of);
	uint64_t next[2];

	for (uint32_t i = 0; i < code->insns.count; i++) {
		const struct x_insn *x = &code->insns.at[i];
		const unsigned count = successors(code, x, next);
		const bool goes_on = count == 1 && next[0] == x->at + x->size &&
				     x->class_ != X_JUMP && x->class_ != X_BRANCH;

		leads[i] |= i == 0 || x->at == code->function->start;
		for (unsigned n = 0; n < count && !goes_on; n++)
			leads[find(code, next[n]) - code->insns.at] = true;
		if (i + 1 < code->insns.count && (!goes_on || x[1].at != x->at + x->size))
			leads[i + 1] = true;
		if (goes_on && (i + 1 == code->insns.count || x[1].at != x->at + x->size))
			leads[find(code, next[0]) - code->insns.at] = true;
	}
	for (uint32_t i = 0; i < code->insns.count; i++) {
		if (leads[i])
			LP_PUSH(&code->blocks, ((struct x_block){ .first = i, .next = { -1, -1 } }));
		block_of[i] = (int32_t)code->blocks.count - 1;
		LP_LAST(&code->blocks).count++;
	}
	for (uint32_t b = 0; b < code->blocks.count; b++) {
		struct x_block *block = &code->blocks.at[b];
		const struct x_insn *last = &code->insns.at[block->first + block->count - 1];
		const unsigned count = successors(code, last, next);
		for (unsigned n = 0; n < count; n++)
			block->next[n] = block_of[find(code, next[n]) - code->insns.at];
	}
	lp_free(leads);
	lp_free(block_of);
}

/* Marks the blocks that can reach themselves: Tarjan's components, "Depth-first
 * search and linear graph algorithms", SIAM J. Comput. 1972, with its own stack. */
static void mark_loops(struct x_code *code)
{
	const uint32_t n = code->blocks.count;
	struct frame { uint32_t block; unsigned edge; } *stack = lp_alloc(n * sizeof *stack);
	uint32_t *index = lp_alloc_zero(n, sizeof *index), *low = lp_alloc_zero(n, sizeof *low);
	uint32_t *open = lp_alloc(n * sizeof *open);
	bool *is_open = lp_alloc_zero(n, sizeof *is_open);
	uint32_t depth, opened = 0, counter = 0;

	for (uint32_t root = 0; root < n; root++) {
		if (index[root])
			continue;
		depth = 0;
		stack[depth++] = (struct frame){ root, 0 };
		while (depth) {
			struct frame *top = &stack[depth - 1];
			const uint32_t b = top->block;

			if (top->edge == 0 && !index[b]) {
				index[b] = low[b] = ++counter;
				open[opened++] = b;
				is_open[b] = true;
			}
			if (top->edge < 2) {
				const int32_t to = code->blocks.at[b].next[top->edge++];
				if (to < 0)
					continue;
				if (!index[to])
					stack[depth++] = (struct frame){ (uint32_t)to, 0 };
				else if (is_open[to] && index[to] < low[b])
					low[b] = index[to];
				code->blocks.at[b].on_loop |= (uint32_t)to == b;
				continue;
			}
			if (low[b] == index[b]) {
				const bool many = open[opened - 1] != b;
				uint32_t member;
				do {
					member = open[--opened];
					is_open[member] = false;
					code->blocks.at[member].on_loop |= many;
				} while (member != b);
			}
			if (--depth && low[b] < low[stack[depth - 1].block])
				low[stack[depth - 1].block] = low[b];
		}
	}
	lp_free(stack);
	lp_free(index);
	lp_free(low);
	lp_free(open);
	lp_free(is_open);
}

bool x_code_build(struct x_code *code)
{
	if (!traverse(code))
		return false;
	assert(code->insns.count);
	qsort(code->insns.at, code->insns.count, sizeof *code->insns.at, by_insn);
	if (!is_sound(code))
		return false;
	cut(code);
	mark_loops(code);
	return true;
}

void x_code_drop(struct x_code *code)
{
	lp_free(code->insns.at);
	lp_free(code->blocks.at);
	lp_free(code->effects.at);
	lp_free(code->sites.at);
	lp_free(code->callees.at);
	code->insns.at = NULL;
	code->blocks.at = NULL;
	code->effects.at = NULL;
	code->sites.at = NULL;
	code->callees.at = NULL;
}
