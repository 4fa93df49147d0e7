/* call_sites.c -- classifies calls by the function that is called. */
#define _GNU_SOURCE
#include "frontend/ir/access/call_sites.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "frontend/assembly/lower_assembly.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/access/site_records.h"
#include "frontend/library_functions.h"

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool is_assembly(lp_ir_value call)
{
	return LLVMIsAInlineAsm(LLVMGetCalledValue(call));
}

bool lp_ir_is_site(lp_ir_value x)
{
	static const char *const notes[] = {
		"lp_object_begins", "lp_object_ends", "lp_private_begins", "lp_stack_unwound",
		"lp_arguments_begin", "lp_not_understood", "lp_foreign_local", "lp_defined", "lp_within",
		"lp_mutant_seen", NULL
	};

	return lp_ir_is_call(x) && !is_assembly(x) && !lp_ir_is_intrinsic(x, "llvm.") &&
	       !is_one_of(lp_ir_callee(x), notes);
}

bool lp_ir_returns_twice(lp_ir_value x)
{
	return lp_ir_is_call(x) && strstr(lp_ir_callee(x), "setjmp");
}

enum lp_site_kind lp_ir_call_kind(lp_ir_value call)
{
	const lp_ir_value f = LLVMGetCalledValue(call);

	if (!LLVMIsAFunction(f) || lp_ir_is_defined(f))
		return LP_SITE_CALL;
	return lp_ir_is_intrinsic(call, "lp_shim_") ? LP_SITE_MODEL : LP_SITE_LIBRARY;
}

/* Space at the ends, and more than one in between, is of no interest. */
static void squeeze(const char *text, char *out, size_t size)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++) {
		const bool space = isspace((unsigned char)*text);
		if (!space || (used && out[used - 1] != ' '))
			out[used++] = space ? ' ' : *text;
	}
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
}

bool lp_ir_assembly_reads(const char *text)
{
	return strcasestr(text, "incbin") || strcasestr(text, "include") || strcasestr(text, "macro");
}

void lp_ir_describe_assembly(const char *text, char *out, size_t size)
{
	char words[64];

	squeeze(text, words, sizeof words);
	snprintf(out, size, *words ? "inline assembly ('%s')" : "%s", words);
}

