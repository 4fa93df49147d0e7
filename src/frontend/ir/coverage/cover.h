/* cover.h -- records which code is executed.
 *
 * This pass inserts marks, which set flags (marks.h, frontend/abi.h), into the functions of the user's own files.  It runs before
 * all other passes, so lines and branches are those of the source, and optimisations have no influence on them.
 *
 *     br c, then, end         -->    flag[k + c] = 1          flag k: c was false; k + 1: c was true
 *                                    br c, then, end
 *
 * There is a flag for a function's entry, for each way out of a branch, for the code after each call, which might not return,
 * and for each place where an exception arrives.  No other code needs a flag: a block without a flag was executed if one of its
 * predecessors was.
 *
 * Flags do not change the operations or live states of the program.  Setting a flag is not an access of the program (marks.h), and
 * does not count for inlining (inlining.c).  A value that is used only to set flags counts as unused (state/results.c).
 */
#ifndef LP_FRONTEND_IR_COVERAGE_COVER_H
#define LP_FRONTEND_IR_COVERAGE_COVER_H

#include "frontend/ir/ir.h"

void lp_ir_insert_coverage(struct lp_ir *);

/* Returns the struct lp_coverage of the module, as a constant. */
lp_ir_value lp_ir_define_coverage(struct lp_ir *);

#endif
