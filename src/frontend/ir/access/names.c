/* names.c -- finds names, as in the source, for the memory that is accessed; see names.h. */
#include "frontend/ir/access/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/brief_name.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

struct declared {
	lp_ir_value at;
	LLVMMetadataRef variable;
};

struct texts {
	uint32_t variable, type, object, offset;
};

struct lp_ir_names {
	LP_VEC(struct declared); /* by address of the value */
	struct {
		LP_VEC(struct texts);
	} texts;                 /* by instruction */
};

enum { DEPTH = 12, ROOM = 160 };

/* Tags of DWARF; llvm-c/DebugInfo.h has none. */
enum { ARRAY = 0x01, ENUMERATION = 0x04, POINTER = 0x0f, REFERENCE = 0x10, STRUCTURE = 0x13, TYPEDEF = 0x16,
       UNION = 0x17, MEMBER = 0x0d, INHERITANCE = 0x1c, CONST = 0x26, VOLATILE = 0x35, ATOMIC = 0x47, CLASS = 0x02,
       BASE = 0x24 };

/* Where operands of debug information are: its classes are not part of LLVM's C interface. */
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3 };

/* ---- debug information ---- */

static LLVMMetadataRef operand(const struct lp_ir *ir, LLVMMetadataRef node, unsigned which)
{
	const lp_ir_value value = LLVMMetadataAsValue(ir->context, node);
	const unsigned count = LLVMGetMDNodeNumOperands(value);
	LLVMMetadataRef found = NULL;

	if (count > which) {
		lp_ir_value *all = lp_alloc(count * sizeof *all);
		LLVMGetMDNodeOperands(value, all);
		found = all[which] ? LLVMValueAsMetadata(all[which]) : NULL;
		lp_free(all);
	}
	return found;
}

static bool copy_name(const struct lp_ir *ir, LLVMMetadataRef variable, char out[static ROOM])
{
	const LLVMMetadataRef name = operand(ir, variable, VARIABLE_NAME);
	unsigned length;

	out[0] = 0;
	if (name && LLVMGetMetadataKind(name) == LLVMMDStringMetadataKind)
		snprintf(out, ROOM, "%s", LLVMGetMDString(LLVMMetadataAsValue(ir->context, name), &length));
	return out[0];
}

static unsigned tag_of(LLVMMetadataRef type)
{
	return type ? LLVMGetDINodeTag(type) : 0;
}

static LLVMMetadataRef base_of(const struct lp_ir *ir, LLVMMetadataRef type)
{
	return operand(ir, type, TYPE_BASE);
}

/* The type without typedef, const, volatile and _Atomic around it. */
static LLVMMetadataRef peeled(const struct lp_ir *ir, LLVMMetadataRef type)
{
	while (tag_of(type) == TYPEDEF || tag_of(type) == CONST || tag_of(type) == VOLATILE || tag_of(type) == ATOMIC)
		type = base_of(ir, type);
	return type;
}

static bool is_structure(LLVMMetadataRef type)
{
	return tag_of(type) == STRUCTURE || tag_of(type) == CLASS;
}

/* In bits; typedefs have no size of their own. */
static uint64_t size_of(const struct lp_ir *ir, LLVMMetadataRef type)
{
	const LLVMMetadataRef inner = peeled(ir, type);

	return inner ? LLVMDITypeGetSizeInBits(inner) : 0;
}

static void append(char out[static ROOM], const char *text)
{
	const size_t used = strlen(out);

	snprintf(out + used, ROOM - used, "%s", text);
}

/* As it would be declared, near enough: "struct node *", "_Atomic(int)". */
static void put_type(const struct lp_ir *ir, LLVMMetadataRef type, char out[static ROOM], unsigned depth)
{
	static const struct { unsigned tag; const char *before, *after; } forms[] = {
		{ POINTER, "", " *" }, { REFERENCE, "", " &" }, { CONST, "const ", "" },
		{ VOLATILE, "volatile ", "" }, { ATOMIC, "_Atomic(", ")" }, { ARRAY, "", "[]" },
	};
	const unsigned tag = tag_of(type);
	size_t length = 0;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (tag == forms[i].tag && depth) {
			append(out, forms[i].before);
			put_type(ir, base_of(ir, type), out, depth - 1);
			append(out, forms[i].after);
			return;
		}
	if (!type)
		append(out, "void");
	else if (tag == STRUCTURE || tag == UNION || tag == ENUMERATION || tag == CLASS || tag == TYPEDEF || tag == BASE)
		append(out, LLVMDITypeGetName(type, &length));
}

/* ---- places ---- */

