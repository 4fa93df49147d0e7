/* assembly_arm.c -- parses inline assembly of aarch64, except loops. */
#include "frontend/assembly/assembly_arm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operands ---- */

uint8_t lp_asm_arm_register(const char *name, uint8_t *size)
{
	char *end;

	if ((*name != 'x' && *name != 'w') || name[1] < '0' || name[1] > '9')
		return LP_ASM_NONE;
	const unsigned long number = strtoul(name + 1, &end, 10);
	*size = *name == 'x' ? 8 : 4;
	return *end || number > 30 || (name[1] == '0' && name[2]) ? LP_ASM_NONE : (uint8_t)number;
}

static bool read_reference(struct lp_asm_parser *p, const char *text, struct lp_asm_arg *arg)
{
	const uint8_t operand = (uint8_t)(text[1] - 0x80);
	const struct lp_asm_operand *o = &p->out->operands[operand];

	if (text[3] || !strchr("_xw", text[2]))
		return false;
	arg->operand = operand;
	if (o->kind == LP_ASM_MEMORY) {
		arg->kind = LP_ASM_ARG_MEMORY;
		arg->memory = (struct lp_asm_place){ .operand = operand };
		return text[2] == '_';
	}
	arg->kind = LP_ASM_ARG_REGISTER;
	arg->size = text[2] == 'w' ? 4 : 8;
	arg->value = lp_asm_in(o->reg);
	return o->kind == LP_ASM_REGISTER;
}

static bool read_register(struct lp_asm_parser *p, const char *text, struct lp_asm_arg *arg)
{
	if (*text == LP_ASM_REFERENCE)
		return read_reference(p, text, arg);
	arg->kind = LP_ASM_ARG_REGISTER;
	if (!strcmp(text, "xzr") || !strcmp(text, "wzr")) {
		arg->size = *text == 'x' ? 8 : 4;
		arg->value = lp_asm_is(0);
		return true;
	}
	arg->value = lp_asm_in(lp_asm_arm_register(text, &arg->size));
	return arg->value.reg != LP_ASM_NONE;
}

/* [x1], [x1, #8] */
static bool read_memory(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	const size_t length = strlen(text);
	struct lp_asm_arg base = { 0 };
	char *parts[LP_ASM_ARGS];

	if (length < 3 || text[length - 1] != ']')
		return false;
	text[length - 1] = '\0';
	const int count = lp_asm_split(text + 1, parts);
	if (count < 1 || count > 2 || !read_register(p, parts[0], &base) ||
	    base.kind != LP_ASM_ARG_REGISTER || base.size != 8 || base.value.reg == LP_ASM_NONE)
		return false;
	arg->kind = LP_ASM_ARG_MEMORY;
	arg->memory = (struct lp_asm_place){ .operand = LP_ASM_NONE, .reg = base.value.reg };
	return count == 1 || lp_asm_number(parts[1] + (*parts[1] == '#'), &arg->memory.offset);
}

static bool read_arg(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	*arg = (struct lp_asm_arg){ .operand = LP_ASM_NONE };
	if (*text == '[')
		return read_memory(p, text, arg);
	if (*text == '#' || *text == '-' || (*text >= '0' && *text <= '9')) {
		arg->kind = LP_ASM_ARG_NUMBER;
		arg->value = lp_asm_is(0);
		return lp_asm_number(text + (*text == '#'), &arg->value.number);
	}
	return read_register(p, text, arg);
}

bool lp_asm_arm_begin(struct lp_asm_parser *p, uint32_t statement, struct lp_asm_arm *x)
{
	const struct lp_asm_statement *s = &p->statements[statement];

	*x = (struct lp_asm_arm){ .p = p, .word = s->word };
	snprintf(x->text, sizeof x->text, "%s %s", s->word, s->rest);
	p->values_lost |= p->values_now;
	p->addresses_lost |= p->addresses_now;
	x->count = lp_asm_split(s->rest, x->texts);
	return x->count >= 0 || lp_asm_arm_refuse(x);
}

bool lp_asm_arm_refuse(const struct lp_asm_arm *x)
{
	return lp_asm_refuse(x->p, "%.60s", x->text);
}

