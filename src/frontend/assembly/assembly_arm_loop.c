/* assembly_arm_loop.c -- loops of exclusive loads and stores as one atomic operation.
 *
 *     1: ldxr  w0, [x2]        old value
 *        ...                   on registers alone
 *        cmp   w0, w4          in a compare-and-exchange: leave if it is not what is expected
 *        b.ne  2f
 *        ...
 *        stxr  w1, w3, [x2]    new value; w1 is zero if it was stored
 *        cbnz  w1, 1b
 *        ...                   only if it was stored
 *     2:
 *
 * Only the last attempt matters, because earlier ones have stored nothing.  If the loop writes no register that it reads before
 * writing it, the last attempt does the same as a first attempt would.  In this case, the loop is equivalent to one atomic
 * operation, which returns the old value, followed by the instructions on registers.  By means of ids (assembly_parts.h), the
 * parser finds how the new value is computed from the old one, and thus which operation it is.
 *
 * If the loop is left early, at b.ne for example, a register that is written only after this point has a value from an earlier
 * attempt, or none.  So it has no known value, unless each attempt also writes it before this point.
 *
 * An exclusive load of a pair is atomic only if the store succeeds.  If the loop is left early, the load may have read two halves
 * of different values.  Leaving the loop is correct all the same: since the halves are not both as expected, at least one of these
 * values was not the expected one.  But nothing else may depend on the halves.
 */
#include "frontend/assembly/assembly_arm.h"

#include <stdlib.h>
#include <string.h>

struct exclusive {
	struct lp_asm_parser *p;
	struct lp_asm_loop loop;
	struct lp_asm_register before[LP_ASM_REGISTERS];
	uint32_t label;
	bool pair, acquires, releases;
	uint8_t size;             /* of the access; of one half */
	uint8_t step;             /* the operation's */
	struct lp_asm_place memory;
	uint16_t old, old_high;   /* ids */
	bool compares;            /* it is left early */
	uint32_t exit;            /* label */
	bool before_exit[LP_ASM_REGISTERS]; /* what an attempt writes before that */
	struct lp_asm_value expected, expected_high;
};

/* ---- which value is it ---- */

/* A copy of the low bytes is as good as the original. */
static uint16_t original(const struct exclusive *x, uint16_t id)
{
	const struct lp_asm_definition *d = x->p->defined;

	while (d[id].op == LP_ASM_MOVE && d[id].size >= x->size && d[id].a)
		id = d[id].a;
	return id;
}

/* The value as it was before the loop, or a number. */
static bool from_before(const struct exclusive *x, uint16_t id, struct lp_asm_value *value)
{
	id = original(x, id);
	for (uint8_t r = 0; r < LP_ASM_REGISTERS; r++)
		if (x->before[r].id == id && x->before[r].known >= x->size) {
			*value = lp_asm_in(r);
			return true;
		}
	const struct lp_asm_definition *d = &x->p->defined[id];
	*value = lp_asm_is(d->number);
	return d->op == LP_ASM_MOVE && d->size >= x->size && !d->a;
}

/* One of the two is the old value, the other is from before the loop. */
static bool with_old(const struct exclusive *x, const struct lp_asm_definition *d, uint16_t old,
		     bool commutes, struct lp_asm_value *other)
{
	if (d->size < x->size)
		return false;
	*other = lp_asm_is(d->number);
	if (d->a && original(x, d->a) == old)
		return !d->b || from_before(x, d->b, other);
	if (commutes && d->b && original(x, d->b) == old)
		return !d->a || from_before(x, d->a, other);
	return false;
}

/* Does it depend on a pair that may be torn? */
static bool is_torn(const struct exclusive *x, uint16_t id)
{
	const struct lp_asm_definition *d = &x->p->defined[id];

	if (!x->pair || !x->compares || !id)
		return false;
	return id == x->old || id == x->old_high || (d->size && (is_torn(x, d->a) || is_torn(x, d->b)));
}