/* What a pointer points to. */
struct place {
	char text[ROOM];
	LLVMMetadataRef type; /* NULL: unknown */
	bool through;         /* `text` is the pointer */
	LLVMMetadataRef object; /* what the last pointer on the way points to, or the last element; NULL: none */
	uint64_t offset;      /* in that, in bytes */
};

static int by_value(const void *a, const void *b)
{
	const uintptr_t x = (uintptr_t)((const struct declared *)a)->at, y = (uintptr_t)((const struct declared *)b)->at;

	return (x > y) - (x < y);
}

static bool local_place(const struct lp_ir *ir, lp_ir_value p, struct place *out)
{
	const struct declared key = { .at = p };
	const struct declared *found = ir->names->count ?
		bsearch(&key, ir->names->at, ir->names->count, sizeof key, by_value) : NULL;

	if (!found || !copy_name(ir, found->variable, out->text))
		return false;
	out->type = operand(ir, found->variable, VARIABLE_TYPE);
	return true;
}

static bool global_place(const struct lp_ir *ir, lp_ir_value p, struct place *out)
{
	const unsigned dbg = LLVMGetMDKindIDInContext(ir->context, "dbg", 3);
	size_t count;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(p, &count);
	bool named = false;

	for (size_t i = 0; i < count && !named; i++) {
		if (LLVMValueMetadataEntriesGetKind(all, (unsigned)i) != dbg)
			continue;
		const LLVMMetadataRef variable = operand(ir, LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i), 0);
		named = variable && copy_name(ir, variable, out->text);
		out->type = named ? operand(ir, variable, VARIABLE_TYPE) : NULL;
	}
	LLVMDisposeValueMetadataEntries(all);
	return named;
}

/* An array without a size is the last member, and extends to the end of the object. */
static bool is_flexible(const struct lp_ir *ir, LLVMMetadataRef member)
{
	return tag_of(peeled(ir, base_of(ir, member))) == ARRAY && !size_of(ir, member);
}

/* The member of the structure that has that bit; a base class is one. */
static LLVMMetadataRef find_member(const struct lp_ir *ir, LLVMMetadataRef type, uint64_t bit)
{
	const LLVMMetadataRef elements = operand(ir, type, TYPE_ELEMENTS);
	const lp_ir_value list = elements ? LLVMMetadataAsValue(ir->context, elements) : NULL;
	const unsigned count = list ? LLVMGetMDNodeNumOperands(list) : 0;
	lp_ir_value *all = lp_alloc((count + 1) * sizeof *all);
	LLVMMetadataRef found = NULL;

	if (count)
		LLVMGetMDNodeOperands(list, all);
	for (unsigned i = 0; i < count && !found; i++) {
		const LLVMMetadataRef member = all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
		if (tag_of(member) != MEMBER && tag_of(member) != INHERITANCE)
			continue;
		const uint64_t begin = LLVMDITypeGetOffsetInBits(member);
		if (bit >= begin && (bit - begin < size_of(ir, member) || (i + 1 == count && is_flexible(ir, member))))
			found = member;
	}
	lp_free(all);
	return found;
}

/* Goes to the member, and takes its offset from `*offset`, in bytes. */
static bool enter_member(const struct lp_ir *ir, struct place *out, uint64_t *offset)
{
	const LLVMMetadataRef member = find_member(ir, peeled(ir, out->type), *offset * 8);
	size_t length;

	if (!member)
		return false;
	if (is_flexible(ir, member)) /* its elements do not tell what the object is, of which they are the end */
		out->object = NULL;
	*offset -= LLVMDITypeGetOffsetInBits(member) / 8;
	out->offset += LLVMDITypeGetOffsetInBits(member) / 8;
	out->type = base_of(ir, member);
	if (tag_of(member) == INHERITANCE)
		return true;
	const char *name = LLVMDITypeGetName(member, &length);
	if (!length || name[0] == '_')
		return false;
	append(out->text, out->through ? "->" : ".");
	append(out->text, name);
	out->through = false;
	return true;
}

/* Goes one step towards the offset: to a member or an element.  False if there is none. */
static bool enter_part(const struct lp_ir *ir, struct place *out, uint64_t *offset)
{
	const LLVMMetadataRef type = peeled(ir, out->type);
	char text[32];

	if (is_structure(type))
		return enter_member(ir, out, offset);
	const uint64_t each = tag_of(type) == ARRAY && !out->through ? size_of(ir, base_of(ir, type)) / 8 : 0;
	if (!each)
		return false;
	snprintf(text, sizeof text, "[%llu]", (unsigned long long)(*offset / each));
	append(out->text, text);
	out->type = base_of(ir, type);
	out->offset += *offset - *offset % each;
	*offset %= each;
	return true;
}

/* To the offset, at least one step: constant expressions leave out steps to what is first in a
 * structure or array. */
