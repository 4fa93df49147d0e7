/* live.c -- the usual backward analysis. */
#include "frontend/ir/state/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/state/privacy.h"

struct number {
	const void *key;
	uint32_t number;
};

/* Numbers of values and blocks, by address. */
struct numbers {
	struct {
		LP_VEC(struct number);
	} all;
	struct lp_hash_index by_key;
};

#define NO_NUMBER UINT32_MAX

/* The number of the key, to read or to set until the next key is added; NO_NUMBER if it has none yet. */
static uint32_t *number_of(struct numbers *n, const void *key)
{
	const uint64_t hash = lp_mix((uintptr_t)key);
	struct lp_hash_probe probe = lp_hash_probe(&n->by_key, hash);
	uint32_t i;

	while ((i = lp_hash_next(&n->by_key, &probe)) != LP_HASH_NONE)
		if (n->all.at[i].key == key)
			return &n->all.at[i].number;
	lp_hash_add(&n->by_key, hash, n->all.count);
	LP_PUSH(&n->all, (struct number){ key, NO_NUMBER });
	return &LP_LAST(&n->all).number;
}

struct analysis {
	struct lp_ir *ir;
	struct lp_ir_live *live;
	struct numbers numbers;
	LLVMBasicBlockRef *blocks;
	uint32_t block_count;
	uint64_t *in;               /* a set a block */
	uint64_t *again;            /* live when a call of setjmp() returns: any later call may be where it does */
	bool twice, grown;          /* there is such a call; `again` has grown since it was looked at */
	struct lp_ir_values private;
	struct lp_ir_values shared; /* variables that are reached by more than simple arithmetic */
};

static void set_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static void clear_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* ---- numbering ---- */

static bool is_value(lp_ir_value v)
{
	if (LLVMIsAArgument(v))
		return true;
	if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v))
		return false;
	const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
	return kind != LLVMVoidTypeKind && kind != LLVMTokenTypeKind && kind != LLVMLabelTypeKind &&
	       kind != LLVMMetadataTypeKind;
}

static void add_value(struct analysis *a, lp_ir_value v)
{
	*number_of(&a->numbers, v) = a->live->values.count;
	LP_PUSH(&a->live->values, v);
}

static void number_all(struct analysis *a, lp_ir_value f)
{
	struct lp_ir_live *live = a->live;
	struct lp_ir_values all = { 0 };

	lp_ir_instructions(f, &all);
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		add_value(a, LLVMGetParam(f, i));
	for (uint32_t i = 0; i < all.count; i++) {
		if (is_value(all.at[i]))
			add_value(a, all.at[i]);
		if (lp_ir_is_site(all.at[i]))
			LP_PUSH(&live->sites, all.at[i]);
		a->twice |= lp_ir_returns_twice(all.at[i]);
	}
	live->variables = live->values.count;
	for (uint32_t i = 0; i < all.count; i++)
		if (LLVMIsAAllocaInst(all.at[i])) {
			live->unknown |= !lp_ir_is_static(all.at[i]);
			add_value(a, all.at[i]);
		}
	live->words = live->values.count / 64 + 1;
	lp_free(all.at);
}

/* ---- memory ---- */

/* The variable that the address is in, by simple arithmetic; NULL if it is not in a variable, or if the arithmetic is not simple. */
static lp_ir_value variable_of(lp_ir_value p)
{
	while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) || LLVMIsAFreezeInst(p))
		p = LLVMGetOperand(p, 0);
	return LLVMIsAAllocaInst(p) ? p : NULL;
}

static void read_memory(struct analysis *a, uint64_t *now, lp_ir_value p)
{
	const lp_ir_value variable = variable_of(p);

	if (variable)
		set_bit(now, *number_of(&a->numbers, variable));
}

/* All of the variable is overwritten if the address is that of the variable, and the size its own. */
static void write_memory(struct analysis *a, uint64_t *now, lp_ir_value p, uint64_t size)
{
	if (LLVMIsAAllocaInst(p) && size && size >= lp_ir_object_size(a->ir, p) &&
	    lp_ir_values_have(&a->private, p) && !lp_ir_values_have(&a->shared, p))
		clear_bit(now, *number_of(&a->numbers, p));
}

