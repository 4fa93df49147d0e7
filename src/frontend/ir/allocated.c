/* allocated.c -- finds the type of the memory that a call of an allocator returns. */
#include "frontend/ir/allocated.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "frontend/ir/access/names.h"
#include "frontend/ir/access/site_records.h"

static unsigned kind_of(const struct lp_ir *ir, const char *name)
{
	return LLVMGetMDKindIDInContext(ir->context, name, (unsigned)strlen(name));
}

/* The argument of the call that the value is passed for, from 1; 0: none. */
static unsigned argument_of(lp_ir_value call, lp_ir_value value)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == value)
			return i + 1;
	return 0;
}

/* The type of the pointer that the result becomes by this use; NULL if that is not said. */
static LLVMMetadataRef used_as(struct lp_ir *ir, lp_ir_value call, lp_ir_value user)
{
	const lp_ir_value f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMMetadataRef type;

	if (LLVMIsAReturnInst(user))
		return lp_ir_signature(ir, f, 0);
	if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call) {
		type = lp_ir_type_at(ir, LLVMGetOperand(user, 1));
		/* What is not declared may be where the function keeps what it returns. */
		return type || strcmp(lp_ir_name(LLVMGetOperand(user, 1)), "retval") ? type : lp_ir_signature(ir, f, 0);
	}
	if (lp_ir_is_call(user) && argument_of(user, call))
		return lp_ir_signature(ir, LLVMGetCalledValue(user), argument_of(user, call));
	return NULL;
}

static uint32_t find_type(struct lp_ir *ir, lp_ir_value call)
{
	const lp_ir_value by_new = LLVMGetMetadata(call, kind_of(ir, "heapallocsite"));
	uint32_t key = by_new ? lp_ir_type_key(ir, LLVMValueAsMetadata(by_new)) : 0;

	LP_IR_EACH_USE(call, u)
		if (!key && LLVMIsAInstruction(LLVMGetUser(u)))
			key = lp_ir_type_key(ir, lp_ir_pointee(ir, used_as(ir, call, LLVMGetUser(u))));
	return key;
}

/* Passes copy calls, and make others of them that unwind elsewhere; where they are in the source stays. */
static struct lp_ir_allocation *find_place(struct lp_ir *ir, lp_ir_value call)
{
	const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call);

	const LLVMMetadataRef scope = location ? LLVMDILocationGetScope(location) : NULL;

	for (uint32_t i = 0; location && i < ir->allocations.count; i++) {
		struct lp_ir_allocation *a = &ir->allocations.at[i];
		if (a->scope == scope && a->line == LLVMDILocationGetLine(location) &&
		    a->column == LLVMDILocationGetColumn(location))
			return a;
	}
	return NULL;
}

void lp_ir_allocated_note(struct lp_ir *ir, lp_ir_value x)
{
	if (!lp_ir_is_call(x) || LLVMTypeOf(x) != ir->ptr || !LLVMIsAFunction(LLVMGetCalledValue(x)) ||
	    lp_ir_is_defined(LLVMGetCalledValue(x)) || !LLVMInstructionGetDebugLoc(x))
		return;
	const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(x);
	const uint32_t type = find_type(ir, x);
	struct lp_ir_allocation *known = find_place(ir, x);
	if (!type)
		return;
	if (known)
		known->type = known->type == type ? type : 0; /* a macro, perhaps, that allocates twice */
	else
		LP_PUSH(&ir->allocations, ((struct lp_ir_allocation){
			LLVMDILocationGetScope(location), LLVMDILocationGetLine(location),
			LLVMDILocationGetColumn(location), type }));
}

uint32_t lp_ir_allocated(struct lp_ir *ir, lp_ir_value call)
{
	const struct lp_ir_allocation *known = find_place(ir, call);

	return known ? known->type : 0;
}
