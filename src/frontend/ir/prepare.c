/* prepare.c -- drops attributes, replaces calls by calls of shims, and moves thread-local variables. */
#include "frontend/ir/prepare.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "frontend/assembly/lower_assembly.h"
#include "frontend/ir/access/names.h"
#include "frontend/ir/access/site_records.h"
#include "frontend/ir/globals.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/library_functions.h"

void lp_ir_mark_own(LLVMModuleRef module)
{
	const LLVMContextRef context = LLVMGetModuleContext(module);
	const LLVMAttributeRef own =
		LLVMCreateStringAttribute(context, LP_IR_OWN, strlen(LP_IR_OWN), "", 0);

	for (lp_ir_value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (lp_ir_is_defined(f))
			LLVMAddAttributeAtIndex(f, LP_IR_OF_FUNCTION, own);
}

bool lp_ir_is_own(lp_ir_value function)
{
	return LLVMGetStringAttributeAtIndex(function, LP_IR_OF_FUNCTION, LP_IR_OWN,
					     strlen(LP_IR_OWN));
}

/* ---- promises ---- */

static const char *const of_functions[] = {
	"memory", "nosync", "willreturn", "nofree", "nocallback", "speculatable", "optnone", "allockind",
	"allocsize", "mustprogress", "minsize", "optsize", NULL
};
static const char *const of_values[] = {
	"noalias", "readonly", "readnone", "writeonly", "nofree", "dereferenceable",
	"dereferenceable_or_null", "returned", "allocptr", "allocalign", NULL
};

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void drop_function_promises(lp_ir_value f)
{
	for (const char *const *name = of_functions; *name; name++)
		LLVMRemoveEnumAttributeAtIndex(f, LP_IR_OF_FUNCTION, kind_of(*name));
	LLVMRemoveStringAttributeAtIndex(f, LP_IR_OF_FUNCTION, "alloc-family", 12);
	for (const char *const *name = of_values; *name; name++)
		for (unsigned i = 0; i <= LLVMCountParams(f); i++)
			LLVMRemoveEnumAttributeAtIndex(f, i, kind_of(*name));
}

static void drop_call_promises(lp_ir_value call)
{
	for (const char *const *name = of_functions; *name; name++)
		LLVMRemoveCallSiteEnumAttribute(call, LP_IR_OF_FUNCTION, kind_of(*name));
	for (const char *const *name = of_values; *name; name++)
		for (unsigned i = 0; i <= LLVMGetNumArgOperands(call); i++)
			LLVMRemoveCallSiteEnumAttribute(call, i, kind_of(*name));
	if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail)
		LLVMSetTailCallKind(call, LLVMTailCallKindNone);
}

static void drop_promises(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f) {
		if (strncmp(lp_ir_name(f), "llvm.", 5))
			drop_function_promises(f);
		LP_IR_EACH_BLOCK(f, b)
			LP_IR_EACH_INSTRUCTION(b, x)
				if (lp_ir_is_call(x) && !lp_ir_is_intrinsic(x, "llvm."))
					drop_call_promises(x);
	}
}

/* ---- names ---- */

/* A function that the compiler expects in a library, although it knows the code: templates of the C++
 * library, inline functions of C.  We take the code, but for models and what the library does best. */
static bool is_declared(lp_ir_value f)
{
	if (LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
		return !lp_ir_is_defined(f);
	if (lp_library_is_modelled(lp_ir_name(f)))
		return true;
	if (!lp_library_is_harmless(lp_ir_name(f)))
		LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
	return false;
}

/* Of system calls that the runtime knows, gettid alone names the thread. */
static bool only_unnumbered_system_calls(lp_ir_value f)
{
	for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
		const lp_ir_value call = LLVMGetUser(u);
		if (!LLVMIsAInstruction(call) || !lp_ir_is_call(call) || LLVMGetCalledValue(call) != f ||
		    !LLVMGetNumArgOperands(call))
			return false;
		const lp_ir_value number = LLVMGetOperand(call, 0);
		if (!LLVMIsAConstantInt(number) || LLVMConstIntGetSExtValue(number) == SYS_gettid)
			return false;
	}
	return true;
}

