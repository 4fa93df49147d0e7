/* block_flow.h -- the blocks of a function, as clang made them, and how control passes between them. */
#ifndef LP_FRONTEND_IR_COVERAGE_BLOCK_FLOW_H
#define LP_FRONTEND_IR_COVERAGE_BLOCK_FLOW_H

#include "frontend/ir/ir.h"

struct lp_ir_edge {
	uint32_t from, way; /* the number of the block, and which of its successors the edge leads to */
};

struct lp_ir_block {
	LLVMBasicBlockRef at;
	lp_ir_value end;    /* its terminator */
	struct {
		LP_VEC(struct lp_ir_edge);
	} before;           /* the edges that lead to the block */
	bool fails;         /* from this block, control can only come to an error */
	bool reached;       /* a path leads from the entry of the function to the block */
	uint32_t asked;     /* the number of the last search over blocks that has visited this block */
};

struct lp_ir_flow {
	LP_VEC(struct lp_ir_block);
	struct {
		LP_VEC(LLVMBasicBlockRef);
	} sorted;           /* the same blocks, sorted by address */
	uint32_t *number;   /* number[i] is the number of sorted.at[i] */
	struct {
		LP_VEC(struct lp_ir_edge);
	} back;             /* the edges that repeat a loop: they lead back to a block on the path by which the search has come from
			     * the entry */
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

/* Is the branch a switch that clang has made for statements that leave a scope (break, continue, return)?  Such a switch goes to
 * the target of whichever statement is executed. */
bool lp_ir_leaves_scope(lp_ir_value branch);

/* Has clang added the branch, so that it is not in the source?  This holds for the two sorts of branches above, for the suspension
 * of a coroutine, and for the test whether a static variable is used for the first time. */
bool lp_ir_is_made_by_compiler(lp_ir_value branch);

#endif