static bool enter_offset(const struct lp_ir *ir, struct place *out, uint64_t offset)
{
	do
		if (!enter_part(ir, out, &offset))
			return false;
	while (offset);
	return true;
}

/* An access is to a scalar: to what is first in a structure or array. */
static bool enter_scalar(const struct lp_ir *ir, struct place *out)
{
	LLVMMetadataRef type;
	uint64_t offset = 0;

	while ((type = peeled(ir, out->type)) && (is_structure(type) || (tag_of(type) == ARRAY && !out->through)))
		if (!enter_part(ir, out, &offset))
			return false;
	return true;
}

static bool enter_element(const struct lp_ir *ir, lp_ir_value gep, lp_ir_value index, struct place *out)
{
	char text[32] = "[...]";

	if (LLVMGetNumIndices(gep) == 2) { /* of an array; else of what the pointer points to */
		const LLVMMetadataRef type = peeled(ir, out->type);
		if (tag_of(type) != ARRAY || out->through)
			return false;
		out->type = base_of(ir, type);
	} else if (!out->through) {
		return false;
	}
	if (LLVMIsAConstantInt(index))
		snprintf(text, sizeof text, "[%lld]", (long long)LLVMConstIntGetSExtValue(index));
	append(out->text, text);
	out->through = false;
	if (out->object)
		out->object = out->type; /* an element more or less: the same type is there */
	out->offset = 0;
	return true;
}

/* Of a constant expression, in bytes. */
static bool constant_offset(const struct lp_ir *ir, lp_ir_value gep, uint64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	*offset = 0;
	for (unsigned i = 1; i <= LLVMGetNumIndices(gep); i++) {
		const lp_ir_value index = LLVMGetOperand(gep, i);
		if (!LLVMIsAConstantInt(index))
			return false;
		const uint64_t n = LLVMConstIntGetZExtValue(index);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*offset += LLVMOffsetOfElement(ir->layout, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		type = i > 1 ? LLVMGetElementType(type) : type;
		*offset += n * LLVMABISizeOfType(ir->layout, type);
	}
	return true;
}

static bool find_place(const struct lp_ir *ir, lp_ir_value p, struct place *out, unsigned depth)
{
	if (!depth)
		return false;
	if (LLVMIsAGlobalVariable(p))
		return global_place(ir, p, out);
	if (LLVMIsALoadInst(p)) {
		if (!find_place(ir, LLVMGetOperand(p, 0), out, depth - 1) || out->through)
			return false;
		const LLVMMetadataRef type = peeled(ir, out->type);
		if (tag_of(type) != POINTER && tag_of(type) != REFERENCE)
			return false;
		out->type = out->object = base_of(ir, type);
		out->offset = 0;
		out->through = true;
		return true;
	}
	if (LLVMIsAGetElementPtrInst(p) || (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr)) {
		const unsigned indices = LLVMGetNumIndices(p);
		if (!find_place(ir, LLVMGetOperand(p, 0), out, depth - 1))
			return false;
		const LLVMTypeRef of = LLVMGetGEPSourceElementType(p);
		const lp_ir_value last = LLVMGetOperand(p, indices);
		if (indices == 2 && LLVMGetTypeKind(of) == LLVMStructTypeKind) {
			const unsigned field = (unsigned)LLVMConstIntGetZExtValue(last);
			return enter_offset(ir, out, LLVMOffsetOfElement(ir->layout, of, field));
		}
		uint64_t offset;
		if (LLVMIsAConstantExpr(p) && indices != 2)
			return constant_offset(ir, p, &offset) && enter_offset(ir, out, offset);
		return indices <= 2 && enter_element(ir, p, last, out);
	}
	return local_place(ir, p, out);
}

static lp_ir_value pointer_of(lp_ir_value x)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMLoad:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(x, 0);
	case LLVMStore:
		return LLVMGetOperand(x, 1);
	default:
		return NULL;
	}
}

static struct texts texts_of(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	const lp_ir_value pointer = pointer_of(x);
	struct place at = { .text = "" };
	char text[ROOM] = "", type[ROOM] = "";

	if (!pointer || lp_ir_points_to(pointer, private) || !find_place(ir, pointer, &at, DEPTH) ||
	    !enter_scalar(ir, &at) || strlen(at.text) + 2 >= ROOM || at.text[0] == '_')
		return (struct texts){ 0 };
	snprintf(text, sizeof text, "%s%.*s", at.through ? "*" : "", ROOM - 2, at.text);
	put_type(ir, at.type, type, DEPTH);
	return (struct texts){ lp_ir_text(ir, text), lp_ir_text(ir, type), lp_ir_type_key(ir, at.object),
			       (uint32_t)at.offset };
}