/* ---- the parts of the loop ---- */

static bool begin_loop(struct exclusive *x, struct lp_asm_arm *load)
{
	struct lp_asm_parser *p = x->p;
	struct lp_asm_arm_suffix s;
	const char *word = load->word + 2;

	x->acquires = *word == 'a';
	word += x->acquires;
	x->pair = word[1] == 'p';
	if (!lp_asm_arm_suffix(word + 2, &s) || s.acquires || s.releases || (x->pair && s.size))
		return lp_asm_arm_refuse(load);
	const int registers = x->pair ? 2 : 1;
	const uint8_t size = lp_asm_arm_args(load) ? lp_asm_arm_values(load, registers) : 0;
	if (!size || load->count != registers + 1 || load->args[registers].kind != LP_ASM_ARG_MEMORY ||
	    (s.size && size != 4) || (x->pair && size != 8))
		return lp_asm_arm_refuse(load);
	for (int i = 0; i < registers; i++)
		if (load->args[i].kind != LP_ASM_ARG_REGISTER || load->args[i].value.reg == LP_ASM_NONE)
			return lp_asm_arm_refuse(load);
	x->size = s.size ? s.size : size;
	x->memory = load->args[registers].memory;
	memcpy(x->before, p->regs, sizeof x->before);
	p->loop = &x->loop;
	if (!lp_asm_touch(p, &x->memory, (uint8_t)(x->size * registers), true, true))
		return false;
	struct lp_asm_step *step = lp_asm_step(p, LP_ASM_RMW);
	x->step = (uint8_t)(p->out->step_count - 1);
	step->size = (uint8_t)(x->size * registers);
	step->memory = x->memory;
	step->to = load->args[0].value.reg;
	step->to_high = x->pair ? load->args[1].value.reg : LP_ASM_NONE;
	if (step->to == step->to_high || !lp_asm_give(p, lp_asm_to(step->to, x->size, false)) ||
	    !lp_asm_give(p, lp_asm_to(step->to_high, x->size, false)))
		return lp_asm_arm_refuse(load);
	x->old = p->regs[step->to].id;
	x->old_high = x->pair ? p->regs[step->to_high].id : 0;
	return true;
}

/* "2f" */
static bool read_label(const char *text, char direction, uint32_t *label)
{
	char *end;

	*label = (uint32_t)strtoul(text, &end, 10) + 1;
	return end != text && end[0] == direction && !end[1];
}

/* The value is zero if old and expected are equal. */
static bool is_difference(const struct exclusive *x, uint16_t id, uint16_t old, struct lp_asm_value *expected)
{
	const struct lp_asm_definition *d = &x->p->defined[id];

	return (d->op == LP_ASM_XOR || d->op == LP_ASM_SUB) && d->size == x->size &&
	       with_old(x, d, old, true, expected);
}

static bool is_pair_difference(struct exclusive *x, uint16_t id)
{
	const struct lp_asm_definition *d = &x->p->defined[id];

	if (d->op != LP_ASM_OR || d->size != 8 || !d->a || !d->b)
		return false;
	return (is_difference(x, d->a, x->old, &x->expected) &&
		is_difference(x, d->b, x->old_high, &x->expected_high)) ||
	       (is_difference(x, d->b, x->old, &x->expected) &&
		is_difference(x, d->a, x->old_high, &x->expected_high));
}

