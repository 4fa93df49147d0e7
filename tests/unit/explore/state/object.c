/* object.c -- small random objects. */
#include "object.h"
#include "object_calls.h"

#include <string.h>

#include "base/hash.h"

#define LP_EMPTY (INT64_MIN + 1)
#define LP_VOID INT64_MIN

static uint32_t pick(uint64_t *seed, uint32_t count)
{
	*seed += UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(lp_mix(*seed) % count);
}

static uint8_t value_of(const struct object *o, struct process p, uint8_t from, uint8_t constant)
{
	switch ((enum source)from) {
	case CONSTANT:
		return constant % VALUES;
	case REGISTER:
		return p.reg;
	case REGISTER_PLUS:
		return (uint8_t)((p.reg + constant) % VALUES);
	case ARGUMENT:
		return o->calls[p.call].argument;
	}
	return 0;
}

static const struct instruction *at(const struct object *o, struct process p)
{
	return &o->calls[p.call].code[p.pc];
}

struct process object_begin(const struct object *o, uint32_t call)
{
	(void)o;
	return (struct process){ (uint8_t)call, 0, 0 };
}

int64_t object_result(const struct object *o, struct process p)
{
	const struct instruction *i = at(o, p);
	const uint8_t value = i->kind == END ? 0 : value_of(o, p, i->to, i->to_constant);

	return o->empty && o->calls[p.call].method == 1 && !value ? LP_EMPTY : value;
}

struct lp_op object_op(const struct object *o, struct process p)
{
	const struct instruction *i = at(o, p);
	struct lp_op op = { .size = 8, .order = LP_SC, .loc = BASE + 8u * i->word };

	switch ((enum instruction_kind)i->kind) {
	case LOAD:
	case AWAIT:
		op.kind = LP_OP_LOAD;
		break;
	case STORE:
		op.kind = LP_OP_STORE;
		op.operand = lp_value(value_of(o, p, i->from, i->constant));
		break;
	case SWAP:
		op.kind = LP_OP_RMW;
		op.rmw = LP_XCHG;
		op.operand = lp_value(value_of(o, p, i->from, i->constant));
		break;
	case CAS:
	case SWAP_OR_RETRY:
	case LOCK:
		op.kind = LP_OP_RMW;
		op.otherwise = i->kind == LOCK ? LP_ELSE_WAIT : LP_ELSE_FAIL;
		op.rmw = LP_XCHG;
		op.when = LP_IF_EQUAL;
		op.mask = (struct lp_value){ UINT64_MAX, UINT64_MAX };
		op.value = lp_value(value_of(o, p, i->from, i->constant));
		op.operand = lp_value(value_of(o, p, i->to, i->to_constant));
		break;
	case POINT:
	case RETURN:
	case END:
		op = (struct lp_op){ .kind = i->kind == POINT ? LP_OP_POINT : LP_OP_RETURN,
				     .operand = lp_value((uint64_t)object_result(o, p)) };
	}
	return op;
}

struct process object_after(const struct object *o, struct process p, const struct lp_response *a)
{
	const struct instruction *i = at(o, p);

	if (i->kind == SWAP_OR_RETRY && a->failed)
		return object_begin(o, p.call);
	if (i->kind == POINT) {
		p.pc++;
		return p;
	}
	if (i->kind == AWAIT && a->value.lo != value_of(o, p, i->from, i->constant))
		return p;
	if (i->kind == CAS)
		p.reg = !a->failed;
	else if (i->kind != STORE && i->kind != SWAP_OR_RETRY && i->kind != AWAIT && i->kind != LOCK)
		p.reg = (uint8_t)(a->value.lo % VALUES);
	p.pc++;
	return p;
}

void object_memory_begin(const struct object *o, struct object_memory *m)
{
	memcpy(m->word, o->initial, sizeof m->word);
}