/* What the program learns of the current thread from f: LP_TELLS_*. */
static unsigned tells_of_thread(lp_ir_value f)
{
	const char *const name = lp_ir_name(f);

	if (!LLVMGetFirstUse(f) || !lp_library_asks_who(name))
		return 0;
	if (!strcmp(name, "syscall") && only_unnumbered_system_calls(f))
		return 0;
	return lp_library_numbers_threads(name) ? LP_TELLS_WHO | LP_TELLS_NUMBER : LP_TELLS_WHO;
}

static void bind_names(struct lp_ir *ir)
{
	char name[512];

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!is_declared(f))
			continue;
		ir->tells_threads_apart |= tells_of_thread(f);
		if (!lp_library_is_modelled(lp_ir_name(f)))
			continue;
		snprintf(name, sizeof name, "lp_shim_%s", lp_ir_name(f));
		lp_ir_value known = LLVMGetNamedFunction(ir->module, name);
		if (!known && lp_ir_is_defined(f))
			known = LLVMAddFunction(ir->module, name, LLVMGlobalGetValueType(f));
		if (known && known != f)
			LLVMReplaceAllUsesWith(f, known);
		else
			LLVMSetValueName2(f, name, strlen(name));
	}
}

/* __VERIFIER_atomic_NAME() runs without interruption. */
static void bracket_atomic_function(struct lp_ir *ir, lp_ir_value f)
{
	struct lp_ir_values all = { 0 };
	lp_ir_value site;

	lp_ir_before(ir, lp_ir_entry(f));
	site = lp_ir_site_address(ir, lp_ir_site(ir, LP_SITE_MODEL, lp_ir_entry(f)));
	lp_ir_call(ir, "lp_atomic_begins", ir->nothing, &site, 1);
	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < all.count; i++) {
		if (!LLVMIsAReturnInst(all.at[i]) && LLVMGetInstructionOpcode(all.at[i]) != LLVMResume)
			continue;
		lp_ir_before(ir, all.at[i]);
		site = lp_ir_site_address(ir, lp_ir_site(ir, LP_SITE_MODEL, all.at[i]));
		lp_ir_call(ir, "lp_atomic_ends", ir->nothing, &site, 1);
	}
	lp_free(all.at);
}

/* The start-up files of the compiler define it; we link none. */
static void define_dso_handle(struct lp_ir *ir)
{
	const lp_ir_value handle = LLVMGetNamedGlobal(ir->module, "__dso_handle");

	if (handle)
		LLVMSetInitializer(handle, LLVMConstNull(LLVMGlobalGetValueType(handle)));
}

/* Fences that are called by the names of instructions; what they mean, frontend/assembly/assembly.h says. */
static void replace_fence(struct lp_ir *ir, lp_ir_value x)
{
	static const struct {
		const char *name;
		LLVMAtomicOrdering order;
	} fences[] = {
		{ "llvm.x86.sse2.mfence", LLVMAtomicOrderingSequentiallyConsistent },
		{ "llvm.x86.sse2.lfence", LLVMAtomicOrderingAcquireRelease },
		{ "llvm.x86.sse.sfence", LLVMAtomicOrderingAcquireRelease },
		{ "llvm.x86.sse2.pause", LLVMAtomicOrderingNotAtomic },
		{ "llvm.aarch64.hint", LLVMAtomicOrderingNotAtomic },
		{ "llvm.aarch64.isb", LLVMAtomicOrderingNotAtomic },
	};

	for (size_t i = 0; i < sizeof fences / sizeof *fences; i++) {
		if (!lp_ir_is_intrinsic(x, fences[i].name))
			continue;
		lp_ir_before(ir, x);
		if (fences[i].order != LLVMAtomicOrderingNotAtomic)
			lp_lower_mark(LLVMBuildFence(ir->builder, fences[i].order, false, ""));
		LLVMInstructionEraseFromParent(x);
		return;
	}
}

static void replace_fences(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		lp_ir_instructions(f, &all);
		for (uint32_t i = 0; i < all.count; i++)
			replace_fence(ir, all.at[i]);
	}
	lp_free(all.at);
}

