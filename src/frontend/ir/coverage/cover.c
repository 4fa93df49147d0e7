/* cover.c -- inserts marks, and lists what their flags stand for. */
#include "frontend/ir/coverage/cover.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "frontend/ir/access/site_records.h"
#include "frontend/ir/coverage/block_flow.h"
#include "frontend/ir/coverage/chosen.h"
#include "frontend/ir/coverage/marks.h"
#include "frontend/system_file.h"

#define NO_FLAG UINT32_MAX

struct lp_ir_cover {
	uint32_t flags;
	struct { LP_VEC(uint32_t); } lists;
	struct { LP_VEC(struct lp_covered_function); } functions;
	struct { LP_VEC(struct lp_covered_line); } lines;
	struct { LP_VEC(struct lp_covered_branch); } branches;
	struct { LP_VEC(struct lp_covered_way); } ways;
	struct { LP_VEC(struct lp_covered_loop); } loops;
};

/* Of a block: flags that it sets, or NO_FLAG. */
struct flags {
	uint32_t first;  /* where it begins */
	uint32_t last;   /* behind the last call that might not return */
	uint32_t ways;   /* out of it, one each */
};

/* A flag to be set before the instruction: `flag`, or that and the way's number. */
struct setting {
	lp_ir_value before;
	uint32_t flag;
	bool way;
};

struct function {
	struct lp_ir *ir;
	struct lp_ir_cover *cover;
	lp_ir_value at;
	uint32_t number;
	struct lp_ir_flow flow;
	struct flags *flags; /* by block */
	uint32_t list;       /* the number of the list that is being made */
	struct { LP_VEC(struct setting); } settings;
};

/* ---- which flags there are ---- */

static uint32_t new_flags(struct function *f, uint32_t count)
{
	const uint32_t first = f->cover->flags;

	f->cover->flags += count;
	return first;
}

static uint32_t set_before(struct function *f, lp_ir_value x)
{
	const uint32_t flag = new_flags(f, 1);

	LP_PUSH(&f->settings, ((struct setting){ x, flag, false }));
	return flag;
}

static lp_ir_value first_of(LLVMBasicBlockRef b)
{
	lp_ir_value x = LLVMGetFirstInstruction(b);

	while (LLVMIsAPHINode(x) || LLVMIsALandingPadInst(x) || LLVMIsAAllocaInst(x))
		x = LLVMGetNextInstruction(x);
	return x;
}

/* Functions of the system's headers that throw nothing come back, as what they are made of does. */
static bool comes_back(struct lp_ir *ir, lp_ir_value call)
{
	const lp_ir_value callee = LLVMGetCalledValue(call);
	const LLVMMetadataRef subprogram =
		LLVMIsAFunction(callee) && lp_ir_is_defined(callee) ? LLVMGetSubprogram(callee) : NULL;

	return lp_ir_is_intrinsic(call, "llvm.") || LLVMIsAInlineAsm(callee) ||
	       (subprogram && lp_is_system_file(lp_ir_text_at(ir, lp_ir_scope_file(ir, subprogram))) &&
		LLVMGetEnumAttributeAtIndex(callee, LP_IR_OF_FUNCTION,
					    LLVMGetEnumAttributeKindForName("nounwind", 8)));
}

/* Is there something behind the call that it might not come back to? */
static bool divides(struct lp_ir *ir, lp_ir_value x)
{
	return LLVMIsACallInst(x) && LLVMGetTailCallKind(x) != LLVMTailCallKindMustTail &&
	       !LLVMIsAUnreachableInst(LLVMGetNextInstruction(x)) && !comes_back(ir, x);
}

/* Does control come here otherwise than by a jump whose flags tell? */
static bool needs_flag(const struct function *f, uint32_t block)
{
	const struct lp_ir_block *b = &f->flow.at[block];

	for (uint32_t i = 0; i < b->before.count; i++) {
		const lp_ir_value end = f->flow.at[b->before.at[i].from].end;
		if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end))
			return true;
	}
	return !block;
}

