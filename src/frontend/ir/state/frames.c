/* frames.c -- code that writes values to the frame where they are computed, and the current site before calls.
 *
 * Values that are never live together share a slot.
 */
#include "frontend/ir/state/frames.h"

#include <string.h>

#include "frontend/ir/allocated.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/state/live.h"
#include "frontend/ir/state/results.h"
#include "frontend/ir/state/same_sites.h"
#include "frontend/ir/access/site_records.h"

enum { UP, SITE, FROM, SLOTS }; /* fields of struct lp_live_frame */

#define NO_SLOT UINT32_MAX

struct frame {
	struct lp_ir *ir;
	lp_ir_value function, alloca, up;
	LLVMTypeRef type;
	struct lp_ir_live live;
	uint32_t *slot;  /* by number: where the value, or the variable's address, is */
	uint32_t slots;
	uint32_t *same;  /* by number, of live.sites: the first that is the same */
	uint32_t *site;  /* their records */
};

/* ---- slots ---- */

static uint32_t slots_of(const struct frame *f, LLVMTypeRef type)
{
	return (uint32_t)((LLVMABISizeOfType(f->ir->layout, type) + 7) / 8);
}

static bool is_live_somewhere(const struct frame *f, uint32_t n)
{
	for (uint32_t s = 0; s < f->live.sites.count; s++)
		if (lp_ir_bit(f->live.at_sites + (size_t)s * f->live.words, n))
			return true;
	return false;
}

static bool are_together(const struct frame *f, uint32_t a, uint32_t b)
{
	const uint32_t words = f->live.words;

	return lp_ir_bit(f->live.together + (size_t)a * words, b) ||
	       lp_ir_bit(f->live.together + (size_t)b * words, a);
}

static bool is_free(const struct frame *f, uint32_t n, uint32_t slot, uint32_t size)
{
	for (uint32_t m = 0; m < n; m++) {
		if (f->slot[m] == NO_SLOT || f->slot[m] >= slot + size)
			continue;
		const uint32_t end = f->slot[m] + slots_of(f, LLVMTypeOf(f->live.values.at[m]));
		if (end > slot && are_together(f, n, m))
			return false;
	}
	return true;
}

static void choose_slots(struct frame *f)
{
	const struct lp_ir_live *live = &f->live;

	f->slot = lp_alloc((live->values.count + 1) * sizeof *f->slot);
	for (uint32_t n = 0; n < live->values.count; n++) {
		f->slot[n] = NO_SLOT;
		if (!is_live_somewhere(f, n))
			continue;
		const bool in_memory = n >= live->variables;
		const uint32_t size = in_memory ? 1 : slots_of(f, LLVMTypeOf(live->values.at[n]));
		uint32_t slot = in_memory ? f->slots : 0;
		while (!in_memory && !is_free(f, n, slot, size))
			slot++;
		f->slot[n] = slot;
		if (slot + size > f->slots)
			f->slots = slot + size;
	}
}

/* ---- code ---- */

static lp_ir_value field(struct frame *f, unsigned which)
{
	return LLVMBuildStructGEP2(f->ir->builder, f->type, f->alloca, which, "");
}

static lp_ir_value top(struct lp_ir *ir)
{
	return LLVMBuildStructGEP2(ir->builder, ir->current_type, ir->current, 0, "");
}

static void put(struct frame *f, lp_ir_value v, uint32_t slot)
{
	struct lp_ir *ir = f->ir;
	const LLVMTypeRef type = LLVMTypeOf(v);
	const LLVMTypeKind kind = LLVMGetTypeKind(type);
	lp_ir_value index[] = { LLVMConstInt(ir->i32, 0, false), LLVMConstInt(ir->i32, SLOTS, false),
				LLVMConstInt(ir->i32, slot, false) };
	const lp_ir_value p = LLVMBuildInBoundsGEP2(ir->builder, f->type, f->alloca, index, 3, "");

	if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64) {
		v = LLVMBuildZExt(ir->builder, v, ir->i64, "");
	} else if (kind != LLVMPointerTypeKind && kind != LLVMDoubleTypeKind &&
		   !(kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64)) {
		const lp_ir_value zeros = LLVMConstNull(LLVMArrayType2(ir->i64, slots_of(f, type)));
		LLVMSetAlignment(LLVMBuildStore(ir->builder, zeros, p), 8);
	}
	LLVMSetAlignment(LLVMBuildStore(ir->builder, v, p), 8);
}