enum object_access object_access(struct object_memory *m, const struct lp_op *op,
				 struct lp_response *answer)
{
	uint8_t *word = &m->word[(op->loc - BASE) / 8];

	*answer = (struct lp_response){ .value = lp_value(*word) };
	if (op->kind == LP_OP_STORE)
		*word = (uint8_t)op->operand.lo;
	answer->failed = op->kind == LP_OP_RMW && !lp_op_holds(op, answer->value);
	if (op->kind == LP_OP_RMW && !answer->failed)
		*word = (uint8_t)lp_op_result(op, answer->value).lo;
	return OBJECT_DONE;
}

/* ---- as processes: local states are numbers ---- */

static lp_local number(struct process p)
{
	return 1u + p.reg + VALUES * (p.pc + CODE * p.call);
}

static struct process of_number(lp_local local)
{
	local--;
	return (struct process){ (uint8_t)(local / VALUES / CODE), (uint8_t)(local / VALUES % CODE),
				 (uint8_t)(local % VALUES) };
}

static const struct lp_op *pending(struct lp_processes *p, lp_local local)
{
	struct object *o = (struct object *)p;

	o->op = local ? object_op(o, of_number(local)) :
			(struct lp_op){ .kind = LP_OP_CALL, .count = o->count };
	return &o->op;
}

static lp_local step(struct lp_processes *p, lp_local local, const struct lp_response *answer)
{
	const struct object *o = (const struct object *)p;

	if (!local)
		return number(object_begin(o, (uint32_t)answer->value.lo));
	const struct lp_op op = object_op(o, of_number(local));
	return op.kind == LP_OP_RETURN ? 0 : number(object_after(o, of_number(local), answer));
}

static struct lp_value initial(struct lp_processes *p, uintptr_t loc, unsigned size)
{
	(void)size;
	return lp_value(((const struct object *)p)->initial[(loc - BASE) / 8]);
}

static void describe(struct lp_processes *p, uintptr_t at_address, char *out, size_t size)
{
	(void)p;
	(void)at_address;
	if (size)
		out[0] = '\0';
}

static void describe_loc(struct lp_processes *p, uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	(void)pc;
	describe(p, loc, out, size);
}

static const struct lp_processes_class class = { .pending = pending, .step = step,
						 .initial = initial, .describe_pc = describe,
						 .describe_loc = describe_loc };

/* ---- correct ones ---- */

static void register_object(struct object *o)
{
	const struct instruction read[] = { { LOAD, 0, 0, 0, 0, 0 },
					    { RETURN, 0, 0, 0, REGISTER, 0 } };
	const struct instruction write[] = { { STORE, 0, ARGUMENT, 0, 0, 0 },
					     { RETURN, 0, 0, 0, CONSTANT, 0 } };

	o->spec = "register";
	o->count = 3;
	for (uint8_t i = 0; i < 3; i++) {
		o->calls[i].method = i > 0;
		o->calls[i].argument = i;
		memcpy(o->calls[i].code, i ? write : read, i ? sizeof write : sizeof read);
	}
}

static void counter_object(struct object *o)
{
	const struct instruction read[] = { { LOAD, 0, 0, 0, 0, 0 },
					    { RETURN, 0, 0, 0, REGISTER, 0 } };
	const struct instruction add[] = { { LOAD, 0, 0, 0, 0, 0 },
					   { SWAP_OR_RETRY, 0, REGISTER, 0, REGISTER_PLUS, 1 },
					   { RETURN, 0, 0, 0, REGISTER, 0 } };

	o->spec = "counter:k=4";
	o->count = 3;
	memcpy(o->calls[0].code, read, sizeof read);
	memcpy(o->calls[1].code, add, sizeof add);
	memcpy(o->calls[2].code, add, sizeof add);
	o->calls[1].method = 5; /* fetch_increment */
	o->calls[2].method = 1; /* increment: what it returns does not matter */
}