bool lp_asm_arm_args(struct lp_asm_arm *x)
{
	for (int i = 0; i < x->count; i++)
		if (!read_arg(x->p, x->texts[i], &x->args[i]))
			return lp_asm_arm_refuse(x);
	return true;
}

uint8_t lp_asm_arm_values(const struct lp_asm_arm *x, int count)
{
	uint8_t size = 0;

	if (x->count < count)
		return 0;
	for (int i = 0; i < count; i++) {
		const struct lp_asm_arg *arg = &x->args[i];
		if (arg->kind == LP_ASM_ARG_MEMORY)
			return 0;
		if (arg->kind == LP_ASM_ARG_NUMBER)
			continue;
		if (size && size != arg->size)
			return 0;
		size = arg->size;
	}
	return size;
}

/* ---- registers alone ---- */

static const struct operation {
	const char *word;
	uint8_t op;
	int count;            /* of operands */
} operations[] = {
	{ "mov", LP_ASM_MOVE, 2 }, { "mvn", LP_ASM_NOT, 2 },     { "neg", LP_ASM_NEG, 2 },
	{ "add", LP_ASM_ADD, 3 },  { "sub", LP_ASM_SUB, 3 },     { "and", LP_ASM_AND, 3 },
	{ "orr", LP_ASM_OR, 3 },   { "eor", LP_ASM_XOR, 3 },     { "bic", LP_ASM_AND_NOT, 3 },
	{ "cmp", LP_ASM_SUB, 0 },  { "cset", 0, 0 },
};

static const struct operation *find(const char *word)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcmp(word, operations[i].word))
			return &operations[i];
	return NULL;
}

bool lp_asm_arm_is_pure(const char *word)
{
	return find(word);
}

static bool is_register(const struct lp_asm_arg *arg)
{
	return arg->kind == LP_ASM_ARG_REGISTER;
}

static bool compare(struct lp_asm_arm *x)
{
	struct lp_asm_parser *p = x->p;
	const uint8_t size = lp_asm_arm_args(x) ? lp_asm_arm_values(x, 2) : 0;

	if (!size || x->count != 2 || !is_register(&x->args[0]) || !p->cc)
		return lp_asm_arm_refuse(x);
	const struct lp_asm_value a = x->args[0].value, b = x->args[1].value;
	p->compared = lp_asm_definition(p, LP_ASM_SUB, size, a, b);
	lp_asm_set(p, lp_asm_to(LP_ASM_NONE, size, false), LP_ASM_SUB, a, b);
	memset(p->flag_from, LP_ASM_NONE, sizeof p->flag_from);
	p->flag_from[LP_ASM_ZERO] = (uint8_t)(p->out->step_count - 1);
	return !p->failed;
}

/* cset w0, eq */
static bool set_on(struct lp_asm_arm *x)
{
	if (x->count != 2)
		return lp_asm_arm_refuse(x);
	const bool negated = !strcmp(x->texts[1], "ne");
	if ((!negated && strcmp(x->texts[1], "eq")) || !read_arg(x->p, x->texts[0], &x->args[0]) ||
	    !is_register(&x->args[0]))
		return lp_asm_arm_refuse(x);
	return lp_asm_get_flag(x->p, lp_asm_to(x->args[0].value.reg, 8, false), LP_ASM_ZERO, negated);
}

/* Of all operations here, the low bytes of the result depend on those of the operands alone.  So an
 * operand of one byte, with anything above it, gives one byte that is known. */
static uint8_t known_bytes(const struct lp_asm_parser *p, struct lp_asm_value value, uint8_t size)
{
	return value.reg == LP_ASM_NONE || p->regs[value.reg].known >= size ? size : p->regs[value.reg].known;
}