static lp_ir_value after_phis(LLVMBasicBlockRef block)
{
	lp_ir_value x = LLVMGetFirstInstruction(block);

	while (LLVMIsAPHINode(x) || LLVMIsALandingPadInst(x))
		x = LLVMGetNextInstruction(x);
	return x;
}

static void put_values(struct frame *f, lp_ir_value entry)
{
	const struct lp_ir_live *live = &f->live;

	for (uint32_t n = 0; n < live->variables; n++) {
		const lp_ir_value v = live->values.at[n];
		if (f->slot[n] == NO_SLOT)
			continue;
		if (LLVMIsAArgument(v))
			lp_ir_before(f->ir, entry);
		else if (LLVMIsAPHINode(v) || LLVMIsALandingPadInst(v))
			lp_ir_before(f->ir, after_phis(LLVMGetInstructionParent(v)));
		else if (LLVMIsAInvokeInst(v))
			lp_ir_before(f->ir, after_phis(LLVMGetNormalDest(v)));
		else
			lp_ir_before(f->ir, LLVMGetNextInstruction(v));
		put(f, v, f->slot[n]);
	}
}

/* Private variables that stay in memory must not hold what others left there. */
static void put_variables(struct frame *f, lp_ir_value entry)
{
	const struct lp_ir_live *live = &f->live;

	for (uint32_t n = live->variables; n < live->values.count; n++) {
		if (f->slot[n] == NO_SLOT || !lp_ir_is_static(live->values.at[n]))
			continue;
		lp_ir_before(f->ir, entry);
		lp_ir_value arguments[] = { lp_ir_object_address(f->ir, live->values.at[n]),
					    lp_ir_number(f->ir, lp_ir_object_size(f->ir, live->values.at[n])) };
		put(f, arguments[0], f->slot[n]);
		lp_ir_call(f->ir, "lp_private_begins", f->ir->nothing, arguments, 2);
	}
}

static void set_site(struct frame *f, uint32_t site)
{
	LLVMBuildStore(f->ir->builder, lp_ir_site_address(f->ir, site), field(f, SITE));
}

/* Fills in the list of the site; a copy is made for an instruction that a pass has doubled. */
static uint32_t list_live(struct frame *f, uint32_t n, uint32_t site)
{
	const struct lp_ir_live *live = &f->live;
	const uint64_t *at = live->at_sites + (size_t)n * live->words;
	struct {
		LP_VEC(uint32_t);
	} list = { 0 };

	for (uint32_t i = 0; i < live->values.count; i++) {
		if (!lp_ir_bit(at, i))
			continue;
		if (i >= live->variables) {
			LP_PUSH(&list, f->slot[i] | LP_LIVE_MEMORY);
			LP_PUSH(&list, (uint32_t)lp_ir_object_size(f->ir, live->values.at[i]));
			continue;
		}
		for (uint32_t k = 0; k < slots_of(f, LLVMTypeOf(live->values.at[i])); k++)
			LP_PUSH(&list, f->slot[i] + k);
	}
	struct lp_site *record = lp_ir_site_record(f->ir, site);
	if (record->live) {
		site = lp_ir_site_copy(f->ir, site);
		record = lp_ir_site_record(f->ir, site);
	}
	record->live = lp_ir_live(f->ir, list.at, list.count);
	record->lives = live->unknown ? LP_LIVE_UNKNOWN : list.count;
	lp_free(list.at);
	return site;
}

static bool is_same_address(lp_ir_value a, lp_ir_value b)
{
	if (a == b || !LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
	    LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
	    LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
		return a == b;
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(a); i++)
		if (LLVMGetOperand(a, i) != LLVMGetOperand(b, i))
			return false;
	return true;
}