static void queue_object(struct object *o)
{
	const struct instruction put[] = { { CAS, 0, CONSTANT, 0, ARGUMENT, 0 },
					   { RETURN, 0, 0, 0, REGISTER, 0 } };
	const struct instruction take[] = { { LOAD, 0, 0, 0, 0, 0 },
					    { SWAP, 0, CONSTANT, 0, 0, 0 },
					    { RETURN, 0, 0, 0, REGISTER, 0 } };

	o->spec = "queue:bounded=1";
	o->empty = true;
	o->count = 3;
	for (uint8_t i = 0; i < 2; i++) {
		memcpy(o->calls[i].code, put, sizeof put);
		o->calls[i].argument = i + 1;
	}
	memcpy(o->calls[2].code, take, sizeof take);
	o->calls[2].method = 1;
}

/* A queue of two cells: the second is put into and taken from first, if there is a choice. */
static void bag_object(struct object *o)
{
	const struct instruction put[] = { { LOAD, 0, 0, 0, 0, 0 },
					   { SWAP, 1, ARGUMENT, 0, 0, 0 },
					   { STORE, 0, REGISTER, 0, 0, 0 },
					   { RETURN, 0, 0, 0, CONSTANT, 1 } };
	const struct instruction take[] = { { SWAP, 1, CONSTANT, 0, 0, 0 },
					    { RETURN, 0, 0, 0, REGISTER, 0 } };
	const struct instruction take_old[] = { { SWAP, 0, CONSTANT, 0, 0, 0 },
						{ RETURN, 0, 0, 0, REGISTER, 0 } };

	o->spec = "queue";
	o->empty = true;
	o->count = 4;
	for (uint8_t i = 0; i < 2; i++) {
		memcpy(o->calls[i].code, put, sizeof put);
		o->calls[i].argument = i + 1;
	}
	memcpy(o->calls[2].code, take, sizeof take);
	memcpy(o->calls[3].code, take_old, sizeof take_old);
	o->calls[2].method = o->calls[3].method = 1;
}

static uint32_t length(const struct object_call *c)
{
	uint32_t n = 0;

	while (n < CODE && c->code[n].kind != END)
		n++;
	return n;
}

static void change(struct object *o, uint64_t *seed)
{
	struct object_call *c = &o->calls[pick(seed, o->count)];
	const uint32_t n = length(c), i = pick(seed, n);
	struct instruction *in = &c->code[i];

	switch (pick(seed, 6)) {
	case 0:
		in->word = (uint8_t)pick(seed, WORDS);
		break;
	case 1:
		in->constant = (uint8_t)pick(seed, 3);
		break;
	case 2:
		in->to = (uint8_t)pick(seed, 4);
		in->to_constant = (uint8_t)pick(seed, 3);
		break;
	case 3: /* in two steps what was one */
		if (in->kind == SWAP_OR_RETRY || in->kind == CAS || in->kind == SWAP)
			in->kind = pick(seed, 2) ? LOAD : STORE;
		break;
	case 4:
		if (i && i + 1 < n)
			memmove(in, in + 1, sizeof *in * (CODE - 1 - i));
		break;
	default:
		if (n + 1 < CODE) {
			memmove(in + 1, in, sizeof *in * (CODE - 1 - i));
			*in = (struct instruction){ (uint8_t)(LOAD + pick(seed, 3)),
						    (uint8_t)pick(seed, WORDS),
						    (uint8_t)pick(seed, 4), (uint8_t)pick(seed, 3), 0, 0 };
		}
	}
}

void object_generate(struct object *o, uint64_t *seed)
{
	memset(o, 0, sizeof *o);
	o->base.class = &class;
	switch (pick(seed, 3)) {
	case 0:
		register_object(o);
		break;
	case 1:
		counter_object(o);
		break;
	default:
		queue_object(o);
	}
	for (uint32_t n = pick(seed, 4); n > 0; n--)
		change(o, seed);
}

