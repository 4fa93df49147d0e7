/* library.c -- links those parts of src/frontend/library that a C++ program needs.
 *
 * If a definition is discardable, LLVM links it only if it is used.  So all definitions of the library are made discardable.  The
 * definitions that were linked may use further ones, so the parts are read again until nothing is missing.  They are read lazily,
 * without the bodies of functions.
 */
#include "frontend/ir/library.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

/* library.S */
extern const char *const lp_library_bitcode[][2];

/* Is the symbol missing in the program?  Only C++ has something to look for. */
static bool is_missing(const struct lp_ir *ir, const char *name)
{
	const lp_ir_value f = LLVMGetNamedFunction(ir->module, name);
	const lp_ir_value v = f ? f : LLVMGetNamedGlobal(ir->module, name);

	return v && LLVMIsDeclaration(v) && LLVMGetFirstUse(v);
}

static bool is_cplusplus(const struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f)
		if (LLVMIsDeclaration(f) && (!strncmp(lp_ir_name(f), "_ZN", 3) || !strncmp(lp_ir_name(f), "_ZSt", 4) ||
					     !strncmp(lp_ir_name(f), "__cxa_", 6)))
			return true;
	for (lp_ir_value g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
		if (LLVMIsDeclaration(g) && !strncmp(lp_ir_name(g), "_ZT", 3))
			return true;
	return false;
}

/* True if it defines something that is missing. */
static bool offer(const struct lp_ir *ir, lp_ir_value v)
{
	const LLVMLinkage linkage = LLVMGetLinkage(v);

	if (linkage == LLVMExternalLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage)
		LLVMSetLinkage(v, LLVMLinkOnceODRLinkage);
	return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
	       linkage != LLVMAvailableExternallyLinkage && is_missing(ir, lp_ir_name(v));
}

static bool offers(const struct lp_ir *ir, LLVMModuleRef part)
{
	bool any = false;

	for (lp_ir_value f = LLVMGetFirstFunction(part); f; f = LLVMGetNextFunction(f))
		any |= !LLVMIsDeclaration(f) && offer(ir, f);
	for (lp_ir_value g = LLVMGetFirstGlobal(part); g; g = LLVMGetNextGlobal(g))
		any |= !LLVMIsDeclaration(g) && offer(ir, g);
	for (lp_ir_value a = LLVMGetFirstGlobalAlias(part); a; a = LLVMGetNextGlobalAlias(a))
		any |= offer(ir, a);
	return any;
}

/* Operators new and delete in terms of others are the program's business if it replaces one. */
static bool replaces_operators(const struct lp_ir *ir)
{
	static const char *const names[] = { "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZnwmSt11align_val_t",
					     "_ZnamSt11align_val_t", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const lp_ir_value f = LLVMGetNamedFunction(ir->module, names[i]);
		if (f && lp_ir_is_defined(f))
			return true;
	}
	return false;
}

/* `*linked` tells whether something was. */
static bool link_part(struct lp_ir *ir, const char *const part[2], bool *linked, struct lp_error *error)
{
	const LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRange(part[0], (size_t)(part[1] - part[0]), "library", false);
	LLVMModuleRef module;

	if (LLVMGetBitcodeModuleInContext2(ir->context, buffer, &module))
		return lp_fail(error, "the C++ library is not LLVM bitcode of this version");
	if (!offers(ir, module)) {
		LLVMDisposeModule(module);
		return true;
	}
	*linked = true;
	return !LLVMLinkModules2(ir->module, module) || lp_fail(error, "the C++ library does not fit the program");
}

bool lp_ir_link_library(struct lp_ir *ir, struct lp_error *error)
{
	const size_t first = replaces_operators(ir) ? 0 : 1; /* new.cc is the first one */
	bool good = true, more = first == 0 || is_cplusplus(ir);

	while (good && more) {
		more = false;
		for (size_t i = first; good && lp_library_bitcode[i][0]; i++)
			good = link_part(ir, lp_library_bitcode[i], &more, error);
	}
	return good;
}