/* b.ne 2f, or cbnz w1, 2f */
static bool leave_early(struct exclusive *x, struct lp_asm_arm *branch)
{
	struct lp_asm_parser *p = x->p;
	bool good;

	if (x->compares)
		return lp_asm_arm_refuse(branch);
	if (!strcmp(branch->word, "cbnz")) {
		if (branch->count != 2 || !read_label(branch->texts[1], 'f', &x->exit))
			return lp_asm_arm_refuse(branch);
		branch->count = 1;
		const uint8_t size = lp_asm_arm_args(branch) ? lp_asm_arm_values(branch, 1) : 0;
		const struct lp_asm_value value = branch->args[0].value;
		if (!size || value.reg == LP_ASM_NONE || !lp_asm_use(p, value, size) || size < x->size)
			return lp_asm_arm_refuse(branch);
		const uint16_t id = p->regs[value.reg].id;
		good = x->pair ? is_pair_difference(x, id) : is_difference(x, id, x->old, &x->expected);
	} else {
		good = branch->count == 1 && read_label(branch->texts[0], 'f', &x->exit) && !x->pair &&
		       p->flag_from[LP_ASM_ZERO] != LP_ASM_NONE && p->flag_from[LP_ASM_ZERO] > x->step &&
		       p->compared.size == x->size && with_old(x, &p->compared, x->old, true, &x->expected);
	}
	x->compares = true;
	memcpy(x->before_exit, x->loop.written, sizeof x->before_exit);
	return good || lp_asm_arm_refuse(branch);
}

static bool is_branch(const char *word)
{
	return !strcmp(word, "b.ne") || !strcmp(word, "bne") || !strcmp(word, "cbnz");
}

static bool is_store(const char *word)
{
	return !strncmp(word, "stxr", 4) || !strncmp(word, "stlxr", 5) || !strcmp(word, "stxp") ||
	       !strcmp(word, "stlxp");
}

/* Up to the exclusive store, which *i becomes. */
static bool read_body(struct exclusive *x, uint32_t *i)
{
	for (++*i; *i < x->p->statement_count && !is_store(x->p->statements[*i].word); ++*i) {
		struct lp_asm_arm body;
		if (x->p->statements[*i].label || !lp_asm_arm_begin(x->p, *i, &body))
			return lp_asm_refuse(x->p, "a label in a loop");
		if (is_branch(body.word)) {
			if (!leave_early(x, &body))
				return false;
		} else if (x->compares || !lp_asm_arm_is_pure(body.word)) {
			return lp_asm_arm_refuse(&body);
		} else if (!lp_asm_arm_pure(&body)) {
			return false;
		}
	}
	return *i < x->p->statement_count || lp_asm_refuse(x->p, "an exclusive load without a store");
}

/* ---- what it amounts to ---- */

static bool is_same_memory(const struct lp_asm_place *a, const struct lp_asm_place *b)
{
	return a->operand == b->operand && a->offset == b->offset &&
	       (a->operand != LP_ASM_NONE || a->reg == b->reg);
}

static bool make_cas(struct exclusive *x, struct lp_asm_step *step, uint16_t id, uint16_t id_high)
{
	step->kind = LP_ASM_CAS;
	step->a = x->expected;
	step->a_high = x->expected_high;
	step->order = (uint8_t)lp_asm_arm_order(x->p, x->acquires, x->releases);
	step->fail_order = (uint8_t)lp_asm_arm_order(x->p, x->acquires, false);
	return from_before(x, id, &step->b) && (!x->pair || from_before(x, id_high, &step->b_high));
}

static bool make_pair_rmw(struct exclusive *x, struct lp_asm_step *step, uint16_t id, uint16_t id_high)
{
	if (original(x, id) == x->old && original(x, id_high) == x->old_high) {
		step->op = LP_ASM_OR; /* with zero: an atomic load */
		return true;
	}
	return from_before(x, id, &step->a) && from_before(x, id_high, &step->a_high);
}

static bool make_rmw(struct exclusive *x, struct lp_asm_step *step, uint16_t id)
{
	const struct lp_asm_definition *d = &x->p->defined[original(x, id)];

	if (original(x, id) == x->old) {
		step->op = LP_ASM_OR;
		return true;
	}
	if (from_before(x, id, &step->a)) {
		step->op = LP_ASM_MOVE;
		return true;
	}
	step->op = d->op;
	switch (d->op) {
	case LP_ASM_ADD:
	case LP_ASM_AND:
	case LP_ASM_OR:
	case LP_ASM_XOR:
		return with_old(x, d, x->old, true, &step->a);
	case LP_ASM_SUB:
	case LP_ASM_AND_NOT:
		return with_old(x, d, x->old, false, &step->a);
	case LP_ASM_NOT:
		step->op = LP_ASM_XOR;
		step->a = lp_asm_is(-1);
		return d->size >= x->size && d->a && original(x, d->a) == x->old;
	default:
		return false;
	}
}