/* The place in the list of flags of each call that divides a block is that of the settings. */
static void place_flags(struct function *f)
{
	for (uint32_t i = 0; i < f->flow.count; i++) {
		const struct lp_ir_block *b = &f->flow.at[i];
		struct flags *flags = &f->flags[i];
		*flags = (struct flags){ NO_FLAG, NO_FLAG, NO_FLAG };
		if (needs_flag(f, i))
			flags->first = set_before(f, first_of(b->at));
		LP_IR_EACH_INSTRUCTION(b->at, x)
			if (divides(f->ir, x))
				flags->last = set_before(f, LLVMGetNextInstruction(x));
		if (!lp_ir_is_branch(b->end) || lp_ir_is_within_operation(b->end) || lp_ir_leaves_scope(b->end))
			continue;
		flags->ways = new_flags(f, LLVMGetNumSuccessors(b->end));
		LP_PUSH(&f->settings, ((struct setting){ b->end, flags->ways, true }));
	}
}

/* ---- lists of flags ---- */

/* Of a conditional branch the first way is that of `true`, whose flag is the second. */
static uint32_t flag_of_way(const struct function *f, struct lp_ir_edge edge)
{
	const bool conditional = LLVMIsABranchInst(f->flow.at[edge.from].end);

	return f->flags[edge.from].ways + (conditional ? 1 - edge.way : edge.way);
}

static void list_block(struct function *f, uint32_t block);

/* Any of the flags tells that control came to the instruction. */
static void list_place(struct function *f, lp_ir_value x)
{
	const LLVMBasicBlockRef block = LLVMGetInstructionParent(x);
	uint32_t last = NO_FLAG;

	for (lp_ir_value at = LLVMGetFirstInstruction(block); at != x; at = LLVMGetNextInstruction(at))
		for (uint32_t i = 0; divides(f->ir, at) && i < f->settings.count; i++)
			if (!f->settings.at[i].way && f->settings.at[i].before == LLVMGetNextInstruction(at))
				last = f->settings.at[i].flag;
	if (last != NO_FLAG)
		LP_PUSH(&f->cover->lists, last);
	else
		list_block(f, lp_ir_flow_number(&f->flow, block));
}

/* Out of a switch that leaves a scope: where its variable gets that value. */
static void list_leaving(struct function *f, lp_ir_value end, uint32_t way)
{
	const lp_ir_value value = way ? LLVMGetOperand(end, 2 * way) : NULL;

	LP_IR_EACH_USE(LLVMGetOperand(lp_ir_condition(end), 0), u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value)
			list_place(f, user);
	}
}

static void list_edge(struct function *f, struct lp_ir_edge edge)
{
	const struct flags *flags = &f->flags[edge.from];

	if (lp_ir_is_branch(f->flow.at[edge.from].end) && lp_ir_leaves_scope(f->flow.at[edge.from].end))
		list_leaving(f, f->flow.at[edge.from].end, edge.way);
	else if (flags->ways != NO_FLAG)
		LP_PUSH(&f->cover->lists, flag_of_way(f, edge));
	else if (flags->last != NO_FLAG)
		LP_PUSH(&f->cover->lists, flags->last);
	else
		list_block(f, edge.from);
}

/* Any of the flags tells that the beginning of the block was executed. */
static void list_block(struct function *f, uint32_t block)
{
	struct lp_ir_block *b = &f->flow.at[block];

	if (f->flags[block].first != NO_FLAG) {
		LP_PUSH(&f->cover->lists, f->flags[block].first);
		return;
	}
	if (b->asked == f->list)
		return; /* what it adds is there, or is being added */
	b->asked = f->list;
	for (uint32_t i = 0; i < b->before.count; i++)
		list_edge(f, b->before.at[i]);
}

static struct lp_flag_list list_of_block(struct function *f, uint32_t block)
{
	const uint32_t at = f->cover->lists.count;

	f->list++;
	list_block(f, block);
	return (struct lp_flag_list){ at, f->cover->lists.count - at };
}

static struct lp_flag_list list_of_one(struct function *f, uint32_t flag)
{
	LP_PUSH(&f->cover->lists, flag);
	return (struct lp_flag_list){ f->cover->lists.count - 1, 1 };
}

/* ---- lines ---- */

