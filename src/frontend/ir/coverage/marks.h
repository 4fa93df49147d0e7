/* marks.h -- instructions that set flags.
 *
 * Until lp_ir_lower_marks() is called, a mark is a call of llvm.sideeffect(), which costs nothing according to LLVM's estimates.
 * (A store would make blocks larger, and could keep LLVM from duplicating them.)  An operand bundle of the call has the number of
 * the flag.  A mark for the ways out of a branch also has the condition, and for a switch, the cases.
 */
#ifndef LP_FRONTEND_IR_COVERAGE_MARKS_H
#define LP_FRONTEND_IR_COVERAGE_MARKS_H

#include "frontend/ir/ir.h"

/* Inserts a mark before the instruction.  Without `way`, the mark sets the flag.  With `way`, the instruction is a branch, and each
 * way out of it has a flag of its own, in order from `flag` on: the mark sets the flag of the way that control takes. */
void lp_ir_insert_mark(struct lp_ir *, lp_ir_value before, uint32_t flag, bool way);

/* Is the instruction a mark?  (Marks are not part of the program.) */
bool lp_ir_is_mark(lp_ir_value instruction);

/* Turns marks into stores.  To be called after all analyses. */
void lp_ir_lower_marks(struct lp_ir *);

#endif