static uint64_t constant(lp_ir_value size)
{
	return LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
}

static bool begins_with_one(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(name, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

/* Is the address in a variable that others may know of, from its beginning to its end? */
static bool is_object(struct analysis *a, lp_ir_value p)
{
	return variable_of(p) && !lp_ir_values_have(&a->private, variable_of(p));
}

/* Hooks on variables in memory: what they write to it, before what they read. */
static void step_hook(struct analysis *a, uint64_t *now, lp_ir_value x, const char *name, bool writes)
{
	static const char *const copies[] = { "lp_read", "lp_write", "lp_copy", "lp_fill", NULL };
	static const char *const stores[] = { "lp_store", "lp_atomic_store", NULL };
	static const char *const loads[] = { "lp_load", "lp_atomic_load", "lp_rmw", "lp_cas", NULL };
	const lp_ir_value p = LLVMGetNumArgOperands(x) > 1 ? LLVMGetOperand(x, 1) : NULL;
	const bool is_copy = begins_with_one(name, copies);

	if (writes) {
		if (is_copy)
			write_memory(a, now, p, constant(LLVMGetOperand(x, 3)));
		else if (begins_with_one(name, stores))
			write_memory(a, now, p, lp_ir_size(a->ir, LLVMTypeOf(LLVMGetOperand(x, 2))));
		else if (!strcmp(name, "lp_cas16"))
			write_memory(a, now, LLVMGetOperand(x, 2), 16);
		else if (!strcmp(name, "lp_object_begins") && is_object(a, p))
			clear_bit(now, *number_of(&a->numbers, variable_of(p)));
		return;
	}
	if ((is_copy && strcmp(name, "lp_fill")) || !strcmp(name, "lp_cas16"))
		read_memory(a, now, LLVMGetOperand(x, 2));
	if (begins_with_one(name, loads) || (!strcmp(name, "lp_object_ends") && is_object(a, p)))
		read_memory(a, now, p);
}

static void live_again(struct analysis *a, const uint64_t *now, lp_ir_value x)
{
	const uint32_t result = *number_of(&a->numbers, x);

	for (uint32_t w = 0; w < a->live->words; w++) {
		uint64_t more = now[w] & ~a->again[w];
		if (result / 64 == w)
			more &= ~(UINT64_C(1) << result % 64);
		a->again[w] |= more;
		a->grown |= more != 0;
	}
}

/* A function may read what it is called with, as long as it runs: variables that it is given addresses of, and
 * arguments behind the last named one, which are not values of its own frame.  Or it jumps to where
 * setjmp() was called. */
static void step_into(struct analysis *a, uint64_t *now, lp_ir_value x)
{
	const LLVMTypeRef type = LLVMGetCalledFunctionType(x);
	const unsigned named = LLVMCountParamTypes(type), count = LLVMGetNumArgOperands(x);

	for (unsigned i = 0; i < count; i++) {
		const lp_ir_value v = LLVMGetOperand(x, i);
		if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
			read_memory(a, now, v);
		if (i >= named && is_value(v))
			set_bit(now, *number_of(&a->numbers, v));
	}
	for (uint32_t w = 0; w < a->live->words; w++)
		now[w] |= a->again[w];
}

static void step_call(struct analysis *a, uint64_t *now, lp_ir_value x, bool writes)
{
	const char *name = lp_ir_callee(x);

	if (lp_ir_is_hook(name)) {
		step_hook(a, now, x, name, writes);
	} else if (lp_ir_is_intrinsic(x, "llvm.memset")) {
		if (writes)
			write_memory(a, now, LLVMGetOperand(x, 0), constant(LLVMGetOperand(x, 2)));
	} else if (lp_ir_is_intrinsic(x, "llvm.memcpy") || lp_ir_is_intrinsic(x, "llvm.memmove")) {
		if (writes)
			write_memory(a, now, LLVMGetOperand(x, 0), constant(LLVMGetOperand(x, 2)));
		else
			read_memory(a, now, LLVMGetOperand(x, 1));
	} else if (!writes && !lp_ir_is_intrinsic(x, "llvm.dbg.")) {
		step_into(a, now, x);
	}
}

static void step_memory(struct analysis *a, uint64_t *now, lp_ir_value x, bool writes)
{
	if (lp_ir_is_call(x)) {
		step_call(a, now, x, writes);
	} else if (LLVMIsAStoreInst(x)) {
		if (writes)
			write_memory(a, now, LLVMGetOperand(x, 1),
				     lp_ir_size(a->ir, LLVMTypeOf(LLVMGetOperand(x, 0))));
	} else if (LLVMIsALoadInst(x) || LLVMIsAAtomicRMWInst(x) || LLVMIsAAtomicCmpXchgInst(x)) {
		if (!writes)
			read_memory(a, now, LLVMGetOperand(x, 0));
	}
}

/* ---- one step backwards ---- */

static void undo_definitions(struct analysis *a, uint64_t *now, lp_ir_value x)
{
	step_memory(a, now, x, true);
	if (is_value(x))
		clear_bit(now, *number_of(&a->numbers, x));
}

static void step_back(struct analysis *a, uint64_t *now, lp_ir_value x)
{
	if (a->twice && lp_ir_returns_twice(x))
		live_again(a, now, x);
	undo_definitions(a, now, x);
	step_memory(a, now, x, false);
	if (LLVMIsAPHINode(x))
		return;
	for (int i = 0; i < LLVMGetNumOperands(x); i++) {
		const lp_ir_value v = LLVMGetOperand(x, (unsigned)i);
		if (v && is_value(v))
			set_bit(now, *number_of(&a->numbers, v));
	}
}

static void live_out(struct analysis *a, uint32_t block, uint64_t *now)
{
	const uint32_t words = a->live->words;
	const lp_ir_value end = LLVMGetBasicBlockTerminator(a->blocks[block]);

	memset(now, 0, words * sizeof *now);
	if (!LLVMGetNumSuccessors(end) && !LLVMIsAReturnInst(end)) /* objects have no end there */
		for (uint32_t i = a->live->variables; i < a->live->values.count; i++)
			if (!lp_ir_values_have(&a->private, a->live->values.at[i]))
				set_bit(now, i);
	for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
		const LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
		const uint64_t *in = a->in + (size_t)*number_of(&a->numbers, to) * words;
		for (uint32_t w = 0; w < words; w++)
			now[w] |= in[w];
		for (lp_ir_value x = LLVMGetFirstInstruction(to); x && LLVMIsAPHINode(x);
		     x = LLVMGetNextInstruction(x))
			for (unsigned k = 0; k < LLVMCountIncoming(x); k++) {
				const lp_ir_value v = LLVMGetIncomingValue(x, k);
				if (LLVMGetIncomingBlock(x, k) == a->blocks[block] && is_value(v))
					set_bit(now, *number_of(&a->numbers, v));
			}
	}
}

static void solve(struct analysis *a)
{
	const uint32_t words = a->live->words;
	uint64_t *now = lp_alloc(words * sizeof *now);
	bool changed = true;

	while (changed) {
		changed = a->grown = false;
		for (uint32_t b = a->block_count; b-- > 0;) {
			uint64_t *in = a->in + (size_t)b * words;
			live_out(a, b, now);
			for (lp_ir_value x = LLVMGetLastInstruction(a->blocks[b]); x;
			     x = LLVMGetPreviousInstruction(x))
				step_back(a, now, x);
			if (memcmp(now, in, words * sizeof *now)) {
				memcpy(in, now, words * sizeof *now);
				changed = true;
			}
		}
		changed |= a->grown;
	}
	lp_free(now);
}

/* ---- results ---- */

static void note_together(struct analysis *a, const uint64_t *now, lp_ir_value x)
{
	struct lp_ir_live *live = a->live;
	const uint32_t n = *number_of(&a->numbers, x);

	for (uint32_t w = 0; w < live->words; w++)
		live->together[(size_t)n * live->words + w] |= now[w];
}

static void record_block(struct analysis *a, uint32_t block, uint64_t *now, uint32_t *site)
{
	struct lp_ir_live *live = a->live;
	uint32_t in_block = 0;

	for (lp_ir_value x = LLVMGetFirstInstruction(a->blocks[block]); x; x = LLVMGetNextInstruction(x))
		in_block += lp_ir_is_site(x);
	*site += in_block;
	uint32_t next = *site;
	live_out(a, block, now);
	for (lp_ir_value x = LLVMGetLastInstruction(a->blocks[block]); x; x = LLVMGetPreviousInstruction(x)) {
		if (is_value(x))
			note_together(a, now, x);
		if (lp_ir_is_site(x)) {
			uint64_t *at = live->at_sites + (size_t)--next * live->words;
			memcpy(at, now, live->words * sizeof *now);
			undo_definitions(a, at, x);
			step_memory(a, at, x, false);
		}
		step_back(a, now, x);
	}
	if (block == 0)
		for (uint32_t i = 0; i < live->variables && LLVMIsAArgument(live->values.at[i]); i++)
			note_together(a, now, live->values.at[i]);
}

/* Variables whose addresses are mixed, or unknown: they are live throughout. */
static void find_shared(struct analysis *a)
{
	const struct lp_ir_live *live = a->live;

	for (uint32_t i = live->variables; i < live->values.count; i++) {
		struct lp_ir_values work = { 0 };
		bool mixed = false;
		lp_ir_values_add(&work, live->values.at[i]);
		for (uint32_t k = 0; k < work.count; k++)
			LP_IR_EACH_USE(work.at[k], u) {
				const lp_ir_value user = LLVMGetUser(u);
				if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
					mixed = true;
				else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) ||
					 LLVMIsAFreezeInst(user))
					lp_ir_values_add(&work, user);
			}
		if (mixed)
			LP_PUSH(&a->shared, live->values.at[i]);
		lp_free(work.at);
	}
}

