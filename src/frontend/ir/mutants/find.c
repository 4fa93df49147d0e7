/* find.c -- the places where a program can be changed. */
#include "frontend/ir/mutants/find.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/ir/access/site_records.h"
#include "frontend/ir/mutants/condition.h"
#include "frontend/ir/mutants/constants.h"
#include "frontend/ir/mutants/split_rmw.h"
#include "frontend/ir/mutants/statements.h"

const char *lp_mutation_name(enum lp_mutation m)
{
	static const char *const names[] = {
#define LP_MUTATION(name, text, does, means) text,
#include "frontend/mutants.def"
#undef LP_MUTATION
	};

	return names[m];
}

struct finder {
	struct lp_ir *ir;
	struct lp_ir_mutants *all;
	lp_ir_value function;
};

/* ---- one place ---- */

static bool is_same_place(const struct lp_ir_place *a, const struct lp_ir_place *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

/* Of the switch over a memory order that the instruction is a case of: its first one; or NULL. */
static lp_ir_value order_switch(lp_ir_value x)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(x);
	lp_ir_value found = NULL;

	for (bool more = true; more;) {
		more = false;
		LP_IR_EACH_USE(LLVMBasicBlockAsValue(block), u) {
			const lp_ir_value user = LLVMGetUser(u);
			if (!LLVMIsASwitchInst(user) || LLVMInstructionGetDebugLoc(user) != LLVMInstructionGetDebugLoc(x))
				continue;
			found = user;
			block = LLVMGetInstructionParent(user);
			more = true;
			break;
		}
	}
	return found;
}

static lp_ir_value function_of(lp_ir_value x)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(x));
}

/* Another case of the same switch? */
static bool is_other_case(const struct lp_ir_mutant *m, lp_ir_value x)
{
	const lp_ir_value other = LP_LAST(&m->at);

	return function_of(other) == function_of(x) && order_switch(x) && order_switch(other) == order_switch(x);
}

/* The mutant that the instruction is one more case of, or one more copy of in this function. */
static struct lp_ir_mutant *find_like(struct finder *f, enum lp_mutation mutation, lp_ir_value x,
				      const struct lp_ir_place *place, uint32_t *ordinal)
{
	*ordinal = 0;
	for (uint32_t i = 0; i < f->all->count; i++) {
		struct lp_ir_mutant *m = &f->all->at[i];
		if (m->mutation != mutation || !is_same_place(&m->place, place))
			continue;
		if (is_other_case(m, x))
			return m;
		*ordinal += function_of(LP_LAST(&m->at)) == f->function;
	}
	for (uint32_t i = 0; i < f->all->count; i++) {
		struct lp_ir_mutant *m = &f->all->at[i];
		if (m->mutation == mutation && is_same_place(&m->place, place) && m->ordinal == *ordinal &&
		    function_of(LP_LAST(&m->at)) != f->function)
			return m;
	}
	return NULL;
}

static struct lp_ir_mutant *add(struct finder *f, enum lp_mutation mutation, lp_ir_value x, lp_ir_value where)
{
	struct lp_ir_place place;
	uint32_t ordinal;

	if (!lp_ir_place(f->ir, where, &place) && !lp_ir_place(f->ir, x, &place))
		return NULL;
	struct lp_ir_mutant *like = find_like(f, mutation, x, &place, &ordinal);
	if (!like) {
		LP_PUSH(f->all, ((struct lp_ir_mutant){ .mutation = mutation, .place = place, .ordinal = ordinal }));
		like = &LP_LAST(f->all);
	}
	LP_PUSH(&like->at, x);
	return like;
}

/* ---- kinds of places ---- */

/* Operations of std::atomic are the user's, but how they are done is not. */
static bool is_librarys(const struct finder *f, lp_ir_value x)
{
	struct lp_ir_place place;

	return lp_ir_place(f->ir, x, &place) && place.library;
}

static uint32_t first_line(struct lp_ir *ir, LLVMBasicBlockRef block)
{
	struct lp_ir_place place;

	LP_IR_EACH_INSTRUCTION(block, x)
		if (lp_ir_place(ir, x, &place))
			return place.line;
	return 0;
}

