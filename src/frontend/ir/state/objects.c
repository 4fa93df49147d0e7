/* objects.c -- reports the lifetimes of local variables to the runtime.
 *
 * If a variable is declared in a block, its lifetime begins and ends at LLVM's markers.  Otherwise, its lifetime is that of the
 * function's activation.  If longjmp() leaves a block, which may be a whole function that was inlined, its end marker is not
 * reached: then the variables of the block end where setjmp() returns.
 */
#include "frontend/ir/state/objects.h"

#include "frontend/ir/state/fixed.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/access/site_records.h"

/* A variable, or what has become of it. */
struct object {
	lp_ir_value at, size;
	bool private, roomy; /* is there room before and behind it? */
};

static lp_ir_value object_site(struct lp_ir *ir, lp_ir_value x, const struct object *object)
{
	const uint32_t site = lp_ir_site(ir, LP_SITE_OBJECT, x);

	lp_ir_site_record(ir, site)->flags |= object->private ? LP_SITE_PRIVATE : 0;
	return lp_ir_site_address(ir, site);
}

static void begin(struct lp_ir *ir, lp_ir_value before, const struct object *object)
{
	lp_ir_before(ir, before);
	lp_ir_value arguments[] = { object_site(ir, before, object), object->at, object->size,
				    LLVMConstInt(ir->i1, object->roomy, false) };
	lp_ir_call(ir, "lp_object_begins", ir->nothing, arguments, 4);
}

static void end(struct lp_ir *ir, lp_ir_value before, const struct object *object)
{
	lp_ir_before(ir, before);
	lp_ir_value arguments[] = { object_site(ir, before, object), object->at, object->size };
	lp_ir_call(ir, "lp_object_ends", ir->nothing, arguments, 3);
}

static bool has_markers(lp_ir_value object)
{
	LP_IR_EACH_USE(object, u)
		if (lp_ir_is_intrinsic(LLVMGetUser(u), "llvm.lifetime."))
			return true;
	return false;
}

static bool leaves(lp_ir_value x)
{
	return LLVMIsAReturnInst(x) || LLVMGetInstructionOpcode(x) == LLVMResume;
}

/* With the function. */
static void bracket(struct lp_ir *ir, lp_ir_value f, const struct object *object)
{
	begin(ir, object->roomy ? LLVMGetNextInstruction(object->at) : lp_ir_entry(f), object);
	LP_IR_EACH_BLOCK(f, b) {
		const lp_ir_value x = LLVMGetBasicBlockTerminator(b);
		if (leaves(x))
			end(ir, x, object);
	}
}

/* Is there a way from a beginning of the variable to the call that does not pass an end? */
static bool may_have_begun(lp_ir_value call, const struct lp_ir_values *markers)
{
	struct lp_ir_values ways = { 0 }; /* each from here to the end of its block */
	bool found = false;

	for (uint32_t i = 0; i < markers->count; i++)
		if (lp_ir_is_intrinsic(markers->at[i], "llvm.lifetime.start"))
			LP_PUSH(&ways, LLVMGetNextInstruction(markers->at[i]));
	for (uint32_t i = 0; i < ways.count && !found; i++) {
		lp_ir_value x = ways.at[i];
		while (!LLVMIsATerminatorInst(x) && x != call && !lp_ir_values_have(markers, x))
			x = LLVMGetNextInstruction(x);
		found = x == call;
		for (unsigned n = 0; LLVMIsATerminatorInst(x) && n < LLVMGetNumSuccessors(x); n++) {
			const lp_ir_value first = LLVMGetFirstInstruction(LLVMGetSuccessor(x, n));
			if (!lp_ir_values_have(&ways, first))
				LP_PUSH(&ways, first);
		}
	}
	lp_free(ways.at);
	return found;
}

/* `twice` has the calls of setjmp(). */
static void bracket_by_markers(struct lp_ir *ir, const struct object *object, const struct lp_ir_values *twice)
{
	struct lp_ir_values markers = { 0 };

	LP_IR_EACH_USE(object->at, u)
		if (lp_ir_is_intrinsic(LLVMGetUser(u), "llvm.lifetime."))
			LP_PUSH(&markers, LLVMGetUser(u));
	for (uint32_t i = 0; i < twice->count; i++)
		if (!may_have_begun(twice->at[i], &markers))
			end(ir, LLVMGetNextInstruction(twice->at[i]), object);
	for (uint32_t i = 0; i < markers.count; i++)
		if (lp_ir_is_intrinsic(markers.at[i], "llvm.lifetime.start"))
			begin(ir, markers.at[i], object);
		else
			end(ir, markers.at[i], object);
	lp_free(markers.at);
}

/* Bytes before the variable, so that it is aligned behind them. */
static uint64_t room_before(lp_ir_value alloca)
{
	const unsigned align = LLVMGetAlignment(alloca);

	return align > LP_STACK_ROOM ? align : LP_STACK_ROOM;
}

