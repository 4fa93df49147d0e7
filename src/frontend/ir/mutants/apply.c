/* apply.c -- mutants, made and listed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "frontend/ir/access/site_records.h"
#include "frontend/ir/mutants/condition.h"
#include "frontend/ir/mutants/constants.h"
#include "frontend/ir/mutants/find.h"
#include "frontend/ir/mutants/mutation.h"
#include "frontend/ir/mutants/split_rmw.h"
#include "frontend/ir/mutants/statements.h"

/* ---- changes ---- */

/* A load without a type may read what was never written (insert_hooks.c): any type will do, since nothing that goes by
 * it comes before hooks. */
static void give_type(struct lp_ir *ir, lp_ir_value load)
{
	const unsigned kind = LLVMGetMDKindIDInContext(ir->context, "tbaa", 4);

	LP_IR_EACH_FUNCTION(ir, f)
		LP_IR_EACH_BLOCK(f, b)
			LP_IR_EACH_INSTRUCTION(b, x)
				if (LLVMGetMetadata(x, kind)) {
					LLVMSetMetadata(load, kind, LLVMGetMetadata(x, kind));
					return;
				}
}

static void make_plain(struct lp_ir *ir, lp_ir_value x)
{
	LLVMSetOrdering(x, LLVMAtomicOrderingNotAtomic);
	if (LLVMIsALoadInst(x))
		give_type(ir, x);
}

/* With what was computed for it. */
static void leave_out(struct lp_ir *ir, lp_ir_value x)
{
	struct lp_ir_values operands = { 0 };

	for (int i = 0; i < LLVMGetNumOperands(x); i++)
		lp_ir_values_add(&operands, LLVMGetOperand(x, (unsigned)i));
	if (LLVMIsAInvokeInst(x)) {
		lp_ir_before(ir, x);
		LLVMBuildBr(ir->builder, LLVMGetNormalDest(x));
	}
	LLVMInstructionEraseFromParent(x);
	lp_ir_drop_values(&operands);
	lp_free(operands.at);
}

static void change_constant(lp_ir_value x, unsigned operand)
{
	LLVMSetOperand(x, operand, lp_ir_changed(LLVMGetOperand(x, operand)));
}

static void change(struct lp_ir *ir, enum lp_mutation mutation, lp_ir_value x)
{
	unsigned operand;

	switch (mutation) {
	case LP_MUTATION_NEVER:
	case LP_MUTATION_ALWAYS:
		lp_ir_decide(ir, x, mutation == LP_MUTATION_ALWAYS);
		break;
	case LP_MUTATION_NO_STORE:
	case LP_MUTATION_NO_CALL:
		leave_out(ir, x);
		break;
	case LP_MUTATION_SWAP:
		lp_ir_swap(ir, x);
		break;
	case LP_MUTATION_UNCHECKED:
		lp_ir_store_for_cas(ir, x);
		break;
	case LP_MUTATION_SPLIT:
		lp_ir_split_rmw(ir, x);
		break;
	case LP_MUTATION_WEAK:
		LLVMSetWeak(x, true);
		break;
	case LP_MUTATION_PLAIN:
		make_plain(ir, x);
		break;
	case LP_MUTATION_BOUNDARY:
		lp_ir_before(ir, x);
		lp_ir_replace(x, lp_ir_other_boundary(ir, x));
		break;
	case LP_MUTATION_OFF_BY_ONE:
		if (lp_ir_added_constant(x, &operand))
			change_constant(x, operand);
		break;
	case LP_MUTATION_RESULT:
		change_constant(x, 0);
		break;
	case LP_MUTATION_ORDER:
		break;
	}
}

bool lp_ir_mutate(struct lp_ir *ir, const char *name, bool *found, struct lp_error *error)
{
	struct lp_ir_mutants all = { 0 };

	*found = false;
	if (!lp_ir_inline_atomics(ir, error))
		return false;
	lp_ir_mutants_find(ir, &all);
	for (uint32_t i = 0; i < all.count && !*found; i++) {
		if (strcmp(all.at[i].name, name))
			continue;
		for (uint32_t k = 0; k < all.at[i].at.count; k++)
			change(ir, all.at[i].mutation, all.at[i].at.at[k]);
		*found = true;
	}
	lp_ir_mutants_drop(&all);
	return true;
}

/* ---- listing ---- */

/* Whether the mutant differs here is in the second bit. */
static void probe(struct lp_ir *ir, uint32_t number, lp_ir_value differs)
{
	const lp_ir_value one = LLVMConstInt(ir->i32, 1, false), both = LLVMConstInt(ir->i32, 3, false);
	lp_ir_value arguments[] = { LLVMConstInt(ir->i32, number, false),
				    differs ? LLVMBuildSelect(ir->builder, differs, both, one, "") : both };

	lp_ir_call(ir, "lp_mutant_seen", ir->nothing, arguments, 2);
}

static void probe_condition(struct lp_ir *ir, uint32_t number, lp_ir_value x, bool always)
{
	const bool value = LLVMIsACmpInst(x) || LLVMIsABinaryOperator(x);
	const bool differs_if = always != lp_ir_holds_if_true(x);
	const lp_ir_value v = lp_ir_condition_value(x);

	lp_ir_before(ir, value ? LLVMGetNextInstruction(x) : x);
	probe(ir, number, differs_if ? v : LLVMBuildNot(ir->builder, v, ""));
}

static void probe_at(struct lp_ir *ir, uint32_t number, enum lp_mutation mutation, lp_ir_value x)
{
	switch (mutation) {
	case LP_MUTATION_NEVER:
	case LP_MUTATION_ALWAYS:
		probe_condition(ir, number, x, mutation == LP_MUTATION_ALWAYS);
		return;
	case LP_MUTATION_UNCHECKED:
		lp_ir_before(ir, LLVMGetNextInstruction(x));
		probe(ir, number, LLVMBuildNot(ir->builder, LLVMBuildExtractValue(ir->builder, x, 1, ""), ""));
		return;
	case LP_MUTATION_BOUNDARY:
		lp_ir_before(ir, LLVMGetNextInstruction(x));
		probe(ir, number, LLVMBuildXor(ir->builder, x, lp_ir_other_boundary(ir, x), ""));
		return;
	default:
		lp_ir_before(ir, x);
		probe(ir, number, NULL);
	}
}

static void list_one(struct lp_ir *ir, const struct lp_ir_mutant *m, FILE *out)
{
	fprintf(out, "%s\t%s\t%s\t%u\t", m->name, lp_mutation_name(m->mutation), lp_ir_text_at(ir, m->place.file),
		m->place.line);
	fprintf(out, "%s\t%s\n", lp_ir_text_at(ir, m->place.function), m->detail);
}

bool lp_ir_list_mutants(struct lp_ir *ir, const char *path, struct lp_error *error)
{
	struct lp_ir_mutants all = { 0 };

	if (!lp_ir_inline_atomics(ir, error))
		return false;
	FILE *out = fopen(path, "we");
	if (!out)
		return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	lp_ir_mutants_find(ir, &all);
	for (uint32_t i = 0; i < all.count; i++) {
		list_one(ir, &all.at[i], out);
		for (uint32_t k = 0; k < all.at[i].at.count; k++)
			probe_at(ir, i, all.at[i].mutation, all.at[i].at.at[k]);
	}
	lp_ir_mutants_drop(&all);
	return !fclose(out) || lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
}