static void add_condition(struct finder *f, lp_ir_value x)
{
	for (int holds = 0; holds < 2; holds++) {
		struct lp_ir_mutant *m = add(f, holds ? LP_MUTATION_ALWAYS : LP_MUTATION_NEVER, x, lp_ir_condition_value(x));
		const LLVMBasicBlockRef to = lp_ir_goes_to(x, holds);
		const uint32_t line = m && to ? first_line(f->ir, to) : 0;
		if (line)
			snprintf(m->detail, sizeof m->detail, "continues in line %u", line);
	}
}

/* Values that meet in the landing pad would have one too many. */
static bool has_meeting(lp_ir_value invoke)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke)));
}

static bool is_left_out(lp_ir_value call)
{
	const char *name = lp_ir_callee(call);
	const bool ours = !strncmp(name, "lp_", 3) && strcmp(name, "lp_pool_free");

	return LLVMGetFirstUse(call) || (LLVMIsAInvokeInst(call) && has_meeting(call)) || !*name || ours ||
	       !strncmp(name, "llvm.", 5) || !strncmp(name, "__cxa_", 6) || !strncmp(name, "__clang_", 8) ||
	       !strncmp(name, "__VERIFIER_", 11) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ||
	       lp_ir_argument_attribute(call, 0, "sret") ||
	       LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call)));
}

/* Constructors and destructors come in pairs: leaving out one of them is not a realistic mistake. */
static bool is_structor(const char *name)
{
	for (const char *at = name; (at = strpbrk(at, "CD")); at++)
		if (!strncmp(name, "_ZN", 3) && at[1] >= '0' && at[1] <= '2' && at[2] == 'E' && at > name + 3)
			return true;
	return false;
}

static void add_call(struct finder *f, lp_ir_value x)
{
	if (is_librarys(f, x) || is_left_out(x) || is_structor(lp_ir_callee(x)) || is_structor(lp_ir_name(f->function)))
		return;
	struct lp_ir_mutant *m = add(f, LP_MUTATION_NO_CALL, x, x);
	if (m && strncmp(lp_ir_callee(x), "_Z", 2))
		snprintf(m->detail, sizeof m->detail, "%.100s()", lp_ir_callee(x));
}

static void add_swap(struct finder *f, lp_ir_value x)
{
	struct lp_ir_place place;
	lp_ir_value next;

	if (!lp_ir_can_swap(f->ir, x, &next))
		return;
	struct lp_ir_mutant *m = add(f, LP_MUTATION_SWAP, x, x);
	if (m && lp_ir_place(f->ir, next, &place))
		snprintf(m->detail, sizeof m->detail, "with line %u", place.line);
}

/* A compare-exchange writes back what it found. */
static bool is_write_back(lp_ir_value x)
{
	const lp_ir_value v = LLVMGetOperand(x, 0);

	return LLVMIsAStoreInst(x) && LLVMIsAExtractValueInst(v) && LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0));
}

static void add_access(struct finder *f, lp_ir_value x)
{
	const LLVMOpcode op = LLVMGetInstructionOpcode(x);

	if (lp_ir_variable_of(LLVMGetOperand(x, op == LLVMStore ? 1 : 0)) || is_write_back(x))
		return;
	if (op == LLVMStore)
		add(f, LP_MUTATION_NO_STORE, x, x);
	if (op == LLVMAtomicCmpXchg)
		add(f, LP_MUTATION_UNCHECKED, x, x);
	if (op == LLVMAtomicCmpXchg && !LLVMGetWeak(x))
		add(f, LP_MUTATION_WEAK, x, x);
	if (lp_ir_can_split(x))
		add(f, LP_MUTATION_SPLIT, x, x);
	if ((op == LLVMStore || op == LLVMLoad) && lp_ir_is_atomic(x))
		add(f, LP_MUTATION_PLAIN, x, x);
}

static void add_constant(struct finder *f, enum lp_mutation mutation, lp_ir_value x, lp_ir_value constant)
{
	struct lp_ir_mutant *m = add(f, mutation, x, x);

	if (m)
		lp_ir_say_change(constant, m->detail, sizeof m->detail);
}