/* Memory whose size is known only now: an array of variable length, or a block of alloca().  It ends when the stack
 * pointer goes back, at the latest with the function (end_arrays()). */
static void begin_array(struct lp_ir *ir, lp_ir_value alloca)
{
	const uint64_t before = room_before(alloca);
	lp_ir_value offset = lp_ir_number(ir, before);

	lp_ir_before(ir, alloca);
	const lp_ir_value each = lp_ir_number(ir, LLVMABISizeOfType(ir->layout, LLVMGetAllocatedType(alloca)));
	const lp_ir_value count = lp_ir_to_integer(ir, LLVMGetOperand(alloca, 0), 8);
	const lp_ir_value size = LLVMBuildMul(ir->builder, count, each, "");
	const lp_ir_value all = LLVMBuildAdd(ir->builder, size, lp_ir_number(ir, before + LP_STACK_ROOM), "");
	const lp_ir_value whole = LLVMBuildArrayAlloca(ir->builder, ir->i8, all, "");
	LLVMSetAlignment(whole, (unsigned)before);
	const lp_ir_value at = LLVMBuildInBoundsGEP2(ir->builder, ir->i8, whole, &offset, 1, "");
	lp_ir_replace(alloca, at);
	begin(ir, LLVMGetNextInstruction(at), &(struct object){ .at = at, .size = size, .roomy = true });
}

/* The size of the array is read from a volatile variable, so that LLVM never knows it. */
static void keep_size(struct lp_ir *ir, lp_ir_value f, lp_ir_value alloca)
{
	const lp_ir_value count = LLVMGetOperand(alloca, 0);
	const LLVMTypeRef type = LLVMTypeOf(count);
	const lp_ir_value place = lp_ir_variable(ir, f, type, "lp.count");

	lp_ir_before(ir, alloca);
	LLVMSetVolatile(LLVMBuildStore(ir->builder, count, place), true);
	const lp_ir_value kept = LLVMBuildLoad2(ir->builder, type, place, "");
	LLVMSetVolatile(kept, true);
	LLVMSetOperand(alloca, 0, kept);
}

/* Is the function only given to library functions, like the one of a thread?  Then it is never inlined. */
static bool is_only_passed_on(lp_ir_value f)
{
	LP_IR_EACH_USE(f, u) {
		const lp_ir_value x = LLVMGetUser(u);
		if (!LLVMIsAInstruction(x) || !lp_ir_is_call(x) || LLVMGetCalledValue(x) == f ||
		    !LLVMIsAFunction(LLVMGetCalledValue(x)) || lp_ir_is_defined(LLVMGetCalledValue(x)))
			return false;
	}
	return true;
}

/* Does the function return after that, without access to memory but its own? */
static bool is_about_to_return(lp_ir_value x)
{
	for (int steps = 0; steps < 64; steps++) {
		if (LLVMIsAReturnInst(x))
			return true;
		if (LLVMIsABranchInst(x) && !LLVMIsConditional(x)) {
			x = LLVMGetFirstInstruction(LLVMGetSuccessor(x, 0));
			continue;
		}
		const bool loads = LLVMIsALoadInst(x) && LLVMIsAAllocaInst(LLVMGetOperand(x, 0)) && lp_ir_is_static(LLVMGetOperand(x, 0));
		if (!loads && !LLVMIsAPHINode(x) && !lp_ir_is_intrinsic(x, "llvm."))
			return false;
		x = LLVMGetNextInstruction(x);
	}
	return false;
}

/* Do all arrays of the function end when it returns, wherever LLVM moves them?  Then they may become variables of the function. */
static bool arrays_end_with(lp_ir_value f)
{
	if (!is_only_passed_on(f))
		return false;
	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			if (lp_ir_is_intrinsic(x, "llvm.stackrestore") && !is_about_to_return(x))
				return false;
	return true;
}

void lp_ir_keep_arrays(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 }, private = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f) || arrays_end_with(f))
			continue;
		lp_ir_find_private(ir, f, &private);
		lp_ir_instructions(f, &all);
		for (uint32_t i = 0; i < all.count; i++)
			if (LLVMIsAAllocaInst(all.at[i]) && !lp_ir_is_static(all.at[i]) &&
			    !lp_ir_values_have(&private, all.at[i]))
				keep_size(ir, f, all.at[i]);
	}
	lp_free(all.at);
	lp_free(private.at);
}

static void unwind(struct lp_ir *ir, lp_ir_value before, lp_ir_value to)
{
	lp_ir_before(ir, before);
	lp_ir_call(ir, "lp_stack_unwound", ir->nothing, &to, 1);
}

