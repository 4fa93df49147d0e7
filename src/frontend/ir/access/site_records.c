/* site_records.c -- builds the records of sites, and lp_module, by which the runtime finds them. */
#include "frontend/ir/access/site_records.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "frontend/assembly/lower_assembly.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/coverage/cover.h"
#include "frontend/ir/globals.h"

struct lp_ir_sites {
	struct {
		LP_VEC(struct lp_site);
	} sites;
	struct {
		LP_VEC(struct lp_source);
	} sources;
	struct {
		LP_VEC(LLVMMetadataRef);
	} locations;          /* that the sources were made of */
	struct {
		LP_VEC(char);
	} texts;
	struct lp_hash_index by_text; /* offsets of texts */
	struct {
		LP_VEC(uint32_t);
	} live;
	LLVMValueRef base;
};

void lp_ir_sites_open(struct lp_ir *ir)
{
	struct lp_ir_sites *s = lp_alloc_zero(1, sizeof *s);

	ir->sites = s;
	LP_PUSH(&s->texts, '\0');
	LP_PUSH(&s->sources, (struct lp_source){ 0 });
	LP_PUSH(&s->locations, NULL);
	LP_PUSH(&s->live, 0);
	s->base = LLVMAddGlobal(ir->module, ir->i8, "lp.sites");
	LLVMSetInitializer(s->base, LLVMConstNull(ir->i8)); /* defined, it is not removed as unused */
}

void lp_ir_sites_close(struct lp_ir *ir)
{
	struct lp_ir_sites *s = ir->sites;

	lp_free(s->sites.at);
	lp_free(s->sources.at);
	lp_free(s->locations.at);
	lp_free(s->texts.at);
	lp_hash_close(&s->by_text);
	lp_free(s->live.at);
	lp_free(s);
	lp_free(ir->allocations.at);
	ir->sites = NULL;
}

/* ---- texts ---- */

static uint32_t hash(const char *text)
{
	uint32_t h = 2166136261u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 16777619u;
	return h;
}

uint32_t lp_ir_text(struct lp_ir *ir, const char *text)
{
	struct lp_ir_sites *s = ir->sites;

	if (!text || !*text)
		return 0;
	const uint32_t code = hash(text);
	struct lp_hash_probe probe = lp_hash_probe(&s->by_text, code);
	uint32_t at;
	while ((at = lp_hash_next(&s->by_text, &probe)) != LP_HASH_NONE)
		if (!strcmp(s->texts.at + at, text))
			return at;
	const size_t size = strlen(text) + 1;
	at = s->texts.count;
	lp_hash_add(&s->by_text, code, at);
	LP_RESERVE(&s->texts, size);
	memcpy(s->texts.at + at, text, size);
	s->texts.count += (uint32_t)size;
	return at;
}

const char *lp_ir_text_at(const struct lp_ir *ir, uint32_t text)
{
	return ir->sites->texts.at + text;
}

/* ---- sources ---- */

/* Operands of debug information: its classes are not part of LLVM's C interface. */
enum { SCOPE_OPERAND = 1, NAME_OPERAND = 2 };

static lp_ir_value operand(const struct lp_ir *ir, LLVMMetadataRef node, unsigned which)
{
	const lp_ir_value value = LLVMMetadataAsValue(ir->context, node);
	const unsigned count = LLVMGetMDNodeNumOperands(value);
	lp_ir_value operands[64];

	if (count <= which || count > 64)
		return NULL;
	LLVMGetMDNodeOperands(value, operands);
	return operands[which];
}

static LLVMMetadataRef subprogram(const struct lp_ir *ir, LLVMMetadataRef scope)
{
	while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
		const lp_ir_value up = operand(ir, scope, SCOPE_OPERAND);
		scope = up ? LLVMValueAsMetadata(up) : NULL;
	}
	return scope;
}

