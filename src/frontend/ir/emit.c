/* emit.c -- LLVM's code generator. */
#include "frontend/ir/emit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/TargetMachine.h>

/* Exploring takes as long with the quick code generator as with the others, since hooks are most of
 * what is executed.  Emitting a small object takes a third of the time. */
static LLVMCodeGenOptLevel level_of(unsigned level)
{
	static const LLVMCodeGenOptLevel levels[] = { LLVMCodeGenLevelNone, LLVMCodeGenLevelNone,
						      LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive };

	return levels[level < 4 ? level : 3];
}

static bool verify(struct lp_ir *ir, struct lp_error *error)
{
	char *text = NULL;
	const bool wrong = LLVMVerifyModule(ir->module, LLVMReturnStatusAction, &text);

	if (wrong)
		lp_fail(error, "the instrumented program is not well-formed: %s", text);
	LLVMDisposeMessage(text);
	return !wrong;
}

static bool emit(struct lp_ir *ir, unsigned level, const char *path, struct lp_error *error)
{
	const char *triple = LLVMGetTarget(ir->module);
	LLVMTargetRef target;
	char *text = NULL;

	if (LLVMGetTargetFromTriple(triple, &target, &text)) {
		lp_fail(error, "LLVM has no code generator for '%s': %s", triple, text);
		LLVMDisposeMessage(text);
		return false;
	}
	const LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, "", "", level_of(level),
								     LLVMRelocPIC, LLVMCodeModelDefault);
	const bool failed = LLVMTargetMachineEmitToFile(machine, ir->module, path, LLVMObjectFile, &text);
	if (failed) {
		lp_fail(error, "cannot write '%s': %s", path, text);
		LLVMDisposeMessage(text);
	}
	LLVMDisposeTargetMachine(machine);
	return !failed;
}

bool lp_ir_emit(struct lp_ir *ir, unsigned level, const char *path, struct lp_error *error)
{
	static const char *const passes[] = {
		NULL, "function(sroa,early-cse,simplifycfg)", "default<O2>", "default<O3>",
	};
	const char *chosen = passes[level < 4 ? level : 3];

	return verify(ir, error) && (!chosen || lp_ir_run_passes(ir, chosen, error)) &&
	       emit(ir, level, path, error);
}