bool lp_asm_arm_pure(struct lp_asm_arm *x)
{
	const struct operation *o = find(x->word);

	if (!strcmp(x->word, "cmp"))
		return compare(x);
	if (!strcmp(x->word, "cset"))
		return set_on(x);
	const uint8_t size = lp_asm_arm_args(x) ? lp_asm_arm_values(x, o->count) : 0;
	if (!size || x->count != o->count || !is_register(&x->args[0]) ||
	    (o->op != LP_ASM_MOVE && !is_register(&x->args[1])))
		return lp_asm_arm_refuse(x);
	const struct lp_asm_value a = x->args[1].value;
	const struct lp_asm_value b = o->count == 3 ? x->args[2].value : lp_asm_is(0);
	const uint8_t known = known_bytes(x->p, b, known_bytes(x->p, a, size)), to = x->args[0].value.reg;
	if (!known)
		return lp_asm_arm_refuse(x);
	lp_asm_set(x->p, lp_asm_to(to, known, false), o->op, a, b);
	if (known < size && to != LP_ASM_NONE)
		x->p->regs[to].known = known;
	return !x->p->failed;
}

/* ---- memory ---- */

bool lp_asm_arm_suffix(const char *text, struct lp_asm_arm_suffix *suffix)
{
	*suffix = (struct lp_asm_arm_suffix){ 0 };
	if (*text == 'a') {
		suffix->acquires = true;
		text++;
	}
	if (*text == 'l') {
		suffix->releases = true;
		text++;
	}
	if (*text == 'b' || *text == 'h')
		suffix->size = *text++ == 'b' ? 1 : 2;
	return !*text;
}

/* Those that compilers use for RMWs, in the other direction. */
enum lp_order lp_asm_arm_order(const struct lp_asm_parser *p, bool acquires, bool releases)
{
	if (!p->out->barrier)
		return LP_RLX;
	if (acquires)
		return releases ? LP_SC : LP_ACQ;
	return releases ? LP_REL : LP_RLX;
}

/* The size of the access, if the arguments are that number of registers and then memory; otherwise 0. */
static uint8_t access_size(struct lp_asm_arm *x, int registers, uint8_t said)
{
	if (!lp_asm_arm_args(x) || x->count != registers + 1 ||
	    x->args[registers].kind != LP_ASM_ARG_MEMORY)
		return 0;
	for (int i = 0; i < registers; i++)
		if (!is_register(&x->args[i]))
			return 0;
	const uint8_t size = lp_asm_arm_values(x, registers);
	if (said)
		return size == 4 ? said : 0;
	return size;
}

static struct lp_asm_step *access(struct lp_asm_arm *x, enum lp_asm_step_kind kind, uint8_t size,
				  const struct lp_asm_arg *memory, enum lp_order order)
{
	const bool reads = kind != LP_ASM_STORE, writes = kind != LP_ASM_LOAD;

	lp_asm_touch(x->p, &memory->memory, size, reads, writes);
	struct lp_asm_step *step = lp_asm_step(x->p, kind);
	step->size = size;
	step->memory = memory->memory;
	step->order = (uint8_t)order;
	return step;
}

static bool load(struct lp_asm_arm *x, enum lp_order order, uint8_t said)
{
	const uint8_t size = access_size(x, 1, said);

	if (!size)
		return lp_asm_arm_refuse(x);
	struct lp_asm_step *step = access(x, LP_ASM_LOAD, size, &x->args[1], order);
	step->to = x->args[0].value.reg;
	return lp_asm_give(x->p, lp_asm_to(step->to, size, false)) && !x->p->failed;
}

static bool store(struct lp_asm_arm *x, enum lp_order order, uint8_t said)
{
	const uint8_t size = access_size(x, 1, said);

	if (!size)
		return lp_asm_arm_refuse(x);
	struct lp_asm_step *step = access(x, LP_ASM_STORE, size, &x->args[1], order);
	step->a = x->args[0].value;
	return lp_asm_use(x->p, step->a, size) && !x->p->failed;
}

