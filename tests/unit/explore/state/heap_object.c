/* heap_object.c -- small random objects with a heap: what they do. */
#include "heap_object.h"

#include <stdlib.h>
#include <string.h>

#include "object_calls.h"

#define LP_EMPTY (INT64_MIN + 1)

static const struct lp_program_error wild = { .kind = LP_ERROR_CRASH, .text = "no block" };

static const struct instruction *at(const struct object *o, const struct process *p)
{
	return &o->calls[p->call].code[p->pc];
}

/* To the next operation. */
static struct process settled(const struct object *o, struct process p)
{
	for (;; p.pc++) {
		const struct instruction *i = at(o, &p);
		if (i->kind < ARGUMENT)
			return p;
		if (i->kind == ARGUMENT)
			p.reg[i->a] = o->calls[p.call].argument;
		else if (i->kind == ADD && !object_is_block(p.reg[i->a]))
			p.reg[i->a] = (p.reg[i->a] + i->b) % VALUES;
		else if (i->kind == EQUAL)
			p.reg[i->a] = p.reg[i->b] == p.reg[i->c];
		else if ((i->kind == IF_NULL && !p.reg[i->a]) || (i->kind == IF_SET && p.reg[i->a]))
			p.pc = CODE - 2;
		else if (i->kind == AWAIT && p.pc && i[-1].kind == LOAD && !p.reg[i->a])
			return object_begin(o, p.call);
	}
}

struct process object_begin(const struct object *o, uint32_t call)
{
	return settled(o, (struct process){ .call = (uint8_t)call });
}

int64_t object_result(const struct object *o, struct process p)
{
	const struct instruction *i = at(o, &p);

	if (i->kind == END)
		return o->empty && o->calls[p.call].method == 1 ? LP_EMPTY : 0;
	return object_is_block(p.reg[i->a]) ? VALUES - 1 : (int64_t)(p.reg[i->a] % VALUES);
}

/* An access through something that is no address goes wrong. */
static struct lp_op access_field(struct lp_op op, uint64_t base, uint8_t field)
{
	if (!object_is_block(base))
		return (struct lp_op){ .kind = LP_OP_ERROR, .error = &wild };
	op.loc = base + 8u * field;
	return op;
}

struct lp_op object_op(const struct object *o, struct process p)
{
	const struct instruction *i = at(o, &p);
	struct lp_op op = { .size = 8, .order = LP_SC, .loc = BASE + 8u * (i->kind == LOAD ? i->b : i->a) };

	switch ((enum instruction_kind)i->kind) {
	case LOAD:
		op.kind = LP_OP_LOAD;
		break;
	case STORE:
		op.kind = LP_OP_STORE;
		op.operand = lp_value(p.reg[i->b]);
		break;
	case CAS:
		op.kind = LP_OP_RMW;
		op.rmw = LP_XCHG;
		op.when = LP_IF_EQUAL;
		op.mask = (struct lp_value){ UINT64_MAX, UINT64_MAX };
		op.value = lp_value(p.reg[i->b]);
		op.operand = lp_value(p.reg[i->c]);
		break;
	case GET:
		op.kind = LP_OP_LOAD;
		return access_field(op, p.reg[i->b], i->c);
	case PUT:
		op.kind = LP_OP_STORE;
		op.operand = lp_value(p.reg[i->c]);
		return access_field(op, p.reg[i->a], i->b);
	case ALLOC:
		return (struct lp_op){ .kind = LP_OP_ALLOC, .operand = { 8u * i->b, 1 } };
	case FREE:
		if (!object_is_block(p.reg[i->a]))
			return (struct lp_op){ .kind = LP_OP_ERROR, .error = &wild };
		return (struct lp_op){ .kind = LP_OP_FREE, .loc = p.reg[i->a] };
	case END:
	case RETURN:
	case ARGUMENT:
	case ADD:
	case EQUAL:
	case IF_NULL:
	case IF_SET:
	case AWAIT:
		return (struct lp_op){ .kind = LP_OP_RETURN,
				       .operand = lp_value((uint64_t)object_result(o, p)) };
	}
	return op;
}

struct process object_after(const struct object *o, struct process p, const struct lp_response *a)
{
	const struct instruction *i = at(o, &p);

	if (i->kind == CAS && a->failed)
		return object_begin(o, p.call);
	if (i->kind == LOAD || i->kind == GET || i->kind == ALLOC)
		p.reg[i->a] = a->value.lo;
	p.pc++;
	return settled(o, p);
}

/* ---- memory, for the naive checker ---- */

static uint64_t address_of(uint64_t block)
{
	return HEAP + block * SLOT + SLOT_HEAD;
}

void object_memory_begin(const struct object *o, struct object_memory *m)
{
	memset(m, 0, sizeof *m);
	for (; m->blocks < o->cells; m->blocks++) {
		m->word[m->blocks] = address_of(m->blocks);
		m->block[m->blocks].words = 1;
	}
}

static enum object_access find_word(struct object_memory *m, uintptr_t loc, uint64_t **word)
{
	if (loc < HEAP) {
		*word = &m->word[(loc - BASE) / 8];
		return OBJECT_DONE;
	}
	struct object_block *b = &m->block[(loc - HEAP) / SLOT];
	const uintptr_t field = (loc - HEAP) % SLOT / 8 - SLOT_HEAD / 8;
	*word = &b->at[field % 2];
	return b->freed || field >= b->words ? OBJECT_WRONG : OBJECT_DONE;
}

