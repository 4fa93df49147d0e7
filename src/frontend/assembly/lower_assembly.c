/* lower_assembly.c -- inline assembly becomes LLVM's own atomic instructions. */
#include "frontend/assembly/lower_assembly.h"

#include <stdio.h>
#include <string.h>

#include "frontend/assembly/lower_parts.h"

/* ---- operands ---- */

static LLVMTypeRef pointed_to(const struct lp_lowering *x, unsigned arg)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
	const LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(x->call, arg + 1, kind);

	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static LLVMTypeRef result_type(const struct lp_lowering *x, int index)
{
	const LLVMTypeRef type = LLVMTypeOf(x->call);

	if (x->result_count == 1)
		return type;
	return LLVMStructGetTypeAtIndex(type, (unsigned)index);
}

/* Is `text` an operand that begins with `=`, is there a `*` in it? */
static bool next_constraint(const char **text, bool *output, bool *indirect, bool *clobber)
{
	const char *c = *text;

	if (!*c)
		return false;
	*output = *c == '=';
	*clobber = *c == '~';
	*indirect = false;
	for (; *c && *c != ','; c++)
		*indirect |= *c == '*';
	*text = *c ? c + 1 : c;
	return true;
}

static int count_results(const char *constraints)
{
	bool output, indirect, clobber;
	int count = 0;

	while (next_constraint(&constraints, &output, &indirect, &clobber))
		count += output && !indirect;
	return count;
}

/* Pairs constraints with arguments and results. */
static bool pair(struct lp_lowering *x, const char *constraints)
{
	bool output, indirect, clobber;
	unsigned arg = 0;
	int result = 0;

	x->result_count = count_results(constraints);
	while (next_constraint(&constraints, &output, &indirect, &clobber)) {
		if (clobber)
			continue;
		const uint32_t n = x->count++;
		if (n == LP_ASM_OPERANDS)
			return false;
		x->args[n] = NULL;
		x->results[n] = -1;
		if (output && !indirect) {
			x->types[n] = result_type(x, result);
			x->results[n] = result++;
		} else {
			if (arg == LLVMGetNumArgOperands(x->call))
				return false;
			x->args[n] = LLVMGetArgOperand(x->call, arg);
			x->types[n] = indirect ? pointed_to(x, arg) : LLVMTypeOf(x->args[n]);
			arg++;
		}
		x->sizes[n] = lp_lower_size(x, x->types[n]);
	}
	return true;
}

/* Can values of the type be in a general register? */
static bool is_scalar(LLVMTypeRef type)
{
	if (!type)
		return false;
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) <= 64;
	case LLVMPointerTypeKind:
		return !LLVMGetPointerAddressSpace(type);
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
		return true;
	default:
		return false;
	}
}

static LLVMValueRef as_type(const struct lp_lowering *x, LLVMValueRef value, LLVMTypeRef type)
{
	value = lp_lower_resize(x, value, lp_lower_size(x, type));
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return LLVMBuildIntToPtr(x->builder, value, type, "");
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
		return LLVMBuildBitCast(x->builder, value, type, "");
	default:
		return LLVMBuildTruncOrBitCast(x->builder, value, type, "");
	}
}

/* ---- what cannot be lowered all the same ---- */

/* A variable into which results are stored, and that nothing reads. */
static bool is_never_read(LLVMValueRef variable)
{
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		const LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
		    LLVMGetOperand(user, 0) != variable)
			continue;
		const LLVMValueRef called = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
		size_t length = 0;
		const char *name = called ? LLVMGetValueName2(called, &length) : "";
		if (strncmp(name, "llvm.lifetime.", 14))
			return false;
	}
	return true;
}

static bool is_unused(LLVMValueRef value)
{
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		const LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != value ||
		    !is_never_read(LLVMGetOperand(user, 1)))
			return false;
	}
	return true;
}

static bool is_result_unused(const struct lp_lowering *x, int index)
{
	if (x->result_count == 1)
		return is_unused(x->call);
	for (LLVMUseRef use = LLVMGetFirstUse(x->call); use; use = LLVMGetNextUse(use)) {
		const LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAExtractValueInst(user) ||
		    (*LLVMGetIndices(user) == (unsigned)index && !is_unused(user)))
			return false;
	}
	return true;
}

/* "Ir": a constant is an immediate, taken modulo the size, or in a register, and an index into
 * memory.  Below the size, the two are the same. */
static bool is_ambiguous_bit(const struct lp_lowering *x, const struct lp_asm_step *step)
{
	if (step->kind != LP_ASM_RMW || !step->bit_string)
		return false;
	for (uint32_t i = 0; i < x->what.operand_count; i++) {
		const struct lp_asm_operand *o = &x->what.operands[i];
		if (!o->output && o->number && o->kind == LP_ASM_REGISTER && o->reg == step->a.reg &&
		    LLVMIsConstant(x->args[i]) &&
		    (!LLVMIsAConstantInt(x->args[i]) ||
		     LLVMConstIntGetZExtValue(x->args[i]) >= step->size * 8u))
			return true;
	}
	return false;
}