uint32_t lp_ir_scope_function(struct lp_ir *ir, LLVMMetadataRef scope)
{
	const LLVMMetadataRef function = subprogram(ir, scope);
	const lp_ir_value name = function ? operand(ir, function, NAME_OPERAND) : NULL;
	char text[512];
	unsigned length;

	if (!name)
		return 0;
	snprintf(text, sizeof text, "%s", LLVMGetMDString(name, &length));
	return lp_ir_text(ir, text);
}

uint32_t lp_ir_scope_file(struct lp_ir *ir, LLVMMetadataRef scope)
{
	const LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned name_length, folder_length;
	char text[4096];

	if (!file)
		return 0;
	const char *name = LLVMDIFileGetFilename(file, &name_length);
	const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
	if (name_length && *name == '/')
		folder_length = 0;
	snprintf(text, sizeof text, "%.*s%s%.*s", (int)folder_length, folder ? folder : "",
		 folder_length ? "/" : "", (int)name_length, name);
	return lp_ir_text(ir, text);
}

uint32_t lp_ir_source(struct lp_ir *ir, LLVMMetadataRef location)
{
	struct lp_ir_sites *s = ir->sites;

	if (!location)
		return 0;
	for (uint32_t i = s->locations.count; i-- > 1 && i + 64 > s->locations.count;)
		if (s->locations.at[i] == location)
			return i;
	const LLVMMetadataRef scope = LLVMDILocationGetScope(location);
	const struct lp_source made = {
		.file = lp_ir_scope_file(ir, scope), .function = lp_ir_scope_function(ir, scope),
		.line = LLVMDILocationGetLine(location), .column = LLVMDILocationGetColumn(location),
		.inlined_at = lp_ir_source(ir, LLVMDILocationGetInlinedAt(location)),
	};
	LP_PUSH(&s->sources, made);
	LP_PUSH(&s->locations, location);
	return s->sources.count - 1;
}

const struct lp_source *lp_ir_source_record(const struct lp_ir *ir, uint32_t source)
{
	return &ir->sites->sources.at[source];
}

/* ---- sites ---- */

uint32_t lp_ir_site(struct lp_ir *ir, enum lp_site_kind kind, lp_ir_value instruction)
{
	struct lp_ir_sites *s = ir->sites;
	const LLVMMetadataRef location = instruction ? LLVMInstructionGetDebugLoc(instruction) : NULL;
	struct lp_site site = { .kind = (uint8_t)kind, .source = lp_ir_source(ir, location), .same = s->sites.count };

	if (instruction && lp_lower_is_marked(instruction))
		site.flags = LP_SITE_INSTRUCTION;
	LP_PUSH(&s->sites, site);
	return s->sites.count - 1;
}

uint32_t lp_ir_site_count(const struct lp_ir *ir)
{
	return ir->sites->sites.count;
}

struct lp_site *lp_ir_site_record(struct lp_ir *ir, uint32_t site)
{
	return &ir->sites->sites.at[site];
}

void lp_ir_site_locate(struct lp_ir *ir, uint32_t site, lp_ir_value instruction)
{
	const LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
	const uint32_t at = lp_ir_source(ir, location);

	if (at)
		ir->sites->sites.at[site].source = at;
}

uint32_t lp_ir_site_copy(struct lp_ir *ir, uint32_t site)
{
	struct lp_site copy = ir->sites->sites.at[site];

	copy.same = ir->sites->sites.count;
	LP_PUSH(&ir->sites->sites, copy);
	return ir->sites->sites.count - 1;
}

lp_ir_value lp_ir_site_address(struct lp_ir *ir, uint32_t site)
{
	lp_ir_value offset = lp_ir_number(ir, site * sizeof(struct lp_site));

	return LLVMConstInBoundsGEP2(ir->i8, ir->sites->base, &offset, 1);
}

bool lp_ir_site_of(struct lp_ir *ir, lp_ir_value address, uint32_t *site)
{
	*site = 0;
	if (address == ir->sites->base)
		return true;
	if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr ||
	    LLVMGetOperand(address, 0) != ir->sites->base)
		return false;
	*site = (uint32_t)(LLVMConstIntGetZExtValue(LLVMGetOperand(address, 1)) / sizeof(struct lp_site));
	return true;
}