/* ldr, ldar, ldapr, str, stlr, and those of fewer bytes */
static bool load_or_store(struct lp_asm_arm *x, bool *known)
{
	static const struct {
		const char *word;
		bool loads;
		enum lp_order order;
	} plain[] = {
		{ "ldr", true, LP_RLX },   { "ldar", true, LP_SC },  { "ldapr", true, LP_ACQ },
		{ "str", false, LP_RLX },  { "stlr", false, LP_SC },
	};

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		const size_t n = strlen(plain[i].word);
		const char *rest = x->word + n;
		if (strncmp(x->word, plain[i].word, n) || (*rest && strcmp(rest, "b") && strcmp(rest, "h")))
			continue;
		const enum lp_order order = x->p->out->barrier ? plain[i].order : LP_RLX;
		*known = true;
		return (plain[i].loads ? load : store)(x, order, !*rest ? 0 : *rest == 'b' ? 1 : 2);
	}
	*known = false;
	return false;
}

/* ---- atomic instructions (LSE) ---- */

/* ldadd w1, w2, [x3]: w2 is the old value; stadd w1, [x3]: there is none. */
static bool fetch(struct lp_asm_arm *x, enum lp_asm_op op, bool returns, struct lp_asm_arm_suffix s)
{
	const int registers = returns ? 2 : 1;
	const uint8_t size = access_size(x, registers, s.size);

	if (!size || (!returns && s.acquires))
		return lp_asm_arm_refuse(x);
	const uint8_t to = returns ? x->args[1].value.reg : LP_ASM_NONE;
	/* Without a register for the old value there is nothing to acquire with. */
	struct lp_asm_step *step = access(x, LP_ASM_RMW, size, &x->args[registers],
					  lp_asm_arm_order(x->p, s.acquires && to != LP_ASM_NONE, s.releases));
	step->op = (uint8_t)op;
	step->a = x->args[0].value;
	step->to = to;
	return lp_asm_use(x->p, step->a, size) && lp_asm_give(x->p, lp_asm_to(to, size, false)) && !x->p->failed;
}

static struct lp_asm_step *cas_step(struct lp_asm_arm *x, uint8_t size, const struct lp_asm_arg *memory,
				    struct lp_asm_arm_suffix s)
{
	struct lp_asm_step *step =
		access(x, LP_ASM_CAS, size, memory, lp_asm_arm_order(x->p, s.acquires, s.releases));

	step->fail_order = (uint8_t)lp_asm_arm_order(x->p, s.acquires, false);
	return step;
}

/* cas w1, w2, [x3]: w1 is what is expected, and then the old value. */
static bool cas(struct lp_asm_arm *x, struct lp_asm_arm_suffix s)
{
	const uint8_t size = access_size(x, 2, s.size);

	if (!size || x->args[0].value.reg == LP_ASM_NONE)
		return lp_asm_arm_refuse(x);
	struct lp_asm_step *step = cas_step(x, size, &x->args[2], s);
	step->a = x->args[0].value;
	step->b = x->args[1].value;
	step->to = step->a.reg;
	return lp_asm_use(x->p, step->a, size) && lp_asm_use(x->p, step->b, size) &&
	       lp_asm_give(x->p, lp_asm_to(step->to, size, false)) && !x->p->failed;
}

/* casp x0, x1, x2, x3, [x4] */
static bool cas_pair(struct lp_asm_arm *x, struct lp_asm_arm_suffix s)
{
	struct lp_asm_parser *p = x->p;

	if (s.size || access_size(x, 4, 0) != 8)
		return lp_asm_arm_refuse(x);
	for (int i = 0; i < 4; i++)
		if (x->args[i].value.reg == LP_ASM_NONE)
			return lp_asm_arm_refuse(x);
	struct lp_asm_step *step = cas_step(x, 16, &x->args[4], s);
	step->a = x->args[0].value;
	step->a_high = x->args[1].value;
	step->b = x->args[2].value;
	step->b_high = x->args[3].value;
	step->to = step->a.reg;
	step->to_high = step->a_high.reg;
	for (int i = 0; i < 4; i++)
		lp_asm_use(p, x->args[i].value, 8);
	return lp_asm_give(p, lp_asm_to(step->to, 8, false)) && lp_asm_give(p, lp_asm_to(step->to_high, 8, false)) && !p->failed;
}