void lp_ir_names_find(struct lp_ir *ir, const struct lp_ir_values *all, const struct lp_ir_values *private)
{
	ir->names->texts.count = 0;
	for (uint32_t i = 0; i < all->count; i++)
		LP_PUSH(&ir->names->texts, texts_of(ir, all->at[i], private));
}

void lp_ir_name_site(struct lp_ir *ir, uint32_t site, uint32_t i)
{
	struct lp_site *record = lp_ir_site_record(ir, site);

	record->variable = ir->names->texts.at[i].variable;
	record->type = ir->names->texts.at[i].type;
	record->object = ir->names->texts.at[i].object;
	record->offset = ir->names->texts.at[i].offset;
}

/* ---- types of objects ---- */

LLVMMetadataRef lp_ir_type_at(struct lp_ir *ir, lp_ir_value pointer)
{
	struct place at = { .text = "" };

	return find_place(ir, pointer, &at, DEPTH) && !at.through ? at.type : NULL;
}

LLVMMetadataRef lp_ir_pointee(const struct lp_ir *ir, LLVMMetadataRef type)
{
	const LLVMMetadataRef pointer = type ? peeled(ir, type) : NULL;

	return tag_of(pointer) == POINTER ? base_of(ir, pointer) : NULL;
}

LLVMMetadataRef lp_ir_signature(const struct lp_ir *ir, lp_ir_value function, unsigned which)
{
	const LLVMMetadataRef subprogram = LLVMIsAFunction(function) ? LLVMGetSubprogram(function) : NULL;
	const LLVMMetadataRef type = subprogram ? operand(ir, subprogram, SUBPROGRAM_TYPE) : NULL;
	const LLVMMetadataRef types = type ? operand(ir, type, SUBROUTINE_TYPES) : NULL;

	return types ? operand(ir, types, which) : NULL;
}

/* A structure without a name has that of its typedef. */
uint32_t lp_ir_type_key(struct lp_ir *ir, LLVMMetadataRef type)
{
	LLVMMetadataRef named = NULL;
	char text[ROOM] = "", brief[LP_BRIEF_NAME];
	size_t length = 0;

	for (; type; type = base_of(ir, type)) {
		const unsigned tag = tag_of(type);
		if (tag == TYPEDEF || is_structure(type) || tag == UNION || tag == BASE) {
			const char *name = LLVMDITypeGetName(type, &length);
			named = length && *name ? type : named;
		}
		if (tag != TYPEDEF && tag != CONST && tag != VOLATILE && tag != ATOMIC)
			break;
	}
	const uint64_t size = type ? size_of(ir, type) / 8 : 0;
	if (!size || tag_of(type) == ARRAY)
		return 0;
	if (tag_of(type) == POINTER || tag_of(type) == BASE || tag_of(type) == ENUMERATION || !named)
		snprintf(text, sizeof text, "%.*s/%llu", ROOM - 32,
			 tag_of(type) == BASE ? LLVMDITypeGetName(type, &length) : "block", (unsigned long long)size);
	if (!text[0]) {
		lp_brief_name(LLVMDITypeGetName(named, &length), brief, sizeof brief);
		snprintf(text, sizeof text, "%s@%u,%llu", brief, LLVMDITypeGetLine(named), (unsigned long long)size);
	}
	return lp_ir_text(ir, text);
}

/* ---- local variables ---- */

static void find_declarations(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f)
		LP_IR_EACH_BLOCK(f, b)
			LP_IR_EACH_INSTRUCTION(b, x) {
				lp_ir_value at = NULL;
				if (!lp_ir_is_intrinsic(x, "llvm.dbg.declare") ||
				    LLVMGetMDNodeNumOperands(LLVMGetOperand(x, 0)) != 1)
					continue;
				LLVMGetMDNodeOperands(LLVMGetOperand(x, 0), &at);
				const struct declared d = { at, LLVMValueAsMetadata(LLVMGetOperand(x, 1)) };
				if (at)
					LP_PUSH(ir->names, d);
			}
}

/* Declarations are records beside the instructions, which the C interface of LLVM 19 cannot read; as
 * instructions, which they used to be, it can. */
void lp_ir_names_open(struct lp_ir *ir)
{
	const LLVMBool records = LLVMIsNewDbgInfoFormat(ir->module);

	ir->names = lp_alloc_zero(1, sizeof *ir->names);
	LLVMSetIsNewDbgInfoFormat(ir->module, false);
	find_declarations(ir);
	LLVMSetIsNewDbgInfoFormat(ir->module, records);
	if (ir->names->count)
		qsort(ir->names->at, ir->names->count, sizeof *ir->names->at, by_value);
}

void lp_ir_names_close(struct lp_ir *ir)
{
	lp_free(ir->names->at);
	lp_free(ir->names->texts.at);
	lp_free(ir->names);
	ir->names = NULL;
}
