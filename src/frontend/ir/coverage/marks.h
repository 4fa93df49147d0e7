/* marks.h -- instructions that set flags.
 *
 * Until the passes before `frames` are over, a flag that is set is a call of llvm.sideeffect(), which they take to be
 * free: a store would make blocks larger, and so prevent that they are copied.  A bundle of operands says which
 * flag: its number; for ways out of a branch also the condition, and for a switch the cases.
 */
#ifndef LP_FRONTEND_IR_COVERAGE_MARKS_H
#define LP_FRONTEND_IR_COVERAGE_MARKS_H

#include "frontend/ir/ir.h"

/* Sets the flag before the instruction; `way`: the flag is that of the first way out of this branch, and the
 * way that control takes has its number added. */
void lp_ir_insert_mark(struct lp_ir *, lp_ir_value before, uint32_t flag, bool way);

/* Is the instruction a mark?  It is none of the program's. */
bool lp_ir_is_mark(lp_ir_value instruction);

/* Marks become stores.  To be done when all that is analysed has been. */
void lp_ir_lower_marks(struct lp_ir *);

#endif