/* NULL, or why not. */
static const char *obstacle(const struct lp_lowering *x)
{
	for (uint32_t i = 0; i < x->what.operand_count; i++) {
		const struct lp_asm_operand *o = &x->what.operands[i];
		if (o->undefined && !is_result_unused(x, x->results[i]))
			return "an output has no known value";
		const bool value = o->kind == LP_ASM_REGISTER || o->kind == LP_ASM_FLAG_OUT ||
				   o->kind == LP_ASM_EITHER;
		/* Of an empty template, operands may have any type. */
		if (value && !is_scalar(x->types[i]) && x->what.step_count)
			return "an operand that is neither a number nor a pointer";
	}
	for (uint32_t i = 0; i < x->what.step_count; i++)
		if (is_ambiguous_bit(x, &x->what.steps[i]))
			return "the number of a bit that is beyond the operand";
	return NULL;
}

/* ---- a call ---- */

static bool prepare(struct lp_lowering *x, LLVMValueRef call)
{
	size_t length;
	char code[4000];

	x->call = call;
	x->assembly = LLVMGetCalledValue(call);
	x->count = 0;
	const char *template = LLVMGetInlineAsmAsmString(x->assembly, &length);
	if (length >= sizeof code || memchr(template, '\0', length)) {
		snprintf(x->what.trouble, sizeof x->what.trouble, "too long");
		return false;
	}
	memcpy(code, template, length);
	code[length] = '\0';
	char constraints[2000];
	const char *list = LLVMGetInlineAsmConstraintString(x->assembly, &length);
	if (length >= sizeof constraints) {
		snprintf(x->what.trouble, sizeof x->what.trouble, "too many constraints");
		return false;
	}
	memcpy(constraints, list, length);
	constraints[length] = '\0';
	if (!pair(x, constraints)) {
		snprintf(x->what.trouble, sizeof x->what.trouble, "too many operands");
		return false;
	}
	const struct lp_asm_text text = {
		.target = strncmp(LLVMGetTarget(x->module), "x86_64", 6) ? LP_ASM_AARCH64 : LP_ASM_X86_64,
		.code = code,
		.constraints = constraints,
		.is_volatile = LLVMGetInlineAsmHasSideEffects(x->assembly),
		.intel = LLVMGetInlineAsmDialect(x->assembly) == LLVMInlineAsmDialectIntel,
		.sizes = x->sizes,
		.size_count = x->count,
	};
	if (!lp_asm_parse(&text, &x->what))
		return false;
	const char *why = obstacle(x);
	if (why)
		snprintf(x->what.trouble, sizeof x->what.trouble, "%s", why);
	return !why;
}

static void load_registers(struct lp_lowering *x)
{
	memset(x->regs, 0, sizeof x->regs);
	memset(x->inputs, 0, sizeof x->inputs);
	for (uint32_t i = 0; i < x->what.operand_count; i++) {
		const struct lp_asm_operand *o = &x->what.operands[i];
		if (o->output || o->kind != LP_ASM_REGISTER || !is_scalar(x->types[i]))
			continue;
		x->inputs[o->reg] = x->args[i];
	}
}

/* The input that is in the same register. */
static LLVMValueRef input_of(const struct lp_lowering *x, const struct lp_asm_operand *output)
{
	for (uint32_t i = 0; i < x->what.operand_count; i++) {
		const struct lp_asm_operand *o = &x->what.operands[i];
		if (!o->output && !o->indirect && o->reg == output->reg)
			return x->args[i];
	}
	return NULL;
}

static LLVMValueRef output_value(struct lp_lowering *x, uint32_t i)
{
	const struct lp_asm_operand *o = &x->what.operands[i];
	const LLVMValueRef input = o->unchanged ? input_of(x, o) : NULL;

	if (o->undefined)
		return LLVMGetUndef(x->types[i]);
	if (input && LLVMTypeOf(input) == x->types[i])
		return input;
	if (!is_scalar(x->types[i]))
		return LLVMGetUndef(x->types[i]);
	return as_type(x, lp_lower_register(x, o->reg), x->types[i]);
}

static void replace_results(struct lp_lowering *x, const LLVMValueRef *values)
{
	LLVMUseRef use, next;

	if (x->result_count == 1)
		LLVMReplaceAllUsesWith(x->call, values[0]);
	if (x->result_count < 2)
		return;
	for (use = LLVMGetFirstUse(x->call); use; use = next) {
		const LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (!LLVMIsAExtractValueInst(user) || LLVMGetNumIndices(user) != 1)
			continue;
		LLVMReplaceAllUsesWith(user, values[*LLVMGetIndices(user)]);
		LLVMInstructionEraseFromParent(user);
	}
	if (!LLVMGetFirstUse(x->call))
		return;
	LLVMValueRef all = LLVMGetUndef(LLVMTypeOf(x->call));
	for (int i = 0; i < x->result_count; i++)
		all = LLVMBuildInsertValue(x->builder, all, values[i], (unsigned)i, "");
	LLVMReplaceAllUsesWith(x->call, all);
}

