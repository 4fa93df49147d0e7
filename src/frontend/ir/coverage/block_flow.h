/* block_flow.h -- the blocks of a function, as clang made them, and how control passes between them. */
#ifndef LP_FRONTEND_IR_COVERAGE_BLOCK_FLOW_H
#define LP_FRONTEND_IR_COVERAGE_BLOCK_FLOW_H

#include "frontend/ir/ir.h"

struct lp_ir_edge {
	uint32_t from, way; /* the block, and which successor of it */
};

struct lp_ir_block {
	LLVMBasicBlockRef at;
	lp_ir_value end;    /* its terminator */
	struct {
		LP_VEC(struct lp_ir_edge);
	} before;
	bool fails;         /* control that comes here can only end in an error */
	bool reached;       /* from the entry, as far as the flow of control tells */
	uint32_t asked;     /* the recursion over blocks that has visited it last */
};

struct lp_ir_flow {
	LP_VEC(struct lp_ir_block);
	struct {
		LP_VEC(LLVMBasicBlockRef);
	} sorted;           /* the same blocks, by address */
	uint32_t *number;   /* their numbers */
	struct {
		LP_VEC(struct lp_ir_edge);
	} back;             /* edges to a block that control has come through: they repeat a loop */
};

void lp_ir_flow_open(lp_ir_value function, struct lp_ir_flow *);
void lp_ir_flow_close(struct lp_ir_flow *);

uint32_t lp_ir_flow_number(const struct lp_ir_flow *, LLVMBasicBlockRef);

/* Does control choose between ways there, by a condition or a switch? */
bool lp_ir_is_branch(lp_ir_value terminator);
lp_ir_value lp_ir_condition(lp_ir_value branch);

/* A branch that is part of one atomic operation: for a memory order that is a variable, for a
 * compare-exchange that fails and has to say what it found. */
bool lp_ir_is_within_operation(lp_ir_value branch);

/* A switch that goes on where a statement wants to go that has left a scope: break, continue, return. */
bool lp_ir_leaves_scope(lp_ir_value branch);

/* A branch that no line of the source asks for: one of these; of a coroutine that may be suspended; for a static variable's first
 * use. */
bool lp_ir_is_made_by_compiler(lp_ir_value branch);

#endif