static void add_line(struct function *f, uint32_t file, uint32_t line, bool fails, struct lp_flag_list flags)
{
	const struct lp_covered_line made = { f->number, file, line, fails, flags };

	for (uint32_t i = f->cover->lines.count; i-- > 0 && i + 16 > f->cover->lines.count;)
		if (!memcmp(&f->cover->lines.at[i], &made, sizeof made))
			return;
	LP_PUSH(&f->cover->lines, made);
}

/* What the compiler notes about variables is at their declarations, where nothing happens. */
static bool is_note(lp_ir_value x)
{
	return lp_ir_is_intrinsic(x, "llvm.lifetime.") || lp_ir_is_intrinsic(x, "llvm.dbg.") ||
	       lp_ir_is_intrinsic(x, "llvm.assume") || LLVMIsAAllocaInst(x);
}

static void add_line_of(struct function *f, lp_ir_value x, bool fails, struct lp_flag_list flags)
{
	const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(x);

	if (at && LLVMDILocationGetLine(at) && !is_note(x))
		add_line(f, lp_ir_scope_file(f->ir, LLVMDILocationGetScope(at)), LLVMDILocationGetLine(at), fails, flags);
}

static void add_lines(struct function *f)
{
	uint32_t setting = 0;

	for (uint32_t i = 0; i < f->flow.count; i++) {
		const struct lp_ir_block *b = &f->flow.at[i];
		struct lp_flag_list flags = list_of_block(f, i);
		setting += f->flags[i].first != NO_FLAG;
		LP_IR_EACH_INSTRUCTION(b->at, x) {
			if (b->reached)
				add_line_of(f, x, b->fails, flags);
			if (divides(f->ir, x))
				flags = list_of_one(f, f->settings.at[setting++].flag);
		}
		setting += f->flags[i].ways != NO_FLAG;
	}
}

/* ---- branches and loops ---- */

/* Where the first code is that the way leads to; NULL if that is not known. */
static LLVMMetadataRef target_of(lp_ir_value branch, uint32_t way)
{
	LLVMBasicBlockRef b = LLVMGetSuccessor(branch, way);

	for (int step = 0; step < 8; step++) {
		LP_IR_EACH_INSTRUCTION(b, x) {
			const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(x);
			if (at && LLVMDILocationGetLine(at) && !is_note(x))
				return at;
		}
		if (LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)) != 1)
			return NULL;
		b = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0);
	}
	return NULL;
}

/* Which way is that of "true" cannot be told: clang exchanges them for each negation.  So ways are called by what they
 * lead to. */
static uint32_t label_of(struct function *f, lp_ir_value branch, uint32_t way)
{
	char text[64];

	if (LLVMIsABranchInst(branch)) {
		const LLVMMetadataRef to = target_of(branch, way), other = target_of(branch, 1 - way);
		const unsigned line = to ? LLVMDILocationGetLine(to) : 0;
		if (!to)
			snprintf(text, sizeof text, "end");
		else if (other && LLVMDILocationGetLine(other) == line)
			snprintf(text, sizeof text, "line %u, column %u", line, LLVMDILocationGetColumn(to));
		else
			snprintf(text, sizeof text, "line %u", line);
	} else if (!way) {
		snprintf(text, sizeof text, "default");
	} else {
		snprintf(text, sizeof text, "case %lld", LLVMConstIntGetSExtValue(LLVMGetOperand(branch, 2 * way)));
	}
	return lp_ir_text(f->ir, text);
}

static void add_branch(struct function *f, uint32_t block)
{
	const struct lp_ir_block *b = &f->flow.at[block];
	const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(b->end);
	const struct lp_covered_branch branch = {
		f->number, lp_ir_scope_file(f->ir, LLVMDILocationGetScope(at)), LLVMDILocationGetLine(at),
		LLVMDILocationGetColumn(at), f->cover->ways.count, LLVMGetNumSuccessors(b->end)
	};

	for (uint32_t way = 0; way < branch.way_count; way++) {
		const uint32_t to = lp_ir_flow_number(&f->flow, LLVMGetSuccessor(b->end, way));
		LP_PUSH(&f->cover->ways, ((struct lp_covered_way){ label_of(f, b->end, way), f->flow.at[to].fails,
								   flag_of_way(f, (struct lp_ir_edge){ block, way }) }));
	}
	LP_PUSH(&f->cover->branches, branch);
}

