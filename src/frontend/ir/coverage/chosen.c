/* chosen.c -- selects the functions whose coverage is recorded. */
#include "frontend/ir/coverage/chosen.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "frontend/ir/access/site_records.h"
#include "frontend/ir/prepare.h"
#include "frontend/system_file.h"

/* Of linchpin.h; the bodies of methods, lp_method_NAME, are the object's. */
static bool is_of_harness(const char *name)
{
	static const char *const names[] = {
		"lp_setup", "lp_setup_thread", "lp_teardown", "lp_teardown_thread", "lp_invariant", "lp_invariant_holds",
		"lp_own_main", NULL
	};

	for (const char *const *n = names; *n; n++)
		if (!strcmp(name, *n))
			return true;
	return !strncmp(name, "lp_thread_", 10) || !strncmp(name, "lp_proposition_", 15);
}

/* It has no code but assembly. */
static bool is_naked(lp_ir_value f)
{
	return LLVMGetEnumAttributeAtIndex(f, LP_IR_OF_FUNCTION, LLVMGetEnumAttributeKindForName("naked", 5));
}

/* In C++ names of functions are mangled; debug information has those of the source. */
static bool is_around_calls(struct lp_ir *ir, lp_ir_value f)
{
	const LLVMMetadataRef subprogram = LLVMGetSubprogram(f);

	return is_of_harness(lp_ir_name(f)) ||
	       (subprogram && is_of_harness(lp_ir_text_at(ir, lp_ir_scope_function(ir, subprogram))));
}

static bool is_candidate(struct lp_ir *ir, lp_ir_value f)
{
	const LLVMMetadataRef subprogram = lp_ir_is_defined(f) ? LLVMGetSubprogram(f) : NULL;

	if (!subprogram || lp_ir_is_own(f) || is_naked(f) || LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
		return false;
	const char *file = lp_ir_text_at(ir, lp_ir_scope_file(ir, subprogram));
	return *file && !lp_is_system_file(file) && !is_around_calls(ir, f);
}

/* What only the specification refers to. */
static void find_specification(struct lp_ir *ir, struct lp_ir_values *functions)
{
	const lp_ir_value kind = LLVMGetNamedGlobal(ir->module, "lp_harness_own_kind");
	struct lp_ir_values calls = { 0 };

	functions->count = 0;
	if (!kind)
		return;
	LP_PUSH(functions, kind);
	lp_ir_values_reach(functions);
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f) && is_around_calls(ir, f))
			LP_PUSH(&calls, f);
	lp_ir_values_reach(&calls);
	for (uint32_t i = 0; i < functions->count; i++)
		if (lp_ir_values_have(&calls, functions->at[i]))
			functions->at[i--] = functions->at[--functions->count];
	lp_free(calls.at);
}

void lp_ir_choose_covered(struct lp_ir *ir, struct lp_ir_values *functions)
{
	struct lp_ir_values specification = { 0 };

	find_specification(ir, &specification);
	LP_IR_EACH_FUNCTION(ir, f)
		if (is_candidate(ir, f) && !lp_ir_values_have(&specification, f))
			LP_PUSH(functions, f);
	lp_free(specification.at);
}
