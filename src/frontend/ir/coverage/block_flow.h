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
	bool reached;       /* a path leads from the entry to the block */
	uint32_t asked;     /* the number of the last recursion over blocks that has visited the block */
};

struct lp_ir_flow {
	LP_VEC(struct lp_ir_block);
	struct {
		LP_VEC(LLVMBasicBlockRef);
	} sorted;           /* the same blocks, sorted by address */
	uint32_t *number;   /* their numbers */
	struct {
		LP_VEC(struct lp_ir_edge);
	} back;             /* edges that lead back to a block on the path from the entry: they repeat a loop */
};

void lp_ir_flow_open(lp_ir_value function, struct lp_ir_flow *);
void lp_ir_flow_close(struct lp_ir_flow *);

uint32_t lp_ir_flow_number(const struct lp_ir_flow *, LLVMBasicBlockRef);

/* Does the terminator choose between several ways, by a condition or a switch? */
bool lp_ir_is_branch(lp_ir_value terminator);
lp_ir_value lp_ir_condition(lp_ir_value branch);

/* Is the branch a part of one atomic operation?  Examples are the switch over a memory order that is a variable, and the branch
 * in which a failed compare-exchange stores the value that it found. */
bool lp_ir_is_within_operation(lp_ir_value branch);

/* Is it a switch that clang makes for statements which leave a scope (break, continue, return), and that goes to the target of
 * the statement? */
bool lp_ir_leaves_scope(lp_ir_value branch);

/* Is it a branch that does not come from the source?  This holds for the two kinds above, for the suspension of a coroutine, and
 * for the first use of a static variable. */
bool lp_ir_is_made_by_compiler(lp_ir_value branch);

#endif