/* clang moves the stack pointer back where the scope of an array ends.  What alloca() returns has no scope: it lasts
 * until the function returns, however often the line is executed. */
static void end_arrays(struct lp_ir *ir, lp_ir_value f)
{
	const unsigned id = LLVMLookupIntrinsicID("llvm.stacksave", 14);
	const lp_ir_value save = LLVMGetIntrinsicDeclaration(ir->module, id, &ir->ptr, 1);

	lp_ir_before(ir, lp_ir_entry(f));
	const lp_ir_value sp = LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(save), save, NULL, 0, "");
	LP_IR_EACH_BLOCK(f, b) {
		const lp_ir_value x = LLVMGetBasicBlockTerminator(b);
		if (leaves(x))
			unwind(ir, x, sp);
	}
}

/* Others have a pointer to the variable, and may move it beyond. */
static lp_ir_value make_room(struct lp_ir *ir, lp_ir_value f, lp_ir_value alloca, uint64_t size)
{
	const uint64_t before = room_before(alloca);
	LLVMTypeRef parts[] = { LLVMArrayType2(ir->i8, before), LLVMArrayType2(ir->i8, size),
				LLVMArrayType2(ir->i8, LP_STACK_ROOM) };
	const LLVMTypeRef type = LLVMStructTypeInContext(ir->context, parts, 3, true);
	const lp_ir_value whole = lp_ir_variable(ir, f, type, LP_IR_ROOMY);

	LLVMSetAlignment(whole, (unsigned)before);
	lp_ir_before(ir, lp_ir_entry(f));
	const lp_ir_value at = LLVMBuildStructGEP2(ir->builder, type, whole, 1, "");
	LLVMReplaceAllUsesWith(alloca, at);
	LLVMInstructionEraseFromParent(alloca);
	return at;
}

static void insert_object(struct lp_ir *ir, lp_ir_value f, lp_ir_value alloca, bool private,
			  const struct lp_ir_values *twice)
{
	const uint64_t size = lp_ir_is_static(alloca) ? lp_ir_object_size(ir, alloca) : 0;
	struct object object = { .at = alloca, .size = lp_ir_number(ir, size), .private = private };

	if (!lp_ir_is_static(alloca)) {
		begin_array(ir, alloca);
		return;
	}
	if (!size)
		return;
	if (!private) {
		object.roomy = true;
		object.at = make_room(ir, f, alloca, size);
	}
	if (has_markers(object.at))
		bracket_by_markers(ir, &object, twice);
	else
		bracket(ir, f, &object);
}

static void tidy(struct lp_ir *ir, lp_ir_value x)
{
	if (lp_ir_is_intrinsic(x, "llvm.lifetime.")) {
		LLVMInstructionEraseFromParent(x);
	} else if (lp_ir_is_intrinsic(x, "llvm.stackrestore")) {
		unwind(ir, x, LLVMGetOperand(x, 0));
	} else if (lp_ir_is_intrinsic(x, "llvm.va_start")) {
		lp_ir_value list = LLVMGetOperand(x, 0);
		lp_ir_before(ir, LLVMGetNextInstruction(x));
		lp_ir_call(ir, "lp_arguments_begin", ir->nothing, &list, 1);
	} else if (LLVMIsAPHINode(x) || LLVMIsASelectInst(x)) {
		for (int i = 0; i < LLVMGetNumOperands(x); i++) {
			const lp_ir_value v = LLVMGetOperand(x, (unsigned)i);
			if (LLVMIsUndef(v) || LLVMIsPoison(v))
				LLVMSetOperand(x, (unsigned)i, LLVMConstNull(LLVMTypeOf(v)));
		}
	}
}

static void insert_objects(struct lp_ir *ir, lp_ir_value f)
{
	struct lp_ir_values all = { 0 }, private = { 0 }, twice = { 0 };
	bool has_arrays = false;

	lp_ir_find_private(ir, f, &private);
	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < all.count; i++)
		if (lp_ir_returns_twice(all.at[i]) && LLVMIsACallInst(all.at[i]))
			LP_PUSH(&twice, all.at[i]);
	for (uint32_t i = 0; i < all.count; i++) {
		const bool hidden = LLVMIsAAllocaInst(all.at[i]) && lp_ir_values_have(&private, all.at[i]);
		if (LLVMIsAAllocaInst(all.at[i]) && (!hidden || lp_ir_is_hooked(all.at[i]))) {
			has_arrays |= !lp_ir_is_static(all.at[i]);
			insert_object(ir, f, all.at[i], hidden, &twice);
		}
	}
	if (has_arrays)
		end_arrays(ir, f);
	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < all.count; i++)
		tidy(ir, all.at[i]);
	lp_free(all.at);
	lp_free(private.at);
	lp_free(twice.at);
}

void lp_ir_insert_objects(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f))
			insert_objects(ir, f);
}