static void add_all(struct finder *f, lp_ir_value x)
{
	unsigned operand;

	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		add_access(f, x);
		break;
	case LLVMCall:
	case LLVMInvoke:
		add_call(f, x);
		break;
	default:
		break;
	}
	add_swap(f, x);
	if (is_librarys(f, x))
		return;
	if (lp_ir_is_condition(x))
		add_condition(f, x);
	if (lp_ir_has_boundary(x))
		add(f, LP_MUTATION_BOUNDARY, x, x);
	if (lp_ir_added_constant(x, &operand))
		add_constant(f, LP_MUTATION_OFF_BY_ONE, x, LLVMGetOperand(x, operand));
	if (lp_ir_is_constant_result(x) && !lp_ir_is_method(f->function))
		add_constant(f, LP_MUTATION_RESULT, x, LLVMGetOperand(x, 0));
}

/* ---- all of them ---- */

static int by_place(const void *a, const void *b)
{
	const struct lp_ir_mutant *x = a, *y = b;
	const int files = x->place.file == y->place.file ? 0 : strcmp(x->path, y->path);

	if (files)
		return files;
	if (x->place.line != y->place.line)
		return x->place.line < y->place.line ? -1 : 1;
	if (x->mutation != y->mutation)
		return x->mutation < y->mutation ? -1 : 1;
	if (x->place.column != y->place.column)
		return x->place.column < y->place.column ? -1 : 1;
	return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static bool is_namesake(const struct lp_ir_mutant *a, const struct lp_ir_mutant *b)
{
	return a->mutation == b->mutation && a->place.line == b->place.line && a->place.file == b->place.file;
}

static void name_all(struct lp_ir_mutants *all)
{
	for (uint32_t i = 0, end; i < all->count; i = end) {
		const char *path = all->at[i].path, *slash = strrchr(path, '/');
		for (end = i + 1; end < all->count && is_namesake(&all->at[i], &all->at[end]);)
			end++;
		for (uint32_t k = i; k < end; k++) {
			char which[16] = "";
			if (end > i + 1)
				snprintf(which, sizeof which, "#%u", k - i + 1);
			snprintf(all->at[k].name, sizeof all->at[k].name, "%.255s:%u%s/%s", slash ? slash + 1 : path,
				 all->at[k].place.line, which, lp_mutation_name(all->at[k].mutation));
		}
	}
}

/* Files of the same name in several folders: the second one's is queue.h:44~2/never. */
static void tell_apart(struct lp_ir_mutants *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		uint32_t before = 0;
		for (uint32_t k = 0; k < i; k++)
			before += all->at[k].place.file != all->at[i].place.file && !strcmp(all->at[k].name, all->at[i].name);
		char *slash = strrchr(all->at[i].name, '/'), end[64];
		if (!before || !slash)
			continue;
		snprintf(end, sizeof end, "~%u%s", before + 1, slash);
		snprintf(slash, sizeof all->at[i].name - (size_t)(slash - all->at[i].name), "%s", end);
	}
}

void lp_ir_mutants_find(struct lp_ir *ir, struct lp_ir_mutants *all)
{
	struct lp_ir_values object = { 0 }, instructions = { 0 };

	lp_ir_find_object(ir, &object);
	for (uint32_t i = 0; i < object.count; i++) {
		struct finder f = { .ir = ir, .all = all, .function = object.at[i] };
		lp_ir_instructions(object.at[i], &instructions);
		for (uint32_t k = 0; k < instructions.count; k++)
			add_all(&f, instructions.at[k]);
	}
	for (uint32_t i = 0; i < all->count; i++)
		all->at[i].path = lp_ir_text_at(ir, all->at[i].place.file);
	if (all->count)
		qsort(all->at, all->count, sizeof *all->at, by_place);
	name_all(all);
	tell_apart(all);
	lp_free(object.at);
	lp_free(instructions.at);
}

void lp_ir_mutants_drop(struct lp_ir_mutants *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		lp_free(all->at[i].at.at);
	lp_free(all->at);
}