static void store_outputs(struct lp_lowering *x)
{
	LLVMValueRef values[LP_ASM_OPERANDS];

	for (uint32_t i = 0; i < x->what.operand_count; i++) {
		const struct lp_asm_operand *o = &x->what.operands[i];
		if (x->results[i] >= 0)
			values[x->results[i]] = output_value(x, i);
		else if (o->kind == LP_ASM_EITHER && !o->unchanged)
			LLVMBuildStore(x->builder, as_type(x, lp_lower_register(x, o->reg), x->types[i]), x->args[i]);
	}
	replace_results(x, values);
}

static bool is_barrier(const struct lp_lowering *x)
{
	size_t length;

	LLVMGetInlineAsmAsmString(x->assembly, &length);
	return !length && !x->what.operand_count && x->what.barrier;
}

static void build_barrier(struct lp_lowering *x)
{
	char nothing[] = "", memory[] = "~{memory}";
	const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(x->context), NULL, 0, false);
	const LLVMValueRef barrier = LLVMGetInlineAsm(type, nothing, 0, memory, strlen(memory), true,
						      false, LLVMInlineAsmDialectATT, false);

	LLVMBuildCall2(x->builder, type, barrier, NULL, 0, "");
}

static bool has_jumps(const struct lp_asm *what)
{
	for (uint32_t i = 0; i < what->step_count; i++)
		if (what->steps[i].kind == LP_ASM_PLACE)
			return true;
	return false;
}

static void lower(struct lp_lowering *x)
{
	bool fenced = false;

	LLVMPositionBuilderBefore(x->builder, x->call);
	for (uint32_t i = 0; i < x->what.step_count; i++)
		fenced |= x->what.steps[i].kind == LP_ASM_FENCE && x->what.steps[i].order == LP_SC;
	const bool barrier = x->what.barrier && !fenced;
	load_registers(x);
	x->jumps = false;
	if (has_jumps(&x->what))
		lp_lower_begin_jumps(x);
	if (barrier)
		build_barrier(x);
	for (uint32_t i = 0; i < x->what.step_count; i++)
		lp_lower_step(x, i);
	if (x->jumps)
		lp_lower_end_jumps(x);
	if (barrier && x->what.step_count)
		build_barrier(x);
	store_outputs(x);
	LLVMInstructionEraseFromParent(x->call);
}

static bool is_assembly(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
}

static void lower_block(struct lp_lowering *x, LLVMBasicBlockRef block)
{
	LLVMValueRef next;

	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!is_assembly(i))
			continue;
		/* Its results are extracted next, and those instructions go. */
		while (next && LLVMIsAExtractValueInst(next) && LLVMGetOperand(next, 0) == i)
			next = LLVMGetNextInstruction(next);
		if (prepare(x, i) && !is_barrier(x))
			lower(x);
	}
}

static struct lp_lowering begin(LLVMModuleRef module)
{
	const LLVMContextRef context = LLVMGetModuleContext(module);

	return (struct lp_lowering){ .context = context, .module = module,
				  .layout = LLVMGetModuleDataLayout(module),
				  .i64 = LLVMInt64TypeInContext(context) };
}

static bool is_known_target(const char *triple)
{
	return !strncmp(triple, "x86_64", 6) || !strncmp(triple, "aarch64", 7) ||
	       !strncmp(triple, "arm64", 5);
}

void lp_lower_assembly(LLVMModuleRef module)
{
	struct lp_lowering x = begin(module);

	if (!is_known_target(LLVMGetTarget(module)))
		return;
	x.builder = LLVMCreateBuilderInContext(x.context);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			lower_block(&x, b);
	LLVMDisposeBuilder(x.builder);
}

void lp_assembly_trouble(LLVMValueRef call, char *text, size_t size)
{
	const LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
	const LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
	struct lp_lowering x = begin(module);

	if (!LLVMIsACallInst(call))
		snprintf(text, size, "it may jump");
	else if (!is_known_target(LLVMGetTarget(module)))
		snprintf(text, size, "assembly of this machine");
	else
		snprintf(text, size, "%s", prepare(&x, call) ? "" : x.what.trouble);
}

static LLVMContextRef context_of(LLVMValueRef instruction)
{
	const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

	return LLVMGetModuleContext(LLVMGetGlobalParent(function));
}

static unsigned mark_kind(LLVMContextRef context)
{
	static const char name[] = "lp.lowered";

	return LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
}

void lp_lower_mark(LLVMValueRef instruction)
{
	const LLVMContextRef context = context_of(instruction);

	LLVMSetMetadata(instruction, mark_kind(context), LLVMMDNodeInContext(context, NULL, 0));
}

bool lp_lower_is_marked(LLVMValueRef instruction)
{
	return LLVMGetMetadata(instruction, mark_kind(context_of(instruction))) != NULL;
}