uint32_t lp_ir_live(struct lp_ir *ir, const uint32_t *entries, uint32_t count)
{
	struct lp_ir_sites *s = ir->sites;
	const uint32_t at = s->live.count;

	/* Most lists are short, and like the one before. */
	if (count && at > count && !memcmp(s->live.at + at - count, entries, count * sizeof *entries))
		return at - count;
	LP_RESERVE(&s->live, count);
	if (count)
		memcpy(s->live.at + at, entries, count * sizeof *entries);
	s->live.count += count;
	return at;
}

/* ---- the module record ---- */

/* A constant of those bytes, which have no pointers in them. */
lp_ir_value lp_ir_define_bytes(struct lp_ir *ir, const char *name, const void *bytes, size_t size)
{
	const lp_ir_value data = LLVMConstStringInContext2(ir->context, bytes, size, true);
	const lp_ir_value global = LLVMAddGlobal(ir->module, LLVMTypeOf(data), name);

	LLVMSetInitializer(global, data);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetAlignment(global, 8);
	return global;
}

static lp_ir_value define_array(struct lp_ir *ir, const char *name, LLVMTypeRef type, lp_ir_value *at,
				uint32_t count)
{
	const lp_ir_value data = LLVMConstArray2(type, at, count);
	const lp_ir_value global = LLVMAddGlobal(ir->module, LLVMTypeOf(data), name);

	LLVMSetInitializer(global, data);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetGlobalConstant(global, true);
	return global;
}

struct start {
	lp_ir_value function;
	uint64_t priority;
	uint32_t number;
};

static int by_priority(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Takes llvm.global_ctors, or _dtors, which LLVM would have the dynamic linker run. */
static lp_ir_value define_starts(struct lp_ir *ir, const char *llvm, const char *name, uint32_t *count)
{
	LLVMTypeRef parts[] = { ir->ptr, ir->i32 };
	const LLVMTypeRef type = LLVMStructTypeInContext(ir->context, parts, 2, false);
	const lp_ir_value list = LLVMGetNamedGlobal(ir->module, llvm);
	struct { LP_VEC(struct start); } all = { 0 };
	struct lp_ir_values records = { 0 };

	const lp_ir_value entries = list ? LLVMGetInitializer(list) : NULL;
	for (int i = 0; entries && LLVMIsAConstantArray(entries) && i < LLVMGetNumOperands(entries); i++) {
		const lp_ir_value e = LLVMGetOperand(entries, (unsigned)i);
		LP_PUSH(&all, ((struct start){ LLVMGetOperand(e, 1),
					       LLVMConstIntGetZExtValue(LLVMGetOperand(e, 0)), (uint32_t)i }));
	}
	if (all.count)
		qsort(all.at, all.count, sizeof *all.at, by_priority);
	for (uint32_t i = 0; i < all.count; i++) {
		lp_ir_value fields[] = { all.at[i].function,
					 LLVMConstInt(ir->i32, all.at[i].priority, false) };
		LP_PUSH(&records, LLVMConstNamedStruct(type, fields, 2));
	}
	if (list)
		LLVMDeleteGlobal(list);
	*count = records.count;
	const lp_ir_value array = define_array(ir, name, type, records.at, records.count);
	lp_free(records.at);
	lp_free(all.at);
	return array;
}

/* The image of thread-local variables is called lp.locals (prepare.c), where there is one. */
static lp_ir_value locals_image(struct lp_ir *ir, uint64_t *size, uint64_t *align)
{
	const lp_ir_value image = LLVMGetNamedGlobal(ir->module, "lp.locals");

	*size = image ? LLVMABISizeOfType(ir->layout, LLVMGlobalGetValueType(image)) : 0;
	*align = image ? LLVMGetAlignment(image) : 1;
	return image ? image : LLVMConstNull(ir->ptr);
}

/* May the function be called by its address, and does it ignore its only argument? */
static bool ignores_argument(lp_ir_value f)
{
	if (!lp_ir_is_defined(f) || LLVMCountParams(f) != 1 || LLVMGetFirstUse(LLVMGetParam(f, 0)))
		return false;
	LP_IR_EACH_USE(f, u)
		if (!lp_ir_is_call(LLVMGetUser(u)) || LLVMGetCalledValue(LLVMGetUser(u)) != f)
			return true;
	return false;
}

static lp_ir_value define_ignoring(struct lp_ir *ir, uint32_t *count)
{
	struct lp_ir_values all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f)
		if (ignores_argument(f))
			LP_PUSH(&all, f);
	*count = all.count;
	const lp_ir_value array = define_array(ir, "lp.ignoring", ir->ptr, all.at, all.count);
	lp_free(all.at);
	return array;
}

