/* globals.c -- replaces each variable by a structure, whose first part is the variable, and whose second part is room. */
#include "frontend/ir/globals.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool begins_with_one(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(name, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

static bool is_variable(lp_ir_value g)
{
	static const char *const not_the_program_s[] = { "llvm.", "lp.", "lp_module", NULL };

	return LLVMGetInitializer(g) && LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage &&
	       !LLVMIsThreadLocal(g) && !begins_with_one(lp_ir_name(g), not_the_program_s);
}

/* A section of its own is a table that is made of variables: they have to lie next to each other.  Tables
 * of virtual functions and the like are read by the C++ library. */
static bool may_have_room(lp_ir_value g)
{
	static const char *const of_cxx[] = { "_ZTV", "_ZTT", "_ZTI", "_ZTS", "_ZTC", "_ZGV", "__dso_handle", NULL };
	const char *section = LLVMGetSection(g);

	return (!section || !*section) && !begins_with_one(lp_ir_name(g), of_cxx);
}

static void copy_metadata(lp_ir_value to, lp_ir_value from)
{
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);

	for (unsigned i = 0; i < count; i++)
		LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
				      LLVMValueMetadataEntriesGetMetadata(entries, i));
	LLVMDisposeValueMetadataEntries(entries);
}

static void copy_properties(lp_ir_value to, lp_ir_value from)
{
	const LLVMLinkage linkage = LLVMGetLinkage(from);

	LLVMSetLinkage(to, linkage == LLVMCommonLinkage ? LLVMWeakAnyLinkage : linkage);
	LLVMSetVisibility(to, LLVMGetVisibility(from));
	LLVMSetUnnamedAddress(to, LLVMGetUnnamedAddress(from));
	LLVMSetGlobalConstant(to, LLVMIsGlobalConstant(from));
	LLVMSetAlignment(to, LLVMGetAlignment(from));
	if (LLVMGetComdat(from))
		LLVMSetComdat(to, LLVMGetComdat(from));
	copy_metadata(to, from);
}

static lp_ir_value make_room(struct lp_ir *ir, lp_ir_value g)
{
	const LLVMTypeRef behind = LLVMArrayType2(ir->i8, LP_IR_ROOM_BEHIND);
	lp_ir_value parts[] = { LLVMGetInitializer(g), LLVMConstNull(behind) };
	const lp_ir_value whole = LLVMConstStructInContext(ir->context, parts, 2, false);
	const lp_ir_value made = LLVMAddGlobal(ir->module, LLVMTypeOf(whole), "");
	const size_t length = strlen(lp_ir_name(g));
	char *name = memcpy(lp_alloc(length + 1), lp_ir_name(g), length + 1);

	LLVMSetInitializer(made, whole);
	copy_properties(made, g);
	LLVMReplaceAllUsesWith(g, made);
	LLVMDeleteGlobal(g);
	LLVMSetValueName2(made, name, length);
	lp_free(name);
	return made;
}

static lp_ir_value record(struct lp_ir *ir, LLVMTypeRef type, lp_ir_value at, const struct lp_ir_local *v)
{
	lp_ir_value fields[] = { at, lp_ir_number(ir, v->size), LLVMConstInt(ir->i32, v->name, false),
				 LLVMConstInt(ir->i32, v->type, false) };

	return LLVMConstNamedStruct(type, fields, 4);
}

lp_ir_value lp_ir_define_variables(struct lp_ir *ir, uint32_t *count)
{
	LLVMTypeRef parts[] = { ir->ptr, ir->i64, ir->i32, ir->i32 };
	const LLVMTypeRef type = LLVMStructTypeInContext(ir->context, parts, 4, false);
	struct lp_ir_values variables = { 0 }, records = { 0 };

	for (lp_ir_value g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
		if (is_variable(g))
			LP_PUSH(&variables, g);
	for (uint32_t i = 0; i < variables.count; i++) {
		lp_ir_value g = variables.at[i];
		const uint64_t size = LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(g));
		if (may_have_room(g))
			g = make_room(ir, g);
		LP_PUSH(&records, record(ir, type, g, &(struct lp_ir_local){ .size = size }));
	}
	const lp_ir_value image = LLVMGetNamedGlobal(ir->module, "lp.locals");
	for (uint32_t i = 0; i < ir->locals.count; i++) {
		lp_ir_value offset = lp_ir_number(ir, ir->locals.at[i].offset);
		LP_PUSH(&records, record(ir, type, LLVMConstInBoundsGEP2(ir->i8, image, &offset, 1), &ir->locals.at[i]));
	}
	*count = records.count;
	const lp_ir_value data = LLVMConstArray2(type, records.at, records.count);
	const lp_ir_value table = LLVMAddGlobal(ir->module, LLVMTypeOf(data), "lp.variables");
	LLVMSetInitializer(table, data);
	LLVMSetLinkage(table, LLVMInternalLinkage);
	LLVMSetGlobalConstant(table, true);
	lp_free(variables.at);
	lp_free(records.at);
	return table;
}
