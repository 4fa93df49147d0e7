/* fixed.c -- a walk along the uses of an address that keeps count of the offset. */
#include "frontend/ir/state/fixed.h"

#include <string.h>

#include "base/rmw.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

/* Larger variables are rarely private, and are not worth a flag a byte. */
enum { MOST = 1024 };

struct place {
	lp_ir_value address;
	int64_t offset;
};

struct walk {
	struct lp_ir *ir;
	int64_t size; /* of the variable */
	struct {
		LP_VEC(struct place);
	} places;
};

/* ---- offsets ---- */

/* The element of the type, and where it begins. */
static LLVMTypeRef element(const struct lp_ir *ir, LLVMTypeRef type, int64_t index, int64_t *offset)
{
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
		*offset += (int64_t)LLVMOffsetOfElement(ir->layout, type, (unsigned)index);
		return LLVMStructGetTypeAtIndex(type, (unsigned)index);
	}
	const LLVMTypeRef each = LLVMGetElementType(type);
	*offset += index * (int64_t)LLVMABISizeOfType(ir->layout, each);
	return each;
}

static bool add_offset(const struct lp_ir *ir, lp_ir_value gep, int64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
		const lp_ir_value index = LLVMGetOperand(gep, i);
		if (!LLVMIsAConstantInt(index))
			return false;
		const int64_t n = LLVMConstIntGetSExtValue(index);
		if (n < -MOST || n > MOST)
			return false;
		if (i == 1)
			*offset += n * (int64_t)LLVMABISizeOfType(ir->layout, type);
		else
			type = element(ir, type, n, offset);
	}
	return true;
}

static bool is_within(const struct walk *w, int64_t offset, uint64_t size)
{
	return offset >= 0 && size <= (uint64_t)w->size && offset <= w->size - (int64_t)size;
}

static bool has_constant_length(const struct walk *w, lp_ir_value length, int64_t offset)
{
	return LLVMIsAConstantInt(length) && is_within(w, offset, LLVMConstIntGetZExtValue(length));
}

/* ---- uses ---- */

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool is_fixed_hook(const struct walk *w, lp_ir_value call, const char *name, int64_t offset)
{
	uint32_t site;

	if (begins(name, "lp_read") || begins(name, "lp_write") || begins(name, "lp_copy") ||
	    begins(name, "lp_fill"))
		return has_constant_length(w, LLVMGetOperand(call, 3), offset);
	if (begins(name, "lp_cas16"))
		return is_within(w, offset, 16);
	if (!lp_ir_site_of(w->ir, LLVMGetOperand(call, 0), &site))
		return false;
	const struct lp_site *record = lp_ir_site_record(w->ir, site);
	return record->size && is_within(w, offset, record->size) &&
	       (record->kind != LP_SITE_RMW || record->rmw < LP_FADD); /* rare enough: those stay hooks */
}

static bool is_fixed_call(const struct walk *w, lp_ir_value call, lp_ir_value address, int64_t offset)
{
	const char *name = lp_ir_callee(call);

	if (begins(name, "llvm.mem"))
		return has_constant_length(w, LLVMGetOperand(call, 2), offset);
	if (begins(name, "llvm."))
		return true;
	if (lp_ir_is_hook(name))
		return is_fixed_hook(w, call, name, offset);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		const LLVMAttributeRef byval = lp_ir_argument_attribute(call, i, "byval");
		if (LLVMGetOperand(call, i) == address &&
		    (!byval || !is_within(w, offset, LLVMABISizeOfType(w->ir->layout, LLVMGetTypeAttributeValue(byval)))))
			return false;
	}
	return true;
}

/* An address is reached by one offset only, or a loop may move it. */
static bool add_place(struct walk *w, lp_ir_value address, int64_t offset)
{
	for (uint32_t i = 0; i < w->places.count; i++)
		if (w->places.at[i].address == address)
			return w->places.at[i].offset == offset;
	LP_PUSH(&w->places, ((struct place){ address, offset }));
	return true;
}