/* Assembly outside of functions. */
static uint32_t describe_assembly(struct lp_ir *ir)
{
	size_t length;
	char text[96];

	const char *assembly = LLVMGetModuleInlineAsm(ir->module, &length);
	ir->reads_files |= lp_ir_assembly_reads(assembly);
	lp_ir_describe_assembly(assembly, text, sizeof text);
	return lp_ir_text(ir, text);
}

void lp_ir_sites_define(struct lp_ir *ir)
{
	struct lp_ir_sites *s = ir->sites;
	const uint32_t assembly = describe_assembly(ir);
	uint32_t variables, constructors, destructors, ignoring;
	uint64_t locals_size, locals_align;

	const lp_ir_value sites = lp_ir_define_bytes(ir, "lp.site.records", s->sites.at,
					       s->sites.count * sizeof *s->sites.at);
	LLVMReplaceAllUsesWith(s->base, sites);
	LLVMDeleteGlobal(s->base);
	s->base = sites;
	const lp_ir_value locals = locals_image(ir, &locals_size, &locals_align);
	const lp_ir_value variable_table = lp_ir_define_variables(ir, &variables);
	const lp_ir_value starts = define_starts(ir, "llvm.global_ctors", "lp.constructors", &constructors);
	const lp_ir_value ends = define_starts(ir, "llvm.global_dtors", "lp.destructors", &destructors);
	const lp_ir_value ignoring_table = define_ignoring(ir, &ignoring);
	lp_ir_value fields[] = {
		LLVMConstInt(ir->i32, LP_ABI_VERSION, false),
		LLVMConstInt(ir->i32, s->sites.count, false),
		LLVMConstInt(ir->i32, s->sources.count, false),
		LLVMConstInt(ir->i32, variables, false),
		LLVMConstInt(ir->i32, constructors, false),
		LLVMConstInt(ir->i32, destructors, false),
		ir->current,
		sites,
		lp_ir_define_bytes(ir, "lp.sources", s->sources.at, s->sources.count * sizeof *s->sources.at),
		lp_ir_define_bytes(ir, "lp.texts", s->texts.at, s->texts.count),
		lp_ir_define_bytes(ir, "lp.live", s->live.at, s->live.count * sizeof *s->live.at),
		variable_table, starts, ends, locals,
		lp_ir_number(ir, locals_size), lp_ir_number(ir, locals_align),
		LLVMConstInt(ir->i32, ir->tells_threads_apart, false),
		LLVMConstInt(ir->i32, assembly, false),
		ignoring_table, lp_ir_number(ir, ignoring),
		lp_ir_define_coverage(ir),
	};
	const lp_ir_value record = LLVMConstStructInContext(ir->context, fields,
							    sizeof fields / sizeof *fields, false);
	const lp_ir_value module = LLVMAddGlobal(ir->module, LLVMTypeOf(record), "lp_module");
	LLVMSetInitializer(module, record);
	LLVMSetGlobalConstant(module, true);
}