static void add_loop(struct function *f, struct lp_ir_edge edge)
{
	const lp_ir_value end = f->flow.at[edge.from].end;
	const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(end);
	const uint32_t header = lp_ir_flow_number(&f->flow, LLVMGetSuccessor(end, edge.way));

	if (!at || !LLVMDILocationGetLine(at))
		return;
	struct lp_covered_loop loop = {
		f->number, lp_ir_scope_file(f->ir, LLVMDILocationGetScope(at)), LLVMDILocationGetLine(at),
		LLVMDILocationGetColumn(at), .entered = list_of_block(f, header),
	};
	loop.repeated.at = f->cover->lists.count;
	f->list++;
	list_edge(f, edge);
	loop.repeated.count = f->cover->lists.count - loop.repeated.at;
	LP_PUSH(&f->cover->loops, loop);
}

/* ---- the whole ---- */

static void cover_function(struct lp_ir *ir, lp_ir_value at)
{
	struct function f = { .ir = ir, .cover = ir->cover, .at = at, .number = ir->cover->functions.count };
	const LLVMMetadataRef subprogram = LLVMGetSubprogram(at);

	lp_ir_flow_open(at, &f.flow);
	f.flags = lp_alloc(sizeof *f.flags * f.flow.count);
	place_flags(&f);
	const struct lp_covered_function record = { lp_ir_scope_function(ir, subprogram), lp_ir_scope_file(ir, subprogram),
						    LLVMDISubprogramGetLine(subprogram), f.flags[0].first };
	LP_PUSH(&f.cover->functions, record);
	add_line(&f, record.file, record.line, f.flow.at[0].fails, list_of_one(&f, record.entered));
	add_lines(&f);
	for (uint32_t i = 0; i < f.flow.count; i++)
		if (lp_ir_is_branch(f.flow.at[i].end) && f.flow.at[i].reached && !lp_ir_is_made_by_compiler(f.flow.at[i].end))
			add_branch(&f, i);
	for (uint32_t i = 0; i < f.flow.back.count; i++)
		add_loop(&f, f.flow.back.at[i]);
	for (uint32_t i = 0; i < f.settings.count; i++)
		lp_ir_insert_mark(ir, f.settings.at[i].before, f.settings.at[i].flag, f.settings.at[i].way);
	lp_ir_flow_close(&f.flow);
	lp_free(f.flags);
	lp_free(f.settings.at);
}

void lp_ir_insert_coverage(struct lp_ir *ir)
{
	struct lp_ir_values functions = { 0 };

	ir->cover = lp_alloc_zero(1, sizeof *ir->cover);
	lp_ir_choose_covered(ir, &functions);
	for (uint32_t i = 0; i < functions.count; i++)
		cover_function(ir, functions.at[i]);
	lp_free(functions.at);
}

#define BYTES(ir, name, vec) lp_ir_define_bytes(ir, name, (vec).at, sizeof *(vec).at * (vec).count)

lp_ir_value lp_ir_define_coverage(struct lp_ir *ir)
{
	static const struct lp_ir_cover none;
	const struct lp_ir_cover *c = ir->cover ? ir->cover : &none;
	const uint32_t counts[] = { c->flags, c->functions.count, c->lines.count, c->branches.count, c->loops.count, 0 };
	lp_ir_value fields[12];
	unsigned count = 0;

	for (; count < sizeof counts / sizeof *counts; count++)
		fields[count] = LLVMConstInt(ir->i32, counts[count], false);
	fields[count++] = BYTES(ir, "lp.coverage.lists", c->lists);
	fields[count++] = BYTES(ir, "lp.coverage.functions", c->functions);
	fields[count++] = BYTES(ir, "lp.coverage.lines", c->lines);
	fields[count++] = BYTES(ir, "lp.coverage.branches", c->branches);
	fields[count++] = BYTES(ir, "lp.coverage.ways", c->ways);
	fields[count++] = BYTES(ir, "lp.coverage.loops", c->loops);
	return LLVMConstStructInContext(ir->context, fields, count, false);
}