static void keep_shared_live(struct analysis *a)
{
	struct lp_ir_live *live = a->live;

	for (uint32_t i = 0; i < a->shared.count; i++)
		for (uint32_t s = 0; s < live->sites.count; s++)
			set_bit(live->at_sites + (size_t)s * live->words,
				*number_of(&a->numbers, a->shared.at[i]));
}

void lp_ir_live_find(struct lp_ir *ir, lp_ir_value f, struct lp_ir_live *live)
{
	struct analysis a = { .ir = ir, .live = live };
	uint32_t site = 0;

	*live = (struct lp_ir_live){ .unknown = false };
	number_all(&a, f);
	lp_ir_find_private(ir, f, &a.private);
	find_shared(&a);
	a.block_count = LLVMCountBasicBlocks(f);
	a.blocks = lp_alloc(a.block_count * sizeof *a.blocks);
	LLVMGetBasicBlocks(f, a.blocks);
	for (uint32_t b = 0; b < a.block_count; b++)
		*number_of(&a.numbers, a.blocks[b]) = b;
	a.in = lp_alloc_zero((size_t)a.block_count * live->words, sizeof *a.in);
	a.again = lp_alloc_zero(live->words, sizeof *a.again);
	solve(&a);
	live->at_sites = lp_alloc_zero((size_t)live->sites.count * live->words + 1, sizeof *live->at_sites);
	live->together = lp_alloc_zero((size_t)live->values.count * live->words + 1, sizeof *live->together);
	uint64_t *now = lp_alloc(live->words * sizeof *now);
	for (uint32_t b = 0; b < a.block_count; b++)
		record_block(&a, b, now, &site);
	keep_shared_live(&a);
	lp_free(now);
	lp_free(a.in);
	lp_free(a.again);
	lp_free(a.blocks);
	lp_free(a.numbers.all.at);
	lp_hash_close(&a.numbers.by_key);
	lp_free(a.private.at);
	lp_free(a.shared.at);
}

void lp_ir_live_drop(struct lp_ir_live *live)
{
	lp_free(live->values.at);
	lp_free(live->sites.at);
	lp_free(live->at_sites);
	lp_free(live->together);
}