static uint16_t stored_id(struct exclusive *x, const struct lp_asm_arg *arg)
{
	if (arg->value.reg != LP_ASM_NONE)
		return x->p->regs[arg->value.reg].id;
	/* xzr: a number, like any other */
	const uint16_t id = lp_asm_new_id(x->p);
	x->p->defined[id] = lp_asm_definition(x->p, LP_ASM_MOVE, 8, arg->value, lp_asm_is(0));
	return id;
}

/* stxr w1, w3, [x2]; gives the register of the status. */
static bool read_store(struct exclusive *x, uint32_t i, uint8_t *status)
{
	struct lp_asm_arm store;
	struct lp_asm_arm_suffix s;
	const int registers = x->pair ? 2 : 1;

	if (x->p->statements[i].label || !lp_asm_arm_begin(x->p, i, &store))
		return lp_asm_refuse(x->p, "a label in a loop");
	const char *word = store.word + 2;
	x->releases = *word == 'l';
	word += x->releases;
	if ((word[1] == 'p') != x->pair || !lp_asm_arm_suffix(word + 2, &s) || s.acquires || s.releases ||
	    !lp_asm_arm_args(&store) || store.count != registers + 2)
		return lp_asm_arm_refuse(&store);
	const struct lp_asm_arg *args = store.args, *memory = &args[registers + 1];
	if (args[0].kind != LP_ASM_ARG_REGISTER || args[0].size != 4 || args[0].value.reg == LP_ASM_NONE ||
	    memory->kind != LP_ASM_ARG_MEMORY || !is_same_memory(&memory->memory, &x->memory) ||
	    !lp_asm_touch(x->p, &memory->memory, (uint8_t)(x->size * registers), true, true))
		return lp_asm_arm_refuse(&store);
	*status = args[0].value.reg;
	if (memory->memory.operand == LP_ASM_NONE && *status == memory->memory.reg)
		return lp_asm_arm_refuse(&store);
	for (int k = 1; k <= registers; k++)
		if (args[k].kind != LP_ASM_ARG_REGISTER || args[k].value.reg == *status ||
		    args[k].size != (x->size == 8 ? 8 : 4) || !lp_asm_use(x->p, args[k].value, x->size))
			return lp_asm_arm_refuse(&store);
	if ((s.size ? s.size : args[1].size) != x->size)
		return lp_asm_arm_refuse(&store);
	struct lp_asm_step *step = &x->p->out->steps[x->step];
	const uint16_t id = stored_id(x, &args[1]), high = x->pair ? stored_id(x, &args[2]) : 0;
	step->order = (uint8_t)lp_asm_arm_order(x->p, x->acquires, x->releases);
	const bool good = x->compares ? make_cas(x, step, id, high)
			  : x->pair   ? make_pair_rmw(x, step, id, high)
				      : make_rmw(x, step, id);
	return good || lp_asm_arm_refuse(&store);
}

/* cbnz w1, 1b */
static bool read_retry(struct exclusive *x, uint32_t i, uint8_t status)
{
	struct lp_asm_arm branch;
	uint32_t label;

	if (i >= x->p->statement_count)
		return lp_asm_refuse(x->p, "an exclusive store without a loop");
	if (x->p->statements[i].label || !lp_asm_arm_begin(x->p, i, &branch))
		return lp_asm_refuse(x->p, "a label in a loop");
	if (strcmp(branch.word, "cbnz") || branch.count != 2 || !read_label(branch.texts[1], 'b', &label) ||
	    label != x->label)
		return lp_asm_arm_refuse(&branch);
	branch.count = 1;
	if (!lp_asm_arm_args(&branch) || branch.args[0].kind != LP_ASM_ARG_REGISTER ||
	    branch.args[0].size != 4 || branch.args[0].value.reg != status)
		return lp_asm_arm_refuse(&branch);
	return true;
}