/* Is it a load of what a compare-and-swap on a loop is about?  What it reads may be the first guess (redundant_rereads.h). */
static bool is_guess(const struct frame *f, lp_ir_value load)
{
	if (strncmp(lp_ir_callee(load), "lp_atomic_load", strlen("lp_atomic_load")) != 0)
		return false;
	for (uint32_t n = 0; n < f->live.sites.count; n++) {
		const lp_ir_value swap = f->live.sites.at[n];
		if (!strcmp(lp_ir_callee(swap), "lp_cas") && lp_ir_on_cycle(swap) &&
		    is_same_address(LLVMGetOperand(load, 1), LLVMGetOperand(swap, 1)))
			return true;
	}
	return false;
}

static void fill_record(struct frame *f, lp_ir_value x, uint32_t site, bool recursive)
{
	struct lp_site *record = lp_ir_site_record(f->ir, site);

	record->flags |= recursive || lp_ir_on_cycle(x) || is_guess(f, x) ? LP_SITE_LOOP : 0;
	record->result = (uint8_t)lp_ir_result(x);
	if (record->kind == LP_SITE_MODEL && lp_ir_result_is_dropped(x))
		record->flags |= LP_SITE_DROPPED;
}

static void count_call(struct lp_ir *ir)
{
	const lp_ir_value p = LLVMBuildStructGEP2(ir->builder, ir->current_type, ir->current, 2, "");
	const lp_ir_value n = LLVMBuildLoad2(ir->builder, ir->i64, p, "");

	LLVMBuildStore(ir->builder, LLVMBuildAdd(ir->builder, n, lp_ir_number(ir, 1), ""), p);
}

static uint32_t pass_site(struct frame *f, uint32_t n, bool recursive)
{
	struct lp_ir *ir = f->ir;
	const lp_ir_value x = f->live.sites.at[n];
	uint32_t site;

	if (lp_ir_is_hook(lp_ir_callee(x))) {
		if (!lp_ir_site_of(ir, LLVMGetOperand(x, 0), &site))
			LP_BUG("a hook without a site");
		site = list_live(f, n, site);
		lp_ir_site_locate(ir, site, x);
		LLVMSetOperand(x, 0, lp_ir_site_address(ir, site));
	} else {
		const enum lp_site_kind kind = lp_ir_call_kind(x);
		const char *name = lp_ir_callee(x);
		site = lp_ir_site(ir, kind, x);
		const uint32_t text = lp_ir_text(ir, kind == LP_SITE_MODEL ? name + strlen("lp_shim_") : name);
		const uint32_t object = kind == LP_SITE_MODEL ? lp_ir_allocated(ir, x) : 0;
		lp_ir_site_record(ir, site)->name = text;
		lp_ir_site_record(ir, site)->object = object;
		site = list_live(f, n, site);
		lp_ir_before(ir, x);
		set_site(f, site);
		if (kind != LP_SITE_CALL)
			count_call(ir);
	}
	fill_record(f, x, site, recursive);
	return site;
}

/* Sites that are the same have one number in live states; if one of them is on a loop, all are. */
static void join_sites(struct frame *f)
{
	for (uint32_t n = 0; n < f->live.sites.count; n++) {
		const uint32_t first = f->site[f->same[n]];
		struct lp_site *record = lp_ir_site_record(f->ir, f->site[n]);
		record->same = first;
		lp_ir_site_record(f->ir, first)->flags |= record->flags & LP_SITE_LOOP;
	}
	for (uint32_t n = 0; n < f->live.sites.count; n++)
		lp_ir_site_record(f->ir, f->site[n])->flags |=
			lp_ir_site_record(f->ir, f->site[f->same[n]])->flags & LP_SITE_LOOP;
}

/* A hook that only takes note of something: copies of it are at other places. */
static void locate_note(struct lp_ir *ir, lp_ir_value x)
{
	uint32_t site;

	static const char *const notes[] = { "lp_not_understood", "lp_defined", "lp_within" };
	bool is_note = false;

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
		is_note |= !strcmp(lp_ir_callee(x), notes[i]);
	if (!is_note || !lp_ir_site_of(ir, LLVMGetOperand(x, 0), &site))
		return;
	site = lp_ir_site_copy(ir, site);
	lp_ir_site_locate(ir, site, x);
	LLVMSetOperand(x, 0, lp_ir_site_address(ir, site));
}