static bool begins_with_one(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(name, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

/* Does the function touch no memory, not even of the processor's own?  LLVM says so by memory(none). */
static bool is_computation(lp_ir_value f)
{
	const LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
		f, LP_IR_OF_FUNCTION, LLVMGetEnumAttributeKindForName("memory", 6));

	return memory && !LLVMGetEnumAttributeValue(memory);
}

/* Intrinsics of the processor's that are neither computations nor accesses that LLVM knows. */
static bool is_strange_intrinsic(lp_ir_value f)
{
	static const char *const strange[] = { "llvm.readcyclecounter", "llvm.readsteadycounter", "llvm.masked.",
					       "llvm.vp.", NULL };
	static const char *const processors[] = { "llvm.x86.", "llvm.aarch64.", NULL };
	const char *name = lp_ir_name(f);

	return begins_with_one(name, strange) || (begins_with_one(name, processors) && !is_computation(f));
}

/* "the instruction 'rdtsc'", from llvm.x86.rdtsc. */
static void describe_intrinsic(const char *name, char *out, size_t size)
{
	const char *dot = strrchr(name, '.');

	snprintf(out, size, "the instruction '%s'", dot ? dot + 1 : name);
}

void lp_ir_not_understood(struct lp_ir *ir, lp_ir_value call, enum lp_site_kind kind, const char *name)
{
	const uint32_t site = lp_ir_site(ir, kind, call), text = lp_ir_text(ir, name);
	struct lp_site *record = lp_ir_site_record(ir, site);
	lp_ir_value address = lp_ir_site_address(ir, site);

	record->name = text;
	record->flags |= LP_SITE_UNKNOWN;
	lp_ir_call(ir, "lp_not_understood", ir->nothing, &address, 1);
}

/* A function that is declared only, and that nothing is known of. */
static bool is_unknown(lp_ir_value f)
{
	const char *name = lp_ir_name(f);

	return LLVMIsAFunction(f) && !lp_ir_is_defined(f) && !lp_ir_is_hook(name) &&
	       strncmp(name, "lp_shim_", 8) && strncmp(name, "llvm.", 5) && !lp_library_is_harmless(name);
}

/* Adds why the assembly is not understood, unless it is one instruction, which is then the reason. */
static void add_trouble(lp_ir_value call, const char *assembly, char *text, size_t size)
{
	char why[160];
	const size_t length = strlen(text);

	lp_assembly_trouble(call, why, sizeof why);
	assembly += strspn(assembly, " \t\n");
	if (*why && length && (strpbrk(assembly, ";\n") || strncmp(assembly, why, strcspn(why, " "))))
		snprintf(text + length - 1, size - length + 1, ": %s)", why);
}

void lp_ir_hook_unknown(struct lp_ir *ir, lp_ir_value call)
{
	const lp_ir_value f = LLVMGetCalledValue(call);
	const char *name = lp_ir_callee(call);
	char text[256];

	if (is_assembly(call)) {
		size_t length;
		const char *assembly = LLVMGetInlineAsmAsmString(f, &length);
		ir->reads_files |= lp_ir_assembly_reads(assembly);
		lp_ir_describe_assembly(assembly, text, sizeof text);
		add_trouble(call, assembly, text, sizeof text);
		if (*text)
			lp_ir_not_understood(ir, call, LP_SITE_ASSEMBLY, text);
	} else if (!strncmp(name, "llvm.", 5)) {
		describe_intrinsic(name, text, sizeof text);
		if (is_strange_intrinsic(f))
			lp_ir_not_understood(ir, call, LP_SITE_ASSEMBLY, text);
	} else if (is_unknown(f)) {
		lp_ir_not_understood(ir, call, LP_SITE_LIBRARY, name);
	}
}

/* ---- addresses of functions ---- */

/* The calls of it; is it used otherwise, too? */
static bool find_calls(lp_ir_value f, struct lp_ir_values *calls)
{
	bool otherwise = false;

	calls->count = 0;
	LP_IR_EACH_USE(f, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (LLVMIsAInstruction(user) && lp_ir_is_call(user) && LLVMGetCalledValue(user) == f)
			lp_ir_values_add(calls, user);
		else
			otherwise = true;
	}
	return otherwise;
}

static void copy_attributes(lp_ir_value to, lp_ir_value from)
{
	for (unsigned i = 0; i <= LLVMCountParams(from); i++) {
		const unsigned count = LLVMGetAttributeCountAtIndex(from, i);
		LLVMAttributeRef *all = lp_alloc((count + 1) * sizeof *all);
		LLVMGetAttributesAtIndex(from, i, all);
		for (unsigned k = 0; k < count; k++)
			LLVMAddAttributeAtIndex(to, i, all[k]);
		lp_free(all);
	}
}

void lp_ir_pass_on(struct lp_ir *ir, lp_ir_value from, lp_ir_value to)
{
	const LLVMTypeRef type = LLVMGlobalGetValueType(from);
	const unsigned count = LLVMCountParams(from);
	lp_ir_value *arguments = lp_alloc((count + 1) * sizeof *arguments);

	LLVMGetParams(from, arguments);
	const lp_ir_value result = LLVMBuildCall2(ir->builder, type, to, arguments, count, "");
	LLVMSetTailCallKind(result, LLVMTailCallKindMustTail);
	if (LLVMGetReturnType(type) == ir->nothing)
		LLVMBuildRetVoid(ir->builder);
	else
		LLVMBuildRet(ir->builder, result);
	lp_free(arguments);
}

static void wrap(struct lp_ir *ir, lp_ir_value f, const struct lp_ir_values *calls)
{
	const LLVMTypeRef type = LLVMGlobalGetValueType(f);
	const lp_ir_value wrapper = LLVMAddFunction(ir->module, "lp.unknown", type);

	LLVMSetLinkage(wrapper, LLVMInternalLinkage);
	copy_attributes(wrapper, f);
	LLVMReplaceAllUsesWith(f, wrapper);
	for (uint32_t i = 0; i < calls->count; i++) /* the function is the last operand */
		LLVMSetOperand(calls->at[i], (unsigned)LLVMGetNumOperands(calls->at[i]) - 1, f);
	LLVMPositionBuilderAtEnd(ir->builder, LLVMAppendBasicBlockInContext(ir->context, wrapper, ""));
	LLVMSetCurrentDebugLocation2(ir->builder, NULL);
	lp_ir_pass_on(ir, wrapper, f);
}

void lp_ir_wrap_unknown(struct lp_ir *ir)
{
	struct lp_ir_values calls = { 0 }, unknown = { 0 };

	LP_IR_EACH_FUNCTION(ir, f)
		if (is_unknown(f))
			LP_PUSH(&unknown, f);
	for (uint32_t i = 0; i < unknown.count; i++)
		if (find_calls(unknown.at[i], &calls))
			wrap(ir, unknown.at[i], &calls);
	lp_free(calls.at);
	lp_free(unknown.at);
}