/* ---- after the store ---- */

/* to = value, if it was stored; else it keeps the value that it had when the loop was left. */
static bool set_if_stored(struct exclusive *x, uint8_t to, struct lp_asm_value value, bool in_loop)
{
	struct lp_asm_parser *p = x->p;

	if (!x->compares) {
		lp_asm_set(p, lp_asm_to(to, 8, false), LP_ASM_MOVE, value, lp_asm_is(0));
		return !p->failed;
	}
	uint8_t known = p->regs[to].known;
	if ((in_loop && !x->before_exit[to]) || is_torn(x, p->regs[to].id))
		known = 0; /* from an earlier attempt, or none */
	if (!lp_asm_use(p, value, 8))
		return false;
	if (known) {
		struct lp_asm_step *step = lp_asm_step(p, LP_ASM_IF_WROTE);
		step->from = x->step;
		step->to = to;
		step->a = value;
		step->size = 8;
	}
	if (!lp_asm_give(p, lp_asm_to(to, 8, false)))
		return false;
	p->regs[to].known = known;
	return true;
}

/* Up to the label where the loop is left to. */
static bool read_rest(struct exclusive *x, uint32_t *i)
{
	for (; x->p->statements[*i + 1].label != x->exit; ++*i) {
		struct lp_asm_arm rest;
		if (*i + 1 >= x->p->statement_count || x->p->statements[*i + 1].label)
			return lp_asm_refuse(x->p, "a label is missing");
		if (!lp_asm_arm_begin(x->p, *i + 1, &rest))
			return false;
		if (strcmp(rest.word, "mov") || !lp_asm_arm_args(&rest) || rest.count != 2 ||
		    rest.args[0].kind != LP_ASM_ARG_REGISTER || rest.args[0].value.reg == LP_ASM_NONE ||
		    rest.args[1].kind != LP_ASM_ARG_NUMBER || rest.args[1].value.number < 0)
			return lp_asm_arm_refuse(&rest);
		if (!set_if_stored(x, rest.args[0].value.reg, rest.args[1].value, false))
			return false;
	}
	return !x->p->statements[*i + 1].labelled_twice || lp_asm_refuse(x->p, "two labels");
}

static bool is_repeatable(struct exclusive *x)
{
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (x->loop.read[r] && x->loop.written[r])
			return lp_asm_refuse(x->p, "a register changes from one attempt to the next");
	return true;
}

static bool read_loop(struct exclusive *x, uint32_t *i)
{
	struct lp_asm_arm load;
	uint8_t status = LP_ASM_NONE;

	x->label = x->p->statements[*i].label;
	if (!x->label || x->p->statements[*i].labelled_twice)
		return lp_asm_refuse(x->p, "an exclusive load without a loop");
	if (!lp_asm_arm_begin(x->p, *i, &load) || !begin_loop(x, &load) || !read_body(x, i) ||
	    !read_store(x, *i, &status) || !read_retry(x, *i + 1, status))
		return false;
	++*i;
	if (!set_if_stored(x, status, lp_asm_is(0), true) || !is_repeatable(x))
		return false;
	x->p->loop = NULL;
	if (x->compares && !read_rest(x, i))
		return false;
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (is_torn(x, x->p->regs[r].id))
			x->p->regs[r].known = 0;
	return true;
}

bool lp_asm_arm_loop(struct lp_asm_parser *p, uint32_t *i)
{
	struct exclusive x = { .p = p, .expected_high = lp_asm_is(0) };
	const bool good = read_loop(&x, i);

	p->loop = NULL;
	return good;
}
