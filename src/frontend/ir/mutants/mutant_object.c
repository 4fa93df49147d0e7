/* mutant_object.c -- decides which functions of a program are the object. */
#include "frontend/ir/mutants/mutant_object.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "frontend/ir/access/site_records.h"
#include "frontend/ir/mutants/fold.h"
#include "frontend/ir/prepare.h"
#include "frontend/system_file.h"

static bool has_atomics(lp_ir_value f)
{
	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			if (lp_ir_is_atomic(x) || LLVMIsAFenceInst(x))
				return true;
	return false;
}

bool lp_ir_place(struct lp_ir *ir, lp_ir_value x, struct lp_ir_place *place)
{
	const LLVMMetadataRef location = LLVMIsAInstruction(x) ? LLVMInstructionGetDebugLoc(x) : NULL;
	uint32_t at = lp_ir_source(ir, location);
	const uint32_t innermost = at;

	while (at && lp_is_system_file(lp_ir_text_at(ir, lp_ir_source_record(ir, at)->file)))
		at = lp_ir_source_record(ir, at)->inlined_at;
	const struct lp_source *s = lp_ir_source_record(ir, at);
	*place = (struct lp_ir_place){ s->file, s->function, s->line, s->column, at != innermost };
	return at && s->line;
}

/* ---- the user's files ---- */

static bool is_users(lp_ir_value f)
{
	const LLVMMetadataRef function = LLVMGetSubprogram(f);
	const LLVMMetadataRef file = function ? LLVMDIScopeGetFile(function) : NULL;
	unsigned length;
	char path[4096];

	if (!file || lp_ir_is_own(f))
		return false;
	const char *name = LLVMDIFileGetFilename(file, &length);
	if (length >= sizeof path)
		return false;
	memcpy(path, name, length);
	path[length] = '\0';
	return !lp_is_system_file(path);
}

bool lp_ir_inline_atomics(struct lp_ir *ir, struct lp_error *error)
{
	static const char word[] = "alwaysinline";
	const LLVMAttributeRef inlined = LLVMCreateEnumAttribute(
		ir->context, LLVMGetEnumAttributeKindForName(word, sizeof word - 1), 0);
	bool any = false;

	LP_IR_EACH_FUNCTION(ir, f) {
		/* Not those of shared pointers, in __gnu_cxx. */
		if (!lp_ir_is_defined(f) || is_users(f) || lp_ir_is_own(f) || !strstr(lp_ir_name(f), "atomic") ||
		    strstr(lp_ir_name(f), "9__gnu_cxx"))
			continue;
		LLVMAddAttributeAtIndex(f, LP_IR_OF_FUNCTION, inlined);
		any = true;
	}
	if (any && !lp_ir_run_passes(ir, "always-inline", error))
		return false;
	LP_IR_EACH_FUNCTION(ir, f)
		if (any && lp_ir_is_defined(f) && is_users(f))
			lp_ir_fold_orders(ir, f);
	return true;
}

/* ---- what can be reached ---- */

/* Of the harness' macros (linchpin.h), whatever the compiler makes of the names. */
static bool is_around(lp_ir_value f)
{
	return strstr(lp_ir_name(f), "lp_thread_") || strstr(lp_ir_name(f), "lp_setup") ||
	       strstr(lp_ir_name(f), "lp_teardown") || strstr(lp_ir_name(f), "lp_invariant") ||
	       strstr(lp_ir_name(f), "lp_proposition_");
}

bool lp_ir_is_method(lp_ir_value f)
{
	return strstr(lp_ir_name(f), "lp_method_");
}

/* Where the object is entered. */
static void find_entries(struct lp_ir *ir, struct lp_ir_values *reached)
{
	const lp_ir_value constructors = LLVMGetNamedGlobal(ir->module, "llvm.global_ctors");

	if (constructors)
		LP_PUSH(reached, constructors);
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f) && !lp_ir_is_own(f) &&
		    (lp_ir_is_method(f) || strstr(lp_ir_name(f), "lp_setup")))
			LP_PUSH(reached, f);
}

void lp_ir_find_object(struct lp_ir *ir, struct lp_ir_values *object)
{
	struct lp_ir_values reached = { 0 };

	object->count = 0;
	find_entries(ir, &reached);
	lp_ir_values_reach(&reached);
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f) && lp_ir_values_have(&reached, f) && is_users(f) && !is_around(f) &&
		    (!lp_ir_is_method(f) || has_atomics(f)))
			LP_PUSH(object, f);
	lp_free(reached.at);
}