static void make_top(struct frame *f, lp_ir_value before)
{
	struct lp_ir *ir = f->ir;

	lp_ir_before(ir, before);
	LLVMBuildStore(ir->builder, f->alloca, top(ir));
	const unsigned id = LLVMLookupIntrinsicID("llvm.stacksave", 14);
	const lp_ir_value save = LLVMGetIntrinsicDeclaration(ir->module, id, &ir->ptr, 1);
	lp_ir_value sp = LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(save), save, NULL, 0, "");
	lp_ir_call(ir, "lp_stack_unwound", ir->nothing, &sp, 1);
}

static bool leaves(lp_ir_value x)
{
	return LLVMIsAReturnInst(x) || LLVMGetInstructionOpcode(x) == LLVMResume ||
	       (LLVMIsACallInst(x) && LLVMGetTailCallKind(x) == LLVMTailCallKindMustTail);
}

static void link_frame(struct frame *f, lp_ir_value entry)
{
	struct lp_ir *ir = f->ir;
	lp_ir_value zero = LLVMConstInt(ir->i32, 0, false);
	const unsigned id = LLVMLookupIntrinsicID("llvm.returnaddress", 18);
	const lp_ir_value ask = LLVMGetIntrinsicDeclaration(ir->module, id, NULL, 0);

	lp_ir_before(ir, entry);
	f->up = LLVMBuildLoad2(ir->builder, ir->ptr, top(ir), "lp.up");
	LLVMBuildStore(ir->builder, f->up, field(f, UP));
	LLVMBuildStore(ir->builder, LLVMBuildCall2(ir->builder, LLVMGlobalGetValueType(ask), ask, &zero, 1, ""),
		       field(f, FROM));
	LLVMBuildStore(ir->builder, f->alloca, top(ir));
}

static void unlink_frame(struct frame *f, lp_ir_value before)
{
	lp_ir_before(f->ir, before);
	LLVMBuildStore(f->ir->builder, f->up, top(f->ir));
}

static void insert_code(struct frame *f)
{
	struct lp_ir *ir = f->ir;
	struct lp_ir_values all = { 0 };
	const bool recursive = lp_ir_calls_itself(f->function);
	LLVMTypeRef parts[] = { ir->ptr, ir->ptr, ir->ptr, LLVMArrayType2(ir->i64, f->slots) };

	f->type = LLVMStructTypeInContext(ir->context, parts, 4, false);
	lp_ir_instructions(f->function, &all);
	f->alloca = lp_ir_variable(ir, f->function, f->type, "lp.frame");
	const lp_ir_value entry = lp_ir_entry(f->function);
	link_frame(f, entry);
	put_variables(f, entry);
	put_values(f, entry);
	for (uint32_t n = 0; n < f->live.sites.count; n++)
		f->site[n] = pass_site(f, n, recursive);
	join_sites(f);
	for (uint32_t i = 0; i < all.count; i++) {
		if (leaves(all.at[i]) && !(LLVMIsAReturnInst(all.at[i]) && i &&
					   LLVMIsACallInst(all.at[i - 1]) && leaves(all.at[i - 1])))
			unlink_frame(f, all.at[i]);
		else if (LLVMIsACallInst(all.at[i]))
			locate_note(ir, all.at[i]);
		if (LLVMIsALandingPadInst(all.at[i]))
			make_top(f, after_phis(LLVMGetInstructionParent(all.at[i])));
		else if (lp_ir_returns_twice(all.at[i]) && LLVMIsACallInst(all.at[i]))
			make_top(f, LLVMGetNextInstruction(all.at[i]));
	}
	lp_free(all.at);
}

void lp_ir_insert_frames(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, function) {
		struct frame f = { .ir = ir, .function = function };
		if (!lp_ir_is_defined(function))
			continue;
		lp_ir_live_find(ir, function, &f.live);
		if (f.live.sites.count) {
			choose_slots(&f);
			f.same = lp_alloc(f.live.sites.count * sizeof *f.same);
			f.site = lp_alloc(f.live.sites.count * sizeof *f.site);
			lp_ir_find_same(&f.live, f.same);
			insert_code(&f);
		}
		lp_ir_live_drop(&f.live);
		lp_free(f.slot);
		lp_free(f.same);
		lp_free(f.site);
	}
}