static bool atomic(struct lp_asm_arm *x)
{
	static const struct {
		const char *name;
		enum lp_asm_op op;
	} fetches[] = {
		{ "add", LP_ASM_ADD }, { "clr", LP_ASM_AND_NOT }, { "eor", LP_ASM_XOR }, { "set", LP_ASM_OR },
	};
	struct lp_asm_arm_suffix s;

	if (!strncmp(x->word, "casp", 4))
		return lp_asm_arm_suffix(x->word + 4, &s) ? cas_pair(x, s) : lp_asm_arm_refuse(x);
	if (!strncmp(x->word, "cas", 3))
		return lp_asm_arm_suffix(x->word + 3, &s) ? cas(x, s) : lp_asm_arm_refuse(x);
	if (!strncmp(x->word, "swp", 3))
		return lp_asm_arm_suffix(x->word + 3, &s) ? fetch(x, LP_ASM_MOVE, true, s) : lp_asm_arm_refuse(x);
	for (size_t i = 0; i < sizeof fetches / sizeof *fetches; i++)
		if ((!strncmp(x->word, "ld", 2) || !strncmp(x->word, "st", 2)) &&
		    !strncmp(x->word + 2, fetches[i].name, 3) && lp_asm_arm_suffix(x->word + 5, &s))
			return fetch(x, fetches[i].op, *x->word == 'l', s);
	return lp_asm_arm_refuse(x);
}

/* ---- statements ---- */

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

/* dmb and dsb: the latter waits for more, which ordinary memory does not show. */
static bool barrier(struct lp_asm_arm *x)
{
	static const char *const full[] = { "ish", "sy", "osh", NULL };
	static const char *const loads[] = { "ishld", "ld", "oshld", NULL };
	static const char *const stores[] = { "ishst", "st", "oshst", NULL };

	if (x->count == 1 && is_one_of(x->texts[0], full))
		return lp_asm_fence(x->p, LP_SC);
	if (x->count == 1 && is_one_of(x->texts[0], loads))
		return lp_asm_fence(x->p, LP_ACQ);
	if (x->count == 1 && is_one_of(x->texts[0], stores))
		return lp_asm_refuse(x->p, "%s (C11 has no fence for stores alone)", x->text);
	return lp_asm_arm_refuse(x);
}

/* Waiting may always end early; a prefetch is not an access; isb is for code. */
static bool is_nothing(const struct lp_asm_arm *x)
{
	static const char *const nothing[] = { "yield", "wfe", "sev", "sevl", "nop", NULL };
	static const char *const hints[] = { "#0", "#1", "#2", "#4", "#5", "0", "1", "2", "4", "5", NULL };

	return (!x->count && is_one_of(x->word, nothing)) || !strcmp(x->word, "prfm") ||
	       (!strcmp(x->word, "isb") && (!x->count || (x->count == 1 && !strcmp(x->texts[0], "sy")))) ||
	       (!strcmp(x->word, "hint") && x->count == 1 && is_one_of(x->texts[0], hints));
}

static bool statement(struct lp_asm_parser *p, uint32_t *i)
{
	struct lp_asm_arm x;
	bool known;

	if (!strncmp(p->statements[*i].word, "ldxr", 4) || !strncmp(p->statements[*i].word, "ldaxr", 5) ||
	    !strcmp(p->statements[*i].word, "ldxp") || !strcmp(p->statements[*i].word, "ldaxp"))
		return lp_asm_arm_loop(p, i);
	if (!lp_asm_arm_begin(p, *i, &x))
		return false;
	if (is_nothing(&x))
		return true;
	if (!strcmp(x.word, "dmb") || !strcmp(x.word, "dsb"))
		return barrier(&x);
	if (lp_asm_arm_is_pure(x.word))
		return lp_asm_arm_pure(&x);
	const bool good = load_or_store(&x, &known);
	return known ? good : atomic(&x);
}

bool lp_asm_arm(struct lp_asm_parser *p)
{
	if (p->text->intel)
		return lp_asm_refuse(p, "Intel's syntax");
	for (uint32_t i = 0; i < p->statement_count; i++)
		if (!statement(p, &i))
			return lp_asm_refuse(p, "%s %.60s", p->statements[i].word, p->statements[i].rest);
	return true;
}