enum object_access object_access(struct object_memory *m, const struct lp_op *op,
				 struct lp_response *answer)
{
	uint64_t *word;

	*answer = (struct lp_response){ .failed = false };
	if (op->kind == LP_OP_ERROR)
		return OBJECT_WRONG;
	if (op->kind == LP_OP_ALLOC) {
		if (m->blocks == BLOCKS)
			return OBJECT_TOO_LARGE;
		answer->value = lp_value(address_of(m->blocks));
		m->block[m->blocks++].words = op->operand.lo / 8;
		return OBJECT_DONE;
	}
	if (op->kind == LP_OP_FREE) {
		struct object_block *b = &m->block[(op->loc - HEAP) / SLOT];
		const bool twice = b->freed;
		b->freed = 1;
		return twice ? OBJECT_WRONG : OBJECT_DONE;
	}
	if (find_word(m, op->loc, &word) == OBJECT_WRONG)
		return OBJECT_WRONG;
	answer->value = lp_value(*word);
	if (op->kind == LP_OP_STORE)
		*word = op->operand.lo;
	answer->failed = op->kind == LP_OP_RMW && !lp_op_holds(op, answer->value);
	if (op->kind == LP_OP_RMW && !answer->failed)
		*word = op->operand.lo;
	return OBJECT_DONE;
}

/* ---- as processes ---- */

static lp_local number(struct object *o, struct process p)
{
	for (lp_local l = 1; l < o->local_count; l++)
		if (!memcmp(&o->locals[l], &p, sizeof p))
			return l;
	if (o->local_count == o->local_room) {
		o->local_room = 2 * o->local_room + 64;
		o->locals = realloc(o->locals, sizeof p * o->local_room);
	}
	o->locals[o->local_count] = p;
	return o->local_count++;
}

static const struct lp_op *pending(struct lp_processes *p, lp_local local)
{
	struct object *o = (struct object *)p;

	o->op = local ? object_op(o, o->locals[local]) :
			(struct lp_op){ .kind = LP_OP_CALL, .count = o->count };
	return &o->op;
}

static lp_local step(struct lp_processes *p, lp_local local, const struct lp_response *answer)
{
	struct object *o = (struct object *)p;

	if (!local)
		return number(o, object_begin(o, (uint32_t)answer->value.lo));
	const struct lp_op op = object_op(o, o->locals[local]);
	return op.kind == LP_OP_RETURN ? 0 : number(o, object_after(o, o->locals[local], answer));
}

static struct lp_value initial(struct lp_processes *p, uintptr_t loc, unsigned size)
{
	const struct object *o = (const struct object *)p;

	(void)size;
	if (loc < HEAP)
		return lp_value((loc - BASE) / 8 < o->cells ? address_of((loc - BASE) / 8) : 0);
	return lp_value((loc - HEAP) % SLOT == 8 && (loc - HEAP) / SLOT < o->cells ? 8 << 1 : 0);
}

static const uint8_t *slots(struct lp_processes *p, lp_local local, uint32_t *count)
{
	struct object *o = (struct object *)p;

	*count = 0;
	for (unsigned r = 0; local && r < REGISTERS; r++)
		if (object_is_block(o->locals[local].reg[r]))
			o->slots[(*count)++] = (uint8_t)((o->locals[local].reg[r] - HEAP) / SLOT);
	return o->slots;
}

static lp_local moved(struct lp_processes *p, lp_local local, const uint8_t *to)
{
	struct object *o = (struct object *)p;
	struct process q = o->locals[local];

	for (unsigned r = 0; r < REGISTERS; r++) {
		const uint64_t slot = (q.reg[r] - HEAP) / SLOT;
		if (object_is_block(q.reg[r]))
			q.reg[r] = to[slot] == UINT8_MAX ? 0 : q.reg[r] + (to[slot] - slot) * SLOT;
	}
	return number(o, q);
}

static void describe_pc(struct lp_processes *p, uintptr_t pc, char *out, size_t size)
{
	(void)p;
	(void)pc;
	if (size)
		out[0] = '\0';
}

static void describe_loc(struct lp_processes *p, uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	(void)loc;
	describe_pc(p, pc, out, size);
}

static const struct lp_processes_class class = { pending, step, initial, slots, moved, describe_pc,
						 describe_loc, NULL, NULL, NULL };
static const uintptr_t roots[WORDS] = { BASE, BASE + 8 };

void object_open(struct object *o)
{
	memset(o, 0, sizeof *o);
	o->base = (struct lp_processes){ .class = &class, .heap = HEAP, .slots = SLOTS,
					 .slot_size = SLOT, .roots = roots, .root_count = WORDS };
	o->local_count = o->local_room = 1;
	o->locals = calloc(1, sizeof *o->locals);
	o->once = true;
}

void object_close(struct object *o)
{
	free(o->locals);
}

/* ---- for its specification ---- */

const uint32_t *object_factors(const struct object *o)
{
	return o->relaxed ? o->factor : NULL;
}

const char *object_spec(const struct object *o)
{
	return o->spec;
}

uint32_t object_method(const struct object *o, uint32_t call)
{
	return o->calls[call].method;
}

int64_t object_argument(const struct object *o, uint32_t call)
{
	return o->calls[call].argument;
}

uint32_t object_call_count(const struct object *o)
{
	return o->count;
}