static bool is_fixed_use(struct walk *w, lp_ir_value user, struct place p)
{
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
		return is_within(w, p.offset, lp_ir_size(w->ir, LLVMTypeOf(user)));
	case LLVMStore:
		return is_within(w, p.offset, lp_ir_size(w->ir, LLVMTypeOf(LLVMGetOperand(user, 0))));
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return is_within(w, p.offset, lp_ir_size(w->ir, LLVMTypeOf(LLVMGetOperand(user, 1))));
	case LLVMICmp:
		return true;
	case LLVMGetElementPtr:
		return add_offset(w->ir, user, &p.offset) && add_place(w, user, p.offset);
	case LLVMSelect:
	case LLVMPHI:
	case LLVMBitCast:
	case LLVMFreeze:
		return add_place(w, user, p.offset);
	case LLVMCall:
	case LLVMInvoke:
		return is_fixed_call(w, user, p.address, p.offset);
	default:
		return false;
	}
}

static bool is_fixed(struct lp_ir *ir, lp_ir_value variable)
{
	struct walk w = { .ir = ir };
	bool fixed = true;

	if (!LLVMIsAAllocaInst(variable))
		return true; /* an argument that is passed in memory; it has been copied */
	if (!lp_ir_is_static(variable) || lp_ir_object_size(ir, variable) > MOST)
		return false;
	w.size = (int64_t)lp_ir_object_size(ir, variable);
	add_place(&w, variable, 0);
	for (uint32_t i = 0; i < w.places.count && fixed; i++)
		LP_IR_EACH_USE(w.places.at[i].address, u)
			fixed = fixed && is_fixed_use(&w, LLVMGetUser(u), w.places.at[i]);
	lp_free(w.places.at);
	return fixed;
}

void lp_ir_keep_fixed(struct lp_ir *ir, lp_ir_value f, struct lp_ir_values *private)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < private->count; i++)
		if (is_fixed(ir, private->at[i]))
			private->at[kept++] = private->at[i];
	private->count = kept;
	lp_ir_remove_mixed(f, private);
}

bool lp_ir_is_within(struct lp_ir *ir, lp_ir_value address, lp_ir_value variable, lp_ir_value length)
{
	const struct walk w = { .ir = ir, .size = (int64_t)lp_ir_object_size(ir, variable) };
	int64_t offset = 0;

	while (address != variable) {
		if (LLVMIsAGetElementPtrInst(address) ? !add_offset(ir, address, &offset) :
		    !LLVMIsABitCastInst(address) && !LLVMIsAFreezeInst(address))
			return false;
		address = LLVMGetOperand(address, 0);
	}
	return has_constant_length(&w, length, offset);
}

static bool is_hook_on(lp_ir_value user, lp_ir_value address)
{
	const char *name = lp_ir_is_call(user) ? lp_ir_callee(user) : "";

	if (!lp_ir_is_hook(name))
		return false;
	if (begins(name, "lp_read"))
		return LLVMGetOperand(user, 2) == address;
	if (begins(name, "lp_copy") && LLVMGetOperand(user, 2) == address)
		return true;
	return lp_ir_hook_accesses(name, 1) && LLVMGetOperand(user, 1) == address;
}

bool lp_ir_is_hooked(lp_ir_value variable)
{
	struct lp_ir_values work = { 0 };
	bool hooked = false;

	lp_ir_values_add(&work, variable);
	for (uint32_t i = 0; i < work.count && !hooked; i++)
		LP_IR_EACH_USE(work.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			hooked |= is_hook_on(user, work.at[i]);
			if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAFreezeInst(user) ||
			    LLVMIsASelectInst(user) || LLVMIsAPHINode(user))
				lp_ir_values_add(&work, user);
		}
	lp_free(work.at);
	return hooked;
}