void object_add_points(struct object *o, uint64_t *seed)
{
	for (uint32_t c = 0; c < o->count; c++) {
		struct object_call *call = &o->calls[c];
		const uint32_t n = length(call), at = n > 1 && pick(seed, 4) ? n - 1 : pick(seed, n);
		struct instruction point = call->code[n - 1];
		if (n + 1 >= CODE || point.kind != RETURN || !pick(seed, 20))
			continue;
		point.kind = POINT;
		memmove(&call->code[at + 1], &call->code[at], sizeof point * (CODE - 1 - at));
		call->code[at] = point;
	}
}

/* Ways to take turns, that one or the other instruction may spoil. */
static const struct instruction turns[][4] = {
	{ { LOAD, 0, 0, 0, 0, 0 }, { SWAP_OR_RETRY, 0, REGISTER, 0, REGISTER_PLUS, 1 } },
	{ { LOCK, 0, CONSTANT, 0, CONSTANT, 1 }, { STORE, 1, REGISTER_PLUS, 1, 0, 0 },
	  { STORE, 0, CONSTANT, 0, 0, 0 } },
	{ { SWAP_OR_RETRY, 0, CONSTANT, 0, CONSTANT, 1 }, { LOAD, 1, 0, 0, 0, 0 },
	  { STORE, 0, CONSTANT, 0, 0, 0 } },
	{ { AWAIT, 0, CONSTANT, 0, 0, 0 }, { STORE, 0, CONSTANT, 1, 0, 0 } },
	{ { AWAIT, 0, CONSTANT, 1, 0, 0 }, { STORE, 0, CONSTANT, 0, 0, 0 } },
	{ { SWAP, 1, REGISTER_PLUS, 1, 0, 0 } },
	{ { LOAD, 0, 0, 0, 0, 0 }, { SWAP_OR_RETRY, 0, REGISTER, 0, REGISTER_PLUS, 1 },
	  { SWAP_OR_RETRY, 0, REGISTER_PLUS, 1, REGISTER_PLUS, 2 } },
	{ { SWAP, 0, CONSTANT, 1, 0, 0 }, { AWAIT, 1, REGISTER, 0, 0, 0 },
	  { STORE, 1, CONSTANT, 1, 0, 0 } },
};

void object_generate_waiting(struct object *o, uint64_t *seed)
{
	static const uint8_t kinds[] = { LOAD, STORE, SWAP, CAS, SWAP_OR_RETRY, AWAIT, LOCK };

	memset(o, 0, sizeof *o);
	o->base.class = &class;
	o->count = 1 + pick(seed, 2);
	for (uint32_t c = 0; c < o->count; c++) {
		uint32_t other = pick(seed, 3) ? pick(seed, 2) : 1 + pick(seed, 3);
		if (other < 2)
			memcpy(o->calls[c].code, turns[pick(seed, sizeof turns / sizeof *turns)],
			       sizeof *turns);
		for (uint32_t i = other < 2 ? pick(seed, 4) : 0; other > 0; other--, i++)
			o->calls[c].code[i] = (struct instruction){
				kinds[pick(seed, sizeof kinds)], (uint8_t)pick(seed, WORDS),
				(uint8_t)pick(seed, REGISTER_PLUS + 1), (uint8_t)pick(seed, 3),
				(uint8_t)pick(seed, REGISTER_PLUS + 1), (uint8_t)pick(seed, 3) };
	}
}

void object_generate_quasi(struct object *o, uint64_t *seed)
{
	memset(o, 0, sizeof *o);
	o->base.class = &class;
	o->once = true;
	if (pick(seed, 2))
		queue_object(o);
	else
		bag_object(o);
	o->factor[1] = 1 + pick(seed, 2);
	for (uint32_t n = pick(seed, 3); n > 0; n--)
		change(o, seed);
}

const uint32_t *object_factors(const struct object *o)
{
	return o->once ? o->factor : NULL;
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