/* An argument that is passed in memory is a variable of the function, like any other. */
static void copy_argument(struct lp_ir *ir, lp_ir_value f, lp_ir_value argument, LLVMTypeRef type)
{
	const lp_ir_value variable = lp_ir_variable(ir, f, type, lp_ir_name(argument));
	const uint64_t size = LLVMABISizeOfType(ir->layout, type);

	LLVMSetAlignment(variable, 16);
	LLVMReplaceAllUsesWith(argument, variable);
	lp_ir_before(ir, lp_ir_entry(f));
	LLVMBuildMemCpy(ir->builder, variable, 1, argument, 1, lp_ir_number(ir, size));
}

static void copy_arguments(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f)
		for (unsigned i = 0; lp_ir_is_defined(f) && i < LLVMCountParams(f); i++) {
			const LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(f, i + 1, kind_of("byval"));
			if (byval)
				copy_argument(ir, f, LLVMGetParam(f, i), LLVMGetTypeAttributeValue(byval));
		}
}

/* __builtin_constant_p() does not evaluate what it is asked about; LLVM has the load already. */
static void answer_constant(struct lp_ir *ir, lp_ir_value x)
{
	const lp_ir_value asked = LLVMGetOperand(x, 0);

	if (!LLVMIsALoadInst(asked))
		return;
	lp_ir_replace(x, LLVMConstInt(ir->i1, 0, false));
	if (!LLVMGetFirstUse(asked))
		LLVMInstructionEraseFromParent(asked);
}

static void answer_constants(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		lp_ir_instructions(f, &all);
		for (uint32_t i = all.count; i-- > 0;)
			if (lp_ir_is_intrinsic(all.at[i], "llvm.is.constant"))
				answer_constant(ir, all.at[i]);
	}
	lp_free(all.at);
}

/* What the compiler's own library knows of the processor, for __builtin_cpu_supports() and functions of
 * which there is one for each kind of processor: nothing, so that the general one is taken.  The runtime is told. */
static void describe_processor(struct lp_ir *ir)
{
	static const char *const models[] = { "__cpu_model", "__cpu_features2" };
	static const char shim[] = "lp_shim___cpu_indicator_init";
	struct lp_ir_values all = { 0 };

	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const lp_ir_value g = LLVMGetNamedGlobal(ir->module, models[i]);
		if (!g || LLVMGetInitializer(g))
			continue;
		LLVMSetInitializer(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
		LLVMSetLinkage(g, LLVMInternalLinkage);
		LLVMSetGlobalConstant(g, true);
		LP_IR_EACH_FUNCTION(ir, f) {
			lp_ir_instructions(f, &all);
			for (uint32_t k = 0; k < all.count; k++) {
				if (!LLVMIsALoadInst(all.at[k]) || lp_ir_only_root(LLVMGetOperand(all.at[k], 0)) != g)
					continue;
				lp_ir_before(ir, all.at[k]);
				lp_ir_call(ir, shim, ir->nothing, NULL, 0);
			}
		}
	}
	lp_free(all.at);
}

void lp_ir_prepare(struct lp_ir *ir)
{
	copy_arguments(ir);
	answer_constants(ir);
	describe_processor(ir);
	replace_fences(ir);
	define_dso_handle(ir);
	drop_promises(ir);
	bind_names(ir);
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f) && !strncmp(lp_ir_name(f), "__VERIFIER_atomic_", 18))
			bracket_atomic_function(ir, f);
}

/* ---- thread-local variables ---- */

struct local {
	lp_ir_value variable;
	uint64_t offset;
};

/* `lp_current.locals` + offset; the builder is where it is wanted. */
static lp_ir_value local_address(struct lp_ir *ir, uint64_t offset)
{
	lp_ir_value index = lp_ir_number(ir, offset);
	const lp_ir_value field = LLVMBuildStructGEP2(ir->builder, ir->current_type, ir->current, 1, "");
	const lp_ir_value locals = LLVMBuildLoad2(ir->builder, ir->ptr, field, "lp.locals");

	return LLVMBuildInBoundsGEP2(ir->builder, ir->i8, locals, &index, 1, "");
}

/* Those that ask for the variable's address, and those that use it without asking, as the
 * compiler's own code does. */
static void find_users(lp_ir_value variable, struct lp_ir_values *users)
{
	users->count = 0;
	LP_IR_EACH_USE(variable, u)
		if (LLVMIsAInstruction(LLVMGetUser(u)))
			lp_ir_values_add(users, LLVMGetUser(u));
}

static void replace_address(struct lp_ir *ir, lp_ir_value user, lp_ir_value variable, uint64_t offset)
{
	lp_ir_before(ir, user);
	const lp_ir_value address = local_address(ir, offset);
	if (lp_ir_is_intrinsic(user, "llvm.threadlocal.address")) {
		lp_ir_replace(user, address);
		return;
	}
	for (int i = 0; i < LLVMGetNumOperands(user); i++)
		if (LLVMGetOperand(user, (unsigned)i) == variable)
			LLVMSetOperand(user, (unsigned)i, address);
}

/* A variable of a library: the question stays, and the answer is told. */
static void tell_foreign(struct lp_ir *ir, const struct lp_ir_values *users)
{
	for (uint32_t i = 0; i < users->count; i++) {
		lp_ir_value address = users->at[i];
		if (!lp_ir_is_intrinsic(address, "llvm.threadlocal.address"))
			continue;
		lp_ir_before(ir, LLVMGetNextInstruction(address));
		lp_ir_call(ir, "lp_foreign_local", ir->nothing, &address, 1);
	}
}

static uint64_t align_of(const struct lp_ir *ir, lp_ir_value g)
{
	const uint64_t natural = LLVMABIAlignmentOfType(ir->layout, LLVMGlobalGetValueType(g));

	return LLVMGetAlignment(g) > natural ? LLVMGetAlignment(g) : natural;
}

/* Another name of a thread-local variable.  LLVM-C cannot delete it; as a name of something else that nothing
 * uses it is dropped later. */
static void drop_other_names(struct lp_ir *ir)
{
	for (lp_ir_value a = LLVMGetFirstGlobalAlias(ir->module); a; a = LLVMGetNextGlobalAlias(a)) {
		const lp_ir_value g = LLVMAliasGetAliasee(a);
		if (!LLVMIsAGlobalVariable(g) || !LLVMIsThreadLocal(g))
			continue;
		LLVMReplaceAllUsesWith(a, g);
		LLVMAliasSetAliasee(a, ir->current);
		LLVMSetThreadLocal(a, false);
		LLVMSetLinkage(a, LLVMInternalLinkage);
	}
}

void lp_ir_move_locals(struct lp_ir *ir)
{
	struct lp_ir_values users = { 0 }, parts = { 0 }, moved = { 0 };
	uint64_t end = 0, align = 16;

	drop_other_names(ir);

	for (lp_ir_value g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsThreadLocal(g))
			continue;
		find_users(g, &users);
		if (!LLVMGetInitializer(g)) {
			tell_foreign(ir, &users);
			continue;
		}
		const uint64_t a = align_of(ir, g), offset = (end + a - 1) & ~(a - 1);
		const uint64_t size = LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(g));
		if (offset > end)
			LP_PUSH(&parts, LLVMConstNull(LLVMArrayType2(ir->i8, offset - end)));
		LP_PUSH(&parts, LLVMGetInitializer(g));
		for (uint32_t i = 0; i < users.count; i++)
			replace_address(ir, users.at[i], g, offset);
		LP_PUSH(&parts, LLVMConstNull(LLVMArrayType2(ir->i8, LP_IR_ROOM_BEHIND)));
		LP_PUSH(&ir->locals, ((struct lp_ir_local){ offset, size, lp_ir_text(ir, lp_ir_name(g)),
							    lp_ir_type_key(ir, lp_ir_type_at(ir, g)) }));
		end = offset + size + LP_IR_ROOM_BEHIND;
		align = a > align ? a : align;
		LP_PUSH(&moved, g);
	}
	if (moved.count) {
		const lp_ir_value image = LLVMConstStructInContext(ir->context, parts.at, parts.count, true);
		const lp_ir_value global = LLVMAddGlobal(ir->module, LLVMTypeOf(image), "lp.locals");
		LLVMSetInitializer(global, image);
		LLVMSetVisibility(global, LLVMHiddenVisibility); /* internal, it would be removed as unused */
		LLVMSetGlobalConstant(global, true);
		LLVMSetAlignment(global, (unsigned)align);
		for (uint32_t i = 0; i < moved.count; i++)
			LLVMDeleteGlobal(moved.at[i]);
		ir->tells_threads_apart |= LP_TELLS_WHO;
	}
	lp_free(users.at);
	lp_free(parts.at);
	lp_free(moved.at);
}
